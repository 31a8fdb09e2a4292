package adp

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// EstimateBytes estimates the peak memory of [Run] on the affinity W (n nodes, nnz entries) with c
// classes, W itself included:
//
//	W, S, degrees, labels,   12·nnz + 44·n
//	components
//	W in another order       8·nnz + 16·n, where that is not the given one
//	class blocks             4·n·c each: F; R, Q and P, whose rows may be apart ([csr.Stride]), or four of
//	                         some columns ([Options.ClassColumns]); for ADP and ADP1 the
//	                         last F and G, with a choice LGC's F and the mean of
//	                         rounds, with a trial these two of the trial and five of
//	                         each fold that is solved together with others; one more
//	                         for each of Start and KeepFirst
//	learned graphs           8 an entry: the new, the last and the best one
//	an A-step                the rows being kept, 8·n·(k+1), or these as a matrix
//	                         and its transpose; where it takes walks 16·n, 24·n a
//	                         worker, and with hubs [diffuse.HubBytes] more
//
// The setting that needs most counts. With [Options.Scratch] S, the other order and the learned
// graphs lie in files; an A-step then holds [diffuse.SpillBytes] of entries on their way there. The
// number of entries that rows keep is estimated from a sample of the rows of W. DenseADP needs
// eight n×n matrices of float64. The estimate reads W twice.
func EstimateBytes(w *csr.Matrix, c int, opt Options) int64 {
	n, _ := w.Dims()
	opt, err := opt.WithDefaults(n)
	e := newEstimate(w, c, opt)
	if err != nil {
		return e.lgc() // the run reports the fault
	}
	return methods[opt.Method].bytes(e)
}

// estimate holds the sizes that the memory of a run depends on. Its options have their defaults.
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
	e.solver = 3*e.block + diffuse.ApartBytes(n, c)
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

// lgc returns the memory of one F-step.
func (e *estimate) lgc() int64 { return e.base + e.block + e.solver }

// onGraph returns the memory of a solver with blocks of its own, see [solvedBy].
func (e *estimate) onGraph() int64 { return e.base + 6*e.block + diffuse.ApartBytes(int(e.nodes), e.c) }

// dense returns the memory of the dense form, package adp/paper.
func (e *estimate) dense() int64 { return e.base + 7*e.block + 64*e.nodes*e.nodes }

// alternation returns the memory of rounds of sparse A-steps.
func (e *estimate) alternation() int64 {
	n, opt, block, base := int(e.nodes), e.opt, e.block, e.base
	ordering := int64(0)
	switch opt.orderOf(n) {
	case ClusterOrder: // the lists of joined clusters, instead of everything below
		ordering = 8*e.entries + 8*e.entries + 108*e.nodes
		fallthrough
	case DegreeOrder:
		base += 8*e.entries*e.inMemory + 16*e.nodes
	}
	settings := opt.settings(n, e.c, opt.shapeOf(e.w))
	walks := slices.ContainsFunc(settings, func(set Setting) bool { return !set.Fresh })
	m := newAlternationMemory(e.w, e.c, opt, walks)
	base += e.solver
	blocks := int64(2) // F and the last F
	if opt.Select != None {
		blocks += 2
	}
	most, best, trial := int64(0), int64(0), int64(0)
	for _, set := range settings {
		g := learnedSize(e.w, set)
		most = max(most, blocks*block+best+m.rounds(g, opt.Rounds, opt.Select != None))
		best = max(best, (8*g.entries+8*e.nodes)*e.inMemory)
		trial = max(trial, m.rounds(g, opt.Rounds, true))
	}
	if opt.folds() > 0 {
		together := opt.heldTogether(e.c)
		most = max(most, (blocks+2+together)*block+best+trial, (blocks+5*max(1, together))*block+best+diffuse.ApartBytes(n, max(1, int(together))*e.c))
	}
	return max(base+max(most, blocks*block), ordering)
}

// ResultBytes estimates the memory that a [Result] of n nodes and c classes keeps, its graph
// included.
func ResultBytes(w *csr.Matrix, c int, opt Options) int64 {
	n, _ := w.Dims()
	opt, err := opt.WithDefaults(n)
	bytes := int64(n) * (4*int64(c) + 13)
	if err != nil || !opt.Method.Has(LearnsSparse) || opt.Scratch != "" {
		return bytes
	}
	graph := int64(0)
	for _, set := range opt.settings(n, c, opt.shapeOf(w)) {
		graph = max(graph, 8*learnedSize(w, set).entries+8*int64(n))
	}
	return bytes + graph
}

// StepBytes estimates the memory of one A-step on W that is made in memory, beside W and what a result
// keeps; 0 where the options have faults.
func (o Options) StepBytes(w *csr.Matrix, c int) int64 {
	n, _ := w.Dims()
	o, err := o.WithDefaults(n)
	if err != nil {
		return 0
	}
	o.Scratch = ""
	g := learnedSize(w, Setting{TopK: o.TopK, GraphAlpha: o.GraphAlpha})
	return newAlternationMemory(w, c, o, true).rounds(g, 1, false)
}

// graphSize counts the entries of a learned graph at three stages: kept by top-k, made symmetric,
// with the anchor.
type graphSize struct{ kept, symmetric, entries int64 }

// learnedSize estimates the sizes for a setting on W. A row keeps k entries, or all that three
// steps on W reach. Two nodes that keep each other share one symmetric pair of entries. Between
// none of the pairs (random graphs) and two thirds of them (points in the plane) do so.
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
		// Neighbours on W are among the kept entries, up to k.
		mean := float64(w.NNZ()) / float64(n)
		g.entries += int64(max(mean-kept/2, mean/2) * float64(n))
	}
	return g
}

// sampledReach returns the mean, over a sample of rows, of the number of other nodes that walks of
// three steps reach, at most k each.
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

// reach counts the nodes that walks of the given length from i reach, up to k.
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

// alternationMemory holds the sizes that A-steps and F-steps of a run have in common.
type alternationMemory struct {
	n, block int64
	scratch  int64 // of an A-step that takes walks
	inFiles  bool  // the graphs
}

// newAlternationMemory measures W; walks says whether A-steps take walks, or the edges alone.
func newAlternationMemory(w *csr.Matrix, c int, opt Options, walks bool) alternationMemory {
	n, _ := w.Dims()
	workers := rows.Workers(opt.Threads)
	m := alternationMemory{n: int64(n), block: 4*int64(n)*int64(c) + 1 + diffuse.ApartBytes(n, c), inFiles: opt.Scratch != ""}
	if walks {
		m.scratch = int64(n)*int64(16+24*workers) + diffuse.HubBytes(w, opt.Hubs, workers)
	}
	return m
}

// rounds returns the memory of the graphs, and of the work on them, in the rounds of a setting,
// beside the class blocks. With keep it counts the best round's graph too.
func (m alternationMemory) rounds(g graphSize, rounds int, keep bool) int64 {
	work := m.block + 20*m.n + m.scratch
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
