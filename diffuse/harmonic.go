package diffuse

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Harmonic returns the classification F, n×c, of Gaussian fields and harmonic functions (GFHF):
// seeds keep their labels, and every other node that a seed reaches is the weighted mean of its
// neighbours,
//
//	F_u = (D_uu − W_uu)^-1 W_ul Y_l,
//
// solved as (I − S_uu) G_u = S_ul D_l^1/2 Y_l with F = D^-1/2 G by conjugate gradients. Rows of
// reached nodes sum to 1, others are 0. The seeds' own rows are their weights, scaled to sum to 1.
//
// With Options.Balance at its default the columns are then scaled to the class prior by class mass
// normalisation: F_ij ← F_ij π_j / Σ_i F_ij, rows scaled back to sum 1 (equal π unless
// Options.Prior). As in the paper, i runs over the nodes without a seed of all components together:
// classes are not balanced within components, as [LGC] does, and seeds' rows stay. Unbalanced
// leaves the harmonic functions alone. Options.Alpha and Solver are not used. W is not checked, see
// [Normalize].
//
// The system has no α to bound its condition: long thin graphs need many iterations, and where
// weights go over many decades the residual says nothing of the error. The sums of the rows do. A
// solution whose rows are off 1 by more than 2^-7 is solved for again, see check; if that fails too,
// Stats.Converged is false, and a row whose margin is below its error is a tie.
//
// Memory: four blocks of 4·n·c bytes; to solve again, 8·n·c and 40·n, and 16 an entry for up to
// 2^22 entries.
//
// X. Zhu, Z. Ghahramani, J. Lafferty: Semi-Supervised Learning Using Gaussian Fields and Harmonic
// Functions, ICML 2003; class mass normalisation there in section 4.
func Harmonic(ctx context.Context, s *Graph, y *Seeds, opt Options) (*csr.Dense, Stats, error) {
	if s.Dim() != y.Nodes {
		panic(fmt.Sprintf("diffuse: %d nodes, seeds for %d", s.Dim(), y.Nodes))
	}
	opt.Alpha = 0 // the system has none
	opt, err := opt.WithDefaults(y.Classes)
	if err != nil {
		return nil, Stats{}, err
	}
	h := harmonic{s: s, free: newSubset(freeNodes(s.S, y)), w: NewWorkspace(y.Nodes, y.Classes, opt.Threads)}
	b := h.rightSide(y)
	norms := slices.Clone(h.w.dot(b, b))
	for j := range norms {
		norms[j] = math.Sqrt(norms[j])
	}
	g := csr.NewDense(y.Nodes, y.Classes)
	stats, err := h.w.conjugateGradients(ctx, g, norms, opt, system{s: s, alpha: 1, free: h.free}, func(*csr.Dense, int) {
		h.apply(h.w.r, g)
		axpby(h.w.r, -1, b, 1, opt.Threads)
	})
	if err != nil {
		return nil, stats, err
	}
	if err := h.check(ctx, g, y, &stats, opt); err != nil {
		return nil, stats, err
	}
	var off []float64
	if !stats.Converged {
		off = h.offSums(g)
	}
	h.unscale(g, y)
	if opt.Balance == Balanced {
		massNormalize(g, opt.Prior, y, h.free.has)
	}
	for i, v := range off {
		shrink(g.Row(i), v)
	}
	return g, stats, nil
}

// harmonic is the system of the free nodes: those that a seed reaches and that are no seeds. Rows
// of all other nodes stay 0 in every block.
type harmonic struct {
	s    *Graph
	free *subset
	w    *Workspace
}

func freeNodes(s *csr.Matrix, y *Seeds) []bool {
	free := reached(s, y)
	for _, seed := range y.list {
		free[seed.Node] = false
	}
	return free
}

// mostOff is by how much the sum of a row of F, which is 1 for the exact solution, may be off. It
// tells what a residual does not: the error itself. Where nodes hang together by weights of 10^5
// and on the seeds by 10^-4, ‖G‖ is far above the right side, and the rounding of S above the gap
// of I − S_uu. On graphs of weights alike, the sums are off by 10^-6 to 6·10^-3 (decision 0017).
const mostOff = 0x1p-7

