package edgelist

import (
	"math/bits"
	"sync/atomic"
)

// bitset is a set of numbers below 2^32: one bit for each up to the largest. Memory never written
// to costs nothing.
type bitset struct {
	words []uint64
	count atomic.Int64
	below []uint32 // how many numbers are in the words before each, once frozen
}

// add adds the numbers of two slices of the same length, up to the first pair beyond the set's
// words, and returns the number of pairs added. Several goroutines may add at a time.
func (s *bitset) add(src, dst []uint32) int {
	words, added := s.words, 0
	dst = dst[:len(src)]
	for k, i := range src {
		j := dst[k]
		at, other := int(i/64), int(j/64)
		if at >= len(words) || other >= len(words) {
			s.count.Add(int64(added))
			return k
		}
		if atomic.LoadUint64(&words[at])>>(i%64)&1 == 0 {
			added += set(&words[at], i)
		}
		if atomic.LoadUint64(&words[other])>>(j%64)&1 == 0 {
			added += set(&words[other], j)
		}
	}
	s.count.Add(int64(added))
	return len(src)
}

// set sets the bit of a number, and returns 1 if it was clear before.
func set(word *uint64, id uint32) int {
	bit := uint64(1) << (id % 64)
	if atomic.OrUint64(word, bit)&bit != 0 {
		return 0
	}
	return 1
}

// grow extends the words to hold a number. Nobody may add at the same time.
func (s *bitset) grow(id uint32) {
	if at := int(id / 64); at >= len(s.words) {
		words := make([]uint64, max(at+1, 2*len(s.words), 1024))
		copy(words, s.words)
		s.words = words
	}
}

// size returns the number of elements.
func (s *bitset) size() int { return int(s.count.Load()) }

// bytes returns the memory of the set.
func (s *bitset) bytes() int64 { return 8 * int64(len(s.words)) }

// freeze makes rank fast; no number may be added afterwards. It takes half as much memory again.
func (s *bitset) freeze() {
	s.below = make([]uint32, len(s.words))
	total := 0
	for at, word := range s.words {
		s.below[at] = uint32(total)
		total += bits.OnesCount64(word)
	}
}

// rank returns the number of elements below id, which is in the set.
func (s *bitset) rank(id uint32) uint32 {
	return s.below[id/64] + uint32(bits.OnesCount64(s.words[id/64]&(1<<(id%64)-1)))
}

// each calls visit with every number, in order.
func (s *bitset) each(visit func(id uint32)) {
	for at, word := range s.words {
		for ; word != 0; word &= word - 1 {
			visit(uint32(at*64 + bits.TrailingZeros64(word)))
		}
	}
}

// isSequence reports whether the frozen set is 0 to count-1.
func (s *bitset) isSequence() bool {
	last := uint32(s.size() - 1)
	return s.size() > 0 && s.words[last/64]>>(last%64)&1 == 1 && s.rank(last) == last
}
