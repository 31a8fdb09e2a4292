package diffuse

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Workspace holds the blocks of the solvers: three of 4·n·c bytes beside the solution, of which P may have rows apart
// ([csr.Stride]), and sums of at most n·c/8 bytes. With slices of the c columns it holds four blocks of a slice's width.
// Reusing it across rounds allocates nothing.
type Workspace struct {
	r, p, q   *csr.Dense
	apart     []float32     // the memory of p, where conjugate gradients have its rows apart; nil else
	slice     *csr.Dense    // of the solution, where r, p and q have fewer columns; else nil
	underflow *subset       // rows that are solved again
	reduce    *rows.Reducer // sums of a period of columns, see package kernel
	threads   int
	partition Partition // nil if all rows are here

	// The loops over blocks of rows read and write these beside r, p, q: the system, its solution,
	// and the coefficients of the columns, by period.
	m    system
	x    *csr.Dense
	a, b []float32
	sum  []float64 // of each column
	// The loops themselves, made once, so that an iteration allocates no closure.
	productRows, descendRows, advanceRows func(lo, hi int)
}

// Across makes w hold the own rows of a partition, as many as w was made for. It returns w.
func (w *Workspace) Across(partition Partition) *Workspace {
	w.partition = partition
	if partition != nil && w.apart != nil { // rows of P come from other processes side by side
		w.apart, w.p = nil, csr.NewDense(w.p.Rows, w.p.Cols)
	}
	w.reduce.Across(partition)
	return w
}

// rows returns the range of the own rows, and n.
func (w *Workspace) rows() (lo, hi, n int) {
	if w.partition == nil {
		return 0, w.r.Rows, w.r.Rows
	}
	return w.partition.Rows()
}

// system is the matrix M = I − αS of a linear system. With free, it is restricted to the free rows
// and columns; the other rows are 0 in R and P.
type system struct {
	s     Operator
	alpha float64
	free  *subset // nil for all
}

// NewWorkspace returns a workspace for n nodes and c classes.
func NewWorkspace(n, c, threads int) *Workspace {
	return newWorkspace(n, c, strideOf(n, c), threads)
}

// strideOf returns how many numbers apart the rows of P are.
func strideOf(n, c int) int {
	if c > mostApart {
		return c
	}
	return csr.Stride(n, c)
}

// ApartBytes returns what a workspace takes beside three blocks of 4·n·c bytes and its sums.
func ApartBytes(n, c int) int64 { return 4 * int64(n) * int64(strideOf(n, c)-c) }

// newWorkspace returns a workspace for P with rows stride apart, c or a multiple of eight.
func newWorkspace(n, c, stride, threads int) *Workspace {
	period := kernel.Period(max(c, 1))
	w := &Workspace{
		r: csr.NewDense(n, c), p: &csr.Dense{Rows: n, Cols: c}, q: csr.NewDense(n, c),
		reduce: rows.NewReducer(n, period), threads: threads,
		a: make([]float32, period), b: make([]float32, period), sum: make([]float64, c),
	}
	memory := csr.NewDense(n, stride).Data
	w.p.Data = memory[:n*c]
	if stride > c {
		w.apart = memory
	}
	return w.bind()
}

// NewSlicedWorkspace returns a workspace for n nodes and c classes in which conjugate gradients
// work on a limited number of columns at a time (at least one, two, four or eight, see
// [SliceColumns]). It gives the same bits in less memory, for two more products of S a solve. LGC
// by CG alone can use it; other solvers panic.
func NewSlicedWorkspace(n, c, columns, threads int) *Workspace {
	columns = SliceColumns(c, columns)
	if columns == c {
		return NewWorkspace(n, c, threads)
	}
	w := newWorkspace(n, columns, columns, threads)
	w.slice = csr.NewDense(n, columns)
	return w
}

// SliceColumns returns the width of the widest slices of c columns that are not wider than most, or
// of the narrowest ones. The kernels sum a column in as many places as its rows repeat in eight
// numbers, 8/gcd(c, 8). Only slices with equally many places have the same bits as all columns
// together.
func SliceColumns(c, most int) int {
	if most >= c {
		return c
	}
	unit := c / (kernel.Period(c) / 8) // gcd(c, 8)
	for width := most; width > unit; width-- {
		if kernel.Period(width)/width == kernel.Period(c)/c {
			return width
		}
	}
	return unit
}

