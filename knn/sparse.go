package knn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// SearchSparse is [Search] for sparse features: the n points are the rows of x (n×d), and
// coordinates that are not stored are 0. Points that share no coordinate have cosine 0, inner
// product 0 and squared distance ‖x‖² + ‖y‖².
//
// Exact computes products in float32 in one of two ways, whichever costs less: all sums of a row of
// X·Xᵀ, by the columns of its entries; or products of blocks of rows, where the most frequent
// columns are dense coordinates and the others are added entry by entry. Pairs that could be among
// the k nearest within the error are measured in float64, as in Search. Cost of the first: one
// multiply-add, anywhere in memory, for each pair of entries in one column of x. Columns without entries cost nothing.
//
// Approx is for cosines; by other metrics, and where it would cost more, the search is exact. A point meets the entries of
// its rarest columns, as many as Recall needs; those with the 4K largest sums are measured. So distances are exact, and
// only neighbours may be missed. Rows are short where fewer than K others share a column. Auto takes Exact up to a
// cost of 5·10^11 multiply-adds, and then Approx, whose points meet at most 8,192 entries unless Exact costs no more than
// seven times as much: the recall may be below Recall then, and the report tells it. A point then meets as many entries whatever n is.
func SearchSparse(ctx context.Context, x *csr.Matrix, opt Options) (*Neighbors, *Report, error) {
	nb, report, _, err := searchSparse(ctx, x, opt, false)
	return nb, report, err
}

// searchSparse is [SearchSparse]. With leaveOut it leaves out zero vectors where the metric does
// not rank them, and returns their number.
func searchSparse(ctx context.Context, x *csr.Matrix, opt Options, leaveOut bool) (nb *Neighbors, report *Report, zeros int, err error) {
	n, d := x.Dims()
	if d < 1 || n < 2 {
		return nil, nil, 0, fmt.Errorf("%w: %d points of %d coordinates, expected at least 2 points and 1 coordinate", ErrFeatures, n, d)
	}
	opt, err = opt.withDefaults(n)
	if err != nil {
		return nil, nil, 0, err
	}
	if opt.Metric == Manhattan {
		return nil, nil, 0, errDenseOnly
	}
	equal := findSparseGroups(x, opt.Threads)
	if leaveOut {
		zeros = equal.leaveOut(opt.Metric, func(i int) bool {
			_, values := x.Row(i)
			return isZero(values)
		})
	}
	report = &Report{
		Points: n, Dims: d, K: opt.K, Metric: opt.Metric, Method: Exact,
		Kernel: kernel.Name(), Distinct: len(equal.first) + zeros, Recall: 1,
	}
	nb = newNeighbors(n, opt.K, opt.Metric)
	if opt.Distinct {
		nb.Of = equal.firsts(n)
	}
	s := newSparsePoints(x, opt)
	costs := sparseCostsOf(s.scaled)
	r, err := s.approximate(ctx, equal.first, costs, opt)
	switch {
	case err != nil:
	case r != nil:
		report.Kernel, report.Method, report.Met = "sparse", Approx, r.met
		if err = r.search(ctx, nb, equal, opt); err == nil {
			report.Recall, report.RecallSample, err = r.recall(ctx, nb, opt)
		}
	case costs.columns <= costs.blocks:
		report.Kernel = "sparse"
		err = s.byColumns(ctx, nb, equal, opt)
	default:
		err = s.byBlocks(ctx, nb, equal, costs, opt)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	return nb, report, zeros, nil
}

// approximate returns an approximate search of the points ids where one is due: nil where exact search is asked for, or costs
// no more. Where nothing is asked for, and even [mostMet] entries a point have less than the recall, they are enough if
// exact search costs more than [farCheaper] times as much.
func (s *sparsePoints) approximate(ctx context.Context, ids []uint32, costs *sparseCosts, opt Options) (*rarest, error) {
	exact := min(costs.blocks, costs.columns)
	if opt.Method == Exact || !opt.Metric.IsCosine() || len(ids) < 2 || opt.Method == Auto && exact <= exactLimit {
		return nil, nil
	}
	r := newRarest(s, ids, opt.Threads)
	met, found, err := r.tune(ctx, opt)
	if price := r.price(met); err != nil || found && price >= exact || !found && (opt.Method == Approx || farCheaper*price >= exact) {
		return nil, err
	}
	return r, nil
}

// byColumns computes X·Xᵀ row by row.
func (s *sparsePoints) byColumns(ctx context.Context, nb *Neighbors, equal *groups, opt Options) error {
	s.bound(0)
	if opt.Distinct {
		s.keep(equal.first)
	}
	workers := make([]*sparseScratch, rows.Workers(opt.Threads))
	return csr.MulRows(ctx, s.scaled, csr.Transpose(s.scaled, opt.Threads), opt.Threads, func(worker, i int, row *csr.Accumulator) error {
		if workers[worker] == nil {
			workers[worker] = &sparseScratch{points: s, best: csr.NewTopK(opt.K), seen: make([]uint32, nb.N)}
		}
		if nb.isCopy(i) {
			first := nb.Of[i]
			nb.IDs[i*opt.K], nb.Dist[i*opt.K] = first, opt.Metric.distance(s.rank(first, first))
			return nil
		}
		if s.isOut(uint32(i)) {
			return nil
		}
		for p, c := range workers[worker].nearest(uint32(i), row) {
			nb.IDs[i*opt.K+p], nb.Dist[i*opt.K+p] = c.id, opt.Metric.distance(c.rank)
		}
		return nil
	})
}

// sparsePoints bounds ranks as points does, by low and slack.
type sparsePoints struct {
	x, scaled     *csr.Matrix
	metric        Metric
	k             int
	norm          []float64 // squared norms of x
	low           []float32
	slack         []float32
	weight        float32
	factor, units float64
	order         []uint32 // all points that take part, by rank to a point they share nothing with
	out           []bool   // points that take no part; nil for none

	roots              *roots      // that x was changed by, nil for none
	relative, lost     float64     // error of a product, see bound
	asked, askedScaled *csr.Matrix // new points, from the rows of x on, see with; nil for none
}

func newSparsePoints(x *csr.Matrix, opt Options) *sparsePoints {
	n, _ := x.Dims()
	s := &sparsePoints{
		x: x, metric: opt.Metric, k: opt.K, weight: 1, order: allPoints(n),
		norm: make([]float64, n), low: make([]float32, n), slack: make([]float32, n),
	}
	if opt.Metric == L2 {
		s.weight = 2
	}
	if s.roots = sparseRootsOf(x, opt.Metric); s.roots != nil {
		s.x = s.roots.sparse(x, opt.Threads)
	}
	s.normsOf(s.norm, s.x)
	s.scale()
	if opt.Metric == L2 {
		slices.SortFunc(s.order, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(s.norm[a], s.norm[b]), cmp.Compare(a, b))
		})
	}
	return s
}

