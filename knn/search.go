package knn

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Report describes a search for neighbours. It contains no times, so it is the same for the same
// input and options on the same kind of processor.
type Report struct {
	Points   int    `json:"points"`
	Dims     int    `json:"dims"`
	K        int    `json:"k"`
	Metric   Metric `json:"metric"`
	Method   Method `json:"method"`           // Exact or Approx
	Kernel   string `json:"kernel,omitempty"` // version of the inner loops
	Distinct int    `json:"distinct"`         // distinct points
	Codes    bool   `json:"codes,omitempty"`  // Exact ruled out pairs by bytes instead of floats

	// Axes is the number of axes on which points were compared first, and Depth the number of
	// candidates of each that were then measured; 0 if all coordinates were compared at once.
	Axes  int `json:"axes,omitempty"`
	Depth int `json:"depth,omitempty"`

	Cells        int     `json:"cells,omitempty"`         // k-means cells, 0 for Exact
	Probes       int     `json:"probes,omitempty"`        // nearest cells that each cell was compared with
	Met          int     `json:"met,omitempty"`           // entries of its rarest columns that a sparse point met at most
	Recall       float64 `json:"recall"`                  // recall@K on a sample; 1 for Exact
	RecallSample int     `json:"recall_sample,omitempty"` // points in the sample; 0 for Exact
}

// Search finds the K nearest neighbours of each of the n points in the rows of x (n×d, row-major).
//
// Exact compares all pairs in blocks, n²d/2 multiply-adds in float32 (differences by Manhattan, which take twice as long), and measures the remaining
// candidates in float64. The neighbours are those of a float64 brute force, ties by number, for any
// number of threads. Memory beside x: the result (8K bytes a point), 16K+160 bytes a point for
// candidates, and 4·512·(5d+512) bytes a worker. Where the processor multiplies bytes faster
// (AVX-512 VNNI), and a sample shows that it pays, pairs are compared as bytes, with a bound on the
// error of each point: the same result, and d+15 bytes a point.
//
// Approx compares the points of each k-means cell with those of its nearest cells, as many as
// Recall needs; see [Options]. It measures these candidates like Exact, so distances are exact and
// only neighbours may be missed. Cells are assigned in float32: the result is the same for any
// number of threads, but near-ties may differ between kernels. Memory: that of Exact, and a packed
// copy of the points, 4d bytes each.
//
// From 192 coordinates on, except by Manhattan, if the leading axes of the points (singular vectors of a sample)
// distinguish neighbours, Approx compares coordinates on those axes, with ‖x‖² + ‖y‖² − 2⟨Px, Py⟩
// for the distance, and measures the Depth nearest of each point. Axes and depth are found on the
// sample too.
//
// Equal points are searched for once, and are each other's neighbours unless opt.Distinct. Errors
// wrap [ErrFeatures] (a value that is not finite, fewer than two points, no coordinates, other than n·d numbers) or
// [ErrOptions] (K ≥ n, …), or are ctx.Err().
func Search(ctx context.Context, x *csr.Dense, opt Options) (*Neighbors, *Report, error) {
	nb, report, _, err := search(ctx, x, opt, false)
	return nb, report, err
}

// search is [Search]. With leaveOut it leaves out zero vectors where the metric does not rank them,
// and returns their number.
func search(ctx context.Context, x *csr.Dense, opt Options, leaveOut bool) (nb *Neighbors, report *Report, zeros int, err error) {
	largest, err := checkFeatures(x, opt.Threads)
	if err != nil {
		return nil, nil, 0, err
	}
	opt, err = opt.withDefaults(x.Rows)
	if err != nil {
		return nil, nil, 0, err
	}
	equal := findGroups(x, opt.Threads)
	if leaveOut {
		zeros = equal.leaveOut(opt.Metric, func(i int) bool { return isZero(x.Row(i)) })
	}
	pts := newPoints(x, equal.first, opt.Metric, largest, opt.Threads)
	report = &Report{
		Points: x.Rows, Dims: x.Cols, K: opt.K, Metric: opt.Metric, Method: Exact, Kernel: kernel.Name(),
		Distinct: pts.count() + zeros, Recall: 1,
	}
	f := newCandidateLists(pts, allPoints(pts.count()), max(0, min(opt.K, pts.count()-1)))
	if f.k > 0 {
		if err := f.fill(ctx, opt, report); err != nil {
			return nil, nil, 0, err
		}
	}
	nb = newNeighbors(x.Rows, opt.K, opt.Metric)
	if opt.Distinct {
		nb.Of = equal.firsts(x.Rows)
	}
	if err := f.write(ctx, nb, equal, opt.Threads); err != nil {
		return nil, nil, 0, err
	}
	if report.Method == Approx {
		found := nb
		if opt.Distinct {
			found = equal.numbered(nb)
		} else if pts.count() < x.Rows {
			pts = newPoints(x, allPoints(x.Rows), opt.Metric, largest, opt.Threads)
		}
		report.RecallSample = min(opt.RecallSample, pts.count())
		report.Recall, err = pts.recall(ctx, found, min(opt.K, pts.count()-1), report.RecallSample, opt.Seed, opt.Threads)
	}
	return nb, report, zeros, err
}

func allPoints(n int) []uint32 { return rows.InOrder[uint32](n) }

// fill finds the candidates by opt.Method.
func (f *candidateLists) fill(ctx context.Context, opt Options, report *Report) error {
	if opt.Method == Exact || opt.Method == Auto && exactCost(f.pts.count(), f.pts.x.Cols) <= exactLimit {
		err := f.exact(ctx, opt.Threads, opt.Progress)
		report.Codes = f.codes != nil
		return err
	}
	return f.approximate(ctx, opt, report)
}

// exactCost returns the cost of Exact on n points of d coordinates in multiply-adds; see Auto.
func exactCost(n, d int) float64 { return float64(n) * float64(n) / 2 * float64(d+16) }

// write measures the remaining candidates and writes the rows of nb.
func (f *candidateLists) write(ctx context.Context, nb *Neighbors, equal *groups, threads int) error {
	desks := make([]rowScratch, rows.Workers(threads))
	scratch := make([][]candidate, len(desks))
	return rows.Do(ctx, len(f.query), threads, func(worker, lo, hi int) error {
		for at := lo; at < hi; at++ {
			q := at
			if f.order != nil {
				q = int(f.order[at])
			}
			near := f.nearest(uint32(q), &desks[worker])
			self := f.pts.rank(uint32(q), uint32(q))
			if nb.Of != nil {
				equal.writeFirst(nb, uint32(q), near, self)
				continue
			}
			scratch[worker] = equal.expand(nb, uint32(q), near, self, scratch[worker])
		}
		return nil
	})
}
