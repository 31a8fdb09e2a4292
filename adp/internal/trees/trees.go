// Package trees has randomised trees: a classifier that needs no distances, and to which a column and its logarithm are nearly
// the same.
//
// P. Geurts, D. Ernst, L. Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006. L. Breiman: Random Forests, Machine
// Learning 45, 2001.
package trees

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Count is the number of trees of a forest.
const Count = 100

// rounding is the relative difference up to which two splits are equally pure. The first of them is taken, so that the order of the
// classes, which moves the last bits of a sum, does not choose.
const rounding = 1e-12

// Forest is the mean of [Count] trees. The leaf of a row x in a tree has the mean classes of the samples l that are in it,
//
//	f(x) = 1/Count Σ_trees Σ_{l in leaf(x)} w_l t_l / Σ_{l in leaf(x)} w_l.
type Forest struct {
	trees   []tree
	samples *samples
}

// tree has its root first.
type tree struct {
	nodes  []node
	order  []int32   // samples, those of a leaf side by side
	shares []float32 // of the classes in the leaves of more than one class
}

// node sends rows with x_column ≤ threshold to the node that comes next, others to right. In a leaf column is -1.
type node struct {
	column    int32
	right     int32
	threshold float32
	class     int32 // of a leaf; -1 where it has more than one
	lo, hi    int32 // a leaf has these of order
	shares    int32 // where a leaf of more than one class has its own
}

// samples are rows of known classes.
type samples struct {
	columns []float32 // X, column by column
	count   int       // l
	dims    int       // d
	classes int
	start   []int32 // sample l has the entries start[l] … start[l+1]-1 of class and weight
	class   []int32
	weight  []float64 // w_l t_lj
	total   []float64 // w_l
}

// Grow returns the forest of l rows x (l×d), their shares of c classes t (l rows that add up to 1) and their weights w.
// In each part of the samples √d columns that differ there are drawn, with a threshold each midway between two values that follow each
// other. The split has the largest Σ_sides Σ_j s_j²/Σ_j s_j, with the sums s_j of the weights of the classes: the least
// Gini impurity. Parts of one class, and those that no column splits, are leaves.
//
// In every other tree the lower value of a threshold is that of a sample that is drawn, so that trees differ much. In the others the
// threshold is the best one of the column, for 256 samples that are drawn where a part has more, so that trees find the
// few columns that tell (docs/decisions/0060-two-kinds-of-trees.md).
//
// The trees are the same for any number of threads. Cost: [Count]·l·√d·log l for trees of even depth, and half of that times log l. Memory:
// [Count]·l·60 bytes.
// The error is ctx.Err().
func Grow(ctx context.Context, x *csr.Dense, t [][]float64, w []float64, threads int) (*Forest, error) {
	s := &samples{columns: make([]float32, len(x.Data)), count: x.Rows, dims: x.Cols, classes: len(t[0]), start: []int32{0}, total: w}
	for l := range x.Rows {
		for j, v := range x.Row(l) {
			s.columns[j*s.count+l] = v
		}
	}
	for l, shares := range t {
		for j, share := range shares {
			if share > 0 {
				s.class, s.weight = append(s.class, int32(j)), append(s.weight, w[l]*share)
			}
		}
		s.start = append(s.start, int32(len(s.class)))
	}
	f := &Forest{trees: make([]tree, Count), samples: s}
	err := rows.Tasks(ctx, Count, threads, func(_, k int) error {
		f.trees[k] = s.grow(rand.New(rand.NewPCG(uint64(k), 0x74726565)), k%2 == 1)
		return nil
	})
	return f, err
}

// column returns the values of a column.
func (s *samples) column(j int32) []float32 { return s.columns[int(j)*s.count:][:s.count] }

// grower grows a tree.
type grower struct {
	*samples
	tree
	rng    *rand.Rand
	best   bool    // the thresholds are
	draw   []int32 // the columns in the order of the last draw
	sorted []sample
	sides  [2][]float64
}

func (s *samples) grow(rng *rand.Rand, best bool) tree {
	g := &grower{samples: s, rng: rng, best: best, draw: rows.InOrder[int32](s.dims)}
	g.sides = [2][]float64{make([]float64, s.classes), make([]float64, s.classes)}
	g.order = rows.InOrder[int32](s.count)
	g.part(0, len(g.order))
	return g.tree
}

