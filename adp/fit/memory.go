package fit

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/internal/trees"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// FirstGraph is the first step that [GraphOptions.Admit] is asked about. All others are of
// choosing another graph, and are not taken with [GraphOptions.Fixed], nor with edges and [GraphOptions.Mixed].
const FirstGraph = "the graph"

// admit asks whether a step may take some bytes beside those of the edges.
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

// took notes about the most bytes that a step took beside those of the edges.
func (m *maker) took(bytes int64) { m.peak = max(m.peak, bytes+m.edgeBytes()) }

// bytes estimates the most that making a graph takes: the points, the sum with edges, and a
// search among the points, or their ℓ1 combinations of support points each. made is the report of the
// search, nil before it.
func (m *maker) bytes(d design, support int, made *knn.GraphReport) int64 {
	n, dims, opt := m.in.points(), m.in.dims(), m.options(d)
	bytes := m.pointBytes(d)
	if m.in.Edges != nil {
		bytes += m.in.Edges.Bytes()
	}
	switch {
	case m.in.Sparse != nil:
		bytes += knn.SparseGraphBytes(m.in.Sparse, opt)
	case d.kind == L1:
		bytes += knn.SelfExpressiveBytes(n, dims, support, m.opt.Threads)
	case made != nil && m.in.Neighbors == nil:
		bytes += made.Bytes(opt)
	default:
		bytes += knn.GraphBytes(n, dims, opt)
	}
	if nb := m.in.Neighbors; nb != nil {
		found := 8 * int64(nb.N) * int64(nb.K)
		bytes = max(bytes+found, 2*found) // as read, and sorted
	}
	return bytes
}

// trialBytes is what trying graphs takes beside the points: LGC of folds side by side, the first
// graph g and the best, and the neighbours that are kept.
func (m *maker) trialBytes(g *Graph) int64 {
	bytes := adp.EstimateBytes(g.W, m.in.Seeds.Classes, adp.Options{Method: adp.LGC, Threads: m.opt.Threads})
	k := int64(diffuse.TogetherOf(m.in.Seeds.Classes, crossval.ChoiceFolds))
	bytes += 2*g.W.Bytes() + 6*k*4*int64(m.in.Nodes())*int64(m.in.Seeds.Classes)
	if m.opt.Joinable {
		bytes += 3 * int64(m.in.points()) * int64(8*g.Make.Search.K)
	}
	return bytes
}

// EstimateBytes returns about the most memory that [Label] takes for a graph and a number of
// classes, the graph included ([adp.EstimateBytes]); a calibration runs while the result is
// held. It is 0 without a graph.
func EstimateBytes(w *csr.Matrix, classes int, opt Options) int64 {
	if w == nil {
		return 0
	}
	opt.Run.Method = opt.Method()
	bytes := adp.EstimateBytes(w, classes, opt.Run)
	if opt.Calibrate {
		fold := opt.Run
		fold.TrialFolds = -1
		bytes = max(bytes, adp.ResultBytes(w, classes, opt.Run)+adp.EstimateBytes(w, classes, fold))
	}
	return bytes
}

