package diffuse

import (
	"math/bits"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// affinityWorker is the scratch memory of one worker of an A-step.
type affinityWorker struct {
	id   int
	u, v *csr.Accumulator // for light rows
	one  candidates

	heavy []int // heavy rows that wait for a group to be full
	group [groupWidth]candidates
	dense []float32 // n×groupWidth: the u of each row of the group, nil until needed

	cols []uint32 // a finished row
	vals []float32
}

// groupWidth is the number of heavy rows made together: a cache line of
// float32.
const groupWidth = kernel.Width

func newAffinityWorker(id, n, k int) *affinityWorker {
	w := &affinityWorker{
		id: id,
		u:  csr.NewAccumulator(n), v: csr.NewAccumulator(n),
		heavy: make([]int, 0, groupWidth), cols: make([]uint32, 0, k+1), vals: make([]float32, 0, k+1),
	}
	w.one.top = csr.NewTopK(k)
	return w
}

// block makes the rows lo to hi−1. Which rows are heavy and which are
// grouped depends on the matrices and on the block alone, so that the sums of
// a row are the same for any number of workers.
func (step *affinityStep) block(worker, lo, hi int) {
	if step.workers[worker] == nil {
		step.workers[worker] = newAffinityWorker(worker, len(step.norms), step.opt.TopK)
	}
	w := step.workers[worker]
	for i := lo; i < hi; i++ {
		if !step.isHeavy(i) {
			step.lightRow(w, i)
			continue
		}
		if w.heavy = append(w.heavy, i); len(w.heavy) == groupWidth {
			step.heavyRows(w)
		}
	}
	step.heavyRows(w)
	if step.opt.Progress != nil {
		step.opt.Progress(hi - lo)
	}
}

// isHeavy reports whether row i takes more work as a sparse row than as a part
// of a group: a multiply-add of a sparse row, at an unforeseeable place of an
// accumulator, takes as long as 8 or more in a group, and merging makes a
// sparse row cheaper than the sum by a factor that is not known.
func (step *affinityStep) isHeavy(i int) bool {
	work := int64(0)
	cols, _ := step.s.Row(i)
	for _, j := range cols {
		work += step.reach[j]
	}
	return 3*work > int64(step.entries) && work > minHeavy
}

func (step *affinityStep) anyHeavy(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if step.isHeavy(i) {
			return true
		}
	}
	return false
}

// minHeavy is the work of a row below which groups are not worth their
// clearing; small graphs have light rows only.
const minHeavy = 1 << 14

// lightRow makes row i by sparse accumulation: u = Σ_j S_ij A_j, then
// v = Σ_l u_l S_l.
func (step *affinityStep) lightRow(w *affinityWorker, i int) {
	w.u.Reset()
	w.u.AddRowTimes(step.s, i, step.a)
	w.v.Reset()
	w.v.AddProduct(w.u, step.s)
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

// pick offers the candidates of a light row whose coarser bounds do not rule
// them out: v_j + ‖G_i‖ max_l ‖G_l‖, which needs nothing of j but v_j and so is
// one comparison, made for many candidates at once; then v_j + ‖G_i‖‖G_j‖;
// against the least kept value, over α and with slack.
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

// heavyRows makes the waiting rows together: with their u as the columns of a
// dense U (n×16), row j of S·U holds the v_j of all of them.
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
	// A first, coarser bound spares most calls of offer: v_j + ‖G_i‖‖G_j‖
	// against the least kept value, over α and with slack.
	var norm, limit [groupWidth]float32
	for k, i := range w.heavy {
		step.start(&w.group[k], i)
		step.scatter(w.dense[k:], i)
		norm[k] = step.norms[i] * (1 + slack)
		limit[k] = -1
	}
	over := 1 / float32(step.opt.Alpha) / (1 + slack)
	var v [groupWidth]float32
	for j, nj := range step.norms {
		cols, vals := step.across.Row(j)
		kernel.Gather(&v, cols, vals, w.dense) // v ← Σ_l S_jl U_l
		for k := range w.heavy {
			if v[k]+norm[k]*nj < limit[k] && j != w.heavy[k] || v[k] == 0 && !step.whole {
				continue
			}
			c := &w.group[k]
			step.offer(c, uint32(j), v[k])
			if least, full := c.top.Least(); full {
				limit[k] = least * over
			}
		}
	}
	for k := range w.heavy {
		step.finish(w, &w.group[k])
	}
	w.heavy = w.heavy[:0]
}

// scatter adds u = Σ_j S_ij A_j to a column of U, which starts at dense[0].
func (step *affinityStep) scatter(dense []float32, i int) {
	cols, vals := step.s.Row(i)
	for k, j := range cols {
		ac, av := step.a.Row(int(j))
		for m, l := range ac {
			dense[int(l)*groupWidth] += float32(vals[k] * av[m])
		}
	}
}

// HasHeavyRows reports whether an A-step with S and A of the pattern of w
// makes rows in groups, as it does in graphs with hubs: each worker then takes
// 64 bytes a node more.
func HasHeavyRows(w *csr.Matrix) bool {
	n, _ := w.Dims()
	step := &affinityStep{s: w, a: w, reach: make([]int64, n)}
	for i := range n {
		step.count(i)
	}
	for i := range n {
		if step.isHeavy(i) {
			return true
		}
	}
	return false
}
