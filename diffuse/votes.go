package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// voteHops is T of [Votes].
const voteHops = 5

// Votes returns what the neighbourhood of each node says of its class, n×c, with rows of length 1
// or 0:
//
//	G = Σ_{t=1..T} S^t H̄,  g_i = G_i/‖G_i‖,  T = 5.
//
// A row of H̄ is 1 at the class of the node's label, less the share of each class among all labels;
// it is 0 for a node without one. H must be hardened: of [Soft] and [FixedFactor] there is an [ErrOptions]. With a partition, s and h have the own rows.
//
// After T rounds of the paper's A-step with the same labels H, A ← αS(A + HHᵀ)Sᵀ, the label part of
// A_ij is Σ_t αᵗ ⟨(SᵗH)_i, (SᵗH)_j⟩. ⟨g_i, g_j⟩ is a correlation of the same SᵗH.
//
// Cost: T products of S with an n×c block. Memory: three n×c blocks, one with rows apart ([csr.Stride]).
func Votes(ctx context.Context, s RowOperator, h *Factor, partition Partition, threads int) (*csr.Dense, error) {
	if h.soft != nil {
		return nil, fmt.Errorf("%w: votes of a soft factor, expected a hardened one", ErrOptions)
	}
	x := h.centred(partition, threads)
	g, stride := csr.NewDense(x.Rows, x.Cols), x.Cols
	apart, ok := s.(ApartOperator)
	if ok {
		stride = strideOf(x.Rows, x.Cols)
	}
	sum := csr.NewDense(x.Rows, stride)
	for range voteHops {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows.Each(x.Rows, threads, func(lo, hi int) { // g is 0 at first
			for i := lo; i < hi; i++ {
				to, votes := sum.Data[i*stride:], g.Row(i)
				for j, v := range x.Row(i) {
					to[j] = v + votes[j]
				}
			}
		})
		if stride == x.Cols {
			s.Apply(g, sum)
			continue
		}
		rows.Each(x.Rows, threads, func(lo, hi int) { apart.ApplyApartRows(g, sum.Data, stride, lo, hi) })
	}
	rows.Each(g.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if length := squares(g.Row(i)); length > 0 {
				times(g.Row(i), 1/math.Sqrt(length))
			}
		}
	})
	return g, nil
}

// centred returns H, with 1 for the class of each label, less the mean of the labelled rows.
func (h *Factor) centred(partition Partition, threads int) *csr.Dense {
	n := len(h.class)
	counts := rows.NewReducer(n, h.classes+1)
	if partition != nil {
		counts.Across(partition)
	}
	shares := counts.Sum(threads, func(lo, hi int, sums []float64) {
		for _, class := range h.class[lo:hi] {
			if class >= 0 {
				sums[class]++
				sums[h.classes]++
			}
		}
	})
	x := csr.NewDense(n, h.classes)
	mean := make([]float32, h.classes)
	for j := range mean {
		if all := shares[h.classes]; all > 0 {
			mean[j] = float32(shares[j] / all)
		}
	}
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if h.class[i] < 0 {
				continue
			}
			row := x.Row(i)
			for j, m := range mean {
				row[j] = -m
			}
			row[h.class[i]]++
		}
	})
	return x
}

// FreshStep returns the graph that labels alone teach, on the edges of S:
//
//	A' = topk(α_A max(0, ⟨g_i, g_j⟩)) + (1−α_A) I for the edges of S, made symmetric,
//
// with g of [Votes], plus the anchor's multiple of S. The diagonal is 1 where a vote has come. An
// edge that no row keeps is gone. Zeta is not looked at. H must be hardened, as for [Votes].
//
// Cost: about T + 2 products of S with an n×c block. Memory: that of [AStep], and two n×c blocks.
func FreshStep(ctx context.Context, s *Graph, h *Factor, opt AffinityOptions) (*csr.Matrix, error) {
	g, err := Votes(ctx, s, h, nil, opt.Threads)
	if err != nil {
		return nil, err
	}
	n := s.Dim()
	opt.Zeta = 1
	return symmetricStep(ctx, AffinityRows{S: s.S, G: g, Alike: true, Own: n, Nodes: n, Entries: s.S.NNZ()}, opt)
}
