package knn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// expressBlock is the number of points that a worker solves together. Their products with all
// points are one matrix product, which reads each point once for all of them. It is a whole number
// of panels.
const expressBlock = 2 * kernel.Rows

// expressTolerance is how far, in units of λτ, the product of a residual with
// a point outside its combination may exceed λτ before the point enters the
// active set. Products are float32 of unit vectors, right to about 1e-6.
const expressTolerance = 1e-3

// expression is one run of SelfExpressive.
type expression struct {
	points *expressPoints
	opt    SelfExpressiveOptions
	found  []combination
	fate   []expressFate
}

// expressFate is the part of the report that is about one point.
type expressFate struct {
	support, checks      int
	residual             float64
	certified, truncated bool
}

// solve fills found and fate, block by block on all workers. A block depends
// only on the points, so the result does not depend on the number of workers.
func (e *expression) solve(ctx context.Context) error {
	n := e.points.unit.Rows
	blocks := (n + expressBlock - 1) / expressBlock
	workers := make([]*expressWorker, rows.Workers(e.opt.Threads))
	return rows.Tasks(ctx, blocks, e.opt.Threads, func(worker, b int) error {
		if workers[worker] == nil {
			workers[worker] = newExpressWorker(e)
		}
		return workers[worker].block(ctx, b*expressBlock, min((b+1)*expressBlock, n))
	})
}

func (e *expression) report() *SelfExpressiveReport {
	r := &SelfExpressiveReport{}
	for i, f := range e.fate {
		if e.points.zero[i] {
			r.Zero++
		}
		if len(e.found[i].ids) == 0 {
			r.Isolated++
		}
		if f.certified {
			r.Certified++
		}
		if f.truncated {
			r.Truncated++
		}
		r.Rounds = max(r.Rounds, f.checks)
		r.Checks += f.checks
		r.Support += float64(f.support)
		r.Residual += f.residual
	}
	n := float64(max(1, len(e.fate)))
	r.Support /= n
	r.Residual /= n
	return r
}

// expressWorker is the scratch memory of one goroutine.
type expressWorker struct {
	*expression
	solver    lassoSolver
	tops      []*csr.TopK // a point of the block
	sizes     []int       // of tops
	l1        []float64   // λτ a point
	sets      [][]uint32  // candidates
	residuals []float32   // expressBlock×d, row-major
	packed    []float32   // the same as panels
	eight     []float32   // eight points, for packing
	scratch   []float32
	sum       []float64
}

func newExpressWorker(e *expression) *expressWorker {
	d := e.points.unit.Cols
	w := &expressWorker{
		expression: e,
		tops:       make([]*csr.TopK, expressBlock),
		sizes:      make([]int, expressBlock),
		l1:         make([]float64, expressBlock),
		sets:       make([][]uint32, expressBlock),
		residuals:  make([]float32, expressBlock*d),
		packed:     make([]float32, expressBlock*d),
		eight:      make([]float32, 8*d),
		scratch:    make([]float32, expressBlock*expressChunk),
		sum:        make([]float64, d),
	}
	return w
}

// block solves the points [lo,hi): first over their most correlated points, then again with the
// points that violate optimality, where there are any.
func (w *expressWorker) block(ctx context.Context, lo, hi int) error {
	if err := w.firstCandidates(ctx, lo, hi); err != nil {
		return err
	}
	pending := make([]int, 0, hi-lo)
	for i := lo; i < hi; i++ {
		if w.l1[i-lo] > 0 {
			pending = append(pending, i)
		} else {
			w.fate[i].certified = true
		}
	}
	err := w.solvePoints(ctx, pending, lo)
	for round := 0; round < w.opt.Rounds && len(pending) > 0 && err == nil; round++ {
		pending, err = w.check(ctx, pending, lo)
	}
	for i := lo; i < hi && err == nil; i++ {
		w.fate[i].truncated = w.found[i].truncate(w.opt.Keep)
	}
	return err
}

// firstCandidates takes the points of largest |⟨x_j,x_i⟩| and sets l1.
func (w *expressWorker) firstCandidates(ctx context.Context, lo, hi int) error {
	d := w.points.unit.Cols
	for q := range hi - lo {
		w.limit(q, 0)
	}
	err := w.points.products(ctx, w.points.packed[lo*d:], hi-lo, w.scratch, func(q, from int, dots []float32) {
		for t, v := range dots {
			if v != 0 && from+t != lo+q {
				w.tops[q].Offer(uint32(from+t), float32(math.Abs(float64(v))))
			}
		}
	})
	for q, top := range w.tops[:hi-lo] {
		ids, vals := top.Entries()
		largest := 0.0
		for _, v := range vals {
			largest = max(largest, float64(v))
		}
		if largest <= w.points.rounding {
			largest = 0 // orthogonal to all others
		}
		w.l1[q] = largest / w.opt.Gamma
		w.sets[q] = append(w.sets[q][:0], ids...)
	}
	return err
}

