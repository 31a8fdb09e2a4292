package fit

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// FirstGraph is the first step that [GraphOptions.Admit] is asked about. All others are of
// choosing another graph, and are not taken with [GraphOptions.Fixed].
const FirstGraph = "the graph"

// admit asks whether a step may take so many bytes beside those of the edges.
func (m *maker) admit(what string, bytes int64) error {
	if m.opt.Admit == nil {
		return nil
	}
	return m.opt.Admit(what, bytes+m.edgeBytes())
}

// edgeBytes is what the edges take and, where seeds choose, the graph of the features alone.
func (m *maker) edgeBytes() int64 {
	if m.in.Edges == nil {
		return 0
	}
	bytes := m.in.Edges.Bytes()
	if m.chooses() {
		bytes += int64(m.in.points()) * int64(16*m.options(design{}).Search.K)
	}
	return bytes
}

// pointBytes is what the features take, as they are and with scaled columns.
func (m *maker) pointBytes(d design) int64 {
	switch {
	case m.in.Sparse != nil:
		return m.in.Sparse.Bytes()
	case m.in.Dense == nil:
		return 0
	case d.start.Scaled || m.scaled != nil:
		return 8 * int64(len(m.in.Dense.Data))
	}
	return 4 * int64(len(m.in.Dense.Data))
}

// bytes estimates the most that making a graph takes: the points, the sum with edges, and a
// search among the points or their ℓ1 combinations of so many points each.
func (m *maker) bytes(d design, support int) int64 {
	n, dims, opt := m.in.points(), m.in.dims(), m.options(d)
	bytes := m.pointBytes(d)
	if m.in.Edges != nil {
		bytes += m.in.Edges.Bytes()
	}
	switch {
	case m.in.Sparse != nil:
		bytes += knn.SparseGraphBytes(n, m.in.Sparse.Bytes(), opt)
	case d.kind == L1:
		bytes += knn.SelfExpressiveBytes(n, dims, support, m.opt.Threads)
	default:
		bytes += knn.GraphBytes(n, dims, opt)
	}
	if nb := m.in.Neighbors; nb != nil {
		found := 8 * int64(nb.N) * int64(nb.K)
		bytes = max(bytes+found, 2*found) // as read, and sorted
	}
	return bytes
}

// trialBytes is what trying graphs takes beside the points: LGC, the first graph g and the
// best, and the neighbours that are kept.
func (m *maker) trialBytes(g *Graph) int64 {
	bytes := adp.EstimateBytes(g.W, m.in.Seeds.Classes, adp.Options{Method: adp.LGC, Threads: m.opt.Threads})
	bytes += 2 * g.W.Bytes()
	if m.opt.Joinable {
		bytes += 3 * int64(m.in.points()) * int64(8*g.Make.Search.K)
	}
	return bytes
}

// EstimateBytes returns about the most memory that [Label] takes for a graph and a number of
// classes, the graph included ([adp.EstimateBytes]); a calibration runs while the result is
// held.
func EstimateBytes(w *csr.Matrix, classes int, opt Options) int64 {
	bytes := adp.EstimateBytes(w, classes, opt.Run)
	if opt.Calibrate {
		fold := opt.Run
		fold.TrialFolds = -1
		bytes = max(bytes, adp.ResultBytes(w, classes, opt.Run)+adp.EstimateBytes(w, classes, fold))
	}
	return bytes
}

// PoolBytes returns about the most memory that the feature step takes beside the input, W and the
// result of the run before it: for n nodes, c classes and w = nnz(W), nnz(X) = x
//
//	scores       4·n·c of each of up to 8 methods, the block of the answer, 5 that methods share,
//	             and 4 of a solver
//	features     4·x and, sparse, 8·x for their transpose
//	diffused     2·4·64·n for each of two graphs
//	graphs       4·nnz of S of each, and of the taught one 8·(nnz + 11·n), twice
//	kernels      8·m² for m seeds, four times
func PoolBytes(in Input, w *csr.Matrix) int64 {
	n, c := int64(in.Nodes()), int64(in.Seeds.Classes)
	m := min(int64(len(in.Seeds.List())), diffuse.MostDual)
	bytes := 18*4*n*c + 4*4*diffuse.Rank*n + 4*8*m*m
	switch {
	case in.Sparse != nil:
		bytes += 12*int64(in.Sparse.NNZ()) + 8*n
	case in.Edges != nil:
		bytes += 4 * 4 * n * int64(in.Dense.Cols) // as it is prepared, and its hops
	default:
		bytes += 4 * n * int64(in.Dense.Cols)
	}
	graphs := 4 * int64(w.NNZ())
	if in.Edges != nil {
		graphs += 4 * (int64(w.NNZ()) + int64(in.Edges.NNZ()))
	}
	return bytes + graphs + 2*8*(int64(w.NNZ())+11*n)
}
