package knn

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The constants of the approximate search among sparse rows.
const (
	leastMet    = 1 << 9  // entries that a point meets, the least number that is tried
	mostMet     = 1 << 13 // and the most where nobody asks for a recall
	rarestDepth = 4       // the points that are measured, as a multiple of k
	rankPrice   = 10_000  // of one of these, in multiply-adds
)

// rarest finds neighbours by cosine among sparse rows: a point meets the entries of its rarest columns, which say most, up
// to a number of entries; the rarestDepth·k points with the largest sums so far are measured. So a point meets as many
// entries whatever n is, where exact search meets all that its columns have.
type rarest struct {
	s       *sparsePoints
	columns *csr.Matrix // the transpose of scaled
	ids     []uint32    // the points that take part
	out     []bool      // the others
	met     int         // the most entries that a point meets, but for its rarest column, which it meets in any case
}

func newRarest(s *sparsePoints, ids []uint32, threads int) *rarest {
	r := &rarest{s: s, columns: csr.Transpose(s.scaled, threads), ids: ids, out: slices.Repeat([]bool{true}, len(s.norm))}
	for _, i := range ids {
		r.out[i] = false
	}
	return r
}

// entries returns the number of entries of column j.
func (r *rarest) entries(j uint32) int {
	columns, _ := r.columns.Row(int(j))
	return len(columns)
}

// price returns that of a search in which each point meets some entries, in multiply-adds.
func (r *rarest) price(met float64) float64 {
	return float64(len(r.ids)) * (float64(met*entryPrice) + float64(rarestDepth*r.s.k*rankPrice))
}

// rarestScratch is the scratch memory of one worker.
type rarestScratch struct {
	*rarest
	sums  *csr.Accumulator
	best  *csr.TopK
	cols  []uint32 // of a row, the rarest first
	vals  []float32
	row   []float32 // of x, by columns of scaled
	exact []candidate
}

func (r *rarest) scratch() *rarestScratch {
	width, n := r.columns.Dims()
	return &rarestScratch{rarest: r, sums: csr.NewAccumulator(n), best: csr.NewTopK(rarestDepth * r.s.k), row: make([]float32, width)}
}

// start takes the columns of a point.
func (d *rarestScratch) start(i uint32) {
	cols, vals := d.s.scaled.Row(int(i))
	at := rows.InOrder[int](len(cols))
	slices.SortFunc(at, func(a, b int) int {
		return cmp.Or(cmp.Compare(d.entries(cols[a]), d.entries(cols[b])), cmp.Compare(cols[a], cols[b]))
	})
	d.cols, d.vals = d.cols[:0], d.vals[:0]
	for _, k := range at {
		d.cols, d.vals = append(d.cols, cols[k]), append(d.vals, vals[k])
	}
	d.sums.Reset()
}

// meet meets the columns from the number done on, while all of them have at most so many entries. It returns the number of
// columns and of entries that were met.
func (d *rarestScratch) meet(done, entries, most int) (int, int) {
	from := done
	for done < len(d.cols) && (done == 0 || entries+d.entries(d.cols[done]) <= most) {
		entries += d.entries(d.cols[done])
		done++
	}
	d.sums.AddRows(d.cols[from:done], d.vals[from:done], d.columns)
	return done, entries
}

// nearest returns the k nearest of point i of those that it has met.
func (d *rarestScratch) nearest(i uint32) []candidate {
	d.best.Reset()
	sums := d.sums.Values()
	for at, j := range d.sums.Columns() {
		if j != i && !d.out[j] {
			d.best.Offer(j, sums[at])
		}
	}
	found, _ := d.best.Entries()
	d.exact = d.exact[:0]
	d.scatter(i)
	for _, j := range found {
		d.exact = append(d.exact, candidate{d.rank(i, j), j})
	}
	d.gather(i)
	slices.SortFunc(d.exact, candidate.compare)
	return d.exact[:min(d.s.k, len(d.exact))]
}

// scatter lays out point i for rank, gather clears it.
func (d *rarestScratch) scatter(i uint32) {
	cols, _ := d.s.scaled.Row(int(i))
	_, values := d.s.x.Row(int(i))
	for k, q := range cols {
		d.row[q] = values[k]
	}
}

func (d *rarestScratch) gather(i uint32) {
	cols, _ := d.s.scaled.Row(int(i))
	for _, q := range cols {
		d.row[q] = 0
	}
}

// rank is [sparsePoints.rank] of point i, which is laid out, and another one that does not equal it.
func (d *rarestScratch) rank(i, j uint32) float64 {
	if d.s.norm[i] == 0 || d.s.norm[j] == 0 { // stored zeros
		return 1
	}
	cols, _ := d.s.scaled.Row(int(j))
	_, values := d.s.x.Row(int(j))
	product := 0.0
	for k, q := range cols {
		product += float64(float64(d.row[q]) * float64(values[k]))
	}
	return min(2, max(0, 1-product/math.Sqrt(d.s.norm[i]*d.s.norm[j])))
}

