// Package explain tells which seeds gave a node its label, along which paths, and which seeds would
// flip it.
//
// F = (1−α)(I − αS)^-1 Ỹ is linear in the seeds: with K = (1−α)(I − αS)^-1,
//
//	F_ij = Σ_s K_is Ỹ_sj,
//
// and as K is symmetric, its row i is one solve. Each term of the sum is the exact contribution of
// one seed. K is also a sum over all walks, (1−α) Σ_t α^t S^t; the strongest path is its largest
// term.
package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Explanation explains the label of a node.
type Explanation struct {
	Node int
	// Scores are F_i by class, the sums of the parts.
	Scores []float64
	// Label is the class of the largest score, RunnerUp of the second; -1 if no seed reaches the
	// node, or seeds of one class only. A seed so far that K_is is below 10^-51 counts as not
	// reaching it; Underflow says that there are only such seeds.
	Label, RunnerUp int
	Underflow       bool
	// Parts are the contributions of all seeds that reach the node, largest
	// first.
	Parts []Part
	// Flip holds the seeds of the label without which FlipTo would have the largest score, with the
	// other seeds balanced anew by [diffuse.Balanced]; nil if no other class reaches the node. No
	// fewer seeds suffice. In a graph of several components this holds up to 8 seeds; larger
	// numbers are found by halving. There a smaller set than the one returned may suffice.
	Flip   []diffuse.Seed
	FlipTo int
	// Converged reports whether the solve reached its tolerance.
	Converged bool
}

// least is the share of the largest part below which a part may be an error of the solver.
const least = 1e-4

// Part is the contribution of a seed to the score of its class.
type Part struct {
	Seed   diffuse.Seed
	Amount float64 // K_is Ỹ_s
	// Path leads from the node to the seed, both included, along the edges with the largest product
	// of αS_ij; nil for parts beyond those asked for.
	Path []int
	// Share is the fraction of Amount that comes by Path alone.
	Share float64

	scale float64 // Ỹ_s / Y_s
}

// Node explains the label that LGC ([diffuse.LGC]) on the graph g with the seeds y gives to a node,
// with paths to the seeds of the first few parts. The matrix of g is not checked, see
// [diffuse.Normalize].
//
// For the label of a run of ADP on a graph w, g is the learned graph, opt.Alpha that of the chosen
// round, and opt.Within the components of w, [diffuse.PartsOf](w, threads): classes would be
// balanced differently in the components of g, which the labels made. With a result r of adp.Run, g
// is diffuse.Normalize(r.Graph, threads), and r.Diffusion gives these options.
//
// Cost: one solve of one column, and Dijkstra's algorithm on g as far as the seeds. Memory: 48
// bytes a node, and 16 for each entry of g on the way. Errors: a node out of range and options are
// diffuse.ErrOptions; ctx.Err(). Seeds of another number of nodes than g has panic.
func Node(ctx context.Context, g *diffuse.Graph, y *diffuse.Seeds, node, paths int, opt diffuse.Options) (*Explanation, error) {
	if g.Dim() != y.Nodes {
		panic(fmt.Sprintf("explain: a graph of %d nodes, seeds of %d", g.Dim(), y.Nodes))
	}
	opt, err := opt.WithDefaults(y.Classes)
	if err != nil {
		return nil, err
	}
	if node < 0 || node >= y.Nodes {
		return nil, fmt.Errorf("%w: node %d, expected 0 to %d", diffuse.ErrOptions, node, y.Nodes-1)
	}
	e := &Explanation{Node: node, Scores: make([]float64, y.Classes), Label: -1, RunnerUp: -1}
	scale := g.Scale(y, opt)
	amount := func(kernel kernelRow, k int) float64 {
		s := y.List()[k]
		return scale[k] * float64(s.Weight) * kernel.at(s.Node)
	}
	// Seeds far from the node are solved for as long as one may contribute.
	opt.Underflow = func(f *csr.Dense, limit float64) bool {
		top, most := 0.0, 0.0
		for k, s := range y.List() {
			most = max(most, scale[k]*float64(s.Weight))
			if float64(f.Data[s.Node]) >= limit {
				top = max(top, amount(kernelRow{f}, k))
			}
		}
		return limit/unit*most > least*top
	}
	kernel, converged, err := row(ctx, g, node, opt)
	if err != nil {
		return nil, err
	}
	e.Converged = converged
	for k, s := range y.List() {
		if amount := amount(kernel, k); amount > 0 {
			e.Parts = append(e.Parts, Part{Seed: s, Amount: amount, scale: scale[k]})
		}
	}
	slices.SortStableFunc(e.Parts, func(a, b Part) int { return cmp.Compare(b.Amount, a.Amount) })
	for _, p := range e.Parts {
		e.Scores[p.Seed.Class] += p.Amount
	}
	e.rank()
	if e.Label < 0 {
		here := diffuse.ComponentOf(g, node)
		e.Underflow = slices.ContainsFunc(y.List(), func(s diffuse.Seed) bool { return diffuse.ComponentOf(g, int(s.Node)) == here })
		return e, nil
	}
	if err := e.flip(ctx, g, y, kernel, opt); err != nil {
		return nil, err
	}
	if err := walk(ctx, g.S, opt.Alpha, node, e.Parts[:min(max(paths, 0), len(e.Parts))]); err != nil {
		return nil, err
	}
	return e, nil
}