// check solves again by elimination if the system is small, or if conjugate gradients failed: by
// elimination or, where that takes too long, by conjugate gradients in float64 (4·n·c bytes more
// for the columns, 32·n). A solution whose rows do not sum to 1 has not converged.
func (h *harmonic) check(ctx context.Context, g *csr.Dense, y *Seeds, stats *Stats, opt Options) error {
	hard := !stats.Converged || !h.sumsToOne(g)
	entries, work := effort(hard, h.s.S.NNZ(), g.Cols, opt)
	if h.s.S.NNZ() <= entries && len(g.Data) <= entries {
		m, x := h.grounded(y)
		if done, err := m.eliminate(ctx, x, g.Cols, work); err != nil {
			return err
		} else if done {
			h.store(g, x)
			stats.eliminated(opt.Tolerance)
			return nil
		}
	}
	if !hard || stats.Iterations >= opt.MaxIterations {
		return nil
	}
	m, x := h.grounded(y)
	steps, err := m.descend(ctx, x, g.Cols, opt.MaxIterations-stats.Iterations, opt.Threads)
	if stats.Iterations += steps; err != nil {
		return err
	}
	h.store(g, x)
	stats.Converged = h.sumsToOne(g)
	return nil
}

// offSum returns by how much the sum of row i of D^-1/2 G is not 1, 0 for a row that is not free.
func (h *harmonic) offSum(g *csr.Dense, i int) float64 {
	if !h.free.has[i] {
		return 0
	}
	sum := 0.0
	for _, v := range g.Row(i) {
		sum += max(float64(v), 0)
	}
	return math.Abs(sum/math.Sqrt(h.s.Degrees[i]) - 1)
}

// sumsToOne reports whether all free rows of D^-1/2 G do.
func (h *harmonic) sumsToOne(g *csr.Dense) bool {
	var off atomic.Bool
	rows.Each(g.Rows, h.s.Threads, func(lo, hi int) {
		for i := lo; i < hi && !off.Load(); i++ {
			if !(h.offSum(g, i) <= mostOff) {
				off.Store(true)
			}
		}
	})
	return !off.Load()
}

// offSums returns offSum of each row.
func (h *harmonic) offSums(g *csr.Dense) []float64 {
	off := make([]float64, g.Rows)
	for i := range off {
		off[i] = h.offSum(g, i)
	}
	return off
}

// shrink makes all shares of a row equal, but for a last digit that keeps the label, if its margin
// is below the error: a label that such a solution does not tell is a tie.
func shrink(row []float32, off float64) {
	top := TopOf(row)
	if top.Class < 0 || off <= mostOff || float64(top.Margin) > off {
		return
	}
	for j := range row {
		row[j] = 1 / float32(len(row))
	}
	row[top.Class] *= 1 + 0x1p-22
}

// store makes G of F at the free nodes.
func (h *harmonic) store(g *csr.Dense, x []float64) {
	for i, is := range h.free.has {
		if is {
			storeRow(g.Row(i), x[i*g.Cols:(i+1)*g.Cols], math.Sqrt(h.s.Degrees[i]), true)
		}
	}
}

// grounded returns the system (D_uu − W_uu) F_u = W_ul Y_l and its right side, n×c. The excess of
// a row is its weight to seeds.
func (h *harmonic) grounded(y *Seeds) (*grounded, []float64) {
	m := newGrounded(h.s.S, h.s.Degrees, 1, h.free.has)
	at := csr.NewDense(y.Nodes, y.Classes)
	y.addRows(at)
	seed := y.Mask()
	b := make([]float64, y.Nodes*y.Classes)
	for i, is := range h.free.has {
		if !is {
			continue
		}
		row := b[i*y.Classes : (i+1)*y.Classes]
		cols, vals := h.s.S.Row(i)
		for k, j := range cols {
			if !seed[j] {
				continue
			}
			w := m.weight(i, j, vals[k])
			m.excess[i] += w
			for class, v := range at.Row(int(j)) {
				row[class] += float64(w * float64(v))
			}
		}
	}
	return m, b
}

