package diffuse

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// walks reports whether rows of P are those of a walk of one or two steps, and X is sparse.
func (d *Diffused) walks() bool {
	return d.x.Sparse != nil && d.g != nil && d.hops.Weight == 1 && d.hops.Steps <= 2
}

// sparseRow is a row in the making.
type sparseRow struct {
	sum []float64 // of all columns; 0 between rows
	met []bool
	at  []uint32
}

func newSparseRow(columns int) sparseRow {
	return sparseRow{sum: make([]float64, columns), met: make([]bool, columns)}
}

func (r *sparseRow) add(j uint32, v float64) {
	if !r.met[j] {
		r.met[j] = true
		r.at = append(r.at, j)
	}
	r.sum[j] += v
}

// drain calls take with the columns and their sums, and clears them.
func (r *sparseRow) drain(take func(j uint32, v float64)) {
	for _, j := range r.at {
		take(j, r.sum[j])
		r.sum[j], r.met[j] = 0, false
	}
	r.at = r.at[:0]
}

// walker makes rows of X̃ = TX or T²X.
type walker struct {
	d     *Diffused
	nodes sparseRow // row of T or T²
	words sparseRow // of X̃ where X is not I
}

func (d *Diffused) walker() *walker {
	w := &walker{d: d, nodes: newSparseRow(d.g.Dim())}
	if !d.oneHot {
		_, columns := d.Dims()
		w.words = newSparseRow(columns)
	}
	return w
}

// row returns row i: its columns, increasing, and its values. A number is summed in the order of the neighbours of i.
func (w *walker) row(i int) (at []uint32, values []float64) {
	of := w.gather(i)
	slices.Sort(of.at)
	of.drain(func(j uint32, v float64) { at, values = append(at, j), append(values, v) })
	return at, values
}

// gather sums row i.
func (w *walker) gather(i int) *sparseRow {
	if w.d.hops.Steps == 1 {
		w.step(i, 1, w.nodes.add)
	} else {
		w.step(i, 1, func(j uint32, t float64) { w.step(int(j), t, w.nodes.add) })
	}
	if w.d.oneHot {
		return &w.nodes
	}
	w.nodes.drain(func(j uint32, t float64) {
		cols, values := w.d.x.Sparse.Row(int(j))
		for k, q := range cols {
			w.words.add(q, float64(t*float64(values[k])))
		}
	})
	return &w.words
}

// step calls take with the entries of row i of tT, its own first.
func (w *walker) step(i int, t float64, take func(j uint32, t float64)) {
	degree := w.d.g.Degrees[i]
	t /= degree + self
	take(uint32(i), float64(t*self))
	cols, values := w.d.g.S.Row(i)
	if w.d.hops.Symmetric {
		t *= degree
		for k, j := range cols {
			take(j, float64(t*float64(values[k])))
		}
		return
	}
	t *= math.Sqrt(degree)
	for k, j := range cols {
		take(j, float64(float64(t*float64(values[k]))*math.Sqrt(w.d.g.Degrees[j])))
	}
}

// paths returns the number of steps that making row i takes.
func paths(w *csr.Matrix, steps, i int) int64 {
	indptr, indices, _ := w.Arrays()
	own := indptr[i+1] - indptr[i] + 1
	if steps == 1 {
		return own
	}
	sum := own
	for _, j := range indices[indptr[i]:indptr[i+1]] {
		sum += indptr[j+1] - indptr[j] + 1
	}
	return sum
}

// mostPaths is the most steps for which lengths are exact: more take longer than their estimate, and some seconds.
const mostPaths = 1 << 24

// short reports whether all rows take few steps.
func short(w *csr.Matrix, steps, threads int) bool {
	if steps == 1 {
		return true
	}
	n, _ := w.Dims()
	all := rows.NewReducer(n, 1).Sum(threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			sum[0] += float64(paths(w, steps, i))
		}
	})
	return all[0] <= mostPaths
}

// mostHeld is the most entries a node that the rows of a Gram matrix may have to be made as sparse ones: these take about
// as much memory as the blocks of the other way.
const mostHeld = 24

