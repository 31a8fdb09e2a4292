package dist

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// AStep is [diffuse.AStep] over all ranks: s is the graph's S, a the own rows
// (× n) of A, or nil, h has the own rows of H. It returns the own rows (× n) of the new A,
// with the same bits.
//
// An own row needs the rows of A for its neighbours, the rows of S for the columns
// of these, and rows of G = SH for the columns of those. They are fetched whole:
// memory beside that of diffuse.AStep is 8 bytes for each entry fetched, 4·c for
// each row of G.
func AStep(ctx context.Context, s *Graph, a *csr.Matrix, h *diffuse.Factor, opt diffuse.AffinityOptions) (*csr.Matrix, error) {
	w := s.halo.world
	lo, hi, n := w.Rows()
	g := h.Exchange(s.halo.exchange).Times(s.local, opt.Threads)

	others := s.halo.others()
	need := newColumns(n)
	var rowsOfA *csr.Matrix
	var next []uint32 // rows of S that the walk needs
	if a != nil {
		rowsOfA = fetchRows(w, a, others)
		need.addOf(a)
		need.addOf(rowsOfA)
		next = without(need.list(), lo, hi)
	}
	rowsOfS := fetchRows(w, s.S, next)

	for _, m := range []*csr.Matrix{s.S, rowsOfS} {
		need.addOf(m)
	}
	for _, j := range others {
		need.add(j)
	}
	if opt.TopK < 0 || opt.TopK >= n-1 {
		need.addRange(0, n)
	}
	halo := newHalo(w, need)
	entries := []float64{0}
	w.Fold(entries, func(sum []float64) { sum[0] += float64(s.S.NNZ()) })

	own := diffuse.AffinityRows{
		S: halo.extended(s.S, next, rowsOfS), G: halo.exchange(g),
		First: halo.first, Own: halo.own, Nodes: n, Entries: int(entries[0]),
	}
	if a != nil {
		own.A = halo.extended(a, others, rowsOfA)
	}
	return symmetricStep(ctx, s, halo, own, opt)
}

// FreshStep is [diffuse.FreshStep] over all ranks: s is the graph's S, h has the own rows of H. It
// returns the own rows (× n) of A, with the same bits. Only rows of class columns are exchanged.
func FreshStep(ctx context.Context, s *Graph, h *diffuse.Factor, opt diffuse.AffinityOptions) (*csr.Matrix, error) {
	w := s.halo.world
	_, _, n := w.Rows()
	g, err := diffuse.Votes(ctx, s, h, w, opt.Threads)
	if err != nil {
		return nil, err
	}
	opt.Zeta = 1
	own := diffuse.AffinityRows{
		S: s.halo.extended(s.S, nil, csr.Identity(0)), G: s.halo.exchange(g), Alike: true,
		First: s.halo.first, Own: s.halo.own, Nodes: n, Entries: s.S.NNZ(),
	}
	return symmetricStep(ctx, s, s.halo, own, opt)
}

// symmetricStep makes the own rows of A, of the operands in a halo's extended block.
func symmetricStep(ctx context.Context, s *Graph, halo *Halo, own diffuse.AffinityRows, opt diffuse.AffinityOptions) (*csr.Matrix, error) {
	rows, err := diffuse.AStepRows(ctx, own, opt)
	if err != nil {
		return nil, err
	}
	whole := halo.globalize(rows, own.Nodes)
	a := csr.SymmetrizeWith(whole, transposed(halo.world, whole), csr.Mean, opt.Threads)
	return diffuse.WithAnchor(a, s.S, opt), nil
}

// others returns the rows of the extended block that are not the own ones, as
// rows of the whole graph.
func (h *Halo) others() []uint32 {
	others := append([]uint32(nil), h.list[:h.first]...)
	return append(others, h.list[h.first+h.own:]...)
}

// without returns a sorted list without the rows lo to hi−1.
func without(list []uint32, lo, hi int) []uint32 {
	var others []uint32
	for _, j := range list {
		if int(j) < lo || int(j) >= hi {
			others = append(others, j)
		}
	}
	return others
}

// extended returns the square matrix of the extended block with the own rows m
// and the fetched rows of the nodes in list; rows of all others are empty.
func (h *Halo) extended(m *csr.Matrix, list []uint32, fetched *csr.Matrix) *csr.Matrix {
	entries := m.NNZ() + fetched.NNZ()
	indptr := make([]int64, 1, len(h.list)+1)
	indices := make([]uint32, 0, entries)
	data := make([]float32, 0, entries)
	at := 0
	for k, node := range h.list {
		var cols []uint32
		var vals []float32
		switch {
		case k >= h.first && k < h.first+h.own:
			cols, vals = m.Row(k - h.first)
		case at < len(list) && list[at] == node:
			cols, vals = fetched.Row(at)
			at++
		}
		for _, j := range cols {
			indices = append(indices, h.columns.at(j))
		}
		data = append(data, vals...)
		indptr = append(indptr, int64(len(indices)))
	}
	return trusted(len(h.list), len(h.list), indptr, indices, data)
}

// globalize returns a matrix of own rows with the columns of the whole graph.
func (h *Halo) globalize(m *csr.Matrix, n int) *csr.Matrix {
	indptr, indices, data := m.Arrays()
	for k, j := range indices {
		indices[k] = h.list[j]
	}
	return trusted(len(indptr)-1, n, indptr, indices, data)
}