// part grows the tree of order[lo:hi].
func (g *grower) part(lo, hi int) {
	at := len(g.nodes)
	g.nodes = append(g.nodes, node{column: -1, class: -1, lo: int32(lo), hi: int32(hi)})
	if class := g.only(g.order[lo:hi]); class >= 0 {
		g.nodes[at].class = class
		return
	}
	column, threshold := g.split(g.order[lo:hi])
	if column < 0 {
		g.nodes[at].shares = int32(len(g.shares))
		g.addShares(g.order[lo:hi])
		return
	}
	mid, values := lo, g.column(column)
	for k := lo; k < hi; k++ {
		if values[g.order[k]] <= threshold {
			g.order[mid], g.order[k] = g.order[k], g.order[mid]
			mid++
		}
	}
	g.part(lo, mid)
	g.nodes[at].column, g.nodes[at].threshold, g.nodes[at].right = column, threshold, int32(len(g.nodes))
	g.part(mid, hi)
}

// only returns the class of all of some samples, or -1.
func (g *grower) only(part []int32) int32 {
	class := g.class[g.start[part[0]]]
	for _, l := range part {
		if g.start[l+1]-g.start[l] != 1 || g.class[g.start[l]] != class {
			return -1
		}
	}
	return class
}

// split returns the best of some random splits; column -1 where no column differs.
func (g *grower) split(part []int32) (column int32, threshold float32) {
	column = -1
	best, tried := math.Inf(-1), 0
	for k := range g.draw {
		other := k + g.rng.IntN(len(g.draw)-k)
		g.draw[k], g.draw[other] = g.draw[other], g.draw[k]
		j := g.draw[k]
		at, purity, ok := g.threshold(part, g.column(j))
		if !ok {
			continue
		}
		if purity*(1-rounding) > best {
			best, column, threshold = purity, j, at
		}
		if tried++; tried*tried >= len(g.draw) {
			break
		}
	}
	return column, threshold
}

// threshold returns one of a column, and how pure the sides are; not ok where all values are the same.
func (g *grower) threshold(part []int32, values []float32) (at float32, purity float64, ok bool) {
	if g.best {
		if at, purity, ok = g.purest(part, values); ok || len(part) <= mostSorted {
			return at, purity, ok
		}
	}
	if at, ok = g.between(part, values); ok {
		purity = g.purity(part, values, at)
	}
	return at, purity, ok
}

// sample is one with its value of a column.
type sample struct {
	value  float32
	number int32
}

// mostSorted is the number of samples that [grower.purest] looks at.
const mostSorted = 256

// purest returns the threshold of a column with the purest sides, of up to mostSorted samples that are drawn; not ok where their values
// are the same.
func (g *grower) purest(part []int32, values []float32) (at float32, purity float64, ok bool) {
	g.sorted = g.sorted[:0]
	for k := range min(len(part), mostSorted) {
		l := part[k]
		if len(part) > mostSorted {
			l = part[g.rng.IntN(len(part))]
		}
		g.sorted = append(g.sorted, sample{values[l], l})
	}
	slices.SortFunc(g.sorted, func(a, b sample) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return cmp.Compare(a.number, b.number)
	})
	left, right := g.sides[0], g.sides[1]
	clear(left)
	clear(right)
	var total, squares [2]float64 // Σ_j s_j and Σ_j s_j² of the sides
	for _, s := range g.sorted {
		for k := g.start[s.number]; k < g.start[s.number+1]; k++ {
			right[g.class[k]] += g.weight[k]
			total[1] += g.weight[k]
		}
	}
	for _, s := range right {
		squares[1] += float64(s * s)
	}
	purity = math.Inf(-1)
	for k, s := range g.sorted[:len(g.sorted)-1] {
		for at := g.start[s.number]; at < g.start[s.number+1]; at++ {
			class, w := g.class[at], g.weight[at]
			squares[0] += float64(w * (2*left[class] + w))
			squares[1] -= float64(w * (2*right[class] - w))
			total[0], total[1] = total[0]+w, total[1]-w
			left[class] += w
			right[class] -= w
		}
		low, high := s.value, g.sorted[k+1].value
		if low == high {
			continue
		}
		if sum := squares[0]/total[0] + squares[1]/total[1]; sum*(1-rounding) > purity {
			at, purity, ok = midway(low, high), sum, true
		}
	}
	return at, purity, ok
}

