package diffuse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// MostDual is the most seeds for which a [Kernel] of [Diffused] or [Joined] maps holds K, of 8·m² bytes; a solve
// takes as much again, and m³/6 time. With more, products of X̃ cost less (docs/decisions/0037-many-seeds.md). MostIterated is that
// of other maps, for which nothing but K serves.
const (
	MostDual     = 1024
	MostIterated = 4096
)

// Map is a linear map X̃, n×d, of the features of n nodes: [Diffused], or several [Joined].
// One call at a time.
type Map interface {
	Columns
	// Gram returns X̃_L X̃_Lᵀ for m nodes L, row-major.
	Gram(ctx context.Context, nodes []uint32) ([]float64, error)
	// Parts returns the terms of rᵀX̃v by columns and by nodes.
	Parts(ctx context.Context, r, v *csr.Dense) (columns, nodes []float64, err error)
}

// Kernel is K = X̃_L X̃_Lᵀ of m nodes L, from which the ridge regressions on any of them
// follow without X̃: those of the folds of seeds. With more than [MostDual] nodes maps that have columns need no K: the
// regressions are solved for by them ([Ridge]).
type Kernel struct {
	Nodes   []uint32 // increasing
	x       Map
	k       []float64  // m×m; nil for more than MostDual nodes
	single  *csr.Dense // K in float32 of more, where it is not solved for by columns
	threads int
}

// NewKernel makes K of the nodes of the seeds. The cost where X̃ is formed is m²d; else
// 2m·(T·nnz(U) + nnz(X)), and n×32 blocks: no row of X̃ is held. Of a sparse X on one or two hops of weight 1 the m rows are held
// as sparse ones where these have at most 24·n entries. 8·m² bytes, with more than
// [MostDual] nodes 12·m² while K is made and 4·m² then. By columns it
// costs nothing. More than [MostIterated] nodes of a map without columns are an [ErrOptions].
func NewKernel(ctx context.Context, x Map, y *Seeds, threads int) (*Kernel, error) {
	if n, _ := x.Dims(); n != y.Nodes {
		panic(fmt.Sprintf("diffuse: features of %d nodes, seeds for %d", n, y.Nodes))
	}
	kernel := kernelOn(x, y, threads)
	if kernel.byColumns() {
		return kernel, nil
	}
	if m := len(kernel.Nodes); m > MostIterated {
		return nil, fmt.Errorf("%w: %d seeds, expected at most %d", ErrOptions, m, MostIterated)
	}
	var err error
	if kernel.k, err = x.Gram(ctx, kernel.Nodes); err == nil && len(kernel.Nodes) > MostDual {
		kernel.round()
	}
	kernel.letGo()
	return kernel, err
}

// round keeps K in float32 alone.
func (k *Kernel) round() {
	m := len(k.Nodes)
	k.single = csr.NewDense(m, m)
	for at, v := range k.k {
		k.single.Data[at] = float32(v)
	}
	k.k = nil
}

// kernelOn returns a kernel of the nodes of the seeds, without K.
func kernelOn(x Map, y *Seeds, threads int) *Kernel {
	kernel := &Kernel{x: x, threads: threads}
	for k, s := range y.list {
		if k == 0 || y.list[k-1].Node != s.Node {
			kernel.Nodes = append(kernel.Nodes, s.Node)
		}
	}
	return kernel
}

// byColumns reports whether regressions are solved for by the columns of the map.
func (k *Kernel) byColumns() bool {
	_, columns := k.x.(columnMap)
	return columns && len(k.Nodes) > MostDual
}

// dual is ridge regression on the rows of X̃ at m seeds alone, in the form of the seeds:
// K = X̃_L X̃_Lᵀ, m×m. With targets Ŷ = Y_L less the mean of its columns,
//
//	B = (K+λI)^-1 Ŷ,  V = X̃_LᵀB,
//
// which minimises ‖X̃_L V − Ŷ‖² + λ‖V‖². The scores of all nodes are X̃V.
//
// A seed with the weight w counts w times, in the mean too: K is then √W K √W, the
// targets √W Ŷ. A node with seeds in several classes is one row, its target their shares,
// its weight their sum.
type dual struct {
	nodes   []uint32 // the seeds' nodes, increasing
	kernel  *Kernel
	at      []int // of the nodes in the kernel
	weight  []float64
	root    []float64   // √w_i
	targets [][]float64 // of each class, centred: m
}

