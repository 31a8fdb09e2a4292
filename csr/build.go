package csr

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Edges is a list of weighted edges between nodes 0 to n-1: edge e joins
// Src[e] and Dst[e] with weight Weight[e]. A nil Weight means that all
// weights are 1. Weights are finite and at least 0.
type Edges struct {
	Src, Dst []uint32
	Weight   []float32
}

// Duplicates is the treatment of edges given more than once.
type Duplicates int

// The rules for duplicates. None depends on the order of the edges.
const (
	DuplicatesSum   Duplicates = iota // weights are added (default)
	DuplicatesMax                     // the largest weight stays
	DuplicatesError                   // FromEdges returns a *DuplicateError
)

func (d Duplicates) known() bool { return d >= DuplicatesSum && d <= DuplicatesError }

// BuildOptions are the options of [FromEdges] and of a [Builder]. The zero
// value takes edges as undirected and sums duplicates.
type BuildOptions struct {
	// Directed keeps the direction of edges: a-b and b-a are then different edges, and the result
	// is not symmetric.
	Directed bool
	// Mean, with Directed, makes the result symmetric after duplicates are merged: W ← (W+Wᵀ)/2, as
	// [Symmetrize] with [Mean] does.
	Mean       bool
	Duplicates Duplicates
	Threads    int // zero means GOMAXPROCS
	// Memory limits the bytes of entries that a Builder holds; the others go to Scratch. Zero means
	// no limit, and then Scratch is not used.
	Memory  int64
	Scratch Scratch
}

// BuildStats counts the edges that [FromEdges] dropped or merged.
type BuildStats struct {
	SelfLoops  int `json:"self_loops"`  // edges from a node to itself: dropped
	ZeroWeight int `json:"zero_weight"` // edges of weight 0: dropped
	Duplicates int `json:"duplicates"`  // further edges of the same pair: merged
}

// FromEdges returns the n×n adjacency matrix W of the edges. W is symmetric with W_ij = W_ji the
// merged weight of all edges between i and j, or, with Directed, W_ij the merged weight of all
// edges from i to j. The diagonal is empty. The result does not depend on the order of the edges:
// duplicates are added in order of weight, in float64.
//
// It is a [Builder] with all edges at once. FromEdges consumes e: it sets each slice to nil once it
// no longer needs it, so that it can be freed. The peak is 28 bytes an undirected edge, 36 with
// weights, 16 of them the result's.
//
// An endpoint that is not below n, a weight that is negative or not finite, and an unknown rule for
// duplicates give a [*StructureError]. A merged weight past the range of float32 is an error too.
func FromEdges(n int, e *Edges, opt BuildOptions) (*Matrix, BuildStats, error) {
	if n < 0 || n > MaxDim {
		return nil, BuildStats{}, &StructureError{-1, fmt.Sprintf("%d nodes, expected 0 to %d", n, MaxDim)}
	}
	if !opt.Duplicates.known() {
		return nil, BuildStats{}, &StructureError{-1, fmt.Sprintf("unknown rule %d for duplicates", int(opt.Duplicates))}
	}
	if err := checkEdges(n, e); err != nil {
		return nil, BuildStats{}, err
	}
	b := NewBuilder(n, int64(len(e.Src)), e.Weight != nil, opt)
	const block = 1 << 15
	err := rows.Tasks(context.Background(), (len(e.Src)+block-1)/block, opt.Threads, func(worker, k int) error {
		lo, hi := k*block, min((k+1)*block, len(e.Src))
		var weights []float32
		if e.Weight != nil {
			weights = e.Weight[lo:hi]
		}
		return b.add(worker, e.Src[lo:hi], e.Dst[lo:hi], weights)
	})
	if err != nil {
		return nil, BuildStats{}, err
	}
	*e = Edges{}
	return b.Matrix(context.Background())
}

func checkEdges(n int, e *Edges) error {
	if len(e.Src) != len(e.Dst) || e.Weight != nil && len(e.Weight) != len(e.Src) {
		return &StructureError{-1, fmt.Sprintf("%d sources, %d destinations and %d weights, expected equal lengths", len(e.Src), len(e.Dst), len(e.Weight))}
	}
	largest, dst := uint32(0), e.Dst[:len(e.Src)]
	for k, i := range e.Src {
		largest = max(largest, max(i, dst[k])) // one step after the other for one of the two only
	}
	for k, i := range e.Src {
		if int64(largest) < int64(n) {
			break
		}
		if top := max(i, dst[k]); int64(top) >= int64(n) {
			return &StructureError{int(i), fmt.Sprintf("edge %d has endpoint %d, expected below %d", k, top, n)}
		}
	}
	for k, w := range e.Weight {
		if !(w >= 0 && w <= math.MaxFloat32) {
			return &StructureError{int(e.Src[k]), fmt.Sprintf("edge %d has weight %v, expected a finite number of at least 0", k, w)}
		}
	}
	return nil
}