// between returns a random threshold of a column; not ok where all values are the same.
func (g *grower) between(part []int32, values []float32) (threshold float32, ok bool) {
	v := values[part[g.rng.IntN(len(part))]]
	below, above := float32(math.Inf(-1)), float32(math.Inf(1))
	for _, l := range part {
		switch u := values[l]; {
		case u > v:
			above = min(above, u)
		case u < v:
			below = max(below, u)
		}
	}
	switch {
	case !math.IsInf(float64(above), 1):
	case !math.IsInf(float64(below), -1):
		below, v, above = v, below, v
	default:
		return 0, false
	}
	return midway(v, above), true
}

// midway returns a number of at least low, and below high.
func midway(low, high float32) float32 {
	if at := low/2 + high/2; at >= low && at < high {
		return at
	}
	return low
}

// purity returns Σ_sides Σ_j s_j²/Σ_j s_j of a split.
func (g *grower) purity(part []int32, values []float32, threshold float32) (sum float64) {
	clear(g.sides[0])
	clear(g.sides[1])
	for _, l := range part {
		side := g.sides[0]
		if values[l] > threshold {
			side = g.sides[1]
		}
		for k := g.start[l]; k < g.start[l+1]; k++ {
			side[g.class[k]] += g.weight[k]
		}
	}
	for _, side := range g.sides {
		total, squares := 0.0, 0.0
		for _, v := range side {
			total += v
			squares += float64(v * v)
		}
		if total > 0 {
			sum += squares / total
		}
	}
	return sum
}

// addShares adds the mean classes of some samples.
func (g *grower) addShares(part []int32) {
	sums, total := g.sides[0], 0.0
	clear(sums)
	for _, l := range part {
		for k := g.start[l]; k < g.start[l+1]; k++ {
			sums[g.class[k]] += g.weight[k]
			total += g.weight[k]
		}
	}
	for _, v := range sums {
		g.shares = append(g.shares, float32(v/total))
	}
}

// leaf returns that of a row.
func (t *tree) leaf(x []float32) *node {
	at := &t.nodes[0]
	for k := 0; at.column >= 0; at = &t.nodes[k] {
		if k++; x[at.column] > at.threshold {
			k = int(at.right)
		}
	}
	return at
}

// block is the number of rows that go through a tree one after the other.
const block = 64

// Of returns f of n rows, n×c. fill sets dst, which is 0, to row i, and reports whether anything is known of it; if not, the row of f is 0.
// Cost: n·[Count] paths from the root to a leaf. The error is ctx.Err().
func (f *Forest) Of(ctx context.Context, n, threads int, fill func(dst []float32, i int) (known bool)) (*csr.Dense, error) {
	c, d := f.samples.classes, f.samples.dims
	out := csr.NewDense(n, c)
	err := rows.Do(ctx, n, threads, func(_, lo, hi int) error {
		x, known := make([]float32, block*d), make([]bool, block)
		for ; lo < hi; lo += block {
			count := min(block, hi-lo)
			clear(x)
			for i := range count {
				known[i] = fill(x[i*d:(i+1)*d], lo+i)
			}
			f.add(out.Data[lo*c:(lo+count)*c], x[:count*d])
			for i := range count {
				row := out.Row(lo + i)
				for j := range row {
					row[j] /= Count
				}
				if !known[i] {
					clear(row)
				}
			}
		}
		return nil
	})
	return out, err
}

// add adds [Count]·f of some rows of d columns, row-major, to dst, as many rows of c columns.
func (f *Forest) add(dst, x []float32) {
	c, d := f.samples.classes, f.samples.dims
	for k := range f.trees {
		t := &f.trees[k]
		for i := 0; i*d < len(x); i++ {
			leaf, row := t.leaf(x[i*d:(i+1)*d]), dst[i*c:(i+1)*c]
			if leaf.class >= 0 {
				row[leaf.class]++
				continue
			}
			for j, share := range t.shares[leaf.shares:][:c] {
				row[j] += share
			}
		}
	}
}

// Weights returns the weights v of the samples in f(x) = Σ_l v_l t_l.
func (f *Forest) Weights(x []float32) []float64 {
	out := make([]float64, len(f.samples.total))
	for k := range f.trees {
		leaf, sum := f.trees[k].leaf(x), 0.0
		part := f.trees[k].order[leaf.lo:leaf.hi]
		for _, l := range part {
			sum += f.samples.total[l]
		}
		for _, l := range part {
			out[l] += f.samples.total[l] / sum / Count
		}
	}
	return out
}