// on returns the targets of some seeds and their places in K.
func (k *Kernel) on(y *Seeds) *dual {
	d := &dual{kernel: k}
	d.take(y)
	d.at = make([]int, len(d.nodes))
	for i, node := range d.nodes {
		d.at[i] = k.place(node)
	}
	return d
}

// Scores returns X̃V, n×c, of the regression on some seeds, all of whose nodes are of the kernel, for one λ above 0: with K by its Cholesky
// factor, m³/6 multiply-adds and 8·m² bytes. More than [MostDual] are solved for as in [Ridge], or, without columns, by conjugate
// gradients on K, to a residual of 1e-6 of the right side: m²c multiply-adds an iteration, and about 4·m² + 60·m·c bytes.
// A λ below the rounding of K is an [ErrOptions].
func (k *Kernel) Scores(ctx context.Context, y *Seeds, lambda float64) (*csr.Dense, error) {
	v, err := k.Solve(ctx, y, lambda)
	if err != nil {
		return nil, err
	}
	return k.times(ctx, v)
}

// Solve returns V, d×c, of [Kernel.Scores].
func (k *Kernel) Solve(ctx context.Context, y *Seeds, lambda float64) (*csr.Dense, error) {
	if k.byColumns() {
		targets, weights := SeedTargets(y)
		v, _, err := Ridge(ctx, k.x, targets, weights, RidgeOptions{Lambda: lambda})
		return v, err
	}
	if err := checkLambda(lambda); err != nil {
		return nil, err
	}
	d := k.on(y)
	solve := d.iterated
	if k.k != nil {
		solve = d.factored
	}
	b, err := solve(ctx, lambda)
	if err != nil {
		return nil, err
	}
	return d.primal(ctx, b)
}

// Parts returns the terms of rᵀX̃v ([Diffused.Parts]).
func (k *Kernel) Parts(ctx context.Context, r, v *csr.Dense) (columns, nodes []float64, err error) {
	return k.x.Parts(ctx, r, v)
}

// factored returns (√WK√W+λI)^-1√WŶ, a column a class, by the factor of the matrix.
func (d *dual) factored(ctx context.Context, lambda float64) ([][]float64, error) {
	m := len(d.nodes)
	part := make([]float64, m*m)
	for i := range m {
		row := d.kernel.k[d.at[i]*len(d.kernel.Nodes):]
		for j := range i + 1 {
			part[i*m+j] = row[d.at[j]] * float64(d.root[i]*d.root[j])
		}
	}
	b := make([][]float64, len(d.targets))
	for j, targets := range d.targets {
		b[j] = make([]float64, m)
		for i, v := range targets {
			b[j][i] = d.root[i] * v
		}
	}
	return b, solveCholesky(ctx, part, m, lambda, b, d.kernel.threads)
}

// iterated returns the same by conjugate gradients on each. K and √W times the
// directions are float32, so that products of theirs are exact in float64, with the same bits on every processor.
func (d *dual) iterated(ctx context.Context, lambda float64) ([][]float64, error) {
	const tolerance, iterations = 1e-6, 1000
	m, c := len(d.nodes), len(d.targets)
	k := d.rounded()
	x, r, q, p, rooted := make([]float64, m*c), make([]float64, m*c), make([]float64, m*c), make([]float64, m*c), csr.NewDense(m, c)
	for j, column := range d.targets {
		for i, v := range column {
			r[i*c+j] = float64(d.root[i] * v)
		}
	}
	direct := func(at int, v float64) { // √wp is a float32
		rooted.Data[at] = float32(d.root[at/c] * v)
		p[at] = float64(rooted.Data[at]) / d.root[at/c]
	}
	for at, v := range r {
		direct(at, v)
	}
	square, goal := columnDots(r, r, c), make([]float64, c)
	for j, v := range square {
		goal[j] = float64(tolerance*tolerance) * v
	}
	step, turn := make([]float64, c), make([]float64, c)
	for range iterations {
		if err := TimesDense(ctx, k, rooted, d.kernel.threads, func(i int, row []float64) {
			for j, v := range row {
				q[i*c+j] = float64(lambda*p[i*c+j]) + float64(d.root[i]*v)
			}
		}); err != nil {
			return nil, err
		}
		done := true
		for j, v := range columnDots(p, q, c) {
			if step[j] = 0; square[j] > goal[j] && v > 0 {
				step[j], done = square[j]/v, false
			}
		}
		if done {
			break
		}
		for at := range x {
			x[at] += float64(step[at%c] * p[at])
			r[at] -= float64(step[at%c] * q[at])
		}
		next := columnDots(r, r, c)
		for j, v := range next {
			if turn[j] = 0; step[j] > 0 {
				turn[j] = v / square[j]
			}
		}
		square = next
		for at := range p {
			direct(at, r[at]+float64(turn[at%c]*p[at]))
		}
	}
	return turned(x, m, c), nil
}

