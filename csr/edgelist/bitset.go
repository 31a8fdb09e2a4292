package edgelist

import "math/bits"

// pageBits is the number of ids of a page.
const pageBits = 1 << 16

// bitset is a set of numbers below 2^32, in pages that are there once they
// hold a number.
type bitset struct {
	pages [][]uint64
	used  int // pages that are there
	count int
	ranks []uint32 // how many numbers are in the pages before each, once frozen
	inner [][]uint16
}

// add adds a number.
func (s *bitset) add(id uint32) {
	at := int(id / pageBits)
	for at >= len(s.pages) {
		s.pages = append(s.pages, nil)
	}
	page := s.pages[at]
	if page == nil {
		page = make([]uint64, pageBits/64)
		s.pages[at] = page
		s.used++
	}
	word, bit := &page[id%pageBits/64], uint64(1)<<(id%64)
	if *word&bit == 0 {
		*word |= bit
		s.count++
	}
}

// bytes returns the memory of the set.
func (s *bitset) bytes() int64 { return 8*pageBits/64*int64(s.used) + 24*int64(len(s.pages)) }

// freeze makes rank fast; no number may be added afterwards. It takes a
// quarter more memory.
func (s *bitset) freeze() {
	total := uint32(0)
	s.inner = make([][]uint16, len(s.pages))
	for at, page := range s.pages {
		s.ranks = append(s.ranks, total)
		if page == nil {
			continue
		}
		before := make([]uint16, len(page))
		within := 0
		for k, word := range page {
			before[k] = uint16(within)
			within += bits.OnesCount64(word)
		}
		s.inner[at] = before
		total += uint32(within)
	}
}

// rank returns how many numbers of the set are below id, which is in it.
func (s *bitset) rank(id uint32) uint32 {
	at, k := id/pageBits, id%pageBits/64
	below := s.pages[at][k] & (1<<(id%64) - 1)
	return s.ranks[at] + uint32(s.inner[at][k]) + uint32(bits.OnesCount64(below))
}

// each calls visit with every number, in order.
func (s *bitset) each(visit func(id uint32)) {
	for at, page := range s.pages {
		for k, word := range page {
			for ; word != 0; word &= word - 1 {
				visit(uint32(at*pageBits + k*64 + bits.TrailingZeros64(word)))
			}
		}
	}
}

// isSequence reports whether the set is 0 to count-1.
func (s *bitset) isSequence() bool {
	return s.count > 0 && s.has(uint32(s.count-1)) && s.rank(uint32(s.count-1)) == uint32(s.count-1)
}

func (s *bitset) has(id uint32) bool {
	at := int(id / pageBits)
	return at < len(s.pages) && s.pages[at] != nil && s.pages[at][id%pageBits/64]&(1<<(id%64)) != 0
}
