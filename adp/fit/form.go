package fit

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// form says how well a graph foresees its own entries. They are dealt to two halves, and labels spread over each: the form is the
// mean size of the homophily on a half of the labels of the other. A graph whose form is below least has no structure.
type form struct{ size, least float64 }

// The least form of a large graph, and the standard errors of 1/√N, for the N edges of a half, that chance adds to it.
const (
	plainForm = 0.06
	formNoise = 2
)

// structured reports whether the graph has structure.
func (f form) structured() bool { return f.size >= f.least }

// Between the first two of these ratios of what the form of the edges is above its least to what that of the features' graph is, the
// stronger structure goes from that graph to the edges. From the third on the features' graph has next to none, and features tell
// by those of neighbours (docs/decisions/0056-stronger-structure.md).
const leastLead, mostLead, bareLead = 0.5, 0.8, 2.5

// lead says which of two graphs with structure has the stronger one: 1 is the one of f, 0 the other. Nil where the other has next to none.
func (f form) lead(other form) *float64 {
	ratio := (f.size - f.least) / max(other.size-other.least, 1e-9)
	if ratio >= bareLead {
		return nil
	}
	lead := ramp(ratio, leastLead, mostLead)
	return &lead
}

// formOf returns the form of a graph of the pool.
func (p *pool) formOf(ctx context.Context, graph int) (form, error) {
	s := p.graphs[graph].S
	var halves [2]*csr.Matrix
	for k := range halves {
		halves[k] = s.Where(func(i int, j uint32) bool {
			low, high := min(uint64(i), uint64(j)), max(uint64(i), uint64(j))
			return splitmix.Mix(splitmix.Number(low)+high)&1 == uint64(k)
		})
	}
	f := form{least: plainForm + formNoise/math.Sqrt(float64(s.NNZ())/4)} // each edge has two entries
	for k, half := range halves {
		spread, _, err := diffuse.LGC(ctx, diffuse.Normalize(half, p.opt.Threads), p.whole.y, p.whole.labelOptions())
		if err != nil {
			return form{}, err
		}
		f.size += math.Abs(homophily(halves[1-k], classesOf(spread), p.whole.y.Classes, p.opt.Threads)) / 2
	}
	return f, nil
}