// rounded returns K of the seeds in float32.
func (d *dual) rounded() *csr.Dense {
	if len(d.at) == len(d.kernel.Nodes) {
		return d.kernel.single
	}
	k := csr.NewDense(len(d.at), len(d.at))
	for i, of := range d.at {
		row, to := d.kernel.single.Row(of), k.Row(i)
		for j, at := range d.at {
			to[j] = row[at]
		}
	}
	return k
}

// columnDots returns x_j·y_j of the columns of two m×c blocks.
func columnDots(x, y []float64, c int) []float64 {
	sum := make([]float64, c)
	for at, v := range x {
		sum[at%c] += float64(v * y[at])
	}
	return sum
}

// place returns the row of a node in K; a node that is not there panics.
func (k *Kernel) place(node uint32) int {
	at, ok := slices.BinarySearch(k.Nodes, node)
	if !ok {
		panic(fmt.Sprintf("diffuse: node %d is not of the kernel", node))
	}
	return at
}

// take sets the nodes, weights and centred targets of the seeds.
func (d *dual) take(y *Seeds) {
	nodes, share, weight := y.Shares()
	if y.Sets { // the target of each label is 1, and the weight that of one
		for i, row := range share {
			labels := 0.0
			for _, v := range row {
				if v > 0 {
					labels++
				}
			}
			weight[i] /= labels
			for j := range row {
				row[j] *= labels
			}
		}
	}
	d.nodes, d.weight = nodes, weight
	mean := make([]float64, y.Classes)
	total := 0.0
	for i, w := range d.weight {
		d.root = append(d.root, math.Sqrt(w))
		total += w
		for j, v := range share[i] {
			mean[j] += float64(w * v)
		}
	}
	d.targets = make([][]float64, y.Classes)
	for j := range d.targets {
		mean[j] /= total
		for i := range d.nodes {
			d.targets[j] = append(d.targets[j], share[i][j]-mean[j])
		}
	}
}

// SeedTargets returns the targets, n×c, and weights of the seeds for [Ridge], where they
// are too many for a K: those of a [Kernel] at the seeds, 0 at all other nodes.
func SeedTargets(y *Seeds) (targets *csr.Dense, weights []float32) {
	d := new(dual)
	d.take(y)
	targets, weights = csr.NewDense(y.Nodes, y.Classes), make([]float32, y.Nodes)
	for i, node := range d.nodes {
		weights[node] = float32(d.weight[i])
		for j := range d.targets {
			targets.Set(int(node), j, float32(d.targets[j][i]))
		}
	}
	return targets, weights
}

// Gram returns X̃_L X̃_Lᵀ for m nodes L, row-major.
func (d *Diffused) Gram(ctx context.Context, nodes []uint32) ([]float64, error) {
	k, err := d.gram(ctx, nodes)
	if err == nil && d.norm != nil {
		d.unitGram(k, nodes)
	}
	return k, err
}

// unitGram makes products of rows as long as they are those of rows divided by their norms.
func (d *Diffused) unitGram(k []float64, nodes []uint32) {
	m := len(nodes)
	for i, node := range nodes {
		for j, other := range nodes {
			if size := float64(d.norm[node] * d.norm[other]); size > 0 {
				k[i*m+j] /= size
			} else { // a row of zeros, which has a length where rows are centred
				k[i*m+j] = 0
			}
		}
	}
}