// apply computes Q ← (I − S_uu) P.
func (h *harmonic) apply(q, p *csr.Dense) {
	h.s.Apply(q, p)
	axpby(q, -1, p, 1, h.s.Threads)
	h.free.restrict(q, h.s.Threads)
}

// rightSide returns S_ul D_l^1/2 Y_l.
func (h *harmonic) rightSide(y *Seeds) *csr.Dense {
	b := csr.NewDense(y.Nodes, y.Classes)
	clear(h.w.p.Data)
	h.addSeeds(h.w.p, y)
	h.s.Apply(b, h.w.p)
	h.free.restrict(b, h.s.Threads)
	return b
}

// addSeeds sets the seeds' rows, which are 0, to those of D_l^1/2 Y_l.
func (h *harmonic) addSeeds(x *csr.Dense, y *Seeds) {
	y.addRows(x)
	for _, seed := range y.list {
		x.Row(int(seed.Node))[seed.Class] *= float32(math.Sqrt(h.s.Degrees[seed.Node]))
	}
}

// unscale turns G into F = D^-1/2 G and writes the seeds' rows. Rows below the accuracy of the
// solver are filled from their neighbours, whose mean a harmonic row is.
func (h *harmonic) unscale(g *csr.Dense, y *Seeds) {
	clampNegative(g, h.s.Threads)
	h.addSeeds(g, y)
	h.s.FillReached(g, 1)
	for _, seed := range y.list {
		clear(g.Row(int(seed.Node)))
	}
	rows.Each(g.Rows, h.s.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if h.free.has[i] {
				normalizeRow(g.Row(i))
			}
		}
	})
	y.addRows(g)
}

// normalizeRow scales a row to sum 1. For a harmonic row this is the division by D^1/2, without its
// rounding.
func normalizeRow(row []float32) {
	sum := 0.0
	for _, v := range row {
		sum += float64(v)
	}
	if sum > 0 {
		for j := range row {
			row[j] = float32(float64(row[j]) / sum)
		}
	}
}

// addRows adds each seed's weights, scaled to sum 1, to its row.
func (s *Seeds) addRows(x *csr.Dense) {
	for k := 0; k < len(s.list); {
		end, sum := k, 0.0
		for ; end < len(s.list) && s.list[end].Node == s.list[k].Node; end++ {
			sum += float64(s.list[end].Weight)
		}
		for ; k < end; k++ {
			x.Row(int(s.list[k].Node))[s.list[k].Class] += float32(float64(s.list[k].Weight) / sum)
		}
	}
}

// massNormalize scales the columns of the free rows to the prior.
func massNormalize(f *csr.Dense, prior []float64, y *Seeds, free []bool) {
	mass := make([]float64, y.Classes)
	exponent := 0 // of the largest prior: any sum is allowed, but may be out of float32's range
	if prior != nil {
		_, exponent = math.Frexp(slices.Max(prior))
	}
	for i, is := range free {
		if is {
			for j, v := range f.Row(i) {
				mass[j] += float64(v)
			}
		}
	}
	for i, is := range free {
		if !is {
			continue
		}
		row := f.Row(i)
		for j := range row {
			if mass[j] > 0 {
				p := 1.0
				if prior != nil {
					p = math.Ldexp(prior[j], -exponent)
				}
				scaled := float32(float64(row[j]) * p / mass[j])
				if row[j] > 0 { // and stays above 0
					scaled = max(scaled, math.SmallestNonzeroFloat32)
				}
				row[j] = scaled
			}
		}
		normalizeRow(row)
	}
}

// reached reports which nodes of the graph with the symmetric matrix m are in a component with a
// seed. O(n + nnz).
func reached(m *csr.Matrix, y *Seeds) []bool {
	seen := y.Mask()
	queue := make([]uint32, 0, len(y.list))
	for _, seed := range y.list {
		queue = append(queue, seed.Node)
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		cols, _ := m.Row(int(i))
		for _, j := range cols {
			if !seen[j] {
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}
	return seen
}