// normsOf sets norm to the squared norms of the rows of x.
func (s *sparsePoints) normsOf(norm []float64, x *csr.Matrix) {
	for i := range norm {
		_, vals := x.Row(i)
		norm[i] = kernel.SumProducts(vals, vals)
	}
}

// scale sets scaled: unit rows for Cosine, else x times a power of two that makes its largest value
// about 1, the factor.
func (s *sparsePoints) scale() {
	s.factor = 1
	if !s.metric.IsCosine() {
		s.factor = factorOf(s.x)
	}
	s.scaled = csr.UsedColumns(s.scaledOf(s.x, s.norm)) // the transpose has a row for each column
	s.units = s.factor * s.factor
}

// factorOf returns the power of 2 that brings the largest value near 1; 1 for 0.
func factorOf(x *csr.Matrix) float64 {
	_, exponent := math.Frexp(largestEntry(x))
	return math.Ldexp(1, -exponent)
}

// largestEntry returns the largest absolute value in x.
func largestEntry(x *csr.Matrix) float64 {
	_, _, data := x.Arrays()
	largest := 0.0
	for _, v := range data {
		largest = max(largest, math.Abs(float64(v)))
	}
	return largest
}

// scaledOf returns rows with the given squared norms, scaled.
func (s *sparsePoints) scaledOf(x *csr.Matrix, norm []float64) *csr.Matrix {
	indptr, _, data := x.Arrays()
	scaled := make([]float32, len(data))
	for i := range norm {
		by := s.factor
		if s.metric.IsCosine() && norm[i] > 0 {
			by = 1 / math.Sqrt(norm[i])
		}
		for p := indptr[i]; p < indptr[i+1]; p++ {
			scaled[p] = float32(float64(data[p]) * by)
		}
	}
	return x.WithData(scaled)
}

// bound sets low and slack for products of rows with width dense coordinates.
func (s *sparsePoints) bound(width int) {
	const u = 1.0 / (1 << 24)
	terms := 0
	for i := range s.norm {
		cols, _ := s.x.Row(i)
		terms = max(terms, len(cols))
	}
	s.relative, s.lost = math.Min(1, float64(terms+2)*u+kernel.ErrorFactor(width))+12*u, float64(terms+width)*0x1p-140
	s.boundRows(0, len(s.norm))
}

