package diffuse

import (
	"math"
	"math/bits"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// affinityWorker is the scratch memory of one worker of an A-step.
type affinityWorker struct {
	id    int
	u, v  *csr.Accumulator // for rows of walks; nil where A-steps take the edges alone
	one   candidates
	sieve sieve // of truncated rows

	heavy []int // heavy rows that wait until a group is full
	group [groupWidth]candidates
	dense []float32 // n×groupWidth: the u of each row of the group, nil until needed
	bound kernel.Bound
	sums  [groupWidth]float32

	cols []uint32 // a finished row
	vals []float32
}

// groupWidth is the number of heavy rows made together: a cache line of
// float32.
const groupWidth = kernel.Width

// rowsAhead is how many rows of edges before its own the G of a row's neighbours are asked for.
const rowsAhead = 4

func (step *affinityStep) newWorker(id int) *affinityWorker {
	n, k := len(step.norms), step.opt.TopK
	w := &affinityWorker{id: id, heavy: make([]int, 0, groupWidth), cols: make([]uint32, 0, k+1), vals: make([]float32, 0, k+1)}
	if step.a != nil {
		w.u, w.v = csr.NewAccumulator(n), csr.NewAccumulator(n)
	}
	w.one.top = csr.NewTopK(k)
	return w
}

// block makes the rows lo to hi−1. The choice of heavy rows and their groups depends on the
// matrices and on the block alone, so the sums of a row are the same for any number of workers.
func (step *affinityStep) block(worker, lo, hi int) {
	if step.workers[worker] == nil {
		step.workers[worker] = step.newWorker(worker)
	}
	w := step.workers[worker]
	for i := lo; i < hi; i++ {
		work := step.work(i)
		terms := step.truncates(i, work)
		switch {
		case step.a == nil:
			if i+rowsAhead < hi {
				cols, _ := step.s.Row(i + rowsAhead)
				kernel.Ask(step.g.Data, step.g.Cols, step.g.Cols, cols)
			}
			step.edgeRow(w, i)
		case terms > 0:
			step.truncateRow(w, i, terms)
		case step.isHeavy(work):
			if w.heavy = append(w.heavy, i); len(w.heavy) == groupWidth {
				step.heavyRows(w)
			}
		default:
			step.lightRow(w, i)
		}
	}
	step.heavyRows(w)
	if step.opt.Progress != nil {
		step.opt.Progress(hi - lo)
	}
}

// work returns the number of multiply-adds of row i.
func (step *affinityStep) work(i int) int64 {
	work := int64(0)
	if step.a == nil {
		return 0
	}
	cols, _ := step.s.Row(i)
	for _, j := range cols {
		work += step.reach[j]
	}
	return work
}

// truncates returns the terms that row i, of this work, is truncated to; 0 where it is whole.
func (step *affinityStep) truncates(i int, work int64) (terms int) {
	hubs := &step.opt.Hubs
	if step.whole || hubs.Above < 0 {
		return 0
	}
	if step.truncating && work > hubs.Work {
		_, terms = step.truncatedWork(i)
		return terms
	}
	whole := work
	if step.isHeavy(work) {
		whole = int64(step.entries) / 8
	}
	const column = 4 // multiply-adds that a candidate takes
	whole += column * min(work, int64(step.nodes))
	if whole <= leastTerms*hubs.Ratio {
		return 0
	}
	links, terms := step.truncatedWork(i)
	if whole <= hubs.Ratio*(links+int64(terms)) {
		return 0
	}
	return terms
}

// truncatedWork returns the links of row i where it is truncated, and the terms. The Links largest
// entries of a row of A are counted as if they led to as many entries of S as others of the row.
func (step *affinityStep) truncatedWork(i int) (links int64, terms int) {
	most, near := int64(step.opt.Hubs.Links), int64(0)
	cols, _ := step.s.Row(i)
	indptr, _, _ := step.a.Arrays()
	for _, j := range cols {
		if d := indptr[j+1] - indptr[j]; d <= most {
			links, near = links+d, near+step.near[j]
		} else {
			links, near = links+most, near+step.near[j]*most/d
		}
	}
	return links, min(int(max(near, leastTerms)), step.opt.Hubs.Terms)
}

// isHeavy reports whether a row of this work is made in a group.
func (step *affinityStep) isHeavy(work int64) bool {
	return !step.truncating && IsHeavy(work, int64(step.entries))
}

// IsHeavy reports whether a row of an A-step with work multiply-adds takes longer as a sparse row
// than in a group, for S with the given entries. A multiply-add of a sparse row goes to an
// unpredictable place of an accumulator, and takes as long as about 8 in a group. The kernels
// differ in this ratio, but must not differ in the choice of rows, so it is fixed.
func IsHeavy(work, entries int64) bool { return 8*work > entries && work > minHeavy }

func (step *affinityStep) anyHeavy(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if step.isHeavy(step.work(i)) {
			return true
		}
	}
	return false
}

