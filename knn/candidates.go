package knn

import (
	"cmp"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// candidateLists holds, for each of a set of queries, the points that may be among its k nearest.
//
// A query has a threshold tau, never below the scaled rank of its k-th nearest of the points seen.
// A point whose lower bound exceeds tau is dropped, and never wrongly. So the rest, measured
// exactly, holds the k nearest of all points seen, for any order of the points, any number of
// threads, and any rounding of the products behind the bounds.
//
// When the places of a query are full, tau falls to the k-th smallest upper bound. If that does not
// free a quarter of them (many points at nearly the same distance), the points are measured exactly
// and k stay. Memory is 16(k+8)+8 bytes a query.
type candidateLists struct {
	pts    *points
	query  []uint32 // point of each query
	class  []uint32 // points of the query's class are no candidates; nil: only the query itself
	k      int
	places int
	held   []bounded
	count  []int32
	tau    []float32
	// estimated says that offers are estimates: the k smallest stay, the smaller numbers among
	// equal ones, and nothing is measured.
	estimated bool
	// settled says that candidates have no bounds, but come with those that are likely to be nearer
	// first; order then has near queries near each other.
	settled bool
	order   []uint32
	codes   *codes // that the bounds are of; nil: those of points
}

// bounded is a candidate with the lower bound of its scaled rank.
type bounded struct {
	low float32
	id  uint32
}

func (a bounded) compare(b bounded) int {
	return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.id, b.id))
}

func newCandidateLists(pts *points, query []uint32, k int) *candidateLists {
	f := &candidateLists{pts: pts, query: query, k: k, places: 2*k + 16}
	f.held = make([]bounded, len(query)*f.places)
	f.count = make([]int32, len(query))
	f.tau = make([]float32, len(query))
	for q := range f.tau {
		f.tau[q] = float32(math.Inf(1))
	}
	return f
}

// rowScratch is the scratch memory of one worker for settling rows.
type rowScratch struct {
	keys  []uint64
	upper []float32
	exact []candidate
}

// offer considers point id, whose scaled rank to query q is at least low. A
// point must not be offered twice.
func (f *candidateLists) offer(q, id uint32, low float32, d *rowScratch) {
	if !(low <= f.tau[q]) || f.excluded(q, id) {
		return
	}
	f.held[int(q)*f.places+int(f.count[q])] = bounded{low, id}
	f.count[q]++
	if int(f.count[q]) == f.places {
		f.shrink(q, d)
	}
}

func (f *candidateLists) excluded(q, id uint32) bool {
	if f.class != nil {
		return f.class[f.query[q]] == f.class[id]
	}
	return f.query[q] == id
}

func (f *candidateLists) row(q uint32) []bounded {
	return f.held[int(q)*f.places:][:f.count[q]]
}

// shrink frees places in the list of query q.
func (f *candidateLists) shrink(q uint32, d *rowScratch) {
	if f.estimated {
		f.trim(q, d)
		return
	}
	f.tighten(q, d)
	if int(f.count[q]) > f.places*3/4 {
		f.measure(q, d)
	}
}

// trim keeps the k smallest estimates, in no order.
func (f *candidateLists) trim(q uint32, d *rowScratch) {
	row := f.row(q)
	if len(row) < f.k {
		return
	}
	d.keys = d.keys[:0]
	for _, c := range row {
		d.keys = append(d.keys, ^c.key())
	}
	if len(row) > f.k {
		csr.LargestFirst(d.keys, f.k)
	}
	for p, key := range d.keys[:f.k] {
		row[p] = keyed(^key)
	}
	f.count[q], f.tau[q] = int32(f.k), keyed(^slices.Min(d.keys[:f.k])).low
}

// key returns a number in the order of compare; keyed is its inverse.
func (a bounded) key() uint64 { return uint64(ascendingBits(a.low))<<32 | uint64(a.id) }

