package knn

import (
	"context"
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// SparseIndex is an [Index] of the rows of a sparse matrix. It finds the neighbours that an Index of the
// same points finds.
type SparseIndex struct {
	s       *sparsePoints
	first   []uint32 // the rows that take part
	threads int
	as      Metric  // of the distances returned, see [Index]
	most    float64 // the largest value that a new point may have

	// Of products of blocks, see [SearchSparse]; else pts is nil.
	pts    *points
	blocks []*block

	columns *csr.Matrix // of products of rows: the transpose of scaled
}

// NewSparseIndex prepares the points in the rows of x (n×d), which it keeps and does not change, as
// [NewIndex] does. Memory beside x: a copy of its values, and of their numbers where columns are
// many; 28 bytes a point; and 6 bytes an entry with 4 a point and common column, or 8 an entry and
// a column, by which of both ways of [SearchSparse] costs less.
func NewSparseIndex(ctx context.Context, x *csr.Matrix, metric Metric, threads int) (*SparseIndex, error) {
	return newSparseIndex(ctx, x, metric, metric, threads)
}

// newSparseIndex is newIndex for rows of a sparse matrix.
func newSparseIndex(ctx context.Context, x *csr.Matrix, metric, as Metric, threads int) (*SparseIndex, error) {
	n, d := x.Dims()
	switch {
	case !metric.Valid():
		return nil, metric.check()
	case metric == Manhattan:
		return nil, errDenseOnly
	case d < 1 || n < 2 || int64(n) >= Missing:
		return nil, fmt.Errorf("%w: %d points of %d coordinates, expected 2 points or more, fewer than %d, and 1 coordinate or more", ErrFeatures, n, d, int64(Missing))
	}
	if err := csr.CheckFinite(x, threads); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFeatures, err)
	}
	equal := findSparseGroups(x, threads)
	equal.leaveOut(metric, func(i int) bool {
		_, values := x.Row(i)
		return isZero(values)
	})
	ix := &SparseIndex{s: newSparsePoints(x, Options{Metric: metric, Threads: threads}), first: equal.first, threads: threads, as: as, most: mostOf(as, factorOf(x))}
	return ix, ix.prepare(ctx, sparseCostsOf(ix.s.scaled))
}

// prepare prepares the way that costs less.
func (ix *SparseIndex) prepare(ctx context.Context, costs *sparseCosts) error {
	if costs.columns <= 2*costs.blocks { // a product of blocks serves one side here
		ix.s.bound(0)
		ix.s.keep(ix.first)
		ix.columns = csr.Transpose(ix.s.scaled, ix.threads)
		return nil
	}
	ix.pts = ix.s.blockPoints(ix.first, costs, ix.threads)
	ix.blocks = blocksOf(allPoints(len(ix.first)))
	return ix.pts.listRare(ctx, ix.blocks)
}

// Nearest is [Index.Nearest] for new points in the rows of asked (m×d). Memory: 16k+160 bytes a new
// point and 4 a common column, 16 bytes a stored point, and 4·512·512 bytes or more a worker, or 24
// bytes a stored point.
func (ix *SparseIndex) Nearest(ctx context.Context, asked *csr.Matrix, k int) (*Neighbors, error) {
	n, d := ix.s.x.Dims()
	m, width := asked.Dims()
	switch {
	case width != d:
		return nil, fmt.Errorf("%w: new points of %d coordinates, expected %d like the stored ones", ErrFeatures, width, d)
	case k < 1 || k > n:
		return nil, fmt.Errorf("%w: %d of %d stored points, expected 1 to all", ErrOptions, k, n)
	case int64(n)+int64(m) >= Missing:
		return nil, fmt.Errorf("%w: %d stored and %d new points, expected fewer than %d", ErrFeatures, n, m, int64(Missing))
	}
	if err := csr.CheckFinite(asked, ix.threads); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFeatures, err)
	}
	if largest := largestEntry(asked); largest > ix.most {
		return nil, fmt.Errorf("%w: a new point has the value %g, more than 2^50 times the largest of the stored points", ErrFeatures, largest)
	}
	nb := newNeighbors(m, k, ix.as)
	s := ix.s.with(asked)
	s.k = min(k, len(ix.first))
	if ix.pts == nil {
		return nb, ix.byColumns(ctx, s, nb)
	}
	return nb, ix.byBlocks(ctx, s, nb)
}

// byBlocks writes the neighbours of the points past the stored ones of s.
func (ix *SparseIndex) byBlocks(ctx context.Context, s *sparsePoints, nb *Neighbors) error {
	query := allPoints(nb.N)
	for q := range query {
		query[q] += uint32(ix.pts.count())
	}
	f := newCandidateLists(ix.pts.withSparse(s), query, s.k)
	if err := f.askAll(ctx, ix.blocks, ix.threads); err != nil {
		return err
	}
	desks := make([]rowScratch, rows.Workers(ix.threads))
	return rows.Do(ctx, nb.N, ix.threads, func(worker, lo, hi int) error {
		for q := lo; q < hi; q++ {
			if s.ranks(q) {
				ix.put(nb, s, q, f.nearest(uint32(q), &desks[worker]), ix.first)
			}
		}
		return nil
	})
}

