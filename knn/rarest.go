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
	columns *csr.Matrix      // the transpose of scaled
	ids     []uint32         // the points that take part
	out     []bool           // the others
	desks   []*rarestScratch // of the workers, once needed
	met     int              // the most entries that a point meets, but for its rarest column, which it meets in any case
}

func newRarest(s *sparsePoints, ids []uint32, threads int) *rarest {
	return &rarest{
		s: s, columns: csr.Transpose(s.scaled, threads), ids: ids, out: allBut(len(s.norm), ids),
		desks: make([]*rarestScratch, rows.Workers(threads)),
	}
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

// desk returns the scratch memory of a worker.
func (r *rarest) desk(worker int) *rarestScratch {
	if r.desks[worker] == nil {
		width, n := r.columns.Dims()
		r.desks[worker] = &rarestScratch{rarest: r, sums: csr.NewAccumulator(n), best: csr.NewTopK(rarestDepth * r.s.k), row: make([]float32, width)}
	}
	return r.desks[worker]
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
// which they share a column, with a standard error to spare ([enough]); where nobody asks for a recall, to mostMet at most. It
// returns the entries that a point then meets, in the mean, and whether they have the share.
func (r *rarest) tune(ctx context.Context, opt Options) (met float64, found bool, err error) {
	most := r.s.scaled.NNZ()
	if opt.Method == Auto {
		most = mostMet
	}
	levels := 1
	for leastMet<<(levels-1) < most {
		levels++
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 0x7261_7265))
	sample := draw(rng, len(r.ids), min(opt.RecallSample, len(r.ids)))
	misses, entries := make([][][]int, levels), make([][]int, levels) // of each level and point
	for level := range levels {
		misses[level], entries[level] = make([][]int, len(sample)), make([]int, len(sample))
	}
	err = rows.Tasks(ctx, len(sample), opt.Threads, func(worker, q int) error {
		d, i := r.desk(worker), r.ids[sample[q]]
		truth := slices.Clone(d.truth(i))
		d.start(i)
		columns, all := 0, 0
		for level := range levels {
			columns, all = d.meet(columns, all, leastMet<<level)
			entries[level][q] = all
			near := d.nearest(i)
			for _, c := range truth {
				miss := 0
				if !slices.Contains(near, c) {
					miss = 1
				}
				misses[level][q] = append(misses[level][q], miss)
			}
		}
		return nil
	})
	if err != nil {
		return 0, false, err
	}
	level := slices.IndexFunc(misses, func(of [][]int) bool {
		of = slices.DeleteFunc(of, func(point []int) bool { return len(point) == 0 }) // without neighbours
		return enough(of, opt.Recall, 1) == 0
	})
	if found = level >= 0; !found {
		level = levels - 1
	}
	r.met = leastMet << level
	for _, all := range entries[level] {
		met += float64(all) / float64(len(sample))
	}
	return met, found, nil
}

// truth returns the k nearest of point i among those that share a column with it, until the scratch is used again.
func (d *rarestScratch) truth(i uint32) []candidate {
	d.start(i)
	d.meet(0, 0, math.MaxInt)
	return d.nearest(i)
}

// search writes the neighbours of all points that take part. Rows are short where fewer than k others share a column.
func (r *rarest) search(ctx context.Context, nb *Neighbors, equal *groups, opt Options) error {
	scratch := make([][]candidate, len(r.desks))
	count := newCounter((len(r.ids)+rows.BlockSize-1)/rows.BlockSize, opt.Progress)
	return rows.Do(ctx, len(r.ids), opt.Threads, func(worker, lo, hi int) error {
		d := r.desk(worker)
		for g := lo; g < hi; g++ {
			i := r.ids[g]
			d.start(i)
			d.meet(0, 0, r.met)
			near := d.nearest(i)
			for at, c := range near { // as equal counts points
				group, _ := slices.BinarySearch(r.ids, c.id)
				near[at].id = uint32(group)
			}
			self := r.s.rank(i, i)
			if nb.Of != nil {
				equal.writeFirst(nb, uint32(g), near, self)
			} else {
				scratch[worker] = equal.expand(nb, uint32(g), near, self, scratch[worker])
			}
		}
		count.add()
		return nil
	})
}

// recall returns the share of the true neighbours of other points that were found, and the number of these points. A neighbour
// counts if it is no farther than the farthest true one.
func (r *rarest) recall(ctx context.Context, nb *Neighbors, opt Options) (float64, int, error) {
	rng := rand.New(rand.NewPCG(opt.Seed, 0x7265_6361_6c6c))
	sample := draw(rng, len(r.ids), min(opt.RecallSample, len(r.ids)))
	hits, all := make([]int, len(sample)), make([]int, len(sample))
	err := rows.Tasks(ctx, len(sample), opt.Threads, func(worker, q int) error {
		d, i := r.desk(worker), r.ids[sample[q]]
		truth := d.truth(i)
		if all[q] = len(truth); all[q] == 0 {
			return nil
		}
		farthest := truth[all[q]-1].rank
		ids, _ := nb.Row(int(i))
		d.scatter(i)
		for _, j := range ids {
			if !r.out[j] && d.rank(i, j) <= farthest { // the others are copies
				hits[q]++
			}
		}
		d.gather(i)
		return nil
	})
	found, total := 0, 0
	for q := range sample {
		found, total = found+hits[q], total+all[q]
	}
	if total == 0 {
		return 1, len(sample), err
	}
	return float64(found) / float64(total), len(sample), err
}