// checkWhole panics if the blocks have fewer columns than F.
func (w *Workspace) checkWhole() {
	if w.slice != nil {
		panic("diffuse: only LGC by conjugate gradients works in slices of the columns")
	}
}

// resize changes the number of columns of the blocks, at most to the number they were made with.
func (w *Workspace) resize(columns int) {
	if w.r.Cols == columns {
		return
	}
	for _, block := range []*csr.Dense{w.r, w.p, w.q, w.slice} {
		block.Cols, block.Data = columns, block.Data[:block.Rows*columns]
	}
	period := kernel.Period(columns)
	w.reduce = rows.NewReducer(w.r.Rows, period)
	if w.partition != nil {
		w.reduce.Across(w.partition)
	}
	w.a, w.b, w.sum = make([]float32, period), make([]float32, period), make([]float64, columns)
}

// load and store copy columns lo and on between x and the slice.
func (w *Workspace) load(x *csr.Dense, lo int) {
	rows.Each(x.Rows, w.threads, func(first, end int) {
		for i := first; i < end; i++ {
			copy(w.slice.Row(i), x.Row(i)[lo:])
		}
	})
}

func (w *Workspace) store(x *csr.Dense, lo int) {
	rows.Each(x.Rows, w.threads, func(first, end int) {
		for i := first; i < end; i++ {
			copy(x.Row(i)[lo:], w.slice.Row(i))
		}
	})
}

func (w *Workspace) bind() *Workspace {
	w.productRows, w.descendRows, w.advanceRows = w.product, w.descend, w.advance
	return w
}

// conjugateGradients solves M X = B for a symmetric positive definite M from the start X, all
// columns at once (Hestenes and Stiefel, 1952):
//
//	R ← B − M X, P ← R
//	Q ← M P, a_j = (r_j·r_j)/(p_j·q_j)
//	R ← R − Q a, b_j = new (r_j·r_j) / old (r_j·r_j)
//	X ← X + P a, P ← R + P b
//
// Each line is one pass over the rows, sums included. A column stops when its residual is below
// tolerance·‖b_j‖. In float32 the residual of the recursion drifts from the true one. So the true
// residual is computed at the end; if it is too large, the recursion restarts from it.
//
// Where that costs nothing to the tolerance, the product for the true residual is left out: see trusted.
//
// A column has also converged when its true residual is at the rounding of x_j itself,
// roundoff·‖x_j‖: with α near 1, ‖x_j‖ can be ‖b_j‖/(1−α), and no float32 block comes closer. Sums
// over the rows of hubs round more. A residual up to hubRoundoff·‖x_j‖ counts as rounding too, if a
// restart does not halve it.
//
// In a workspace with slices each line runs for one slice of the columns after the other. A column
// affects the others only in the decisions at the end, which are made for all.
//
// residual computes w.r ← B − M X for the columns of x from lo on; norms are ‖b_j‖.
func (w *Workspace) conjugateGradients(ctx context.Context, x *csr.Dense, norms []float64, opt Options, m system, residual func(x *csr.Dense, lo int)) (Stats, error) {
	const restarts = 3
	w.m = m
	var stats Stats
	last := math.Inf(1)
	rr, xx := make([]float64, x.Cols), make([]float64, x.Cols)
	for start := 0; ; start++ {
		if start > 0 && m.alpha < 1 && opt.Tolerance >= leastTrusted {
			w.eachSlice(x, func(lo, hi int) { copy(xx[lo:hi], w.dotFree(w.x)) })
			if trusted(rr, xx, norms, opt.Tolerance) {
				stats.Residual, stats.Converged = worst(rr, norms), true
				return stats, nil
			}
		}
		w.eachSlice(x, func(lo, hi int) {
			residual(w.x, lo)
			copy(rr[lo:hi], w.dot(w.r, w.r))
			copy(xx[lo:hi], w.dotFree(w.x))
		})
		if start > 0 {
			stats.Iterations++
		}
		stats.Residual = worst(rr, norms)
		stats.Converged = converged(rr, xx, norms, opt.Tolerance, roundoff)
		if start > 1 && stats.Residual > last/2 {
			stats.Converged = converged(rr, xx, norms, opt.Tolerance, hubRoundoff)
			return stats, nil
		}
		if stats.Converged || start > restarts || stats.Iterations >= opt.MaxIterations {
			return stats, nil
		}
		last = stats.Residual
		most, left := 0, opt.MaxIterations-stats.Iterations
		var stopped error
		w.eachSlice(x, func(lo, hi int) {
			if w.slice != nil {
				residual(w.x, lo)
			}
			steps, err := w.descendTo(ctx, rr[lo:hi], norms[lo:hi], opt.Tolerance, left)
			if most = max(most, steps); err != nil {
				stopped = err
			}
			if w.slice != nil {
				w.store(x, lo)
			}
		})
		if stats.Iterations += most; stopped != nil {
			return stats, stopped
		}
	}
}