// PoolBytes returns about the most memory that [LabelInput] takes for an input and the graph that
// [NewGraph] made of it, all three included. Before the feature step it is that of [Label] beside
// the features and the graphs of each alone. In the step, for n nodes, c classes, w = nnz(W),
// x = nnz(X) and k = [diffuse.Rank], or the columns of X where these are fewer:
//
//	features     4·x as they are prepared and, sparse, 8·x for their transpose
//	diffused     4·k·n, of words alone and with edges of up to 2·10⁶ nodes twice, and 384·n at most to make them
//	scores       4·n·c of 12 blocks: two of the mixture, one of a method, five that methods
//	             share, and four of a solver; of 8s+2 if that is more where s sets of seeds are solved
//	             together, and their labels kept; of words of up to [adp.FullNodes] nodes three more, and one of each
//	             teacher of each fold
//	graphs       4·nnz of S of each, of the rebuilt one 8·v for v = w + 20·n entries, and of a taught
//	             one 8·(v + 11·n), twice
//	columns      16·c a column of the widest map, with more than [diffuse.MostDual] seeds
//	kernels      8·m² for m seeds up to [diffuse.MostDual], five times, without edges four; of up to 100 columns of features 4·n·d, and 12·m²
//	             up to [diffuse.MostIterated]
//	left out     8·m·(c+2) a method
//	links        [diffuse.LinkBytes], with edges
//	degrees      44·n, with edges
//	trees        6,000·m where they take part; with edges 4·n·(3d+3), and 8·n·d more to make them
//	explaining   8·k·d for d columns of X, twice the transpose, and two blocks of n·c
//
// and without edges a run on a fold, or the kernel of n rows and 48 seeds and, of each set of seeds, the scores of the kernel
// regression.
//
// Edges alone take the scores, S, the degrees, Ẑ of [diffuse.Walks] and a run on a fold, and what
// [diffuse.LinkBytes] and [diffuse.WalkBytes] say.
//
// With edges and features a run on each alone, the labels of both, Ẑ of the walks and distances may take part.
//
// Runs on each graph alone take their memory before S and diffused features are made. A pool with such runs holds no S of the sum.
// PoolBytes is 0 for parts of which [LabelInput] returns an [ErrInput].
func PoolBytes(in *Input, g *Graph, opt Options) int64 {
	if in == nil || in.Seeds == nil || g == nil || g.W == nil || in.checkGraph(g) != nil {
		return 0
	}
	opt = in.beforeStep(opt)
	n, c, dims := int64(in.Nodes()), int64(in.Seeds.Classes), int64(in.dims())
	w := int64(g.W.NNZ())
	held := g.W.Bytes()
	if !in.featured() {
		return in.linkedBytes(g, opt)
	}
	if in.Edges != nil {
		held += in.Edges.Bytes() + g.OfFeatures.Bytes()
	}
	raw := in.featureBytes()
	before := in.runBytes(g, opt)
	m := in.kernelSeeds()
	x, across, shared := in.preparedBytes()
	step := held + x + adp.ResultBytes(g.W, int(c), opt.Run)
	rank := 4 * min(diffuse.Rank, dims)
	if in.treesPay() {
		step += 60 * trees.Count * int64(len(in.Seeds.List()))
	}
	parts := 3 * min(4*32, rank) * n // of [diffuse.Diffused.LowRank]
	low, making := rank*n, parts+across+rank*dims
	scoring := across + scoreBytes(n, c) + in.leftOutBytes(mostMembers)
	if teachable(in.words(), in.Nodes()) {
		scoring += (3 + crossval.ChoiceFolds*in.teachers()) * 4 * n * c
	}
	if len(opt.Explain) > 0 { // Q and Xᵀ of two graphs, and what members share
		step += 2*rank*dims + 2*across + 8*n*c
	}
	if in.Edges == nil {
		fold := opt.Run
		fold.TrialFolds, fold.Select = -1, adp.None
		decay, scored := in.decayBytes()
		running := max(adp.EstimateBytes(g.W, int(c), fold)-g.W.Bytes(), scored)
		if step += decay; in.words() {
			low *= 2
		}
		scoring += 4*8*m*m + in.columnBytes()
		return max(before, step+raw-shared, step+4*w+low+max(making, across+(3+together(n, c))*4*n*c+running, scoring))
	}
	step += 44 * n
	apart := 4 * (int64(in.Edges.NNZ()) + int64(g.OfFeatures.NNZ())) // S of each
	sum := apart + 4*w
	if in.treesPay() {
		step += 4 * n * (3*dims + 3)
		making = max(making, 8*n*dims)
	}
	scoring += 8*m*m + in.columnBytes() // of links
	making = max(making, diffuse.LinkBytes(in.Edges, in.Seeds, opt.Run.Threads))
	scoring += 4 * 8 * m * m
	v := w
	if n <= adp.FullNodes { // the sum is rebuilt
		v += 2 * knn.DefaultK * n
		step += 8 * (v + n)
		making = max(making, knn.GraphBytes(int(n), int(min(rebuiltColumns, dims)), rebuiltOptions(int(n), knn.Cosine, opt.Run.Threads))+8*v)
	}
	taught := 2 * 8 * (v + 11*n)
	making = max(making, across+rank*dims+parts+8*int64(in.Edges.NNZ())+12*n) // of shuffled features
	beside, running := in.besideBytes(g, opt.Run, len(opt.Explain) > 0, scoring)
	both := low // of diffused features on the edges and the features' graph, which has no structure
	if n <= hugeNodes {
		both += low
	}
	return max(before, step+sum+raw-shared, step+sum+low+max(making, scoring), step+across+running, step+apart+both+max(making, beside), step+sum+taught+4*4*n*c)
}

