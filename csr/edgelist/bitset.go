package edgelist

import "math/bits"

// bitset is a set of numbers below 2^32: a bit for each up to the largest, and
// the memory that was never written to costs nothing.
type bitset struct {
	words []uint64
	count int
	below []uint32 // how many numbers are in the words before each, once frozen
}

// add adds a number.
func (s *bitset) add(id uint32) {
	at := int(id / 64)
	if at >= len(s.words) {
		s.grow(at)
	}
	if bit := uint64(1) << (id % 64); s.words[at]&bit == 0 {
		s.words[at] |= bit
		s.count++
	}
}

func (s *bitset) grow(at int) {
	words := make([]uint64, max(at+1, 2*len(s.words), 1024))
	copy(words, s.words)
	s.words = words
}

// bytes returns the memory of the set.
func (s *bitset) bytes() int64 { return 8 * int64(len(s.words)) }

// freeze makes rank fast; no number may be added afterwards. It takes half as
// much memory more.
func (s *bitset) freeze() {
	s.below = make([]uint32, len(s.words))
	total := 0
	for at, word := range s.words {
		s.below[at] = uint32(total)
		total += bits.OnesCount64(word)
	}
}

// rank returns how many numbers of the set are below id, which is in it.
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
	last := uint32(s.count - 1)
	return s.count > 0 && s.words[last/64]>>(last%64)&1 == 1 && s.rank(last) == last
}
