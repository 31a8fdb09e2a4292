package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Hops say how far features are diffused:
//
//	P = (1−a) Σ_{t<T} aᵗ Tᵗ + a^T T^T,  T = (D+½I)^-1 (U+½I),
//
// with a = Weight, T = Steps, U the affinity of a graph and D its degrees. The rows of P
// sum to 1. That of an isolated node is its own. The zero Hops are P = I.
//
// Symmetric has D^1/2 T D^-1/2 = (D+½)^-1 (D S + ½I) in place of T, S = D^-1/2 U D^-1/2: means become sums over the
// roots of degrees, so that a row knows its degree, as in SGC.
type Hops struct {
	Weight    float64 // a in [0,1]
	Steps     int
	Symmetric bool
}

// TenHops are what features are diffused by where nothing else is known.
var TenHops = Hops{Weight: 0.9, Steps: 10}

// none reports whether P = I.
func (h Hops) none() bool { return h.Weight == 0 || h.Steps == 0 }

func (h Hops) check() error {
	if !(h.Weight >= 0 && h.Weight <= 1) || h.Steps < 0 {
		return fmt.Errorf("%w: %d hops of weight %v, expected at least 0 of 0 to 1", ErrOptions, h.Steps, h.Weight)
	}
	return nil
}

// Diffused are the diffused features X̃ = PX, n×d, as a linear map: never formed, each
// product is one of P and one of X, on c columns; see [Diffused.Form] for the other way.
// One call at a time.
type Diffused struct {
	x       Features
	across  *csr.Matrix // Xᵀ of a sparse X, once needed: each row of XᵀR is then one task's
	g       *Graph
	hops    Hops
	threads int

	oneHot  bool      // X = I: see [Links]
	centred bool      // the mean row is taken off: see [Diffused.Centred]
	norm    []float64 // what rows are divided by, nil for 1: see [Diffused.Unit]

	most   [2]float64   // the largest s_i, and s_i/(D_i+½), of nodes with neighbours
	blocks [3][]float32 // of n rows, as many columns as the last product had
}

// NewDiffused checks the features and returns PX on a graph U of the same nodes, made by
// [Normalize]; the graph may be nil where P = I. The first product of X̃ᵀ transposes a
// sparse X, unless it comes with Xᵀ ([Features.Across]): 8 bytes an entry and column.
func NewDiffused(x Features, g *Graph, hops Hops, threads int) (*Diffused, error) {
	if err := hops.check(); err != nil {
		return nil, err
	}
	if err := x.Check(threads); err != nil {
		return nil, err
	}
	d := &Diffused{x: x, across: x.across, g: g, hops: hops, threads: threads}
	if hops.none() {
		d.g = nil
		return d, nil
	}
	n, _ := x.Dims()
	if g == nil || g.Dim() != n {
		return nil, fmt.Errorf("%w: of %d nodes, expected those of the graph", ErrFeatures, n)
	}
	for _, degree := range g.Degrees {
		root := math.Sqrt(degree)
		d.most = [2]float64{max(d.most[0], root), max(d.most[1], root/(degree+self))}
	}
	return d, nil
}

// Dims returns n and d.
func (d *Diffused) Dims() (n, cols int) { return d.x.Dims() }

// Formed reports whether X̃ is at hand as a dense block: [Diffused.Form] made it, or X
// is dense, P = I and rows are not centred.
func (d *Diffused) Formed() bool { return d.g == nil && d.x.Dense != nil && !d.centred }

// Bytes returns the memory held beside X and the graph: Xᵀ of a sparse X, and three n×c
// blocks of the product of most columns, all once needed. A formed X̃ is the X of its own.
func (d *Diffused) Bytes() int64 {
	bytes := int64(0)
	if d.across != nil {
		bytes = d.across.Bytes()
	}
	for _, b := range d.blocks {
		bytes += 4 * int64(cap(b))
	}
	return bytes
}

// Apply computes dst ← X̃V = P(XV), n×c, for V d×c. Cost: c·(T·nnz(U) + nnz(X))
// multiply-adds.
func (d *Diffused) Apply(ctx context.Context, dst, v *csr.Dense) error {
	if err := d.apply(ctx, dst, v); err != nil {
		return err
	}
	d.divide(dst)
	return nil
}