// beforeStep returns what the run before the feature step does: with edges and features label spreading alone, and no calibration,
// since its confidence is not that of the mixture.
func (in *Input) beforeStep(opt Options) Options {
	opt.Run.Method = opt.Method()
	opt.Calibrate = false
	if in.Edges != nil && in.featured() {
		opt.Run.Method = adp.LGC
	}
	return opt
}

// runBytes is what the run before the feature step takes, with the features and the graphs of each alone.
func (in *Input) runBytes(g *Graph, opt Options) int64 {
	bytes := EstimateBytes(g.W, in.Seeds.Classes, in.beforeStep(opt))
	if !in.featured() {
		return bytes
	}
	if in.Edges != nil {
		bytes += in.Edges.Bytes() + g.OfFeatures.Bytes()
	}
	return bytes + in.featureBytes()
}

// runColumns returns the class columns that the run before the feature step works on at a time: all (0) where that takes no
// more than the step does with as many as opt says. Two columns of ten at a time read S five times a product.
func (in *Input) runColumns(g *Graph, opt Options) int {
	all := opt
	all.Run.ClassColumns = 0
	if opt.Run.ClassColumns == 0 || in.runBytes(g, all) > PoolBytes(in, g, opt) {
		return opt.Run.ClassColumns
	}
	return 0
}

// LeastPoolBytes returns what [PoolBytes] is at least, before there is a graph: that of features without neighbours.
func LeastPoolBytes(in *Input, opt Options) int64 {
	if in == nil || in.Seeds == nil {
		return 0
	}
	n := in.Nodes()
	none, err := csr.New(n, n, make([]int64, n+1), nil, nil)
	if err != nil {
		return 0 // of no nodes, which a run reports
	}
	g := &Graph{W: none, OfFeatures: none}
	if in.Edges != nil {
		g.W = in.Edges
	}
	return PoolBytes(in, g, opt)
}

// linkedBytes is [PoolBytes] of edges alone: of scores and S as with features, the degrees, Ẑ of the walks, and the larger of
// [diffuse.LinkBytes] and [diffuse.WalkBytes].
func (in *Input) linkedBytes(g *Graph, opt Options) int64 {
	n, c, w := int64(in.Nodes()), int64(in.Seeds.Classes), int64(g.W.NNZ())
	fold := opt.Run
	fold.TrialFolds, fold.Select = -1, adp.None
	m := in.kernelSeeds()
	step := g.W.Bytes() + adp.ResultBytes(g.W, int(c), opt.Run) + 4*w + 60*n
	walks, walking := walkingBytes(n, c, len(opt.Explain) > 0)
	running := adp.EstimateBytes(g.W, int(c), fold) - g.W.Bytes() + 3*4*n*c
	scoring := scoreBytes(n, c) + in.leftOutBytes(linkedMembers) + 5*8*m*m + in.columnBytes()
	making := max(diffuse.LinkBytes(g.W, in.Seeds, opt.Run.Threads), walking)
	return max(in.runBytes(g, opt), step+max(making, 16*n+walks+max(running, scoring)))
}

// walkingBytes is what where walks end takes: what stays, which is scores and, to explain nodes, Ẑ, and making it.
func walkingBytes(n, c int64, explained bool) (stays, making int64) {
	ends := 4 * n * int64(walkCells(int(n)))
	making = ends + max(diffuse.WalkBytes(n), 3*4*n*c)
	if stays = 4 * n * c; explained {
		stays += ends
	}
	return stays, making
}

// unitMaps is the number of maps of a pool with rows of unit length, which hold the length of each ([diffuse.Diffused.Unit]).
const unitMaps = 12

// besideBytes is what the runs on each graph alone, where edges and features tell of other things, take with the scores of a pool of them,
// and each of the runs before that.
func (in *Input) besideBytes(g *Graph, opt adp.Options, explained bool, scoring int64) (scored, running int64) {
	n, c := int64(in.Nodes()), in.Seeds.Classes
	opt.Method = adp.ADP
	w := in.Edges
	if g.OfFeatures.NNZ() > w.NNZ() {
		w = g.OfFeatures
	}
	kept := n * (4*int64(c) + 13) // of a result without its graph
	walks, walking := walkingBytes(n, int64(c), explained)
	if explained {
		kept = max(adp.ResultBytes(in.Edges, c, opt), adp.ResultBytes(g.OfFeatures, c, opt))
	}
	scored = max(scoring+walks+8*n*unitMaps, walking) + 2*kept
	if n <= adp.FullNodes {
		held, scoring := in.decayBytes()
		scored += held + scoring
	}
	return scored, 2*4*n*int64(c) + kept + adp.EstimateBytes(w, c, opt) - w.Bytes()
}

