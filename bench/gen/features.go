package gen

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// HasFeatures reports whether the nodes have features of the model.
func (g *Graph) HasFeatures() bool { return g.opt.Kind == CSBM && g.opt.Dims > 0 && g.opt.Words == 0 }

// classMeans returns √(μ/n) u_k of each class k.
func (g *Graph) classMeans() [][]float64 {
	c, p := g.opt.Classes, g.opt.Dims
	draw := normal{random: g.random(meanBlock)}
	means, middle := make([][]float64, c), make([]float64, p)
	for k := range means {
		means[k] = make([]float64, p)
		for j := range p {
			means[k][j] = draw.next()
			middle[j] += means[k][j] / float64(c)
		}
	}
	scale := math.Sqrt(float64(c) * g.opt.Mu / float64(g.opt.Nodes) / float64(p))
	for _, mean := range means {
		for j := range mean {
			mean[j] = scale * (mean[j] - middle[j])
		}
	}
	return means
}

// Features returns the features of the nodes of a block in out's memory, row-major.
func (g *Graph) Features(block int, out []float32) []float32 {
	out = out[:0]
	draw := normal{random: g.random(featureBlock + uint64(block))}
	root := math.Sqrt(float64(g.opt.Dims))
	for i := block * blockNodes; i < min((block+1)*blockNodes, g.opt.Nodes); i++ {
		for _, mean := range g.means[g.Label(i)] {
			out = append(out, float32(mean+draw.next()/root))
		}
	}
	return out
}

// WriteFeatures writes the features as a .npy file, n×p float32, row i of node i; several
// threads (zero means GOMAXPROCS) make blocks, which are written in order.
func (g *Graph) WriteFeatures(ctx context.Context, w io.Writer, threads int) error {
	if !g.HasFeatures() {
		return fmt.Errorf("%w: %s of %d features, expected %s of at least 1", ErrOptions, g.opt.Kind, g.opt.Dims, CSBM)
	}
	if _, err := w.Write(npy.AppendHeader(nil, "<f4", int64(g.opt.Nodes), int64(g.opt.Dims))); err != nil {
		return err
	}
	values := make([][]float32, rows.Workers(threads))
	return g.writeBlocks(ctx, w, len(values), threads, func(worker, block int, b []byte) []byte {
		values[worker] = g.Features(block, values[worker])
		for _, v := range values[worker] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		return b
	})
}

// normal draws from N(0,1), the same bits on every processor.
//
// G. Marsaglia, T. A. Bray: A Convenient Method for Generating Normal Variables. SIAM
// Review 6, 1964.
type normal struct {
	random *rand.Rand
	other  float64 // the second of a pair
	has    bool
}

func (d *normal) next() float64 {
	if d.has {
		d.has = false
		return d.other
	}
	for {
		x, y := 2*d.random.Float64()-1, 2*d.random.Float64()-1
		if s := float64(x*x) + float64(y*y); s > 0 && s < 1 {
			f := math.Sqrt(-2 * exact.Log(s) / s)
			d.other, d.has = y*f, true
			return x * f
		}
	}
}