// tune sets met to the least number, a power of 2, for which a sample of points has the wanted share of the neighbours with
// which they share a column, with a standard error to spare. It returns the entries that a point then meets, in the mean.
func (r *rarest) tune(ctx context.Context, opt Options) (met float64, found bool, err error) {
	rng := rand.New(rand.NewPCG(opt.Seed, 0x7261_7265))
	sample := draw(rng, len(r.ids), min(opt.RecallSample, len(r.ids)))
	levels := 1
	for most := r.s.scaled.NNZ(); leastMet<<levels < most; levels++ {
	}
	shares, entries := make([][]float64, len(sample)), make([][]int, len(sample))
	workers := make([]*rarestScratch, rows.Workers(opt.Threads))
	err = rows.Tasks(ctx, len(sample), opt.Threads, func(worker, q int) error {
		if workers[worker] == nil {
			workers[worker] = r.scratch()
		}
		d, i := workers[worker], r.ids[sample[q]]
		farthest, count := d.truth(i)
		shares[q], entries[q] = make([]float64, levels), make([]int, levels)
		d.start(i)
		columns, all := 0, 0
		for level := range levels {
			columns, all = d.meet(columns, all, leastMet<<level)
			shares[q][level], entries[q][level] = d.share(d.nearest(i), farthest, count), all
		}
		return nil
	})
	if err != nil {
		return 0, false, err
	}
	for level := range levels {
		var sum, squares, all float64
		for q, share := range shares {
			sum, squares, all = sum+share[level], squares+float64(share[level]*share[level]), all+float64(entries[q][level])
		}
		m := float64(len(sample))
		mean := sum / m
		r.met, met = leastMet<<level, all/m
		if mean-math.Sqrt(max(0, squares/m-float64(mean*mean))/m) >= opt.Recall {
			return met, true, nil
		}
		if r.met == mostMet && opt.Method == Auto {
			break
		}
	}
	return met, false, nil
}

// truth returns the rank of the farthest of the k nearest of point i among those that share a column with it, and their
// number.
func (d *rarestScratch) truth(i uint32) (farthest float64, count int) {
	d.start(i)
	d.meet(0, 0, math.MaxInt)
	near := d.nearest(i)
	if len(near) == 0 {
		return 0, 0
	}
	return near[len(near)-1].rank, len(near)
}

// share returns the share of the true neighbours that are found; 1 of none.
func (d *rarestScratch) share(found []candidate, farthest float64, count int) float64 {
	if count == 0 {
		return 1
	}
	hits := 0
	for _, c := range found {
		if c.rank <= farthest {
			hits++
		}
	}
	return float64(hits) / float64(count)
}

// search writes the neighbours of all points that take part. Rows are short where fewer than k others share a column.
func (r *rarest) search(ctx context.Context, nb *Neighbors, equal *groups, opt Options) error {
	workers := make([]*rarestScratch, rows.Workers(opt.Threads))
	scratch := make([][]candidate, len(workers))
	count := newCounter((len(r.ids)+rows.BlockSize-1)/rows.BlockSize, opt.Progress)
	return rows.Do(ctx, len(r.ids), opt.Threads, func(worker, lo, hi int) error {
		if workers[worker] == nil {
			workers[worker] = r.scratch()
		}
		d := workers[worker]
		for g := lo; g < hi; g++ {
			i := r.ids[g]
			d.start(i)
			d.meet(0, 0, r.met)
			near := d.nearest(i)
			for at, c := range near { // as equal counts points
				group, _ := slices.BinarySearch(r.ids, c.id)
				near[at].id = uint32(group)
			}
			if nb.Of != nil {
				equal.writeFirst(nb, uint32(g), near, 0)
			} else {
				scratch[worker] = equal.expand(nb, uint32(g), near, 0, scratch[worker])
			}
		}
		count.add()
		return nil
	})
}

// recall returns the share of the true neighbours of other points that were found.
func (r *rarest) recall(ctx context.Context, nb *Neighbors, opt Options) (float64, int, error) {
	rng := rand.New(rand.NewPCG(opt.Seed, 0x7265_6361_6c6c))
	sample := draw(rng, len(r.ids), min(opt.RecallSample, len(r.ids)))
	shares := make([]float64, len(sample))
	workers := make([]*rarestScratch, rows.Workers(opt.Threads))
	err := rows.Tasks(ctx, len(sample), opt.Threads, func(worker, q int) error {
		if workers[worker] == nil {
			workers[worker] = r.scratch()
		}
		d, i := workers[worker], r.ids[sample[q]]
		farthest, count := d.truth(i)
		ids, _ := nb.Row(int(i))
		found := make([]candidate, 0, len(ids))
		d.scatter(i)
		for _, j := range ids {
			if !r.out[j] { // a copy
				found = append(found, candidate{d.rank(i, j), j})
			}
		}
		d.gather(i)
		shares[q] = d.share(found, farthest, count)
		return nil
	})
	sum := 0.0
	for _, share := range shares {
		sum += share
	}
	return sum / float64(max(1, len(sample))), len(sample), err
}