// kernelSeeds returns the number of nodes that kernels are made of: 0 where there are too many.
func (in *Input) kernelSeeds() int64 {
	if m := in.Seeds.Labelled(); m <= diffuse.MostDual {
		return int64(m)
	}
	return 0
}

// decayBytes returns what kernel regression takes where it may take part: the columns of its kernel, with more seeds than other kernels
// are made of K itself; and while it scores, n rows of K for a block of seeds and the scores of each set of seeds.
func (in *Input) decayBytes() (held, scoring int64) {
	n, m, c := int64(in.Nodes()), int64(in.Seeds.Labelled()), int64(in.Seeds.Classes)
	if in.words() || in.dims() > mostDifferences || m > diffuse.MostIterated {
		return 0, 0
	}
	if held = 4 * n * int64(in.dims()); m > diffuse.MostDual {
		held += 12*m*m + 60*m*c
	}
	return held, 4*n*seedBlock + seedSets(n)*4*n*c
}

// columnBytes returns what a ridge takes beside other scores where there are too many seeds for a kernel: four blocks of the
// columns that are solved for, 2n of neighbours in common, or those of two blocks of features, or of one without edges.
func (in *Input) columnBytes() int64 {
	if in.Seeds.Labelled() <= diffuse.MostDual {
		return 0
	}
	columns := int64(in.dims())
	if in.Edges != nil {
		columns = max(2*columns, 2*int64(in.Nodes()))
	}
	return 4 * 4 * columns * int64(in.Seeds.Classes)
}

// scoreBytes returns the memory of the blocks of n·c numbers that scores take: those of one set of seeds, or of
// some that are solved together.
func scoreBytes(n, c int64) int64 {
	s, blocks := together(n, c), int64(12)
	if s > 1 {
		blocks = max(12, 8*s+2)
	}
	return blocks*4*n*c + diffuse.ApartBytes(int(n), int(s*c))
}

// The most methods of a pool, with features and of edges alone, and about as many as teach others where there are edges and words.
const (
	mostMembers    = 18
	linkedMembers  = 5
	teachersBeside = 10
)

// leftOutBytes returns the memory of what methods say of left-out seeds, twice: all of them, and a part.
func (in *Input) leftOutBytes(members int64) int64 {
	seeds := int64(len(in.Seeds.List()))
	if in.Nodes() > adp.FullNodes {
		seeds = min(seeds, int64(crossval.Plenty(in.Seeds.Classes))+seeds/crossval.ChoiceFolds)
	}
	return 2 * members * seeds * (4*int64(in.Seeds.Classes) + 8)
}

// together returns how many sets of seeds are solved together.
func together(n, c int64) int64 { return int64(diffuse.TogetherOf(int(c), int(seedSets(n)))) }

// teachers returns about how many members teach others.
func (in *Input) teachers() int64 {
	if in.Edges == nil {
		return int64(len(wordsAlone))
	}
	return teachersBeside
}

// hugeNodes is the number of nodes of a graph above which each set of seeds is scored by itself, and features are diffused over one graph.
const hugeNodes = 2_000_000

// seedSets returns how many sets of seeds are scored side by side, at most: those of the folds, and all. Large graphs have two at a time,
// very large ones one, for their memory.
func seedSets(n int64) int64 {
	switch {
	case n > hugeNodes:
		return 1
	case n > adp.FullNodes:
		return 2
	}
	return crossval.ChoiceFolds + 1
}

// featureBytes is the memory of the features.
func (in *Input) featureBytes() int64 {
	if in.Sparse != nil {
		return in.Sparse.Bytes()
	}
	return 4 * int64(len(in.Dense.Data))
}

// preparedBytes returns the memory of the prepared features and of the transpose of sparse ones, and
// what the first shares with the features as they are.
func (in *Input) preparedBytes() (x, across, shared int64) {
	switch {
	case in.Sparse != nil:
		entries := int64(in.Sparse.NNZ())
		return in.Sparse.Bytes(), 8*entries + 8*int64(in.dims()), in.Sparse.Bytes() - 4*entries
	case in.words(): // prepare makes them sparse
		entries := int64(0)
		for _, v := range in.Dense.Data {
			if v != 0 {
				entries++
			}
		}
		return 8*entries + 8*int64(in.Dense.Rows), 8*entries + 8*int64(in.dims()), 0
	}
	return 4 * int64(in.Nodes()) * int64(in.Dense.Cols), 0, 0
}