// eachSlice calls body with the bounds of each slice of the columns of X, with the slice in w.x.
func (w *Workspace) eachSlice(x *csr.Dense, body func(lo, hi int)) {
	if w.slice == nil {
		w.x = x
		body(0, x.Cols)
		return
	}
	widest := cap(w.slice.Data) / w.slice.Rows
	for lo := 0; lo < x.Cols; {
		width := x.Cols - lo
		if width > widest || kernel.Period(width)/width != kernel.Period(x.Cols)/x.Cols {
			width = SliceColumns(x.Cols, min(widest, width))
		}
		w.resize(width)
		w.load(x, lo)
		w.x = w.slice
		body(lo, lo+width)
		lo += width
	}
}

// descendTo iterates from X and R until no residual, with square rr, is above tolerance·‖b_j‖, or
// to the limit. It returns the number of iterations.
func (w *Workspace) descendTo(ctx context.Context, rr, norms []float64, tolerance float64, limit int) (steps int, err error) {
	a, b := make([]float64, len(rr)), make([]float64, len(rr))
	w.begin()
	for ; steps < limit && worst(rr, norms) > tolerance; steps++ {
		if err := ctx.Err(); err != nil {
			return steps, err
		}
		if !ratios(a, rr, w.multiply(), norms, tolerance) {
			break
		}
		repeat(w.a, a)
		for j, after := range w.shrink() {
			b[j] = 0
			if a[j] != 0 {
				b[j] = after / rr[j]
				rr[j] = after
			}
		}
		repeat(w.b, b)
		rows.Each(w.x.Rows, w.threads, w.advanceRows)
	}
	return steps, nil
}

// roundoff is the relative size of the residual that comes from storing x in float32 and adding
// rows in it; hubRoundoff applies to rows with many thousand entries.
const (
	roundoff    = 0x1p-21
	hubRoundoff = 0x1p-18
)

// converged reports whether every column's residual, given its square, is within tolerance·‖b_j‖ or
// rounding·‖x_j‖.
func converged(rr, xx, norms []float64, tolerance, rounding float64) bool {
	for j, v := range rr {
		if norms[j] > 0 && !(math.Sqrt(v) <= max(tolerance*norms[j], rounding*math.Sqrt(xx[j]))) {
			return false
		}
	}
	return true
}

// leastTrusted is the smallest tolerance to which a residual is ever trusted: ‖x_j‖ is at least ‖b_j‖/2, less the tolerance.
const leastTrusted = 8 * hubRoundoff / 2

// trusted reports whether the residuals of the recursion, of squares rr, show that the columns have converged: they are within
// tolerance·‖b_j‖, and the rounding that parts them from the true ones, hubRoundoff·‖x_j‖ where no eigenvalue of M is above 2, is below
// an eighth of that.
func trusted(rr, xx, norms []float64, tolerance float64) bool {
	for j, v := range rr {
		if norms[j] > 0 && !(math.Sqrt(v) <= tolerance*norms[j] && hubRoundoff*math.Sqrt(xx[j]) <= tolerance*norms[j]/8) {
			return false
		}
	}
	return true
}

// image computes R ← S F, which is 0 where F is, as at most starts.
func (w *Workspace) image(s Operator, f *csr.Dense) {
	if w.partition == nil && allZero(f, w.threads) {
		clear(w.r.Data)
		return
	}
	s.Apply(w.r, f)
}

func allZero(x *csr.Dense, threads int) bool {
	var other atomic.Bool
	rows.Each(x.Rows, threads, func(lo, hi int) {
		if !other.Load() && !isZero(block(x, lo, hi)) {
			other.Store(true)
		}
	})
	return !other.Load()
}

// A product p_j·q_j below flat·‖r_j‖² is rounding: to float32 the matrix is singular along p_j. A
// residual above lost·‖b_j‖ is too large for steps to bring back.
const (
	flat = 0x1p-32
	lost = 0x1p20
)