// gram is Gram of rows as long as they are.
func (d *Diffused) gram(ctx context.Context, nodes []uint32) ([]float64, error) {
	m := len(nodes)
	k := make([]float64, m*m)
	if d.Formed() {
		whole := *d
		whole.norm = nil
		points, err := whole.Rows(ctx, nodes)
		if err != nil {
			return nil, err
		}
		return k, gramOf(ctx, k, points, d.threads)
	}
	if d.walks() {
		if gram, ok, err := d.walkGram(ctx, nodes); ok || err != nil {
			return gram, err
		}
	}
	// E is scaled by what X's numbers are near to, on both ways, lest float32 overflows.
	n, cols := d.Dims()
	e := d.exponent()
	shrink := math.Ldexp(1, -e)
	for lo := 0; lo < m; lo += formedColumns {
		some := nodes[lo:min(lo+formedColumns, m)]
		back, ahead := csr.NewDense(cols, len(some)), units(n, some)
		times(ahead.Data, shrink)
		if err := d.applyT(ctx, back, ahead); err != nil {
			return nil, err
		}
		times(back.Data, shrink)
		if err := d.apply(ctx, ahead, back); err != nil {
			return nil, err
		}
		for i, node := range nodes {
			for j, v := range ahead.Row(int(node)) {
				k[i*m+lo+j] = math.Ldexp(float64(v), 2*e)
			}
		}
	}
	d.letGo()
	for i := range m { // symmetric but for rounding
		for j := range i {
			k[i*m+j] = (k[i*m+j] + k[j*m+i]) / 2
		}
	}
	mirror(k, m)
	return k, nil
}

// gramOf makes k the products of all rows of x, m×d.
func gramOf(ctx context.Context, k []float64, x *csr.Dense, threads int) error {
	b := newStrips(x.Cols, x.Rows, kernel.TileCols)
	b.setAcross(x, 0, x.Rows)
	return timesStrips(ctx, x, b, threads, func(i int, row []float64) { copy(k[i*x.Rows:], row) })
}

// primal returns V = X̃_Lᵀ√W b, for one b a class, which it overwrites.
func (d *dual) primal(ctx context.Context, b [][]float64) (*csr.Dense, error) {
	most := 0.0
	for j := range d.targets {
		for i := range d.nodes {
			b[j][i] *= d.root[i]
			most = max(most, math.Abs(b[j][i]))
		}
	}
	n, cols := d.kernel.x.Dims()
	if x, ok := d.kernel.x.(*Diffused); ok && x.Formed() && x.norm == nil {
		return d.primalOf(x.x.Dense, b), ctx.Err()
	}
	_, e := math.Frexp(most) // that float32 holds them, whatever the features' unit
	r, v := csr.NewDense(n, len(d.targets)), csr.NewDense(cols, len(d.targets))
	for j := range d.targets {
		for i, node := range d.nodes {
			r.Set(int(node), j, float32(math.Ldexp(b[j][i], -e)))
		}
	}
	if err := d.kernel.x.ApplyT(ctx, v, r); err != nil {
		return nil, err
	}
	for k, value := range v.Data {
		v.Data[k] = float32(math.Ldexp(float64(value), e))
	}
	return v, nil
}

// primalOf returns V = X_Lᵀb in float64. Where rows of X are of unlike sizes, or along one
// direction, the sum is far below its terms: b in float32 would be an error of 10^-4 in it.
func (d *dual) primalOf(x *csr.Dense, b [][]float64) *csr.Dense {
	v := csr.NewDense(x.Cols, len(b))
	rows.Each(x.Cols, d.kernel.threads, func(lo, hi int) {
		sum := make([]float64, (hi-lo)*len(b))
		for i, node := range d.nodes {
			for k, value := range x.Row(int(node))[lo:hi] {
				for j := range b {
					sum[k*len(b)+j] += float64(float64(value) * b[j][i])
				}
			}
		}
		for k, value := range sum {
			v.Data[lo*len(b)+k] = float32(value)
		}
	})
	return v
}

// times returns X̃V.
func (k *Kernel) times(ctx context.Context, v *csr.Dense) (*csr.Dense, error) {
	n, _ := k.x.Dims()
	out := csr.NewDense(n, v.Cols)
	err := k.x.Apply(ctx, out, v)
	k.letGo()
	return out, err
}

// letGo lets go of the blocks that a map keeps from one product to the next: there may be many kernels.
func (k *Kernel) letGo() {
	if x, ok := k.x.(interface{ letGo() }); ok {
		x.letGo()
	}
}