// solvePoints solves points of the block at lo over their candidates.
func (w *expressWorker) solvePoints(ctx context.Context, points []int, lo int) error {
	for _, i := range points {
		if err := ctx.Err(); err != nil { // a point may take a tenth of a second
			return err
		}
		w.solvePoint(i, w.sets[i-lo])
	}
	return nil
}

// solvePoint solves point i over the candidates ids, which it sorts, from the
// combination found so far.
func (w *expressWorker) solvePoint(i int, ids []uint32) {
	slices.Sort(ids)
	d, k := w.points.unit.Cols, len(ids)
	w.solver.reset(k, d, w.eight, func(to []float32, r int) {
		from := i
		if r < k {
			from = int(ids[r])
		}
		copy(to, w.points.unit.Row(from))
	})
	for at, j := range w.found[i].ids {
		if q, ok := slices.BinarySearch(ids, j); ok {
			w.solver.move(q, w.found[i].coef[at])
		}
	}
	l1 := w.l1[i%expressBlock]
	w.solver.solve(l1, l1*(1-w.opt.Tau)/w.opt.Tau)
	w.found[i] = w.solver.combination(ids, l1)
	w.fate[i].support = len(w.found[i].ids)
}

// limit empties selector q and sets the number of points that it may take: the places of the active
// set, or the points of the combination if those are more. The set may then double in a round.
func (w *expressWorker) limit(q, support int) {
	size := min(max(w.opt.Candidates, support), w.points.unit.Rows)
	if w.sizes[q] != size {
		w.tops[q], w.sizes[q] = csr.NewTopK(size), size
		return
	}
	w.tops[q].Reset()
}

// check compares the residuals of the pending points with all points. It
// certifies those that are optimal, solves the others again, and returns them.
func (w *expressWorker) check(ctx context.Context, pending []int, lo int) ([]int, error) {
	d := w.points.unit.Cols
	for at, i := range pending {
		w.fate[i].checks++
		w.fate[i].residual = w.points.residual(w.residuals[at*d:(at+1)*d], i, w.found[i].ids, w.found[i].coef, w.sum)
		w.limit(at, w.fate[i].support)
	}
	packRows(w.packed, len(pending), d, w.eight, func(to []float32, r int) { copy(to, w.residuals[r*d:(r+1)*d]) })
	if err := w.points.products(ctx, w.packed, len(pending), w.scratch, func(q, from int, dots []float32) {
		i := pending[q]
		limit := float32(w.l1[i-lo] * (1 + expressTolerance))
		for t, v := range dots {
			if v <= limit && v >= -limit || from+t == i {
				continue
			}
			j := uint32(from + t)
			// The ℓ2 penalty lets points of the combination exceed the limit.
			if _, used := slices.BinarySearch(w.found[i].ids, j); !used {
				w.tops[q].Offer(j, float32(math.Abs(float64(v))))
			}
		}
	}); err != nil {
		return nil, err
	}
	failing := pending[:0]
	for q, i := range pending {
		ids, _ := w.tops[q].Entries()
		if len(ids) == 0 {
			w.fate[i].certified = true
			continue
		}
		w.sets[i-lo] = append(append(w.sets[i-lo][:0], w.found[i].ids...), ids...)
		failing = append(failing, i)
	}
	return failing, w.solvePoints(ctx, failing, lo)
}

// probeBlocks is how many blocks [SelfExpressiveSupport] solves, and probeCandidates the default
// size of their active sets, which are not renewed.
const (
	probeBlocks     = 4
	probeCandidates = 100
)

// SelfExpressiveSupport returns the mean number of coefficients of a point of x, over a few hundred
// points at even distances in x, with the 100 points most correlated with each alone. It is a first
// estimate of the cost of [SelfExpressive]. Points of few subspaces have about as many coefficients
// as these have dimensions, at most some ten. With more, each point takes a large linear problem,
// and the graph is not sparse.
//
// Cost: about 128·n·d multiplications and as many small problems.
func SelfExpressiveSupport(ctx context.Context, x *csr.Dense, opt SelfExpressiveOptions) (float64, error) {
	opt.Candidates = cmp.Or(opt.Candidates, probeCandidates)
	if err := opt.setDefaults(); err != nil {
		return 0, err
	}
	points, err := newExpressPoints(x, opt.Threads)
	if err != nil {
		return 0, err
	}
	opt.Rounds = 0
	n := x.Rows
	e := &expression{points: points, opt: opt, found: make([]combination, n), fate: make([]expressFate, n)}
	blocks := (n + expressBlock - 1) / expressBlock
	tried := min(blocks, probeBlocks)
	err = rows.Tasks(ctx, tried, opt.Threads, func(_, k int) error {
		b := k * blocks / tried
		return newExpressWorker(e).block(ctx, b*expressBlock, min((b+1)*expressBlock, n))
	})
	sum, count := 0.0, 0
	for _, f := range e.fate {
		if f.support > 0 {
			sum += float64(f.support)
			count++
		}
	}
	return sum / float64(max(1, count)), err
}