// boundRows sets low and slack of points from to to−1.
func (s *sparsePoints) boundRows(from, to int) {
	for i := from; i < to; i++ {
		n, base := s.norm[i]*s.units, 0.0
		switch s.metric {
		case L2:
			base = n
		case Cosine, Hellinger, HellingerIDF:
			n, base = 1, 0.5
		}
		slack := s.relative*n + s.lost
		s.low[i], s.slack[i] = float32(base-slack), atLeast(slack)
	}
}

// rank returns the exact rank of the pair, in float64.
func (s *sparsePoints) rank(i, j uint32) float64 {
	product, squares, shared := s.join(i, j)
	switch {
	case s.metric == InnerProduct:
		return -product
	case s.metric == L2 && shared:
		return squares
	case s.metric == L2:
		return s.norm[i] + s.norm[j]
	case s.norm[i] == 0 || s.norm[j] == 0:
		return 1
	}
	return min(2, max(0, 1-product/math.Sqrt(s.norm[i]*s.norm[j])))
}

// join returns x·y, ‖x − y‖², and whether x and y share a coordinate.
func (s *sparsePoints) join(i, j uint32) (product, squares float64, shared bool) {
	ac, av := rowOfBoth(i, s.x, s.asked)
	bc, bv := rowOfBoth(j, s.x, s.asked)
	if i == j || slices.Equal(ac, bc) && slices.Equal(av, bv) {
		return s.norm[i], 0, true
	}
	p, q := 0, 0
	for p < len(ac) || q < len(bc) {
		x, y := 0.0, 0.0
		left := q == len(bc) || p < len(ac) && ac[p] <= bc[q]
		right := p == len(ac) || q < len(bc) && bc[q] <= ac[p]
		if left {
			x = float64(av[p])
			p++
		}
		if right {
			y = float64(bv[q])
			q++
		}
		shared = shared || left && right
		product += float64(x * y)
		squares += float64((x - y) * (x - y))
	}
	return product, squares, shared
}

// sparseScratch is the scratch memory of one worker.
type sparseScratch struct {
	points *sparsePoints
	best   *csr.TopK
	seen   []uint32 // i+1 for points considered for row i
	near   []bounded
	exact  []candidate
}

// nearest returns the k nearest of point i, given row i of X·Xᵀ.
func (d *sparseScratch) nearest(i uint32, row *csr.Accumulator) []candidate {
	s := d.points
	d.best.Reset()
	d.near = d.near[:0]
	d.seen[i] = i + 1
	for _, j := range row.Columns() {
		if j != i && !s.isOut(j) {
			d.consider(i, j, row.Value(j))
		}
	}
	strangers := 0
	for _, j := range s.order {
		if strangers == s.k {
			break
		}
		if d.seen[j] != i+1 {
			d.consider(i, j, 0)
			strangers++
		}
	}
	if len(d.near) == 0 { // no other point takes part
		return nil
	}
	_, negative := d.best.Entries()
	tau := -slices.Min(negative)
	d.exact = d.exact[:0]
	for _, c := range d.near {
		if c.low <= tau {
			d.exact = append(d.exact, candidate{s.rank(i, c.id), c.id})
		}
	}
	slices.SortFunc(d.exact, candidate.compare)
	return d.exact[:min(s.k, len(d.exact))]
}

// keep leaves out all but the given points: copies of points, and zero vectors.
func (s *sparsePoints) keep(ids []uint32) {
	s.out = allBut(len(s.order), ids)
	s.order = slices.DeleteFunc(s.order, s.isOut)
}

// allBut marks the points below n that are none of ids.
func allBut(n int, ids []uint32) []bool {
	out := slices.Repeat([]bool{true}, n)
	for _, i := range ids {
		out[i] = false
	}
	return out
}

// isOut reports whether point j takes no part.
func (s *sparsePoints) isOut(j uint32) bool { return s.out != nil && s.out[j] }

// consider offers point j, whose product with i is about product.
func (d *sparseScratch) consider(i, j uint32, product float32) {
	s := d.points
	d.seen[j] = i + 1
	low := s.low[i] + s.low[j] - s.weight*product
	d.near = append(d.near, bounded{low, j})
	d.best.Offer(j, -atLeast(float64(low)+2*(float64(s.slack[i])+float64(s.slack[j]))))
}
