package knn

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Index finds the nearest of n stored points for new points. It is immutable: several goroutines
// may ask it.
type Index struct {
	pts    *points
	blocks []*block
	first  []uint32 // the stored point of each point of pts
	as     Metric   // of the distances returned: that of pts, unless [Attachment.Index] made it
	most   float64  // the largest value that a new point may have
}

// NewIndex prepares the points in the rows of x (n×d, row-major), which it keeps and does not
// change. Of equal points only the first takes part; zero vectors do not by [Cosine] and
// [InnerProduct], as in [Graph]. Memory beside x: 16 bytes a point, 24 for cosines, and as much
// again while it is made; by [Hellinger] a copy of x. Errors wrap [ErrFeatures].
func NewIndex(x *csr.Dense, metric Metric, threads int) (*Index, error) {
	return newIndex(x, metric, metric, threads)
}

// newIndex returns an index that ranks by one metric and gives distances as those of another.
func newIndex(x *csr.Dense, metric, as Metric, threads int) (*Index, error) {
	if err := metric.check(); err != nil {
		return nil, err
	}
	largest, err := checkFeatures(x, threads)
	if err != nil {
		return nil, err
	}
	equal := findGroups(x, threads)
	equal.leaveOut(metric, func(i int) bool { return isZero(x.Row(i)) })
	first := equal.first
	return &Index{newPoints(x, first, metric, largest, threads), blocksOf(allPoints(len(first))), first, as, mostOf(as, float64(scaleOf(largest)))}, nil
}

// farOut is the largest ratio of a value of a new point to the largest stored value: the squares of
// larger ones would leave float32.
const farOut = 1 << 50

// mostOf returns the largest value that a new point may have beside stored ones that a scale brings near 1.
func mostOf(metric Metric, scale float64) float64 {
	if metric.IsCosine() {
		return math.Inf(1)
	}
	return farOut / scale
}

// Nearest returns the k nearest of the stored points that take part for each of the m points in the
// rows of asked (m×d). Row i of the result is of row i, its IDs are rows of the stored points. A
// stored point at distance 0 is a neighbour like others. Rows are short if fewer than k take part,
// and empty for a zero vector by [Cosine] and [InnerProduct], which do not rank it.
//
// All pairs are compared, m·n·d multiply-adds, as exactly as by [Search]. The neighbours are those
// of a float64 brute force, ties by number, for any number of threads and any kernel, and do not
// depend on the other points asked. Memory: 16k+160 bytes a new point, 16 to 24 bytes a stored one
// and 4·512·(5d+512) bytes a worker: ask for some thousand points at a time.
//
// Errors wrap [ErrFeatures] (another d, another number of values than m·d, a value that is not finite or 2^50 times larger than all
// stored ones) or [ErrOptions] (k > n), or are ctx.Err().
func (ix *Index) Nearest(ctx context.Context, asked *csr.Dense, k int) (*Neighbors, error) {
	p := ix.pts
	if err := checkNumbers(asked); err != nil {
		return nil, err
	}
	if asked.Cols != p.x.Cols {
		return nil, fmt.Errorf("%w: new points of %d coordinates, expected %d like the stored ones", ErrFeatures, asked.Cols, p.x.Cols)
	}
	if k < 1 || k > p.x.Rows {
		return nil, fmt.Errorf("%w: %d of %d stored points, expected 1 to all", ErrOptions, k, p.x.Rows)
	}
	if int64(p.count())+int64(asked.Rows) >= Missing {
		return nil, fmt.Errorf("%w: %d stored and %d new points, expected fewer than %d", ErrFeatures, p.count(), asked.Rows, int64(Missing))
	}
	largest, err := largestOf(asked, p.threads)
	if err != nil {
		return nil, err
	}
	if float64(largest) > ix.most {
		return nil, fmt.Errorf("%w: a new point has the value %g, more than 2^50 times the largest of the stored points", ErrFeatures, largest)
	}
	query := allPoints(asked.Rows)
	for q := range query {
		query[q] += uint32(p.count())
	}
	f := newCandidateLists(p.with(asked), query, min(k, p.count()))
	if err := f.askAll(ctx, ix.blocks, p.threads); err != nil {
		return nil, err
	}
	nb := newNeighbors(asked.Rows, k, ix.as)
	desks := make([]rowScratch, rows.Workers(p.threads))
	return nb, rows.Do(ctx, asked.Rows, p.threads, func(worker, lo, hi int) error {
		for q := lo; q < hi; q++ {
			if p.metric.byAngle() && isZero(asked.Row(q)) {
				continue
			}
			nearest := f.nearest(uint32(q), &desks[worker])
			if ix.as != p.metric {
				for at, c := range nearest {
					nearest[at].rank = ix.as.rank(asked.Row(q), p.feature(c.id), 0, 0)
				}
			}
			nb.put(q, nearest, ix.first)
		}
		return nil
	})
}