// minHeavy is the work of a row below which clearing the group costs more than it saves. Small
// graphs have light rows only.
const minHeavy = 1 << 14

// lightRow makes row i by sparse accumulation: u = Σ_j S_ij A_j, then
// v = Σ_l u_l S_l.
func (step *affinityStep) lightRow(w *affinityWorker, i int) {
	w.u.Reset()
	w.u.AddRowTimes(step.s, i, step.a)
	w.v.Reset()
	w.v.AddProduct(w.u, step.s)
	step.offerAll(w, i)
}

// edgeRow makes row i of the edges of S alone: v = S_i, or 0.
func (step *affinityStep) edgeRow(w *affinityWorker, i int) {
	step.start(&w.one, i)
	cols, vals := step.s.Row(i)
	for k, j := range cols {
		v := vals[k]
		if step.alike {
			v = 0
		}
		step.offer(&w.one, j, v)
	}
	step.finish(w, &w.one)
}

// truncateRow makes row i as [HubRows] defines.
func (step *affinityStep) truncateRow(w *affinityWorker, i, terms int) {
	cols, vals := step.s.Row(i)
	w.u.Reset()
	step.links().add(w.u, cols, vals, step.a)
	w.sieve.pick(w.u, step.s, &step.opt.Hubs, terms)
	w.v.Reset()
	step.hubs().add(w.v, w.sieve.cols, w.sieve.vals, step.s)
	step.offerAll(w, i)
}

// offerAll finishes row i from the worker's v.
func (step *affinityStep) offerAll(w *affinityWorker, i int) {
	step.start(&w.one, i)
	w.one.self = w.v.Value(uint32(i))
	if step.whole {
		for j := range uint32(len(step.norms)) {
			step.offer(&w.one, j, w.v.Value(j))
		}
	} else {
		step.pick(w)
	}
	step.finish(w, &w.one)
}

// pick offers the candidates of a light row that pass two coarser bounds, compared with the least
// kept value over α, with slack. The first, v_j + ‖G_i‖ max_l ‖G_l‖, depends on j through v_j
// alone: one comparison, made for many candidates at once. The second is v_j + ‖G_i‖‖G_j‖.
func (step *affinityStep) pick(w *affinityWorker) {
	norm := step.norms[w.one.i] * (1 + slack)
	over := 1 / float32(step.opt.Alpha) / (1 + slack)
	limit, floor := float32(-1), float32(-1)
	cols, vals := w.v.Columns(), w.v.Values()
	var mask [4]uint32
	for len(cols) > 0 {
		part := min(len(cols), 32*len(mask))
		kernel.AtLeast(mask[:], vals[:part], floor)
		for m, word := range mask {
			for ; word != 0; word &= word - 1 {
				p := 32*m + bits.TrailingZeros32(word)
				j, v := cols[p], vals[p]
				if v < floor || norm > 0 && v+norm*step.norms[j] < limit {
					continue
				}
				step.offer(&w.one, j, v)
				if least, full := w.one.top.Least(); full {
					limit = least * over
					floor = limit - norm*step.longest
				}
			}
		}
		cols, vals = cols[part:], vals[part:]
	}
}

// gatherRows is the largest number of rows of S in one call of a kernel. A call delays whoever
// waits for all workers.
const gatherRows = 1 << 12

