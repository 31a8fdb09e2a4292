package gen

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/npz"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// HasWords reports whether the features are counts of words.
func (g *Graph) HasWords() bool { return g.opt.Kind == CSBM && g.opt.Words > 0 }

// drawWord draws a word by its rank. The rank falls into each octave (1, 2–3, 4–7, …) with the same
// probability, so that frequencies fall as 1/rank, as those of words of a language do.
func (g *Graph) drawWord(random *rand.Rand, class int) uint32 {
	own := random.Float64() < g.opt.Mu
	low := 1 << random.IntN(bits.Len(uint(g.opt.Dims)))
	rank := low + random.IntN(min(low, g.opt.Dims-low+1))
	if own {
		h := splitmix.Mix(splitmix.Mix(g.opt.Seed+uint64(class)+1) ^ uint64(rank))
		return uint32(h % uint64(g.opt.Dims))
	}
	return uint32(rank - 1)
}

// Words returns the counts of the words of all nodes, a row a node.
func (g *Graph) Words(ctx context.Context, threads int) (*csr.Matrix, error) {
	type part struct {
		length []int64
		column []uint32
		count  []float32
	}
	parts := make([]part, g.Blocks())
	err := rows.Tasks(ctx, len(parts), threads, func(_, block int) error {
		random, p, drawn := g.random(featureBlock+uint64(block)), &parts[block], make([]uint32, g.opt.Words)
		for i := block * blockNodes; i < min((block+1)*blockNodes, g.opt.Nodes); i++ {
			for k := range drawn {
				drawn[k] = g.drawWord(random, g.Label(i))
			}
			slices.Sort(drawn)
			before := len(p.column)
			for k, j := range drawn {
				if k == 0 || j != drawn[k-1] {
					p.column, p.count = append(p.column, j), append(p.count, 0)
				}
				p.count[len(p.count)-1]++
			}
			p.length = append(p.length, int64(len(p.column)-before))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	indptr := make([]int64, 1, g.opt.Nodes+1)
	var columns []uint32
	var counts []float32
	for b, p := range parts {
		for _, length := range p.length {
			indptr = append(indptr, indptr[len(indptr)-1]+length)
		}
		columns, counts = append(columns, p.column...), append(counts, p.count...)
		parts[b] = part{}
	}
	return csr.New(g.opt.Nodes, g.opt.Dims, indptr, columns, counts)
}

// WriteWords writes the counts of words as a .npz file of scipy.sparse.
func (g *Graph) WriteWords(ctx context.Context, w io.Writer, threads int) error {
	if !g.HasWords() {
		return fmt.Errorf("%w: %s of %d words a node, expected %s of at least 1", ErrOptions, g.opt.Kind, g.opt.Words, CSBM)
	}
	x, err := g.Words(ctx, threads)
	if err != nil {
		return err
	}
	return npz.Write(w, x)
}