// apply is Apply of rows as long as they are.
func (d *Diffused) apply(ctx context.Context, dst, v *csr.Dense) error {
	n, cols := d.Dims()
	mustBe(dst, n, v.Cols)
	mustBe(v, cols, dst.Cols)
	start := dst
	if d.g != nil {
		start = d.block(0, v.Cols)
	}
	if err := d.times(ctx, start, v); err != nil {
		return err
	}
	if d.g != nil {
		if err := d.diffuse(ctx, dst, start, d.block(1, v.Cols), false); err != nil {
			return err
		}
	}
	d.centre(dst)
	return nil
}

// ApplyT computes dst ← X̃ᵀR = Xᵀ(PᵀR), d×c, for R n×c, at the cost of [Diffused.Apply].
func (d *Diffused) ApplyT(ctx context.Context, dst, r *csr.Dense) error {
	if d.norm != nil {
		scaled := r.Clone()
		d.divide(scaled)
		r = scaled
	}
	return d.applyT(ctx, dst, r)
}

// Centred returns the map CX̃ for C = I − 11ᵀ/n: the mean of all rows is taken off each. Diffused rows are
// near their mean, and what tells them apart is the rest. [Diffused.Unit] comes after it; X̃ is shared.
func (d *Diffused) Centred() *Diffused {
	if d.norm != nil {
		panic("diffuse: Centred after Unit")
	}
	u := *d
	u.blocks, u.centred = [3][]float32{}, true
	return &u
}

// centre computes x ← Cx.
func (d *Diffused) centre(x *csr.Dense) {
	if !d.centred {
		return
	}
	sums := columnSums(x, d.threads)
	rows.Each(x.Rows, d.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := x.Row(i)
			for j, v := range row {
				row[j] = float32(float64(v) - sums[j]/float64(x.Rows))
			}
		}
	})
}

// columnSums returns Xᵀ1, the same for any number of threads.
func columnSums(x *csr.Dense, threads int) []float64 {
	return rows.NewReducer(x.Rows, x.Cols).Sum(threads, func(lo, hi int, sums []float64) {
		for i := lo; i < hi; i++ {
			for j, v := range x.Row(i) {
				sums[j] += float64(v)
			}
		}
	})
}

// Unit returns the map whose rows are x̃_i/‖x̃_i‖₂, so that λ = 1 is a fair start whatever the
// features. Rows of zeros stay so, also where they are centred. Rows of which centring leaves no more than rounding, and those
// shorter than 2^-120, become zeros. The lengths are exact where X̃ is formed, where P = I and nothing is centred, and of most
// [Links]. Else they are estimates, see [Diffused.MeanSquare], with a relative standard error of an eighth at most: squared
// lengths of 0.6 to 1.4 are common. 8·n bytes; X̃ is shared.
func (d *Diffused) Unit(ctx context.Context) (*Diffused, error) {
	u := *d
	u.blocks = [3][]float32{}
	n, _ := d.Dims()
	u.norm = make([]float64, n)
	if d.oneHot && d.walks() && short(d.g.S, d.hops.Steps, d.threads) {
		return &u, d.unitWalks(ctx, u.norm)
	}
	squareOf, draws := d.x.square, 1.0
	if d.g != nil || d.centred {
		whole := *d
		whole.centred = false
		probed, err := whole.probe(ctx)
		if err != nil {
			return nil, err
		}
		for i := range u.norm {
			u.norm[i] = squares(probed.Row(i))
		}
		d.centre(probed)
		squareOf, draws = func(i int) float64 { return d.rest(squares(probed.Row(i)), u.norm[i]) }, probes
	}
	rows.Each(n, d.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if u.norm[i] = lengthOf(squareOf(i) / draws); d.nobody(i) {
				u.norm[i] = 0
			}
		}
	})
	return &u, nil
}

// leastLength is the least length of a row that is more than the rounding of float32, and whose inverse float32 holds.
const leastLength = 0x1p-120

// lengthOf returns the length that a row is divided by, 0 for rows that become zeros.
func lengthOf(square float64) float64 {
	if length := math.Sqrt(square); length >= leastLength {
		return length
	}
	return 0
}

