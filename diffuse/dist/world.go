package dist

import (
	"fmt"
	"sort"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// World is a Comm whose ranks hold the rows of an n-row graph: rank r has
// bounds[r] to bounds[r+1]−1. It is the [diffuse.Partition] of its rank.
type World struct {
	Comm
	bounds []int
}

// NewWorld returns the world of a comm with these bounds, one more than ranks,
// from 0 to n, all but the last multiples of rows.BlockSize. Other bounds panic.
func NewWorld(c Comm, bounds []int) *World {
	ok := len(bounds) == c.Size()+1 && bounds[0] == 0
	for r := 0; ok && r < c.Size(); r++ {
		ok = bounds[r] <= bounds[r+1] && (bounds[r]%rows.BlockSize == 0 || bounds[r] == bounds[c.Size()])
	}
	if !ok {
		panic(fmt.Sprintf("dist: bounds %v for %d ranks", bounds, c.Size()))
	}
	return &World{c, bounds}
}

// Rows returns the rows lo to hi−1 of n that this rank holds.
func (w *World) Rows() (lo, hi, n int) {
	return w.bounds[w.Rank()], w.bounds[w.Rank()+1], w.bounds[w.Size()]
}

// Split returns the bounds of parts ranges of rows with about the same work, for
// offsets of rows as those of a csr.Matrix: an entry is work, and so is a row, as
// much as eight entries. Bounds are multiples of rows.BlockSize. A graph of few
// rows leaves ranges empty.
func Split(indptr []int64, parts int) []int {
	const rowWork = 8
	n := len(indptr) - 1
	work := func(i int) float64 { return float64(indptr[i]) + rowWork*float64(i) }
	bounds := make([]int, parts+1)
	for p := 1; p < parts; p++ {
		want := work(n) * float64(p) / float64(parts)
		at := sort.Search(n, func(i int) bool { return work(i) >= want })
		bounds[p] = min(nearest(at), n)
	}
	bounds[parts] = n
	return bounds
}

// nearest returns the multiple of rows.BlockSize next to a row.
func nearest(row int) int {
	return (row + rows.BlockSize/2) / rows.BlockSize * rows.BlockSize
}

// Group returns an order of nodes in which those of a part are next to each other,
// as they are in order (nil: by number), and the bounds of the parts in it, which
// are moved to whole blocks of rows. of[i] is the part of node i.
func Group(order []uint32, of []int, parts int) (grouped []uint32, bounds []int) {
	ends := make([]int, parts+1) // then where the next node of each part goes
	for _, part := range of {
		ends[part+1]++
	}
	bounds = make([]int, parts+1)
	for p := range parts {
		ends[p+1] += ends[p]
		bounds[p+1] = min(nearest(ends[p+1]), len(of))
	}
	bounds[parts] = len(of)
	grouped = make([]uint32, len(of))
	for at := range of {
		i := at
		if order != nil {
			i = int(order[at])
		}
		grouped[ends[of[i]]] = uint32(i)
		ends[of[i]]++
	}
	return grouped, bounds
}

// HaloRows returns how many rows of others the rows from lo on need, which own has.
func HaloRows(own *csr.Matrix, lo int) int {
	rows, n := own.Dims()
	need := newColumns(n)
	need.addOf(own)
	need.addRange(lo, lo+rows)
	return need.count() - rows
}
