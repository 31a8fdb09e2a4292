package knn

import (
	"math"
	"math/bits"
	"sync"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// blockRows is the largest number of points in a block: 512 points of 784
// coordinates are 1.6 MB of panels, and the products of two blocks 1 MB.
const blockRows = 512

// block is a set of at most blockRows points that meet other blocks. The points are also queries,
// in the same order; the lock guards their candidate lists.
type block struct {
	ids     []uint32     // points
	queries []uint32     // their candidate lists
	panels  []float32    // the points packed, or nil: each scanner packs them
	codes   []byte       // their codes packed
	rare    *rareColumns // of sparse points
	lock    sync.Mutex
}

// scanner is the scratch memory of one worker that compares blocks: the panels of some left blocks
// and a right one, and the products of two, at most 4·blockRows·((packedBlocks+1)·d + blockRows)
// bytes.
type scanner struct {
	f        *candidateLists
	scratch  rowScratch
	lefts    [packedBlocks]side
	turn     int // the left side that is loaded next
	left     *side
	right    side
	products []float32
	mask     []uint32
	rows     []float32
}

// side is one of the two blocks that a scanner compares.
type side struct {
	block  *block
	panels []float32
	packed []float32 // memory for panels of blocks that have none
	low    []float32 // NaN past the last point: never within a threshold
	tau    []float32
}

func newScanner(f *candidateLists) *scanner {
	d := f.pts.x.Cols
	s := &scanner{
		f: f, right: newSide(),
		products: make([]float32, blockRows*blockRows),
		mask:     make([]uint32, blockRows/kernel.Rows),
		rows:     make([]float32, 8*d),
	}
	for k := range s.lefts {
		s.lefts[k] = newSide()
	}
	return s
}

func newSide() side {
	return side{low: make([]float32, blockRows), tau: make([]float32, blockRows)}
}

// load packs a block, unless the side holds it already.
func (s *scanner) load(to *side, b *block) {
	if to.block == b {
		return
	}
	to.block, to.panels = b, b.panels
	if b.panels == nil {
		if to.packed == nil {
			to.packed = make([]float32, blockRows*s.f.pts.x.Cols)
		}
		s.f.pts.pack(to.packed, b.ids, s.rows)
		to.panels = to.packed
	}
	for r := range to.low {
		to.low[r] = float32(math.NaN())
		if r < len(b.ids) {
			to.low[r] = s.f.pts.low[b.ids[r]]
		}
	}
}

// takeLeft makes the side that holds a block the left one: a side loaded before, or the side loaded
// first.
func (s *scanner) takeLeft(b *block) {
	for k := range s.lefts {
		if s.left = &s.lefts[k]; s.left.block == b {
			return
		}
	}
	s.left = &s.lefts[s.turn]
	s.turn = (s.turn + 1) % len(s.lefts)
	s.load(s.left, b)
}

// meet offers the points of two blocks to each other, from one product.
func (s *scanner) meet(a, b *block) {
	s.multiply(a, b)
	defer lockBoth(a, b)()
	s.sift(a != b)
}

// lockBoth locks the lists of two blocks, or of one, and returns what unlocks them.
func lockBoth(a, b *block) (unlock func()) {
	if a == b {
		a.lock.Lock()
		return a.lock.Unlock
	}
	first, second := a, b
	if b.ids[0] < a.ids[0] { // one order for all workers
		first, second = b, a
	}
	first.lock.Lock()
	second.lock.Lock()
	return func() {
		second.lock.Unlock()
		first.lock.Unlock()
	}
}

// ask offers the points of b to the queries of a only.
func (s *scanner) ask(a, b *block) {
	s.multiply(a, b)
	a.lock.Lock()
	defer a.lock.Unlock()
	s.sift(false)
}

func (s *scanner) multiply(a, b *block) {
	s.takeLeft(a)
	s.load(&s.right, b)
	stride := s.f.pts.compare(s.products, s.left.panels, len(a.ids), s.right.panels, len(b.ids))
	if a.rare != nil {
		addProducts(s.products, stride, a.rare, b.rare)
	}
}

// sift searches the products for pairs within the threshold of the left point or, with both, of the
// right one.
func (s *scanner) sift(both bool) {
	f, a, b := s.f, s.left.block, s.right.block
	s.readThresholds(both)
	width := panels(len(b.ids))
	mask := s.mask[:width]
	for r, id := range a.ids {
		product := s.products[r*width*kernel.Rows:][:width*kernel.Rows]
		query, low, tau := a.queries[r], s.left.low[r], s.left.tau[r]
		kernel.Below(mask, product, s.right.low, s.right.tau, low, tau, f.pts.weight)
		for m, word := range mask {
			for ; word != 0; word &= word - 1 {
				c := m*kernel.Rows + bits.TrailingZeros32(word)
				bound := low + s.right.low[c] - f.pts.weight*product[c]
				f.offer(query, b.ids[c], bound, &s.scratch)
				if both {
					f.offer(b.queries[c], id, bound, &s.scratch)
					s.right.tau[c] = f.tau[b.queries[c]]
				}
			}
		}
	}
}

func (s *scanner) readThresholds(both bool) {
	for r, q := range s.left.block.queries {
		s.left.tau[r] = s.f.tau[q]
	}
	for c := range s.right.tau {
		s.right.tau[c] = float32(math.Inf(-1))
		if both && c < len(s.right.block.ids) {
			s.right.tau[c] = s.f.tau[s.right.block.queries[c]]
		}
	}
}
