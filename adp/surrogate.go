package adp

import (
	"context"
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/internal/trees"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Surrogate says of a node, by its features alone, what a run said of nodes with such features: it is a forest of randomised trees that
// learned the labels of the run. New nodes get their labels by it and by one step of the graph ([Surrogate.Predict]).
type Surrogate struct {
	forest *trees.Forest
	share  float64
}

// surrogateNodes is the most nodes of the run that a [Surrogate] learns from, evenly spaced.
const surrogateNodes = 20_000

// NewSurrogate returns the trees for features x, n×d, and F of the run, n×c: each node teaches the class that is largest in its row. Rows
// of 0 teach nothing, and nil is returned where all are. The share is the part of the trees in an answer, see [SurrogateShare]. The
// trees are the same for any number of threads.
//
// Cost and memory: as of a forest of 20,000 samples at most. The error is ctx.Err(), or a [diffuse.ErrFeatures] where x has other rows.
func NewSurrogate(ctx context.Context, x, f *csr.Dense, share float64, threads int) (*Surrogate, error) {
	if x.Rows != f.Rows {
		return nil, fmt.Errorf("%w: %d rows for %d nodes", diffuse.ErrFeatures, x.Rows, f.Rows)
	}
	forest, err := imitate(ctx, x, f, every(f.Rows, surrogateNodes), threads)
	if forest == nil || err != nil {
		return nil, err
	}
	return &Surrogate{forest, share}, nil
}

// every returns at most count numbers below n, evenly spaced, the first of them 0.
func every(n, count int) (nodes []int) {
	step := max((n+count-1)/count, 1)
	for i := 0; i < n; i += step {
		nodes = append(nodes, i)
	}
	return nodes
}

// imitate grows trees on the labels of some nodes; nil where none has one.
func imitate(ctx context.Context, x, f *csr.Dense, nodes []int, threads int) (*trees.Forest, error) {
	samples := csr.NewDense(len(nodes), x.Cols)
	var shares [][]float64
	var weights []float64
	for _, i := range nodes {
		if class := diffuse.TopOf(f.Row(i)).Class; class >= 0 {
			copy(samples.Row(len(shares)), x.Row(i))
			share := make([]float64, f.Cols)
			share[class] = 1
			shares, weights = append(shares, share), append(weights, 1)
		}
	}
	if shares == nil {
		return nil, nil
	}
	samples.Rows, samples.Data = len(shares), samples.Data[:len(shares)*x.Cols]
	return trees.Grow(ctx, samples, shares, weights, threads)
}

// Predict labels m nodes that were not in the run, as the function [Predict] does, and by their features x, m×d:
//
//	P_x = (1−t) F_x/Σ_j F_xj + t T_x,
//
// F_x being one step over the weights w, m×n, from the F of the run, T_x the mean classes of the leaves of the trees, and t the share.
// Where F_x is 0, P_x is T_x. Rows do not depend on each other.
func (s *Surrogate) Predict(ctx context.Context, f *csr.Dense, degrees []float64, w *csr.Matrix, x *csr.Dense, alpha, minConfidence float64, threads int) (*Result, error) {
	own, err := s.of(ctx, x, threads)
	if err != nil {
		return nil, err
	}
	return stepAnd(own, slices.Repeat([]float64{s.share}, own.Rows), f, degrees, w, alpha, minConfidence, threads), nil
}

func (s *Surrogate) of(ctx context.Context, x *csr.Dense, threads int) (*csr.Dense, error) {
	return s.forest.Of(ctx, x.Rows, threads, func(dst []float32, i int) bool {
		copy(dst, x.Row(i))
		return true
	})
}

// SurrogateShare returns the t with which a [Surrogate] and one step of the graph w, n×n, foresee best what a run said of its own nodes
// ([ShareOf]): the trees have not seen those that are held back ([HoldBack]). No label is needed for it.
//
// Cost: a forest of 18,000 samples at most. The error is that of [NewSurrogate].
func SurrogateShare(ctx context.Context, x, f *csr.Dense, w *csr.Matrix, threads int) (float64, error) {
	if x.Rows != f.Rows {
		return 0, fmt.Errorf("%w: %d rows for %d nodes", diffuse.ErrFeatures, x.Rows, f.Rows)
	}
	held, seen := HoldBack(f.Rows, 0)
	forest, err := imitate(ctx, x, f, pick(seen, surrogateNodes), threads)
	if forest == nil || err != nil {
		return 0, err
	}
	of := csr.NewDense(len(held), x.Cols)
	for k, i := range held {
		copy(of.Row(k), x.Row(i))
	}
	own, err := (&Surrogate{forest: forest}).of(ctx, of, threads)
	if err != nil {
		return 0, err
	}
	share, _ := ShareOf(held, own, nil, f, w, threads)
	return share, nil
}

// pick returns at most count of some nodes, evenly spaced.
func pick(nodes []int, count int) (out []int) {
	for _, k := range every(len(nodes), count) {
		out = append(out, nodes[k])
	}
	return out
}