// leastRest is the least length of a centred row, as a share of that before, that is more than the rounding of float32.
const leastRest = 1e-5

// rest returns the square of a row, 0 where the row was 0 before it was centred or is no more than rounding.
func (d *Diffused) rest(square, before float64) float64 {
	if d.centred && square <= leastRest*leastRest*before || before == 0 {
		return 0
	}
	return square
}

// divide divides the rows by their norms; those of zeros become 0.
func (d *Diffused) divide(x *csr.Dense) {
	if d.norm == nil {
		return
	}
	rows.Each(x.Rows, d.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			d.divideRow(x.Row(i), i)
		}
	})
}

// divideRow is divide of the row of one node.
func (d *Diffused) divideRow(row []float32, i int) {
	switch {
	case d.norm == nil:
	case d.norm[i] > 0:
		times(row, 1/d.norm[i])
	default:
		times(row, 0)
	}
}

// applyT is ApplyT of rows as long as they are.
func (d *Diffused) applyT(ctx context.Context, dst, r *csr.Dense) error {
	n, cols := d.Dims()
	mustBe(dst, cols, r.Cols)
	mustBe(r, n, dst.Cols)
	if d.g == nil && !d.centred {
		return d.timesAcross(ctx, dst, r)
	}
	start := d.block(2, r.Cols)
	copy(start.Data, r.Data[:len(start.Data)])
	return d.consume(ctx, dst, start)
}

// consume is applyT, and overwrites R.
func (d *Diffused) consume(ctx context.Context, dst, r *csr.Dense) error {
	d.centre(r)
	if d.g == nil {
		return d.timesAcross(ctx, dst, r)
	}
	end := d.block(0, r.Cols)
	if err := d.diffuse(ctx, end, r, d.block(1, r.Cols), true); err != nil {
		return err
	}
	return d.timesAcross(ctx, dst, end)
}

func mustBe(x *csr.Dense, n, c int) {
	if x.Rows != n || x.Cols != c || len(x.Data) < n*c {
		panic(fmt.Sprintf("diffuse: a block of %d×%d, expected %d×%d", x.Rows, x.Cols, n, c))
	}
}

// block returns one of the three blocks, with c columns.
func (d *Diffused) block(k, c int) *csr.Dense {
	n, _ := d.Dims()
	if cap(d.blocks[k]) < n*c {
		d.blocks[k] = csr.NewDense(n, c).Data
	}
	return &csr.Dense{Rows: n, Cols: c, Data: d.blocks[k][:n*c]}
}

// letGo lets go of the blocks.
func (d *Diffused) letGo() { d.blocks = [3][]float32{} }

// times computes dst ← XV.
func (d *Diffused) times(ctx context.Context, dst, v *csr.Dense) error {
	if d.oneHot {
		copy(dst.Data, v.Data)
		return ctx.Err()
	}
	if d.x.Sparse != nil {
		return timesSparse(ctx, dst, d.x.Sparse, v, d.threads)
	}
	return TimesDense(ctx, d.x.Dense, v, d.threads, func(i int, row []float64) {
		narrow(dst.Row(i), row)
	})
}

// timesAcross computes dst ← XᵀR.
func (d *Diffused) timesAcross(ctx context.Context, dst, r *csr.Dense) error {
	if d.oneHot {
		copy(dst.Data, r.Data)
		return ctx.Err()
	}
	if d.x.Sparse != nil {
		if d.across == nil {
			d.across = csr.Transpose(d.x.Sparse, d.threads)
		}
		return timesSparse(ctx, dst, d.across, r, d.threads)
	}
	sum, err := cross(ctx, d.x.Dense, r, nil, d.threads)
	if err == nil {
		narrow(dst.Data, sum)
	}
	return err
}

func narrow(dst []float32, x []float64) {
	for k, v := range x {
		dst[k] = float32(v)
	}
}

// timesSparse is [csr.MulDense] in tasks of few rows: those of Xᵀ are few and long.
func timesSparse(ctx context.Context, dst *csr.Dense, a *csr.Matrix, x *csr.Dense, threads int) error {
	const few = 16
	if threads = rows.Workers(threads); dst.Rows > few*rows.BlockSize*threads {
		return rows.Do(ctx, dst.Rows, threads, func(_, lo, hi int) error {
			csr.MulDenseRows(dst, a, x, lo, hi)
			return nil
		})
	}
	return rows.Tasks(ctx, (dst.Rows+few-1)/few, threads, func(_, k int) error {
		csr.MulDenseRows(dst, a, x, k*few, min((k+1)*few, dst.Rows))
		return nil
	})
}