// heavyRows makes the waiting rows together. With their u as the columns of a dense U (n×16), row j
// of S·U holds the v_j of all of them.
func (step *affinityStep) heavyRows(w *affinityWorker) {
	if len(w.heavy) == 0 {
		return
	}
	if w.dense == nil {
		w.dense = make([]float32, len(step.norms)*groupWidth)
		for k := range w.group {
			w.group[k].top = csr.NewTopK(step.opt.TopK)
		}
	}
	clear(w.dense)
	step.addRows(w.dense, w.heavy)
	// A first, coarser bound spares most calls of offer: v_j + ‖G_i‖‖G_j‖ against the least kept
	// value, over α and with slack. For unused columns the bound is above any v.
	bound := &w.bound
	bound.Norms = step.norms
	for k := range bound.Limit {
		bound.Norm[k], bound.Limit[k] = 0, float32(math.Inf(1))
	}
	for k, i := range w.heavy {
		step.start(&w.group[k], i)
		bound.Norm[k] = step.norms[i] * (1 + slack)
		bound.Limit[k] = -1
	}
	over := 1 / float32(step.opt.Alpha) / (1 + slack)
	v, own := &w.sums, 0
	for j := 0; j < len(step.norms); {
		to := min(j+gatherRows, len(step.norms))
		if own < len(w.heavy) {
			if i := w.heavy[own]; j < i {
				to = min(to, i)
			} else { // v_i goes to the diagonal, however small
				to, bound.Limit[own] = j+1, -1
				own++
			}
		}
		row, mask := kernel.Gather(v, step.columns, w.dense, bound, j, to) // v ← Σ_l S_jl U_l
		for ; mask != 0; mask &= mask - 1 {
			k := bits.TrailingZeros32(mask)
			c := &w.group[k]
			if v[k] > 0 || step.whole {
				step.offer(c, uint32(row), v[k])
			}
			if least, full := c.top.Least(); full {
				bound.Limit[k] = least * over
			}
		}
		j = min(row+1, to)
	}
	for k := range w.heavy {
		step.finish(w, &w.group[k])
	}
	w.heavy = w.heavy[:0]
}

// addRows sets U: column k is u = Σ_j S_ij A_j of row i = heavy_k. Rows of a group share many of
// their j: each A_j is added to all of them at once, in the order of j.
func (step *affinityStep) addRows(dense []float32, heavy []int) {
	var cols [groupWidth][]uint32 // the rest of each row of S
	var vals [groupWidth][]float32
	for k, i := range heavy {
		cols[k], vals[k] = step.s.Row(i)
	}
	for {
		next := uint32(math.MaxUint32) // no column: n is csr.MaxDim at most
		for _, c := range cols {
			if len(c) > 0 {
				next = min(next, c[0])
			}
		}
		if next == math.MaxUint32 {
			return
		}
		var factor [groupWidth]float32
		for k, c := range cols {
			if len(c) > 0 && c[0] == next {
				factor[k] = vals[k][0]
				cols[k], vals[k] = c[1:], vals[k][1:]
			}
		}
		ac, av := step.a.Row(int(next))
		kernel.Spread(dense, ac, av, &factor)
	}
}

// HubBytes estimates the additional memory of an A-step with S and A of the pattern of w if w has
// hubs: 64 bytes a node and worker for rows in groups; for truncated rows 4 bytes a node and
// worker, and 16 for each entry that a long row keeps.
func HubBytes(w *csr.Matrix, hubs HubRows, workers int) (bytes int64) {
	n, _ := w.Dims()
	truncated, heavy := hubs.kinds(w)
	if truncated {
		bytes += hubs.withDefaults().linkBytes(w) + 4*int64(n)*int64(workers)
	}
	if heavy {
		bytes += 4 * groupWidth * int64(n) * int64(workers)
	}
	return bytes
}

// Truncates reports whether an A-step with S and A of the pattern of w truncates any row.
func (c HubRows) Truncates(w *csr.Matrix) bool {
	truncated, _ := c.kinds(w)
	return truncated
}

// kinds reports whether an A-step with S and A of the pattern of w has truncated rows, and rows
// that are made in groups.
func (c HubRows) kinds(w *csr.Matrix) (truncated, heavy bool) {
	n, _ := w.Dims()
	step := &affinityStep{s: w, a: w, nodes: n, reach: make([]int64, n), near: make([]int64, n), entries: w.NNZ()}
	step.opt.Hubs, step.truncating = c.withDefaults(), c.Applies(n, w.NNZ())
	for i := range n {
		step.count(i)
	}
	for i := range n {
		switch work := step.work(i); {
		case step.truncates(i, work) > 0:
			truncated = true
		case step.isHeavy(work):
			heavy = true
		}
		if truncated && (heavy || step.truncating) {
			break
		}
	}
	return truncated, heavy
}