func keyed(key uint64) bounded {
	return bounded{fromAscendingBits(uint32(key >> 32)), uint32(key)}
}

// ascendingBits maps v to a number in the same order, unless v is NaN; fromAscendingBits is its
// inverse.
func ascendingBits(v float32) uint32 {
	b := math.Float32bits(v)
	return b ^ (uint32(int32(b)>>31) | 1<<31)
}

func fromAscendingBits(b uint32) float32 {
	return math.Float32frombits(b ^ (uint32(int32(^b)>>31) | 1<<31))
}

// settle makes the candidates that g kept by estimate those of f, nearest first. They are then
// measured, in order.
func (f *candidateLists) settle(g *candidateLists, order []uint32, threads int) {
	rows.Each(len(g.query), threads, func(lo, hi int) {
		var d rowScratch
		for q := lo; q < hi; q++ {
			g.trim(uint32(q), &d)
			row := g.row(uint32(q))
			d.keys = d.keys[:0]
			for _, c := range row {
				d.keys = append(d.keys, c.key())
			}
			slices.Sort(d.keys)
			for p, key := range d.keys {
				row[p] = keyed(key)
			}
		}
	})
	f.places, f.held, f.count, f.settled, f.order = g.places, g.held, g.count, true, order
}

// tighten lowers the threshold of query q to the k-th smallest upper bound of its candidates, if it
// has more than k, and drops those above it.
func (f *candidateLists) tighten(q uint32, d *rowScratch) {
	row := f.row(q)
	if len(row) <= f.k || f.settled {
		return
	}
	d.upper = d.upper[:0]
	errors := f.pts.slack
	if f.codes != nil {
		errors = f.codes.away
	}
	own := float64(errors[f.query[q]])
	for _, c := range row {
		both := own + float64(errors[c.id])
		if f.codes != nil {
			d.upper = append(d.upper, f.codes.upper(c.low, both))
		} else {
			d.upper = append(d.upper, atLeast(float64(c.low)+2*both))
		}
	}
	f.tau[q] = min(f.tau[q], smallest(d.upper, f.k))
	kept := row[:0]
	for _, c := range row {
		if c.low <= f.tau[q] {
			kept = append(kept, c)
		}
	}
	f.count[q] = int32(len(kept))
}

// smallest returns the k-th smallest of some numbers, and changes their order.
func smallest(all []float32, k int) float32 {
	if k > 32 { // more places to look through than a sort takes
		slices.Sort(all)
		return all[k-1]
	}
	slices.Sort(all[:k])
	least := all[:k]
	for _, v := range all[k:] {
		at := k - 1
		if v >= least[at] {
			continue
		}
		for ; at > 0 && v < least[at-1]; at-- {
			least[at] = least[at-1]
		}
		least[at] = v
	}
	return least[k-1]
}

// measure keeps the k nearest of the candidates of query q by exact rank.
func (f *candidateLists) measure(q uint32, d *rowScratch) {
	nearest := f.nearest(q, d)
	row := f.row(q)
	for p, c := range nearest {
		row[p] = bounded{-atLeast(-c.rank * f.pts.units), c.id}
	}
	f.count[q] = int32(len(nearest))
	f.tau[q] = min(f.tau[q], atLeast(nearest[len(nearest)-1].rank*f.pts.units))
}

// nearest returns the at most k nearest of the candidates of query q, ordered
// by exact rank, then number, valid until the scratch is used again.
func (f *candidateLists) nearest(q uint32, d *rowScratch) []candidate {
	f.tighten(q, d)
	d.exact = d.exact[:0]
	if f.settled {
		d.exact = f.pts.nearestOf(d.exact, f.query[q], f.row(q), f.k)
	} else {
		for _, c := range f.row(q) {
			d.exact = append(d.exact, candidate{f.pts.rank(f.query[q], c.id), c.id})
		}
	}
	slices.SortFunc(d.exact, candidate.compare)
	return d.exact[:min(f.k, len(d.exact))]
}
