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
	meetPrice   = 90      // of an entry, in multiply-adds of dense blocks
	rarestDepth = 4       // the points that are measured, as a multiple of k
	rankPrice   = 4_000   // of one of these
	farCheaper  = 7       // exact search has to cost as many times as much before a lower recall than wanted is enough
	sumsAtATime = 1 << 17 // points whose sums are made together: they stay in the cache of a core
)

// unmet is the sum of a point that was not met: −0, which numbers other than −0 never add up to.
var unmet = float32(math.Copysign(0, -1))

// rarest finds neighbours by cosine among sparse rows: a point meets the entries of its rarest columns, which say most, up
// to a number of entries; the rarestDepth·k points with the largest sums so far are measured. So a point meets as many
// entries whatever n is, where exact search meets all that its columns have.
type rarest struct {
	s       *sparsePoints
	columns *csr.Matrix      // the transpose of scaled, without the points that take no part
	ids     []uint32         // the points that take part
	desks   []*rarestScratch // of the workers, once needed
	met     int              // the most entries that a point meets, but for its rarest column, which it meets in any case
}

func newRarest(s *sparsePoints, ids []uint32, threads int) *rarest {
	out := allBut(len(s.norm), ids)
	part := s.scaled.Where(func(i int, _ uint32) bool { return !out[i] })
	return &rarest{s: s, columns: csr.Transpose(part, threads), ids: ids, desks: make([]*rarestScratch, rows.Workers(threads))}
}

// price returns that of a search in which each point meets some entries, in multiply-adds.
func (r *rarest) price(met float64) float64 {
	return float64(len(r.ids)) * (float64(met*meetPrice) + float64(rarestDepth*r.s.k*rankPrice))
}

// rarestScratch is the scratch memory of one worker.
type rarestScratch struct {
	*rarest
	sums    *[sumsAtATime]float32 // of the points whose numbers have the same quotient by sumsAtATime
	best    *csr.TopK
	cols    []column  // of a point, the rarest first
	row     []float32 // of x, by columns of scaled
	exact   []candidate
	fetched float32 // read by nobody: it keeps the compiler from dropping fetch
}

// column is a column that a point meets.
type column struct {
	q      uint32
	value  float32 // of the point
	ids    []uint32
	values []float32
	// The sums of the entries from done to next, next not included, are made. Those before are done.
	done, next int
}

// desk returns the scratch memory of a worker.
func (r *rarest) desk(worker int) *rarestScratch {
	if r.desks[worker] == nil {
		width, _ := r.columns.Dims()
		d := &rarestScratch{rarest: r, sums: new([sumsAtATime]float32), best: csr.NewTopK(rarestDepth * r.s.k), row: make([]float32, width)}
		for j := range d.sums {
			d.sums[j] = unmet
		}
		r.desks[worker] = d
	}
	return r.desks[worker]
}

// start takes the rarest columns of a point that have at most so many entries together, the rarest in any case. It returns the
// number of entries.
func (d *rarestScratch) start(i uint32, most int) (entries int) {
	cols, vals := d.s.scaled.Row(int(i))
	d.cols = d.cols[:0]
	for k, q := range cols {
		ids, values := d.columns.Row(int(q))
		d.cols = append(d.cols, column{q, vals[k], ids, values, 0, 0})
	}
	slices.SortFunc(d.cols, func(a, b column) int { return cmp.Or(cmp.Compare(len(a.ids), len(b.ids)), cmp.Compare(a.q, b.q)) })
	for k, c := range d.cols {
		if k > 0 && entries+len(c.ids) > most {
			d.cols = d.cols[:k]
			break
		}
		entries += len(c.ids)
	}
	return entries
}

// meet offers the sums of the products of point i and all others that its columns have.
func (d *rarestScratch) meet(i uint32) {
	d.best.Reset()
	_, n := d.columns.Dims()
	for end := uint64(sumsAtATime); end < uint64(n)+sumsAtATime; end += sumsAtATime {
		for k := range d.cols {
			c := &d.cols[k]
			c.done = c.next
			ids := c.ids[c.done:]
			values := c.values[c.done:][:len(ids)]
			at := 0
			for ; at < len(ids) && uint64(ids[at]) < end; at++ {
				d.sums[ids[at]%sumsAtATime] += float32(c.value * values[at])
			}
			c.next += at
		}
		for k := range d.cols {
			c := &d.cols[k]
			bar, barred := d.best.Least()
			for _, j := range c.ids[c.done:c.next] {
				sum := d.sums[j%sumsAtATime]
				d.sums[j%sumsAtATime] = unmet
				// Most sums are below the bar, and so are those that are taken: one branch for both is seldom mispredicted.
				if barred && sum < bar || math.Float32bits(sum) == math.Float32bits(unmet) || j == i {
					continue
				}
				d.best.Offer(j, sum)
			}
		}
	}
}

// nearest returns the k nearest of point i among those that it meets by at most so many entries, and the number of entries.
func (d *rarestScratch) nearest(i uint32, most int) (near []candidate, entries int) {
	entries = d.start(i, most)
	d.meet(i)
	found, _ := d.best.Entries()
	d.exact = d.exact[:0]
	d.scatter(i)
	d.fetch(found)
	for _, j := range found {
		d.exact = append(d.exact, candidate{d.rank(i, j), j})
	}
	d.gather(i)
	slices.SortFunc(d.exact, candidate.compare)
	return d.exact[:min(d.s.k, len(d.exact))], entries
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

// fetch reads a little of the rows of some points. So their cache misses overlap, which [rarestScratch.rank] would wait for one after
// the other.
func (d *rarestScratch) fetch(points []uint32) {
	for _, j := range points {
		cols, _ := d.s.scaled.Row(int(j))
		_, values := d.s.x.Row(int(j))
		if last := len(cols) - 1; last >= 0 {
			d.fetched += float32(cols[0]) + float32(cols[last]) + values[0] + values[last] + float32(d.s.norm[j])
		}
	}
}

// rank is [sparsePoints.rank] of point i, which is laid out, and another one that does not equal it.
func (d *rarestScratch) rank(i, j uint32) float64 {
	cols, _ := d.s.scaled.Row(int(j))
	_, values := d.s.x.Row(int(j))
	product := 0.0
	for k, q := range cols {
		product += float64(float64(d.row[q]) * float64(values[k]))
	}
	if product == 0 { // of stored zeros the norm is 0, too
		return 1
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
		for level := range levels {
			var near []candidate
			near, entries[level][q] = d.nearest(i, leastMet<<level)
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
	near, _ := d.nearest(i, math.MaxInt)
	return near
}

// search writes the neighbours of all points that take part. Rows are short where fewer than k others share a column.
func (r *rarest) search(ctx context.Context, nb *Neighbors, equal *groups, opt Options) error {
	scratch := make([][]candidate, len(r.desks))
	count := newCounter((len(r.ids)+rows.BlockSize-1)/rows.BlockSize, opt.Progress)
	return rows.Do(ctx, len(r.ids), opt.Threads, func(worker, lo, hi int) error {
		d := r.desk(worker)
		for g := lo; g < hi; g++ {
			i := r.ids[g]
			near, _ := d.nearest(i, r.met)
			for at, c := range near { // as equal counts points
				if int(c.id) >= len(r.ids) || r.ids[c.id] != c.id { // another number only where some points take no part
					group, _ := slices.BinarySearch(r.ids, c.id)
					near[at].id = uint32(group)
				}
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
	out := allBut(len(r.s.norm), r.ids)
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
			if !out[j] && d.rank(i, j) <= farthest { // the others are copies
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
