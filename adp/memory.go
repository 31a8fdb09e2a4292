package adp

import (
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// EstimateBytes returns about the largest memory that [Run] needs at a time on
// the affinity W, n nodes and nnz entries, and c classes, W itself included:
//
//	W, S, degrees, labels,   12·nnz + 44·n
//	components
//	W in another order       8·nnz + 16·n, where that is not the given one
//	class blocks             4·n·c each: F; R, P, Q, or four of some columns
//	                         ([Options.ClassColumns]); for ADP and ADP1 the
//	                         last F and G, with a choice LGC's F and the mean of
//	                         rounds, with a trial these two of the trial; one more
//	                         for each of Start and KeepFirst
//	learned graphs           8 an entry: the new, the last and the best one
//	an A-step                the rows being kept, 8·n·(k+1), or these as a matrix
//	                         and its transpose; 24·n a worker; with hubs
//	                         [diffuse.HubBytes] more
//
// of the setting that needs most. With [Options.Scratch] S, the other order and the
// learned graphs lie in files; instead of them an A-step has
// [diffuse.SpillBytes] of entries on their way there. How many entries rows keep is counted on a
// sample of the rows of W; DenseADP needs eight n×n matrices of float64. It
// reads W twice.
func EstimateBytes(w *csr.Matrix, c int, opt Options) int64 {
	n, _ := w.Dims()
	opt, err := opt.WithDefaults(n)
	e := newEstimate(w, c, opt)
	if err != nil {
		return e.lgc() // the run will say what is wrong
	}
	return methods[opt.Method].bytes(e)
}

// estimate is what the memory of a run depends on: its options have their defaults.
type estimate struct {
	w        *csr.Matrix
	c        int
	opt      Options
	nodes    int64
	entries  int64 // of W
	block    int64 // of class columns
	inMemory int64 // 0 where graphs that the run makes lie in files
	base     int64 // what any method holds beside blocks of F
	solver   int64 // the blocks of an F-step
}

func newEstimate(w *csr.Matrix, c int, opt Options) *estimate {
	n, _ := w.Dims()
	N, E := int64(n), int64(w.NNZ())
	e := &estimate{w: w, c: c, opt: opt, nodes: N, entries: E, block: 4*N*int64(c) + 1, inMemory: 1}
	if opt.Scratch != "" {
		e.inMemory = 0
	}
	e.base = 8*E + 4*E*e.inMemory + 44*N + e.block/32 // sums of blocks of rows
	e.solver = 3 * e.block
	if columns := opt.columns(c); columns < c {
		e.solver = 4 * 4 * N * int64(columns)
	}
	if opt.Start != nil {
		e.base += e.block
	}
	if opt.KeepFirst {
		e.base += e.block
	}
	return e
}

// lgc is the memory of one F-step.
func (e *estimate) lgc() int64 { return e.base + e.block + e.solver }

// onGraph is that of a solver with blocks of its own, see [solvedBy].
func (e *estimate) onGraph() int64 { return e.base + 6*e.block }

// dense is that of [Dense].
func (e *estimate) dense() int64 { return e.base + 7*e.block + 64*e.nodes*e.nodes }

// alternation is that of rounds of sparse A-steps.
func (e *estimate) alternation() int64 {
	n, opt, block, base := int(e.nodes), e.opt, e.block, e.base
	ordering := int64(0)
	switch opt.orderOf(n) {
	case ClusterOrder: // the lists of joined clusters, in place of all that is below
		ordering = 8*e.entries + 8*e.entries + 108*e.nodes
		fallthrough
	case DegreeOrder:
		base += 8*e.entries*e.inMemory + 16*e.nodes
	}
	m := newAlternationMemory(e.w, e.c, opt)
	base += e.solver
	blocks := int64(2) // F and the last F
	if opt.Select != None {
		blocks += 2
	}
	most, best, trial := int64(0), int64(0), int64(0)
	for _, set := range opt.settings(n, e.c, (*rankRows)(nil).degreeVariation(e.w)) {
		g := learnedSize(e.w, set)
		most = max(most, blocks*block+best+m.rounds(g, opt.Rounds, opt.Select != None))
		best = max(best, (8*g.entries+8*e.nodes)*e.inMemory)
		trial = max(trial, m.rounds(g, opt.Rounds, true))
	}
	if opt.folds() > 0 {
		most = max(most, (blocks+2)*block+best+trial)
	}
	return max(base+max(most, blocks*block), ordering)
}

// ResultBytes returns about what a [Result] of n nodes and c classes holds on
// to, its graph included.
func ResultBytes(w *csr.Matrix, c int, opt Options) int64 {
	n, _ := w.Dims()
	opt, err := opt.WithDefaults(n)
	bytes := int64(n) * (4*int64(c) + 13)
	if err != nil || !opt.Method.Has(LearnsSparse) || opt.Scratch != "" {
		return bytes
	}
	graph := int64(0)
	for _, set := range opt.settings(n, c, (*rankRows)(nil).degreeVariation(w)) {
		graph = max(graph, 8*learnedSize(w, set).entries+8*int64(n))
	}
	return bytes + graph
}

// DiagnoseBytes returns about the memory that [Diagnose] needs for m vectors,
// W and the result included.
func DiagnoseBytes(w *csr.Matrix, c int, opt Options, m int) int64 {
	n, _ := w.Dims()
	N := int64(n)
	opt, err := opt.WithDefaults(n)
	if err != nil {
		return 0
	}
	before := 12*int64(w.NNZ()) + 16*N + ResultBytes(w, c, opt)
	opt.Scratch = "" // a diagnosis is made in memory
	step := newAlternationMemory(w, c, opt)
	g := learnedSize(w, Setting{TopK: opt.TopK, GraphAlpha: opt.GraphAlpha})
	return before + 28*N*int64(m) + max(12*N*int64(c), step.rounds(g, 1, false))
}

// graphSize is the number of entries that a learned graph has on the way:
// kept by top-k, made symmetric, and with the anchor.
type graphSize struct{ kept, symmetric, entries int64 }

// learnedSize estimates the sizes for a setting on W. A row keeps k entries, or
// all that three steps on W lead to; of a pair of nodes that keep each other
// both entries are one when the graph is made symmetric, and from none (random
// graphs) to two thirds of the pairs (points of a plane) are such.
func learnedSize(w *csr.Matrix, set Setting) graphSize {
	n, _ := w.Dims()
	N := int64(n)
	if set.TopK < 0 || set.TopK >= n-1 {
		return graphSize{N * N, N * N, N * N}
	}
	kept := sampledReach(w, set.TopK)
	g := graphSize{kept: int64((kept + 1) * float64(n)), symmetric: int64((1.5*kept + 1) * float64(n))}
	g.entries = g.symmetric
	if set.Anchor > 0 {
		// Neighbours on W are among those that are kept as far as there is room.
		mean := float64(w.NNZ()) / float64(n)
		g.entries += int64(max(mean-kept/2, mean/2) * float64(n))
	}
	return g
}

// sampledReach returns the mean, over a sample of rows, of the number of
// other nodes that walks of three steps lead to, at most k each.
func sampledReach(w *csr.Matrix, k int) float64 {
	const sample = 1000
	n, _ := w.Dims()
	step, total, rows := max(n/sample, 1), 0, 0
	found := map[uint32]bool{}
	for i := 0; i < n; i += step {
		clear(found)
		total += reach(w, uint32(i), k, 3, found)
		rows++
	}
	if rows == 0 {
		return 0
	}
	return float64(total) / float64(rows)
}

// reach counts the nodes that walks of the given length from i lead to, until
// there are k.
func reach(w *csr.Matrix, i uint32, k, length int, found map[uint32]bool) int {
	frontier := []uint32{i}
	found[i] = true
	for range length {
		var next []uint32
		for _, u := range frontier {
			cols, _ := w.Row(int(u))
			for _, v := range cols {
				if !found[v] {
					found[v] = true
					next = append(next, v)
				}
				if len(found) > k {
					return k
				}
			}
		}
		frontier = next
	}
	return len(found) - 1
}

// alternationMemory is what an A-step and an F-step of a run share.
type alternationMemory struct {
	n, block int64
	scratch  int64 // of the workers of an A-step
	inFiles  bool  // the graphs
}

func newAlternationMemory(w *csr.Matrix, c int, opt Options) alternationMemory {
	n, _ := w.Dims()
	workers := rows.Workers(opt.Threads)
	return alternationMemory{
		n: int64(n), block: 4*int64(n)*int64(c) + 1, inFiles: opt.Scratch != "",
		scratch: 24*int64(n)*int64(workers) + diffuse.HubBytes(w, opt.Hubs, workers),
	}
}

// rounds returns the memory of the graphs and of the work on them in the
// rounds of a setting, beside the class blocks. With keep the best round's
// graph is held on to as well as the last one.
func (m alternationMemory) rounds(g graphSize, rounds int, keep bool) int64 {
	work := m.block + 28*m.n + m.scratch
	if m.inFiles {
		return work + 4*m.n + diffuse.SpillBytes(int(m.n))
	}
	held := int64(0)
	if rounds > 1 {
		held += 8*g.entries + 8*m.n
	}
	if keep && rounds > 2 {
		held += 8*g.entries + 8*m.n
	}
	rowsKept := 8*g.kept + 8*m.n
	collect := work + 2*rowsKept
	symmetrize := 2*rowsKept + 8*g.symmetric + 16*m.n
	add := 8*(g.symmetric+g.entries) + 16*m.n
	solve := 12*g.entries + 16*m.n
	return held + max(collect, symmetrize, add, solve)
}
