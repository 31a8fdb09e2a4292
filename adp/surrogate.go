package adp

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp/internal/trees"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Surrogate says of a node, by its features alone, what a run said of nodes with such features: it is a forest of randomised trees that
// learned the labels of the run. New nodes get their labels by it and by one step of the graph ([Surrogate.Predict]).
type Surrogate struct {
	forest *trees.Forest
	share  float64
}

// surrogateNodes is the most nodes of the run that a [Surrogate] learns from, evenly spaced, and surrogateHeld the most that
// [SurrogateShare] holds back.
const (
	surrogateNodes = 20_000
	surrogateHeld  = 2_000
)

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
	return stepAnd(own, s.share, f, degrees, w, alpha, minConfidence, threads), nil
}

func (s *Surrogate) of(ctx context.Context, x *csr.Dense, threads int) (*csr.Dense, error) {
	return s.forest.Of(ctx, x.Rows, threads, func(dst []float32, i int) bool {
		copy(dst, x.Row(i))
		return true
	})
}

// surrogateShares are what t is chosen from.
var surrogateShares = []float64{0, 0.25, 0.5, 0.75, 1}

// SurrogateShare returns the t with which a [Surrogate] and one step of the graph w, n×n, foresee best what a run said of its own nodes
// ([ShareOf]): the trees have not seen those that are held back ([HoldBack]). No label is needed for it.
//
// Cost: a forest of 18,000 samples at most. The error is that of [NewSurrogate].
func SurrogateShare(ctx context.Context, x, f *csr.Dense, w *csr.Matrix, threads int) (float64, error) {
	if x.Rows != f.Rows {
		return 0, fmt.Errorf("%w: %d rows for %d nodes", diffuse.ErrFeatures, x.Rows, f.Rows)
	}
	held, seen := HoldBack(f.Rows)
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
	return ShareOf(held, own, f, w, threads), nil
}

// HoldBack returns up to 2,000 of n nodes, evenly spaced and a fifth of them at most, and the others.
func HoldBack(n int) (held, seen []int) {
	const part = 5 // one of so many is held back
	held = every(n, min(surrogateHeld, max(n/part, 1)))
	at := 0
	for i := range n {
		if at < len(held) && held[at] == i {
			at++
			continue
		}
		seen = append(seen, i)
	}
	return held, seen
}

// ShareOf returns the t with which (1−t) F_x + t T_x foresees best what a run said of the nodes held back: the t of 0, ¼, ½, ¾ and 1 whose
// largest class is the label of most of them, the least of equals. F_x is a step over w, n×n, from the neighbours in F, n×c. T_x, row k of
// own for node held[k], knows nothing of these nodes' labels.
func ShareOf(held []int, own, f *csr.Dense, w *csr.Matrix, threads int) float64 {
	step := csr.NewDense(len(held), f.Cols)
	for k, i := range held {
		cols, values := w.Row(i)
		for at, j := range cols {
			for class, v := range f.Row(int(j)) {
				step.Row(k)[class] += values[at] * v
			}
		}
	}
	stack.Shares(step, threads)
	best, most := 0.0, -1
	for _, t := range surrogateShares {
		same := 0
		for k, i := range held {
			if label := diffuse.TopOf(f.Row(i)).Class; label >= 0 && foreseen(step.Row(k), own.Row(k), t) == label {
				same++
			}
		}
		if same > most {
			best, most = t, same
		}
	}
	return best
}

// foreseen returns the class with the largest (1−t) F_xj + t T_xj, -1 where all are the same.
func foreseen(step, own []float32, t float64) int32 {
	row := make([]float32, len(step))
	for j, v := range step {
		row[j] = float32(float64((1-t)*float64(v)) + float64(t*float64(own[j])))
	}
	return diffuse.TopOf(row).Class
}

// pick returns at most count of some nodes, evenly spaced.
func pick(nodes []int, count int) (out []int) {
	for _, k := range every(len(nodes), count) {
		out = append(out, nodes[k])
	}
	return out
}