// held returns the most entries that rows of TX or T²X of some nodes have, and whether they may be held. X is I where it is nil.
func held(w *csr.Matrix, steps int, nodes []uint32, x *csr.Matrix) (entries int64, ok bool) {
	n, columns := w.Dims()
	most := min(mostHeld*int64(n), math.MaxInt32)
	if x != nil {
		_, columns = x.Dims()
	}
	walked := int64(0)
	for _, i := range nodes {
		own := paths(w, steps, int(i))
		if x != nil {
			if walked += own; walked > most { // which would take long
				return entries, false
			}
			own = entriesFrom(w, steps, i, x)
		}
		if entries += min(own, int64(columns)); entries > most {
			return entries, false
		}
	}
	return entries, true
}

// entriesFrom returns the number of entries of X at the ends of all paths of up to so many steps from node i.
func entriesFrom(w *csr.Matrix, steps int, i uint32, x *csr.Matrix) (entries int64) {
	if steps == 0 {
		cols, _ := x.Row(int(i))
		return int64(len(cols))
	}
	cols, _ := w.Row(int(i))
	entries = entriesFrom(w, steps-1, i, x) // a node is its own neighbour
	for _, j := range cols {
		entries += entriesFrom(w, steps-1, j, x)
	}
	return entries
}

// walkSquares returns ‖x̃_i‖² of all rows, exactly.
func (d *Diffused) walkSquares(ctx context.Context) ([]float64, error) {
	square := make([]float64, d.g.Dim())
	walkers := make([]*walker, rows.Workers(d.threads))
	return square, rows.Do(ctx, len(square), d.threads, func(worker, lo, hi int) error {
		if walkers[worker] == nil {
			walkers[worker] = d.walker()
		}
		for i := lo; i < hi; i++ {
			walkers[worker].gather(i).drain(func(_ uint32, v float64) { square[i] += float64(v * v) })
		}
		return nil
	})
}

// mean returns the mean row μ of the map before it is centred, X̃μ and ‖μ‖².
func (d *Diffused) mean(ctx context.Context) (mean, product *csr.Dense, square float64, err error) {
	whole := *d
	whole.blocks, whole.centred = [3][]float32{}, false
	n, cols := d.Dims()
	ones, mean, product := csr.NewDense(n, 1), csr.NewDense(cols, 1), csr.NewDense(n, 1)
	for i := range ones.Data {
		ones.Data[i] = 1 / float32(n)
	}
	if err := whole.applyT(ctx, mean, ones); err != nil {
		return nil, nil, 0, err
	}
	return mean, product, squares(mean.Data), whole.apply(ctx, product, mean)
}

// walkGram returns the products of the rows of some nodes, m×m, before they are divided by their lengths, and false where
// the rows would have too many entries.
func (d *Diffused) walkGram(ctx context.Context, nodes []uint32) ([]float64, bool, error) {
	_, columns := d.Dims()
	m := len(nodes)
	x := d.x.Sparse
	if d.oneHot {
		x = nil
	}
	if _, ok := held(d.g.S, d.hops.Steps, nodes, x); !ok {
		return nil, false, nil
	}
	cols, values := make([][]uint32, m), make([][]float64, m)
	w := d.walker()
	starts := make([]int32, columns+1)
	for a, i := range nodes {
		cols[a], values[a] = w.row(int(i))
		for _, j := range cols[a] {
			starts[j+1]++
		}
	}
	for j := range columns {
		starts[j+1] += starts[j]
	}
	// The same by columns.
	across, weights := make([]int32, starts[columns]), make([]float64, starts[columns])
	next := slices.Clone(starts[:columns])
	for a := range nodes {
		for k, j := range cols[a] {
			across[next[j]], weights[next[j]] = int32(a), values[a][k]
			next[j]++
		}
	}
	less, all := make([]float64, m), 0.0
	if d.centred {
		mean, _, square, err := d.mean(ctx)
		if err != nil {
			return nil, true, err
		}
		all = square
		for a := range nodes {
			for k, j := range cols[a] {
				less[a] += float64(values[a][k] * float64(mean.Data[j]))
			}
		}
	}
	gram := make([]float64, m*m)
	err := eachRow(ctx, m, d.threads, func(a int) {
		row := gram[a*m : (a+1)*m]
		for k, j := range cols[a] {
			for at := starts[j]; at < starts[j+1]; at++ {
				row[across[at]] += float64(values[a][k] * weights[at])
			}
		}
		if d.centred {
			for b := range row {
				row[b] = row[b] - (less[a] + less[b]) + all
			}
		}
	})
	return gram, true, err
}