// byColumns is byBlocks by the products of each new row with all stored ones.
func (ix *SparseIndex) byColumns(ctx context.Context, s *sparsePoints, nb *Neighbors) error {
	n, _ := s.x.Dims()
	workers := make([]*sparseScratch, rows.Workers(ix.threads))
	return csr.MulRows(ctx, s.askedScaled, ix.columns, ix.threads, func(worker, q int, row *csr.Accumulator) error {
		if workers[worker] == nil {
			workers[worker] = &sparseScratch{points: s, best: csr.NewTopK(s.k), seen: make([]uint32, n+nb.N)}
		}
		if s.ranks(q) {
			ix.put(nb, s, q, workers[worker].nearest(uint32(n+q), row), nil)
		}
		return nil
	})
}

// put is [Neighbors.put] with the distances that the index gives.
func (ix *SparseIndex) put(nb *Neighbors, s *sparsePoints, q int, nearest []candidate, of []uint32) {
	if n, _ := s.x.Dims(); ix.as != s.metric {
		for at, c := range nearest {
			if of != nil {
				c.id = of[c.id]
			}
			product, _, _ := s.join(uint32(n+q), c.id)
			nearest[at].rank = -product
		}
	}
	nb.put(q, nearest, of)
}

// put writes the neighbours of point q, which are numbers of rows, or of places in of.
func (nb *Neighbors) put(q int, nearest []candidate, of []uint32) {
	for at, c := range nearest {
		if of != nil {
			c.id = of[c.id]
		}
		nb.IDs[q*nb.K+at], nb.Dist[q*nb.K+at] = c.id, nb.Metric.distance(c.rank)
	}
}

// with returns the points of s followed by the rows of asked. Columns that no row of s has an entry
// in add to the norms alone.
func (s *sparsePoints) with(asked *csr.Matrix) *sparsePoints {
	q := *s
	n, _ := s.x.Dims()
	m, _ := asked.Dims()
	if s.roots != nil {
		asked = s.roots.sparse(asked, 1)
	}
	norm := make([]float64, m)
	s.normsOf(norm, asked)
	q.asked, q.askedScaled = asked, s.placed(s.scaledOf(asked, norm))
	q.norm = slices.Concat(s.norm, norm)
	q.low = slices.Concat(s.low, make([]float32, m))
	q.slack = slices.Concat(s.slack, make([]float32, m))
	q.boundRows(n, n+m)
	return &q
}

// placed returns rows with the columns of scaled.
func (s *sparsePoints) placed(x *csr.Matrix) *csr.Matrix {
	_, d := x.Dims()
	_, width := s.scaled.Dims()
	if width == d {
		return x
	}
	_, from, _ := s.x.Arrays()
	_, to, _ := s.scaled.Arrays()
	used := make([]uint32, width)
	for k, at := range to {
		used[at] = from[k]
	}
	m, _ := x.Dims()
	indptr, indices, data := []int64{0}, []uint32(nil), []float32(nil)
	for i := range m {
		cols, vals := x.Row(i)
		for k, j := range cols {
			if at, ok := slices.BinarySearch(used, j); ok {
				indices, data = append(indices, uint32(at)), append(data, vals[k])
			}
		}
		indptr = append(indptr, int64(len(indices)))
	}
	out, err := csr.New(m, width, indptr, indices, data)
	if err != nil {
		panic(err) // rows of a matrix, with some entries left out
	}
	return out
}

// ranks reports whether the metric ranks the neighbours of a new point: not of a zero vector by [Cosine]
// and [InnerProduct].
func (s *sparsePoints) ranks(asked int) bool {
	_, values := s.asked.Row(asked)
	return !s.metric.byAngle() || !isZero(values)
}

// withSparse returns the points of p followed by the new ones of s.
func (p *points) withSparse(s *sparsePoints) *points {
	q := *p
	n, _ := s.x.Dims()
	m, _ := s.asked.Dims()
	ids := make([]uint32, m)
	for i := range ids {
		ids[i] = uint32(n + i)
	}
	q.sparse, q.rowOf = s, slices.Concat(p.rowOf, ids)
	q.low, q.slack = slices.Concat(p.low, s.low[n:]), slices.Concat(p.slack, s.slack[n:])
	q.asked = csr.NewDense(m, p.x.Cols)
	q.fillCommon(q.asked, ids)
	return &q
}

// rowOfBoth returns row i of x followed by asked.
func rowOfBoth(i uint32, x, asked *csr.Matrix) (cols []uint32, vals []float32) {
	n, _ := x.Dims()
	if int(i) < n {
		return x.Row(int(i))
	}
	return asked.Row(int(i) - n)
}
