package edgelist

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/scratch"
)

// chunk is the edges of a block, in memory or in a temporary file.
type chunk struct {
	count    int
	own      bool     // ends are ids, not numbers: see nodes
	ends     []uint32 // src and dst in turn; nil when they are in the file
	narrow   []float32
	wide     []float64 // weights past 2^±64, then nil narrow; both nil: all are 1
	offset   int64     // in the file
	weighing int       // bytes of a weight in the file
	lineOf   []int32   // counted from before, kept only to name duplicates
	before   int
}

// setWeights stores weights in the smallest form that holds them.
func (c *chunk) setWeights(weights []float64) {
	if len(weights) == 0 {
		return
	}
	for _, v := range weights {
		if v != 0 && (v > 0x1p64 || v < 0x1p-64) {
			c.wide = append([]float64(nil), weights...)
			return
		}
	}
	c.narrow = make([]float32, len(weights))
	for k, v := range weights {
		c.narrow[k] = float32(v)
	}
}

// bytes returns what the edges take in memory.
func (c *chunk) bytes() int64 {
	return 4*int64(len(c.ends)) + 4*int64(len(c.narrow)) + 8*int64(len(c.wide))
}

// spill writes the edges to a file at offset, gives their memory up and
// returns where they end.
func (c *chunk) spill(f *scratch.File, offset int64) (int64, error) {
	b := make([]byte, 0, c.bytes())
	for _, v := range c.ends {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	for _, v := range c.narrow {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		c.weighing = 4
	}
	for _, v := range c.wide {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		c.weighing = 8
	}
	c.offset, c.ends, c.narrow, c.wide = offset, nil, nil, nil
	if _, err := f.WriteAt(b, offset); err != nil {
		return 0, fmt.Errorf("temporary file: %w", err)
	}
	return offset + int64(len(b)), nil
}

// load returns the chunk with its edges in memory.
func (c chunk) load(f *scratch.File) (chunk, error) {
	if c.ends != nil {
		return c, nil
	}
	b := make([]byte, c.count*(8+c.weighing))
	if _, err := f.ReadAt(b, c.offset); err != nil {
		return c, fmt.Errorf("temporary file: %w", err)
	}
	c.ends = make([]uint32, 2*c.count)
	for k := range c.ends {
		c.ends[k] = binary.LittleEndian.Uint32(b[4*k:])
	}
	b = b[8*c.count:]
	switch c.weighing {
	case 4:
		c.narrow = make([]float32, c.count)
		for k := range c.narrow {
			c.narrow[k] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:]))
		}
	case 8:
		c.wide = make([]float64, c.count)
		for k := range c.wide {
			c.wide[k] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:]))
		}
	}
	return c, nil
}

// edges returns the edges of a loaded chunk between nodes numbered by sorted
// id, with scaled weights, and how many weights were raised. It takes the
// memory of the chunk.
func (c chunk) edges(n *nodes, s scaling) (e *csr.Edges, raised int) {
	e = &csr.Edges{Src: make([]uint32, c.count), Dst: make([]uint32, c.count), Weight: c.narrow}
	for k := range e.Src {
		e.Src[k], e.Dst[k] = c.ends[2*k], c.ends[2*k+1]
	}
	n.final(e.Src, c.own)
	n.final(e.Dst, c.own)
	if s.needed {
		e.Weight, raised = s.apply(c)
	}
	return e, raised
}