// kernelRow is a row of K times unit, n×1.
type kernelRow struct{ f *csr.Dense }

// unit is the weight of the node in its row: it extends the range of float32 downwards by as much.
// Below underflowEnd a sum does not have all its digits, and tells nothing.
const (
	unit         = 0x1p58
	underflowEnd = 0x1p-110
)

// at returns K_is for the node s; 0 if it is too small to tell.
func (k kernelRow) at(s uint32) float64 {
	v := float64(k.f.Data[s])
	if v < underflowEnd {
		return 0
	}
	return v / unit
}

// exactly is an operator that leaves empty rows empty: filling gives them an order, not a size.
type exactly struct {
	diffuse.RowOperator
	diffuse.Gatherer
}

// row returns row i of K.
func row(ctx context.Context, g *diffuse.Graph, i int, opt diffuse.Options) (kernelRow, bool, error) {
	one, err := diffuse.NewSeeds(g.Dim(), 1, []diffuse.Seed{{Node: uint32(i), Weight: unit}})
	if err != nil {
		return kernelRow{}, false, err
	}
	opt.Balance, opt.Prior = diffuse.Unbalanced, nil
	k := csr.NewDense(g.Dim(), 1)
	stats, err := diffuse.NewWorkspace(g.Dim(), 1, opt.Threads).LGC(ctx, k, exactly{g, g}, g.Degrees, one, opt)
	return kernelRow{k}, stats.Converged, err
}

// rank finds the two classes with the largest scores; among equal ones the first.
func (e *Explanation) rank() {
	for j, v := range e.Scores {
		switch {
		case v <= 0:
		case e.Label < 0 || v > e.Scores[e.Label]:
			e.Label, e.RunnerUp = j, e.Label
		case e.RunnerUp < 0 || v > e.Scores[e.RunnerUp]:
			e.RunnerUp = j
		}
	}
}

// walk fills in the paths of parts.
func walk(ctx context.Context, s *csr.Matrix, alpha float64, node int, parts []Part) error {
	n, _ := s.Dims()
	d := newDijkstra(n, node)
	wanted := map[int]bool{}
	for _, p := range parts {
		wanted[int(p.Seed.Node)] = true
	}
	for len(wanted) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, ok := d.next()
		if !ok {
			return nil
		}
		delete(wanted, at)
		cols, vals := s.Row(at)
		for k, j := range cols {
			if vals[k] > 0 {
				d.offer(at, int(j), -math.Log(alpha*float64(vals[k])))
			}
		}
	}
	for k := range parts {
		p := &parts[k]
		p.Path = d.path(int(p.Seed.Node))
		weight := p.scale * float64(p.Seed.Weight)
		p.Share = (1 - alpha) * math.Exp(-d.cost[p.Seed.Node]) * weight / p.Amount
	}
	return nil
}
