package diffuse

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// The sweep compares labels with exact ones, on graphs of 4 to 40 nodes whose weights are drawn
// with uniform logarithms over 10^±2 to 10^±8. The exact solutions are of the float32 weights that
// the matrix holds, in numbers of exactBits bits, by Gauss without an order: that leaves hundreds
// of digits of the condition of 10^16 and more.
//
// A label is wrong if the exact share of the exact best class is above that of the label by more
// than sweepMargin: labels.tsv shows six digits of a share in float32.
const (
	exactBits   = 512
	sweepMargin = 5e-7
)

// sweepNodes is how many nodes a sweep asks for a range of weights.
func sweepNodes() int {
	if os.Getenv("ADPSPARSE_FULL") != "" {
		return 8000
	}
	return 700
}

func exactly(v float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(v) }

func zero() *big.Float { return new(big.Float).SetPrec(exactBits) }

// solveExactly solves A X = B, n×n and n×c, without pivots, and overwrites both. A row without a
// diagonal entry has the solution 0.
func solveExactly(a, b [][]*big.Float) {
	n := len(a)
	for k := range n {
		if a[k][k].Sign() == 0 {
			continue
		}
		for i := k + 1; i < n; i++ {
			if a[i][k].Sign() == 0 {
				continue
			}
			f := zero().Quo(a[i][k], a[k][k])
			for j := k; j < n; j++ {
				a[i][j].Sub(a[i][j], zero().Mul(f, a[k][j]))
			}
			for j := range b[i] {
				b[i][j].Sub(b[i][j], zero().Mul(f, b[k][j]))
			}
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := range b[k] {
			for i := k + 1; i < n; i++ {
				b[k][j].Sub(b[k][j], zero().Mul(a[k][i], b[i][j]))
			}
			if a[k][k].Sign() != 0 {
				b[k][j].Quo(b[k][j], a[k][k])
			} else {
				b[k][j] = zero()
			}
		}
	}
}

func blockOf(n, c int) [][]*big.Float {
	b := make([][]*big.Float, n)
	for i := range b {
		b[i] = make([]*big.Float, c)
		for j := range b[i] {
			b[i][j] = zero()
		}
	}
	return b
}

// exactGraph holds the weights of a graph, and their sums.
type exactGraph struct {
	w       [][]*big.Float
	degrees []*big.Float
}

func newExactGraph(m *csr.Matrix) *exactGraph {
	n, _ := m.Dims()
	g := &exactGraph{blockOf(n, n), make([]*big.Float, n)}
	for i := range n {
		g.degrees[i] = zero()
		cols, vals := m.Row(i)
		for k, j := range cols {
			g.w[i][j] = exactly(float64(vals[k]))
			g.degrees[i].Add(g.degrees[i], g.w[i][j])
		}
	}
	return g
}

// lgc returns F of LGC: (D − αW) X = (1−α) D^1/2 Ỹ, F = D^1/2 X.
func (g *exactGraph) lgc(y *Seeds, alpha float64, scale []float64) [][]*big.Float {
	n := y.Nodes
	a, b := blockOf(n, n), blockOf(n, y.Classes)
	minus, rest := exactly(-alpha), zero().Sub(exactly(1), exactly(alpha))
	root := make([]*big.Float, n)
	for i := range n {
		root[i] = zero().Sqrt(g.degrees[i])
		for j := range n {
			a[i][j].Mul(minus, g.w[i][j])
		}
		a[i][i].Add(a[i][i], g.degrees[i])
	}
	for k, s := range y.list {
		v := zero().Mul(exactly(float64(s.Weight)), exactly(scale[k]))
		b[s.Node][s.Class].Mul(v.Mul(v, rest), root[s.Node])
	}
	solveExactly(a, b)
	for i := range n {
		for j := range b[i] {
			b[i][j].Mul(b[i][j], root[i])
		}
	}
	return b
}

// harmonic returns F of GFHF at the free nodes, and with balance their columns scaled to the same
// mass.
func (g *exactGraph) harmonic(y *Seeds, free []bool, balance bool) [][]*big.Float {
	n := y.Nodes
	a, b := blockOf(n, n), blockOf(n, y.Classes)
	for i := range n {
		if !free[i] {
			continue
		}
		a[i][i].Copy(g.degrees[i])
		for j := range n {
			if free[j] {
				a[i][j].Sub(a[i][j], g.w[i][j])
			}
		}
		for _, s := range y.list { // each of one class
			b[i][s.Class].Add(b[i][s.Class], g.w[i][s.Node])
		}
	}
	solveExactly(a, b)
	if !balance {
		return b
	}
	for j := range y.Classes {
		mass := zero()
		for i := range n {
			mass.Add(mass, b[i][j])
		}
		for i := range n {
			if mass.Sign() > 0 {
				b[i][j].Quo(b[i][j], mass)
			}
		}
	}
	return b
}

// poisson returns the differences of s_j U_ij of Poisson learning from its least one in each row: of
// numbers of both signs, what the label needs. A row of a component without seeds of several classes
// is 0.
func (g *exactGraph) poisson(y *Seeds, of []uint32) [][]*big.Float {
	n, c := y.Nodes, y.Classes
	a, b := blockOf(n, n), blockOf(n, c)
	component := func(i int) uint32 {
		if of == nil {
			return 0
		}
		return of[i]
	}
	count := map[uint32][]float64{}
	total := make([]float64, c)
	for _, s := range y.list {
		k := component(int(s.Node))
		if count[k] == nil {
			count[k] = make([]float64, c+1)
		}
		count[k][s.Class]++
		count[k][c]++
		total[s.Class]++
	}
	mixed := func(i int) bool {
		k := count[component(i)]
		return k != nil && slices.Max(k[:c]) < k[c]
	}
	held := map[uint32]bool{}
	for i := range n {
		if !mixed(i) {
			continue
		}
		if !held[component(i)] { // U = 0 at the first node of a component
			held[component(i)] = true
			a[i][i].SetInt64(1)
			continue
		}
		a[i][i].Copy(g.degrees[i])
		for j := range n {
			a[i][j].Sub(a[i][j], g.w[i][j])
		}
		for _, s := range y.list {
			if int(s.Node) == i {
				for j := range c {
					k := count[component(i)]
					b[i][j].Sub(b[i][j], zero().Quo(exactly(k[j]), exactly(k[c])))
				}
				b[i][s.Class].Add(b[i][s.Class], exactly(1))
			}
		}
	}
	solveExactly(a, b)
	for j := range c {
		sum, degree := map[uint32]*big.Float{}, map[uint32]*big.Float{}
		for i := range n {
			k := component(i)
			if sum[k] == nil {
				sum[k], degree[k] = zero(), zero()
			}
			sum[k].Add(sum[k], zero().Mul(g.degrees[i], b[i][j]))
			degree[k].Add(degree[k], g.degrees[i])
		}
		for i := range n {
			if mixed(i) {
				k := component(i)
				b[i][j].Sub(b[i][j], zero().Quo(sum[k], degree[k]))
				b[i][j].Quo(b[i][j], exactly(max(total[j], 1)))
			}
		}
	}
	return b
}

// comparePoisson counts labels among the classes with seeds in a component. One is wrong if the
// exact score of the best class is above that of the label by more than 2^-20 of the largest in the
// row, and 2^-46 of the largest of all: below that it is a tie.
func (c *tally) comparePoisson(t *testing.T, name string, got *csr.Dense, want [][]*big.Float, warned bool) {
	t.Helper()
	largest := 0.0
	for _, row := range want {
		for _, v := range row {
			size, _ := v.Float64()
			largest = max(largest, math.Abs(size))
		}
	}
	for i := range got.Rows {
		best, label, size := -1, -1, 0.0
		row := make([]float64, got.Cols)
		for j := range row {
			row[j], _ = want[i][j].Float64()
			if size = max(size, math.Abs(row[j])); got.At(i, j) == 0 {
				continue
			}
			if best < 0 || want[i][j].Cmp(want[i][best]) > 0 {
				best = j
			}
			if label < 0 || got.At(i, j) > got.At(i, label) {
				label = j
			}
		}
		if size == 0 || best < 0 {
			continue
		}
		if c.nodes++; warned {
			c.warned++
		}
		if margin, _ := zero().Sub(want[i][best], want[i][label]).Float64(); margin > max(0x1p-20*size, 0x1p-46*largest) {
			if c.wrong++; !warned && TopOf(got.Row(i)).Margin > 1e-6 { // that of a tie, whose status is uncertain
				c.silent++
				t.Logf("%s: node %d is %d of %v, expected %d of %v", name, i, label, got.Row(i), best, row)
			}
		}
	}
}

// tally counts what a sweep found.
type tally struct {
	nodes, wrong, silent, warned int
	off                          float64 // of a share
}

// compare counts the labels of the rows that are asked for, whose exact rows are not 0.
func (c *tally) compare(t *testing.T, name string, got *csr.Dense, want [][]*big.Float, warned bool, ask func(i int) bool) {
	t.Helper()
	for i := range got.Rows {
		sum := zero()
		for _, v := range want[i] {
			sum.Add(sum, v)
		}
		if !ask(i) || sum.Sign() == 0 {
			continue
		}
		c.nodes++
		if warned {
			c.warned++
		}
		shares, total := make([]float64, got.Cols), 0.0
		for j, v := range got.Row(i) {
			shares[j], _ = zero().Quo(want[i][j], sum).Float64()
			total += float64(v)
		}
		best := 0
		for j := range shares {
			if shares[j] > shares[best] {
				best = j
			}
			c.off = max(c.off, math.Abs(shares[j]-float64(got.At(i, j))/total))
		}
		label := 0
		for j, v := range got.Row(i) {
			if v > got.At(i, label) {
				label = j
			}
		}
		if shares[best]-shares[label] > sweepMargin || math.IsNaN(total) || total == 0 {
			c.wrong++
			if !warned {
				c.silent++
				t.Logf("%s: node %d is %d of %v, expected %d of %.9v", name, i, label, got.Row(i), best, shares)
			}
		}
	}
}

// drawGraph returns a graph of one of several shapes.
func drawGraph(rng *rand.Rand, digits float64) (n int, e *csr.Edges, shape string) {
	n = 4 + rng.IntN(37)
	e = &csr.Edges{}
	join := func(i, j int) {
		if i != j {
			e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32(j))
			e.Weight = append(e.Weight, float32(math.Pow(10, digits*(2*rng.Float64()-1))))
		}
	}
	shapes := []string{"tree", "path", "cycle", "star", "clique", "two communities", "sparse", "caterpillar", "grid", "two stars"}
	shape = shapes[rng.IntN(len(shapes))]
	for i := 1; i < n; i++ {
		switch shape {
		case "tree":
			join(i, rng.IntN(i))
		case "path", "cycle":
			join(i, i-1)
		case "star":
			join(i, 0)
		case "two stars":
			join(i, min(i%2, i-1))
		case "caterpillar":
			join(i, max(0, i-1-i%2))
		case "grid":
			if i%5 > 0 {
				join(i, i-1)
			}
			if i >= 5 {
				join(i, i-5)
			}
		case "clique":
			for j := range i {
				join(i, j)
			}
		case "sparse":
			join(i, rng.IntN(i))
			join(rng.IntN(n), rng.IntN(n))
		case "two communities":
			for j := range i {
				if i%2 == j%2 && rng.IntN(3) > 0 || rng.IntN(12) == 0 {
					join(i, j)
				}
			}
		}
	}
	if shape == "cycle" {
		join(0, n-1)
	}
	return n, e, shape
}