// diffuse computes dst ← PX, or PᵀX, and overwrites x and spare. With s = D^1/2, 1 for
// isolated nodes,
//
//	P = s^-1 P̂ s,  Pᵀ = (D+½)s^-1 P̂ s(D+½)^-1,
//
// where P̂ is P with (D+½)^-1 (D S + ½I) for T: the S of LGC serves, no other matrix is
// made. By Horner's rule, Z ← X̂, then T times Z ← (1−a)X̂ + a T̂Z. Symmetric hops are P̂, and its transpose is
// (D+½)D^-1 P̂ D(D+½)^-1.
func (d *Diffused) diffuse(ctx context.Context, dst, x, spare *csr.Dense, transposed bool) error {
	d.scale(x, func(i int) float64 { return d.enter(i, transposed) })
	z, next, steps := x, dst, d.hops.Steps
	if steps%2 == 0 { // the last step ends in dst
		next = spare
	}
	for range steps {
		if err := rows.Do(ctx, x.Rows, d.threads, func(_, lo, hi int) error {
			d.hop(next, z, x, lo, hi)
			return nil
		}); err != nil {
			return err
		}
		z = next
		if next = dst; z == dst {
			next = spare
		}
	}
	d.scale(dst, func(i int) float64 { return 1 / d.enter(i, transposed) })
	return nil
}

// hop makes rows lo to hi−1 of next ← (1−a)X + a T̂Z.
func (d *Diffused) hop(next, z, x *csr.Dense, lo, hi int) {
	d.g.ApplyRows(next, z, lo, hi)
	a, rest := d.hops.Weight, float32(1-d.hops.Weight)
	for i := lo; i < hi; i++ {
		degree := d.g.Degrees[i]
		others, own := float32(a*degree/(degree+self)), float32(a*self/(degree+self))
		to, from, start := next.Row(i), z.Row(i), x.Row(i)
		for j, v := range from {
			to[j] = float32(rest*start[j]) + float32(others*to[j]) + float32(own*v)
		}
	}
}

// self is the weight of the edge that T has from each node to itself.
const self = 0.5

// enter returns what row i is multiplied with before the hops, and divided by after
// them: s_i, or s_i/(D_i+½), over the largest one, lest float32 underflows. Of symmetric hops it is 1, or D_i/(D_i+½).
func (d *Diffused) enter(i int, transposed bool) float64 {
	degree := d.g.Degrees[i]
	switch {
	case degree == 0 || d.hops.Symmetric && !transposed:
		return 1
	case d.hops.Symmetric:
		return degree / (degree + self)
	case transposed:
		return math.Sqrt(degree) / (degree + self) / d.most[1]
	}
	return math.Sqrt(degree) / d.most[0]
}

func (d *Diffused) scale(x *csr.Dense, factor func(i int) float64) {
	rows.Each(x.Rows, d.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f := factor(i)
			for j, v := range x.Row(i) {
				x.Row(i)[j] = float32(float64(v) * f)
			}
		}
	})
}

// formedColumns is how many columns are diffused at a time: as many as one pass over a
// graph makes at about the cost of its reading.
const formedColumns = 32

// Form returns X̃ formed, a new dense block of 4·n·d bytes: everything after is dense
// algebra. Cost: T·nnz(U)·d multiply-adds; three n×32 blocks on the way.
func (d *Diffused) Form(ctx context.Context) (*Diffused, error) {
	if d.Formed() {
		return d, nil
	}
	n, cols := d.Dims()
	formed := csr.NewDense(n, cols)
	for lo := 0; lo < cols; lo += formedColumns {
		hi := min(lo+formedColumns, cols)
		part := d.block(0, hi-lo)
		d.columns(part, lo, hi)
		if d.g != nil {
			to := d.block(2, hi-lo)
			if err := d.diffuse(ctx, to, part, d.block(1, hi-lo), false); err != nil {
				return nil, err
			}
			part = to
		}
		d.centre(part)
		columnsInto(formed, part, lo, d.threads)
	}
	d.letGo()
	return &Diffused{x: Features{Dense: formed}, threads: d.threads}, ctx.Err()
}

