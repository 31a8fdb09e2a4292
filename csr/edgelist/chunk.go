package edgelist

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/adp-sparse/adp-sparse/internal/hugepage"
	"github.com/adp-sparse/adp-sparse/internal/scratch"
)

// chunk holds the edges of a block, in memory or in a temporary file.
type chunk struct {
	count    int
	own      bool     // ends are ids, not numbers: see nodes
	final    bool     // ends are numbers by sorted id
	inFile   bool     // all of the following but lineOf is nil
	src, dst []uint32 // in an arena
	narrow   []float32
	wide     []float64 // weights past 2^±64, then nil narrow; both nil: all are 1
	offset   int64     // in the file
	weighing int       // bytes of a weight
	lineOf   []int32   // counted from before, kept only to name duplicates
	before   int
}

// bytes returns the memory of the edges.
func (c *chunk) bytes() int64 { return int64(8+c.weighing) * int64(c.count) }

// words returns the words of the edges in an arena, without wide weights.
func (c *chunk) words() int {
	if c.weighing == 4 {
		return 3 * c.count
	}
	return 2 * c.count
}

// number numbers the nodes by sorted id.
func (c *chunk) number(n *nodes) {
	if !c.final {
		n.final(c.src, c.own)
		n.final(c.dst, c.own)
		c.final = true
	}
}

// write writes the edges of a batch to their place in a file.
func (c *chunk) write(b *batch, f *scratch.File) error {
	text := make([]byte, 0, c.bytes())
	for _, ends := range [2][]uint32{b.src, b.dst} {
		for _, v := range ends {
			text = binary.LittleEndian.AppendUint32(text, v)
		}
	}
	for _, v := range b.weights {
		if c.weighing == 8 {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
		} else {
			text = binary.LittleEndian.AppendUint32(text, math.Float32bits(float32(v)))
		}
	}
	if _, err := f.WriteAt(text, c.offset); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	return nil
}

// load returns a chunk of the file with its edges in memory.
func (c *chunk) load(f *scratch.File) (*chunk, error) {
	b := make([]byte, c.bytes())
	if _, err := f.ReadAt(b, c.offset); err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	ends := make([]uint32, 2*c.count)
	for k := range ends {
		ends[k] = binary.LittleEndian.Uint32(b[4*k:])
	}
	out := *c
	out.inFile, out.src, out.dst = false, ends[:c.count], ends[c.count:]
	b = b[8*c.count:]
	switch c.weighing {
	case 4:
		out.narrow = make([]float32, c.count)
		for k := range out.narrow {
			out.narrow[k] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:]))
		}
	case 8:
		out.wide = make([]float64, c.count)
		for k := range out.wide {
			out.wide[k] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:]))
		}
	}
	return &out, nil
}

// arena is an allocation that several chunks lie in.
type arena struct {
	words  []uint32
	free   []uint32 // the unused end of it
	chunks []*chunk
}

// newArena returns an arena of the given size.
func newArena(words int) *arena {
	all := make([]uint32, words)
	hugepage.Fresh(all)
	return &arena{words: all, free: all}
}

// take copies the edges of a batch into the arena, as those of c.
func (r *arena) take(c *chunk, b *batch) {
	carve := func() []uint32 {
		piece := r.free[:c.count:c.count]
		r.free = r.free[c.count:]
		return piece
	}
	c.src, c.dst = carve(), carve()
	copy(c.src, b.src)
	copy(c.dst, b.dst)
	switch c.weighing {
	case 4:
		words := carve()
		c.narrow = unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(words))), len(words))
		for k, v := range b.weights {
			c.narrow[k] = float32(v)
		}
	case 8:
		c.wide = append([]float64(nil), b.weights...)
	}
	r.chunks = append(r.chunks, c)
}

// arenas holds all arenas of a list.
type arenas struct {
	mu    sync.Mutex
	all   []*arena
	words int // of all
}

// take returns a new arena of at least need words. Those of long lists come in huge pages: what is
// not written of them takes no memory.
func (r *arenas) take(need int, memory int64) *arena {
	const usual, large = 1 << 18, 1 << 22
	r.mu.Lock()
	defer r.mu.Unlock()
	words := max(need, usual)
	if r.words > large/2 {
		words = max(need, large)
	}
	if memory > 0 || need < usual/64 { // a small graph, or little memory
		words = need
	}
	one := newArena(words)
	r.all, r.words = append(r.all, one), r.words+words
	return one
}

func (r *arenas) add(one *arena) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, one)
}