// drawSeeds labels one to three nodes of each of two to four classes.
func drawSeeds(t *testing.T, rng *rand.Rand, n int) *Seeds {
	t.Helper()
	c := 2 + rng.IntN(min(3, n/2))
	nodes := rng.Perm(n)
	var list []Seed
	for k := range min(n-1, c*(1+rng.IntN(2))+rng.IntN(2)) {
		list = append(list, Seed{uint32(nodes[k]), uint32(k % c), 1})
	}
	y, err := NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// eachRange runs a sweep for each range of weights, until draw has seen enough nodes. No share may be
// off by more than most.
func eachRange(t *testing.T, most float64, draw func(t *testing.T, rng *rand.Rand, digits float64, name string, found map[string]*tally)) {
	for _, digits := range []float64{2, 4, 6, 8} {
		t.Run(fmt.Sprintf("10^±%v", digits), func(t *testing.T) {
			found := map[string]*tally{}
			least := 0
			for k := uint64(0); least < sweepNodes(); k++ {
				draw(t, rand.New(rand.NewPCG(k, uint64(digits))), digits, fmt.Sprintf("draw %d", k), found)
				least = math.MaxInt
				for _, c := range found {
					least = min(least, c.nodes)
				}
			}
			for name, c := range found {
				t.Logf("%s: %d nodes, %d wrong, %d of them without a warning, %d warned of, shares off by %.1e", name, c.nodes, c.wrong, c.silent, c.warned, c.off)
				if !(c.off <= most) {
					t.Errorf("%s: off by %.1e, expected %.0e at most", name, c.off, most)
				}
				if c.silent > 0 {
					t.Errorf("%s: %d labels of %d are wrong without a warning", name, c.silent, c.nodes)
				}
			}
		})
	}
}

func tallyOf(found map[string]*tally, name string) *tally {
	if found[name] == nil {
		found[name] = &tally{}
	}
	return found[name]
}

// TestSweep: LGC, GFHF and the F-step on a learned graph against exact solutions.
func TestSweep(t *testing.T) {
	racing.LongSum(t)
	ctx := context.Background()
	eachRange(t, 1e-6, func(t *testing.T, rng *rand.Rand, digits float64, name string, found map[string]*tally) {
		n, edges, shape := drawGraph(rng, digits)
		w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		name = fmt.Sprintf("%s, a %s of %d", name, shape, n)
		y := drawSeeds(t, rng, n)
		g, exact := Normalize(w, 1), newExactGraph(w)
		all := func(int) bool { return true }
		warned := func(s Stats, err error) bool {
			if err != nil {
				t.Fatal(name, err)
			}
			return !s.Converged || s.Underflow > 0
		}
		var first *csr.Dense
		for balance, title := range map[Balance]string{Balanced: "", Unbalanced: ", --balance none"} {
			opt := Options{Alpha: 0.99, Balance: balance, Underflow: UnderflowAll, Threads: 1}
			f, stats, err := LGC(ctx, g, y, opt)
			tallyOf(found, "lgc"+title).compare(t, name+", lgc"+title, f, exact.lgc(y, 0.99, g.Scale(y, opt)), warned(stats, err), all)
			if balance == Balanced {
				first = f
			}
			free := freeNodes(g.S, y)
			f, stats, err = Harmonic(ctx, g, y, opt)
			tallyOf(found, "gfhf"+title).compare(t, name+", gfhf"+title, f, exact.harmonic(y, free, balance == Balanced), warned(stats, err), func(i int) bool { return free[i] })
		}
		p, stats, err := Poisson(ctx, g, y, Options{Threads: 1})
		tallyOf(found, "poisson").comparePoisson(t, name+", poisson", p, exact.poisson(y, g.Components()), warned(stats, err))
		a, err := AStep(ctx, g.S, g.S, NewFactor(first, SqrtMargin), AffinityOptions{TopK: 5, Alpha: 0.9, Zeta: 0.5, Anchor: 0.5, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		learned := Normalize(a, 1)
		opt := Options{Alpha: 0.99, Within: g, Underflow: UnderflowAll, Threads: 1}
		f, stats, err := LGC(ctx, learned, y, opt)
		tallyOf(found, "adp's F-step").compare(t, name+", adp", f, newExactGraph(a).lgc(y, 0.99, learned.Scale(y, opt)), warned(stats, err), all)
	})
}

// drawLarge returns a graph of n nodes, too many for the elimination of small systems.
func drawLarge(t *testing.T, rng *rand.Rand, n int, digits float64, shape string) *csr.Matrix {
	t.Helper()
	e := &csr.Edges{}
	join := func(i, j int) {
		if i != j {
			e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32(j))
			e.Weight = append(e.Weight, float32(math.Pow(10, digits*(2*rng.Float64()-1))))
		}
	}
	for i := 1; i < n; i++ {
		switch shape {
		case "tree":
			join(i, rng.IntN(i))
		case "stars":
			join(i, rng.IntN(min(i, 5)))
		case "path":
			join(i, i-1)
		case "sparse":
			join(i, rng.IntN(i))
			if i%2 == 0 {
				join(rng.IntN(n), rng.IntN(n))
			}
		case "grid":
			if i%40 > 0 {
				join(i, i-1)
			}
			if i >= 40 {
				join(i, i-40)
			}
		case "communities":
			join(i, i/30*30+rng.IntN(min(30, n-i/30*30)))
			join(i, i/30*30+rng.IntN(min(30, n-i/30*30)))
			join(i, max(0, i-1))
			if i%30 == 0 {
				join(i, rng.IntN(i))
			}
		}
	}
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestSweepLarge: beyond small systems conjugate gradients answer, unless they say that they
// failed. They are compared with elimination, which TestSweep compares with exact solutions. Such
// rows are right to largeMargin only.
func TestSweepLarge(t *testing.T) {
	racing.LongSum(t)
	const n, c, largeMargin = 1500, 6, 0.02
	draws := uint64(1)
	if os.Getenv("ADPSPARSE_FULL") != "" {
		draws = 12
	}
	ctx := context.Background()
	for _, digits := range []float64{0.5, 1, 2, 4, 6, 8} {
		for _, shape := range []string{"tree", "path", "grid", "sparse", "stars", "communities"} {
			for draw := range draws {
				rng := rand.New(rand.NewPCG(draw, uint64(2*digits)))
				w := drawLarge(t, rng, n, digits, shape)
				nodes := rng.Perm(n)
				var list []Seed
				for k := range c * (1 + rng.IntN(8)) {
					list = append(list, Seed{uint32(nodes[k]), uint32(k % c), 1})
				}
				y, err := NewSeeds(n, c, list)
				if err != nil {
					t.Fatal(err)
				}
				g := Normalize(w, 1)
				opt := Options{Alpha: 0.99, Underflow: UnderflowAll, Balance: Unbalanced, Threads: 1}
				name := fmt.Sprintf("10^±%v, %s, draw %d", digits, shape, draw)
				f, stats, err := LGC(ctx, g, y, opt)
				if err != nil {
					t.Fatal(err)
				}
				want := csr.NewDense(n, c)
				if done, err := NewWorkspace(n, c, 1).eliminate(ctx, want, system{s: g, alpha: 0.99}, func(b []float64) {
					y.addScaled(b, 0.01, g.Scale(y, opt))
				}, true, new(Stats), Options{MaxIterations: 1 << 20}); !done {
					t.Fatal(name, err)
				}
				compareLarge(t, name+", lgc", f, want, stats, largeMargin)
				if f, stats, err = Harmonic(ctx, g, y, opt); err != nil {
					t.Fatal(err)
				}
				h := &harmonic{s: g, free: newSubset(freeNodes(g.S, y)), w: NewWorkspace(n, c, 1)}
				m, x := h.grounded(y)
				if done, err := m.eliminate(ctx, x, c, math.MaxInt); !done {
					t.Fatal(name, err)
				}
				clear(want.Data)
				h.store(want, x)
				y.addRows(want)
				compareLarge(t, name+", gfhf", f, want, stats, largeMargin)
			}
		}
	}
}

// compareLarge fails if labels are wrong, by more than a margin, and stats do not warn.
func compareLarge(t *testing.T, name string, got, want *csr.Dense, stats Stats, margin float64) {
	t.Helper()
	wrong, worst := 0, 0.0
	for i := range got.Rows {
		top, is := TopOf(want.Row(i)), TopOf(got.Row(i))
		if top.Class < 0 || top.Class == is.Class { // beyond float64, or the same
			continue
		}
		sum := 0.0
		for _, v := range want.Row(i) {
			sum += float64(v)
		}
		off := float64(want.At(i, int(top.Class))-want.At(i, int(max(is.Class, 0)))) / sum
		if worst = max(worst, off); off > sweepMargin {
			wrong++
		}
	}
	if wrong > 0 || !stats.Converged || stats.Underflow > 0 {
		t.Logf("%s: %d wrong, margins up to %.2g, %+v", name, wrong, worst, stats)
	}
	if worst > margin && stats.Converged && stats.Underflow == 0 {
		t.Errorf("%s: labels of margins up to %.2g are wrong without a warning", name, worst)
	}
}

// exactDot returns x·y.
func exactDot(x, y []*big.Float) *big.Float {
	sum := zero()
	for k := range x {
		sum.Add(sum, zero().Mul(x[k], y[k]))
	}
	return sum
}

// exactRidge returns B, m×c, of (K+λI) B = Ŷ for rows x of features and centred targets.
func exactRidge(x, targets [][]*big.Float, lambda float64) [][]*big.Float {
	m := len(x)
	a, b := blockOf(m, m), blockOf(m, len(targets[0]))
	for i := range m {
		for j := range m {
			a[i][j] = exactDot(x[i], x[j])
		}
		a[i][i].Add(a[i][i], exactly(lambda))
		for j := range b[i] {
			b[i][j].Copy(targets[i][j])
		}
	}
	solveExactly(a, b)
	return b
}

// centredTargets returns Ŷ of seeds of one class each, without seed left.
func centredTargets(classes []int, c, left int) [][]*big.Float {
	out := blockOf(len(classes), c)
	count := 0.0
	mean := make([]float64, c)
	for i, k := range classes {
		if i != left {
			count++
			mean[k]++
		}
	}
	for i, k := range classes {
		for j := range c {
			out[i][j] = zero().Quo(exactly(-mean[j]), exactly(count))
		}
		out[i][k].Add(out[i][k], exactly(1))
	}
	return out
}

// scoresOf returns x_i V, V = Σ_l x_l b_l, for rows x, and what float32 coefficients round off each:
// Σ_k |x_ik V_kj|.
func scoresOf(x, seeds, b [][]*big.Float) (scores, sizes [][]*big.Float) {
	d, c := len(x[0]), len(b[0])
	v := blockOf(d, c)
	for l, row := range seeds {
		for k := range d {
			for j := range c {
				v[k][j].Add(v[k][j], zero().Mul(row[k], b[l][j]))
			}
		}
	}
	scores, sizes = blockOf(len(x), c), blockOf(len(x), c)
	for i, row := range x {
		for j := range c {
			for k := range d {
				p := zero().Mul(row[k], v[k][j])
				scores[i][j].Add(scores[i][j], p)
				sizes[i][j].Add(sizes[i][j], p.Abs(p))
			}
		}
	}
	return scores, sizes
}

// compareScores counts labels by the largest score. One is wrong if the exact score of the exact
// best class is above that of the label by more than 2^-20 of the products that the scores are sums
// of: their coefficients are float32.
func (c *tally) compareScores(t *testing.T, name string, got *csr.Dense, want, sizes [][]*big.Float) {
	t.Helper()
	for i := range got.Rows {
		best, label, size := 0, 0, 0.0
		row := make([]float64, got.Cols)
		for j := range row {
			if want[i][j].Cmp(want[i][best]) > 0 {
				best = j
			}
			if got.At(i, j) > got.At(i, label) {
				label = j
			}
			v, _ := sizes[i][j].Float64()
			size = max(size, v)
		}
		for j := range row {
			row[j], _ = want[i][j].Float64()
			if size > 0 {
				c.off = max(c.off, math.Abs(row[j]-float64(got.At(i, j)))/size)
			}
		}
		c.nodes++
		margin, _ := zero().Sub(want[i][best], want[i][label]).Float64()
		if margin > 0x1p-20*size {
			c.wrong++
			c.silent++
			t.Logf("%s: row %d is %d of %v, expected %d of %v", name, i, label, got.Row(i), best, row)
		}
	}
}

// TestSweepRidge: ridge regression on features that go over decades, in the form of the features,
// of the seeds, and with each seed left out, against exact solutions.
func TestSweepRidge(t *testing.T) {
	ctx := context.Background()
	eachRange(t, 5e-6, func(t *testing.T, rng *rand.Rand, digits float64, name string, found map[string]*tally) {
		n, d, c := 6+rng.IntN(20), 1+rng.IntN(12), 2+rng.IntN(3)
		x, features := blockOf(n, d), csr.NewDense(n, d)
		scale := rng.IntN(3) // of rows, of columns, or of entries
		rowScale, colScale := make([]float64, n), make([]float64, d)
		for i := range rowScale {
			rowScale[i] = digits * (2*rng.Float64() - 1)
		}
		for k := range colScale {
			colScale[k] = digits * (2*rng.Float64() - 1)
		}
		for i := range n {
			for k := range d {
				power := []float64{rowScale[i], colScale[k], digits * (2*rng.Float64() - 1)}[scale]
				v := float32(rng.NormFloat64() * math.Pow(10, power))
				features.Set(i, k, v)
				x[i][k] = exactly(float64(v))
			}
		}
		m := min(n-1, c*(1+rng.IntN(3))+1)
		var list []Seed
		nodes := rng.Perm(n)[:m]
		for k, node := range nodes {
			list = append(list, Seed{uint32(node), uint32(k % c), 1})
		}
		y, err := NewSeeds(n, c, list)
		if err != nil {
			t.Fatal(err)
		}
		var seeds [][]*big.Float
		var classes []int
		for _, s := range y.list {
			seeds, classes = append(seeds, x[s.Node]), append(classes, int(s.Class))
		}
		form, err := NewDiffused(Features{Dense: features}, nil, Hops{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		mean, err := form.MeanSquare(ctx)
		if err != nil {
			t.Fatal(err)
		}
		lambda := 0.02 * mean
		name = fmt.Sprintf("%s, %d×%d, scale %d", name, n, d, scale)
		want, sizes := scoresOf(x, seeds, exactRidge(seeds, centredTargets(classes, c, -1), lambda))

		targets, weights := SeedTargets(y)
		v, _, err := Ridge(ctx, form, targets, weights, RidgeOptions{Lambda: lambda})
		if err != nil {
			t.Fatal(name, err)
		}
		got := csr.NewDense(n, c)
		if err := form.Apply(ctx, got, v); err != nil {
			t.Fatal(err)
		}
		tallyOf(found, "primal").compareScores(t, name+", primal", got, want, sizes)
		kernel, err := NewKernel(ctx, form, y, 1)
		if err != nil {
			t.Fatal(name, err)
		}
		if got, err = kernel.Scores(ctx, y, lambda); err != nil {
			t.Fatal(name, err)
		}
		tallyOf(found, "dual").compareScores(t, name+", dual", got, want, sizes)
	})
}

// TestHarmonicUnconverged: where no effort is allowed GFHF says so, and labels that it cannot tell
// are ties. With it, the same rows are none.
func TestHarmonicUnconverged(t *testing.T) {
	w := drawLarge(t, rand.New(rand.NewPCG(1, 1)), 1600, 4, "grid")
	y, err := NewSeeds(1600, 2, []Seed{{0, 0, 1}, {1599, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	g := Normalize(w, 1)
	ties := func(iterations int) (count int, stats Stats) {
		f, stats, err := Harmonic(context.Background(), g, y, Options{Balance: Unbalanced, MaxIterations: iterations, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Rows {
			top := TopOf(f.Row(i))
			if !(top.Class >= 0 && top.Share >= 0.5 && top.Share <= 1) {
				t.Fatalf("row %d: %v", i, f.Row(i))
			}
			if top.Margin <= 1e-6 {
				count++
			}
		}
		return count, stats
	}
	if count, stats := ties(1); stats.Converged || count < 800 {
		t.Errorf("after one iteration %d of 1600 rows are ties, %+v", count, stats)
	}
	if count, stats := ties(2000); !stats.Converged || count > 0 {
		t.Errorf("%d of 1600 rows are ties, %+v", count, stats)
	}
}