// columns copies columns lo to hi−1 of X.
func (d *Diffused) columns(dst *csr.Dense, lo, hi int) {
	rows.Each(dst.Rows, d.threads, func(first, end int) {
		for i := first; i < end; i++ {
			if d.x.Dense != nil {
				copy(dst.Row(i), d.x.Dense.Row(i)[lo:hi])
				continue
			}
			row := dst.Row(i)
			clear(row)
			cols, vals := d.x.Sparse.Row(i)
			for k, j := range cols {
				if lo <= int(j) && int(j) < hi {
					row[int(j)-lo] = vals[k]
				}
			}
		}
	})
}

// Rows returns rows of X̃, m×d, of unit length after [Diffused.Unit]: where it is not formed, X̃ᵀE for the columns e_i of E, 32
// at a time, T·nnz(U)·m multiply-adds.
func (d *Diffused) Rows(ctx context.Context, nodes []uint32) (*csr.Dense, error) {
	n, cols := d.Dims()
	out := csr.NewDense(len(nodes), cols)
	if d.Formed() {
		for k, i := range nodes {
			copy(out.Row(k), d.x.Dense.Row(int(i)))
			d.divideRow(out.Row(k), int(i))
		}
		return out, ctx.Err()
	}
	for lo := 0; lo < len(nodes); lo += formedColumns {
		some := nodes[lo:min(lo+formedColumns, len(nodes))]
		part := csr.NewDense(cols, len(some))
		if err := d.ApplyT(ctx, part, units(n, some)); err != nil {
			return nil, err
		}
		for k := range some {
			for j := range cols {
				out.Row(lo + k)[j] = part.At(j, k)
			}
		}
	}
	return out, nil
}

// units returns the columns e_i of some nodes i.
func units(n int, nodes []uint32) *csr.Dense {
	e := csr.NewDense(n, len(nodes))
	for k, i := range nodes {
		e.Set(int(i), k, 1)
	}
	return e
}

// Scores returns XV, the scores of new points with their own features alone, prepared as
// those of the nodes were: m×c for X m×d and V d×c.
func Scores(ctx context.Context, x Features, v *csr.Dense, threads int) (*csr.Dense, error) {
	d, err := NewDiffused(x, nil, Hops{}, threads)
	if err != nil {
		return nil, err
	}
	m, cols := d.Dims()
	if cols != v.Rows {
		return nil, fmt.Errorf("%w: %d columns, expected %d", ErrFeatures, cols, v.Rows)
	}
	out := csr.NewDense(m, v.Cols)
	return out, d.Apply(ctx, out, v)
}

// Parts returns the terms of the sum rᵀX̃v, for R n×1 and V d×1: by columns of X, (X̃ᵀr)_j v_j, and by
// nodes, (Pᵀr)_l (x_l v), with Cr for r where they are centred. With r = e_i they are what column j, and what node l, adds to the score of node i.
// Cost: T products of the graph with a vector, and two with X.
func (d *Diffused) Parts(ctx context.Context, r, v *csr.Dense) (columns, nodes []float64, err error) {
	n, cols := d.Dims()
	mustBe(r, n, 1)
	mustBe(v, cols, 1)
	weights := r.Clone()
	d.divide(weights)
	d.centre(weights)
	if d.g != nil {
		spread := csr.NewDense(n, 1)
		if err := d.diffuse(ctx, spread, weights, csr.NewDense(n, 1), true); err != nil {
			return nil, nil, err
		}
		weights = spread
	}
	row, own := csr.NewDense(cols, 1), csr.NewDense(n, 1)
	if err := d.timesAcross(ctx, row, weights); err != nil {
		return nil, nil, err
	}
	if err := d.times(ctx, own, v); err != nil {
		return nil, nil, err
	}
	return products(row, v), products(weights, own), nil
}

// products returns the products of two columns.
func products(a, b *csr.Dense) []float64 {
	out := make([]float64, a.Rows)
	for i, v := range a.Data {
		out[i] = float64(v) * float64(b.Data[i])
	}
	return out
}
