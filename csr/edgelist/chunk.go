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
	src, dst []uint32 // nil when they are in the file
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
	return 8*int64(len(c.src)) + 4*int64(len(c.narrow)) + 8*int64(len(c.wide))
}

// spill writes the edges to a file at offset, gives their memory up and
// returns where they end.
func (c *chunk) spill(f *scratch.File, offset int64) (int64, error) {
	b := make([]byte, 0, c.bytes())
	for _, ends := range [2][]uint32{c.src, c.dst} {
		for _, v := range ends {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	for _, v := range c.narrow {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		c.weighing = 4
	}
	for _, v := range c.wide {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		c.weighing = 8
	}
	c.offset, c.src, c.dst, c.narrow, c.wide = offset, nil, nil, nil, nil
	if _, err := f.WriteAt(b, offset); err != nil {
		return 0, fmt.Errorf("temporary file: %w", err)
	}
	return offset + int64(len(b)), nil
}

// load returns the chunk with its edges in memory.
func (c chunk) load(f *scratch.File) (chunk, error) {
	if c.src != nil {
		return c, nil
	}
	b := make([]byte, c.count*(8+c.weighing))
	if _, err := f.ReadAt(b, c.offset); err != nil {
		return c, fmt.Errorf("temporary file: %w", err)
	}
	ends := make([]uint32, 2*c.count)
	for k := range ends {
		ends[k] = binary.LittleEndian.Uint32(b[4*k:])
	}
	c.src, c.dst = ends[:c.count], ends[c.count:]
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
// id, with scaled weights, and how many weights were raised.
func (c chunk) edges(n *nodes, s scaling) (e *csr.Edges, raised int) {
	e = &csr.Edges{Src: n.final(c.src, c.own), Dst: n.final(c.dst, c.own), Weight: c.narrow}
	if s.needed {
		e.Weight, raised = s.apply(c)
	}
	return e, raised
}