// ratios computes a_j ← rr_j/pq_j for the columns that need improvement and allow it, else 0. It
// reports whether there are any.
func ratios(a, rr, pq, norms []float64, tolerance float64) bool {
	improved := false
	for j := range a {
		a[j] = 0
		size := math.Sqrt(rr[j])
		if size > tolerance*norms[j] && (size < lost*norms[j] || norms[j] == 0) && pq[j] > flat*rr[j] {
			a[j] = rr[j] / pq[j]
			improved = true
		}
	}
	return improved
}

// repeat repeats the coefficients of the columns over a period.
func repeat(period []float32, a []float64) {
	for k := range period {
		period[k] = float32(a[k%len(a)])
	}
}

// worst returns the largest relative residual. A column with b_j = 0 has the solution 0 from the
// start.
func worst(rr, norms []float64) float64 {
	top := 0.0
	for j, v := range rr {
		if norms[j] > 0 {
			top = max(top, math.Sqrt(v)/norms[j])
		}
	}
	return top
}

// dot returns the products of the columns of two blocks, valid until the next call of a method of
// w.
func (w *Workspace) dot(x, y *csr.Dense) []float64 {
	return w.fold(w.reduce.Sum(w.threads, func(lo, hi int, sum []float64) {
		sum = sum[:x.Cols]
		for i := lo; i < hi; i++ {
			xr, yr := x.Row(i), y.Row(i)[:len(sum)]
			for j, v := range xr[:len(sum)] {
				sum[j] += float64(v) * float64(yr[j])
			}
		}
	}))
}

// dotFree returns the squared norms of the columns of x, over the rows of the system.
func (w *Workspace) dotFree(x *csr.Dense) []float64 {
	if w.m.free == nil {
		return w.dot(x, x)
	}
	return w.fold(w.reduce.Sum(w.threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			if w.m.free.has[i] {
				for j, v := range x.Row(i) {
					sum[j] += float64(v) * float64(v)
				}
			}
		}
	}))
}

// fold returns the sums of columns from those of a period, valid until its next call.
func (w *Workspace) fold(period []float64) []float64 {
	kernel.Fold(w.sum, period)
	return w.sum
}

// multiply computes Q ← M P and returns p_j·q_j.
func (w *Workspace) multiply() []float64 {
	switch s := w.m.s.(type) {
	case SharedOperator:
		s.Begin(w.q, w.p)
	case RowOperator:
	default:
		s.Apply(w.q, w.p)
	}
	rows.Each(w.q.Rows, w.threads, w.productRows)
	return w.fold(w.reduce.Total())
}

func (w *Workspace) product(lo, hi int) {
	s, byRows := w.m.s.(RowOperator)
	sum := w.reduce.Partial(lo)
	if stride := w.stride(); stride > 0 {
		w.productApart(stride, lo, hi, sum)
		return
	}
	w.m.free.each(lo, hi, func(lo, hi int) {
		if byRows {
			s.ApplyRows(w.q, w.p, lo, hi)
		}
		w.m.free.clearOthers(w.q, lo, hi)
		kernel.MinusDot(block(w.q, lo, hi), block(w.p, lo, hi), float32(w.m.alpha), sum)
	})
}

// shrink computes R ← R − Q a and returns the new r_j·r_j.
func (w *Workspace) shrink() []float64 {
	rows.Each(w.r.Rows, w.threads, w.descendRows)
	return w.fold(w.reduce.Total())
}

func (w *Workspace) descend(lo, hi int) {
	sum := w.reduce.Partial(lo)
	w.m.free.each(lo, hi, func(lo, hi int) {
		kernel.Descend(block(w.r, lo, hi), block(w.q, lo, hi), w.a, sum)
	})
}

// advance computes X ← X + P a, P ← R + P b.
func (w *Workspace) advance(lo, hi int) {
	if stride := w.stride(); stride > 0 {
		w.advanceApart(stride, lo, hi)
		return
	}
	w.m.free.each(lo, hi, func(lo, hi int) {
		kernel.Advance(block(w.x, lo, hi), block(w.p, lo, hi), block(w.r, lo, hi), w.a, w.b)
	})
}

// block returns rows lo to hi−1 of x.
func block(x *csr.Dense, lo, hi int) []float32 { return x.Data[lo*x.Cols : hi*x.Cols] }
