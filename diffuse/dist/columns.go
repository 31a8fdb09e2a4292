package dist

import (
	"math/bits"

	"github.com/adp-sparse/adp-sparse/csr"
)

// columns is a set of columns of the whole graph, which numbers those that are
// in it in their order: 3/16 of a byte a column of the graph.
type columns struct {
	words  []uint64
	before []uint32 // columns in the words before each; nil until counted
}

func newColumns(n int) *columns { return &columns{words: make([]uint64, (n+63)/64)} }

func (c *columns) add(j uint32) { c.words[j/64] |= 1 << (j % 64) }

func (c *columns) addRange(lo, hi int) {
	for j := lo; j < hi; j++ {
		c.add(uint32(j))
	}
}

func (c *columns) addOf(m *csr.Matrix) {
	_, indices, _ := m.Arrays()
	for _, j := range indices {
		c.add(j)
	}
}

// count ends the adding and returns how many there are.
func (c *columns) count() int {
	c.before = make([]uint32, len(c.words))
	sum := 0
	for k, word := range c.words {
		c.before[k] = uint32(sum)
		sum += bits.OnesCount64(word)
	}
	return sum
}

// at returns the number of column j, which is in the set.
func (c *columns) at(j uint32) uint32 {
	return c.before[j/64] + uint32(bits.OnesCount64(c.words[j/64]&(1<<(j%64)-1)))
}

// list returns the columns in their order.
func (c *columns) list() []uint32 {
	var list []uint32
	for k, word := range c.words {
		for ; word != 0; word &= word - 1 {
			list = append(list, uint32(64*k+bits.TrailingZeros64(word)))
		}
	}
	return list
}
