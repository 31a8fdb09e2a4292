package diffuse

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
)

// HubRows says which rows of an A-step are truncated to their largest terms. Next to a hub a row of
// S·A·Sᵀ is a sum of terms from the whole graph. All but some terms are too small to affect which k
// entries are kept, and n whole rows cost n·nnz(S). A truncated row is
//
//	u = Σ_j S_ij A_j,  of each A_j its Links largest entries,
//	v = Σ_l u_l S_l,   of each hub S_l its Links largest entries, and of the l with the
//	                   largest u_l/√nnz(S_l) as many as have t entries together, one at
//	                   least.
//
// A hub is a row of S of more than Hub entries. t is the number of entries of all these S_l, but
// between 2^10 and Terms. Two rules choose the rows. If n·nnz(S) exceeds Above, a row of more than
// Work multiply-adds is truncated. In any graph a row is truncated if it takes Ratio times as long
// whole: its multiply-adds (nnz(S)/8 in a group) and 4 a column, against its links and t.
//
// Terms are ordered in steps of 2^-8 to 2^-7 of their size. Equal ones, and all below about 2^-16
// of the largest, are ordered by their place in u. No entry exceeds that of the whole row, but for
// rounding. docs/decisions/0007-hubs.md has the cost beside the top k.
//
// Cost of such a row: Links·nnz(S_i) + Terms multiply-adds at most, and a pass over u. Zero fields
// mean 2^35, 2^17, 64, 2^14, 16 and 2^10.
type HubRows struct {
	Above        int64 // negative truncates nothing
	Work         int64
	Links, Terms int
	Ratio        int64
	Hub          int
}

// leastTerms is the least number of terms that a truncated row keeps.
const leastTerms = 1 << 10

// withDefaults returns c with zero fields filled.
func (c HubRows) withDefaults() HubRows {
	return HubRows{Above: cmp.Or(c.Above, 1<<35), Work: cmp.Or(c.Work, 1<<17), Links: cmp.Or(c.Links, 64), Terms: cmp.Or(c.Terms, 1<<14), Ratio: cmp.Or(c.Ratio, 16), Hub: cmp.Or(c.Hub, 1<<10)}
}

// Applies reports whether an A-step truncates all rows of more than Work multiply-adds, for n nodes
// and the given entries in S.
func (c HubRows) Applies(n, entries int) bool {
	c = c.withDefaults()
	return c.Above >= 0 && float64(n)*float64(entries) > float64(c.Above) // also past 2^63
}

// String describes the truncation for people: a snapshot with another one is refused with it.
func (c HubRows) String() string {
	if c = c.withDefaults(); c.Above < 0 {
		return "nothing"
	}
	return fmt.Sprintf("rows over hubs: of n·nnz above %d, those above %d, and all of %d times the work, to %d links and %d terms, hubs of %d", c.Above, c.Work, c.Ratio, c.Links, c.Terms, c.Hub)
}

// links holds the long rows of a matrix, truncated.
type links struct {
	long      int         // a row of more entries is truncated
	rows      []uint32    // in order
	truncated *csr.Matrix // one row each
}

// newLinks truncates the rows of more than long entries to their largest; among equal ones the
// smaller columns stay.
func newLinks(a *csr.Matrix, long, most int) *links {
	n, _ := a.Dims()
	l := &links{long: long}
	for i := range n {
		if cols, _ := a.Row(i); len(cols) > long {
			l.rows = append(l.rows, uint32(i))
		}
	}
	buffer, top := csr.NewRowBuffer(len(l.rows), n, most), csr.NewTopK(most)
	for r, i := range l.rows {
		cols, vals := a.Row(int(i))
		top.Reset()
		for k, j := range cols {
			top.Offer(j, vals[k])
		}
		cols, vals = top.Entries()
		buffer.Set(r, cols, vals)
	}
	l.truncated = buffer.Matrix(1)
	return l
}

// linkBytes returns the bytes of the long rows of A and S like w.
func (c HubRows) linkBytes(w *csr.Matrix) (bytes int64) {
	n, _ := w.Dims()
	each := 16*int64(c.Links) + 16 // with the buffer that sorts them
	for i := range n {
		cols, _ := w.Row(i)
		if len(cols) > c.Links {
			bytes += each
		}
		if len(cols) > max(c.Hub, c.Links) {
			bytes += each
		}
	}
	return bytes
}

// add adds Σ_j s_j A_j to u, with the long rows of A truncated, in the order of the columns given.
func (l *links) add(u *csr.Accumulator, cols []uint32, vals []float32, a *csr.Matrix) {
	indptr, _, _ := a.Arrays()
	begin := 0 // of the rows still to be added
	for k, j := range cols {
		if indptr[j+1]-indptr[j] <= int64(l.long) {
			continue
		}
		at, _ := slices.BinarySearch(l.rows, j)
		u.AddRows(cols[begin:k], vals[begin:k], a)
		u.AddRows([]uint32{uint32(at)}, vals[k:k+1], l.truncated)
		begin = k + 1
	}
	u.AddRows(cols[begin:], vals[begin:], a)
}

// sieve selects terms of a row. Sizes count down: 0 is the largest.
type sieve struct {
	entries [sieveSteps]int // of S, of the terms of each size
	size    []uint32        // of each term
	cols    []uint32        // the selected ones
	vals    []float32
}

// sieveSteps is the number of distinct sizes, 128 for a factor of two. Smaller terms all have the
// least size.
const sieveSteps = 2048

// pick keeps the terms u_l with the largest u_l/√nnz(S_l).
func (p *sieve) pick(u *csr.Accumulator, s *csr.Matrix, hubs *HubRows, terms int) {
	indptr, _, _ := s.Arrays()
	entries := func(l uint32) int { return int(hubs.kept(indptr[l+1] - indptr[l])) }
	cols, vals := u.Columns(), u.Values()
	p.size, p.cols, p.vals = p.size[:0], p.cols[:0], p.vals[:0]
	largest := uint32(0)
	for k, l := range cols {
		size := uint32(0) // adds nothing
		if d := indptr[l+1] - indptr[l]; d > 0 {
			size = math.Float32bits(vals[k]/float32(math.Sqrt(float64(d)))) >> 16
		}
		p.size = append(p.size, size)
		largest = max(largest, size)
	}
	clear(p.entries[:])
	for k, l := range cols {
		p.size[k] = min(largest-p.size[k], sieveSteps-1)
		p.entries[p.size[k]] += entries(l)
	}
	last, left := uint32(0), terms // size last is kept in part
	for last < sieveSteps-1 && p.entries[last] <= left {
		left -= p.entries[last]
		last++
	}
	for k, l := range cols {
		if p.size[k] > last {
			continue
		}
		if p.size[k] == last {
			d := entries(l)
			if d > left && left < terms {
				continue
			}
			left -= d
		}
		p.cols, p.vals = append(p.cols, l), append(p.vals, vals[k])
	}
}

// kept returns the number of entries that a truncated row takes of a row of S of d entries.
func (c *HubRows) kept(d int64) int64 {
	if d > int64(max(c.Hub, c.Links)) {
		return int64(c.Links)
	}
	return d
}
