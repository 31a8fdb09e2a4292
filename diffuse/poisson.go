package diffuse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// ErrRange is wrapped by errors about a solution in numbers that float32 does not hold.
var ErrRange = errors.New("diffuse: solution out of range")

// Poisson returns the classification F, n×c, of Poisson learning. Seeds are sources and sinks of
// their classes, not values that stay. With L = D − W, the seeds l of a connected component C,
// their weights y_lj and their mean ȳ_C,
//
//	(L U)_i = Σ_{l at i} (y_l − |y_l| ȳ_C),   Σ_{i∈C} D_ii U_i = 0,
//
// where |y_l| is Σ_j y_lj. U_ij counts by how much walkers from the seeds of class j visit i more
// often than in the long run, over D_ii. It is informative with one label a class, where harmonic
// functions are spikes at the seeds on a plain.
//
// The scores are z_ij = s_j U_ij, with s_j = π_j/ȳ_j for the class prior π (equal classes unless
// Options.Prior) and the share ȳ_j of class j in the weights of all seeds; Unbalanced, s_j = 1. The
// label is the class of the largest score, as in the paper. Scores have both signs, and any size. F
// holds them as shares of 1,
//
//	F_ij = exp(z_ij/σ_C) / Σ_k exp(z_ik/σ_C),
//
// over the classes with seeds in C. σ_C is the median, over the nodes of C without a seed, of the
// lead of the largest z_ij over the second: a node of that lead has odds of e to 1 between its
// first two classes. If the median is 0, up to rounding, it is that of the other leads. Entries of
// other classes are 0, and so are the rows of a component without seeds. If all seeds of C are of
// one class, or their sources cancel, U is 0, and F_i is ȳ_C.
//
// The system is solved as (I − S) G = D^-1/2 B, U = D^-1/2 G, by conjugate gradients: a Jacobi
// preconditioner on L. G stays orthogonal to D^1/2 on each component, where I − S is not singular.
// Options.Alpha, Solver, Within and Underflow are not used. W is not checked, see [Normalize].
//
// U is as large as the weights of edges between seeds of several classes are small. It returns an [ErrRange] where
// float32 does not hold it.
//
// Memory: five blocks of 4·n·c bytes, 10 bytes a node. The system has no α to bound its condition:
// long thin graphs need many iterations, and float32 cannot tell modes with eigenvalues below about
// 10^-6 from rounding. Small systems, and those on which conjugate gradients fail, are solved again
// by elimination: 16·n·c bytes and 16 an entry more.
//
// J. Calder, B. Cook, M. Thorpe, D. Slepčev: Poisson Learning: Graph Based Semi-Supervised Learning
// At Very Low Label Rates, ICML 2020.
func Poisson(ctx context.Context, s *Graph, y *Seeds, opt Options) (*csr.Dense, Stats, error) {
	if s.Dim() != y.Nodes {
		panic(fmt.Sprintf("diffuse: %d nodes, seeds for %d", s.Dim(), y.Nodes))
	}
	opt.Alpha = 0 // the system has none
	opt, err := opt.WithDefaults(y.Classes)
	if err != nil {
		return nil, Stats{}, err
	}
	p := newPoisson(s, y.near1(), opt)
	b := p.sources()
	norms := slices.Clone(p.w.dot(b, b))
	for j := range norms {
		norms[j] = math.Sqrt(norms[j])
	}
	g := csr.NewDense(y.Nodes, y.Classes)
	stats, err := p.w.conjugateGradients(ctx, g, norms, opt, system{s: s, alpha: 1, free: p.free}, func(*csr.Dense, int) {
		p.centre(g) // the constraint, which steps keep up to rounding
		p.s.Apply(p.w.r, g)
		axpby(p.w.r, 1, g, -1, opt.Threads)
		axpby(p.w.r, 1, b, 1, opt.Threads)
		p.free.restrict(p.w.r, opt.Threads)
		p.centre(p.w.r)
	})
	if err != nil {
		return nil, stats, err
	}
	if err := p.refine(ctx, g, &stats); err != nil {
		return nil, stats, err
	}
	if err := p.finish(g); err != nil {
		return nil, stats, err
	}
	return g, stats, nil
}

// refine solves again by elimination if the system is small, or if conjugate gradients failed. In
// each component the node of the largest degree is held at 0, then all are centred. Sources of both
// signs are solved for apart, since elimination adds only.
func (p *poisson) refine(ctx context.Context, g *csr.Dense, stats *Stats) error {
	c := g.Cols
	entries, work := effort(!stats.Converged, p.s.S.NNZ(), 2*c, p.opt)
	if p.s.S.NNZ() > entries || 2*len(g.Data) > entries {
		return nil
	}
	m := newGrounded(p.s.S, p.s.Degrees, 1, slices.Clone(p.free.has))
	hub := slices.Repeat([]int{-1}, len(p.of))
	for i, is := range m.has {
		if k := p.at[i]; is && (hub[k] < 0 || p.s.Degrees[i] > p.s.Degrees[hub[k]]) {
			hub[k] = i
		}
	}
	for _, k := range hub {
		if k < 0 {
			continue
		}
		m.has[k] = false
		cols, vals := m.s.Row(k)
		for at, j := range cols {
			m.excess[j] += m.weight(k, j, vals[at])
		}
	}
	x := make([]float64, 2*len(g.Data))
	p.eachSource(func(node, class int, v float64) {
		if v < 0 {
			class += c
		}
		x[node*2*c+class] = math.Abs(v)
	})
	for _, k := range hub {
		if k >= 0 {
			clear(x[k*2*c : (k+1)*2*c])
		}
	}
	if done, err := m.eliminate(ctx, x, 2*c, work); !done {
		return err
	}
	p.store(g, x, m.roots)
	p.noise = 0x1p-46
	stats.eliminated(p.opt.Tolerance)
	return nil
}

// store makes G of the two parts of U, centred in each component.
func (p *poisson) store(g *csr.Dense, x, roots []float64) {
	c := g.Cols
	sums := make([]float64, len(p.of)*c)
	for i, is := range p.free.has {
		if is {
			for j := range c {
				x[i*2*c+j] -= x[i*2*c+c+j]
				sums[int(p.at[i])*c+j] += float64(p.s.Degrees[i] * x[i*2*c+j])
			}
		}
	}
	p.eachFree(func(i int) {
		k := int(p.at[i])
		for j := range c {
			g.Row(i)[j] = float32(roots[i] * (x[i*2*c+j] - sums[k*c+j]/p.of[k].degree))
		}
	})
}

// poisson is the system of the components with sources.
type poisson struct {
	s    *Graph
	y    *Seeds
	opt  Options
	w    *Workspace
	free *subset // rows of these components
	// noise is the rounding of the solution, as a share of its largest entry.
	noise float64
	at    []int32   // the seeded component of each row, -1 for none
	of    []*source // by seeded component
}

// source holds the sums of a component with seeds.
type source struct {
	mass   []float64 // Σ y of each class
	total  float64   // of all
	degree float64   // Σ D
	flows  bool      // the sources do not cancel
}

// mixed reports whether the component has seeds of several classes.
func (c *source) mixed() bool {
	return slices.Max(c.mass) < c.total
}

func newPoisson(s *Graph, y *Seeds, opt Options) *poisson {
	p := &poisson{s: s, y: y, opt: opt, noise: 0x1p-24, w: NewWorkspace(y.Nodes, y.Classes, opt.Threads), at: make([]int32, y.Nodes)}
	place := map[uint32]int32{}
	for _, seed := range y.list {
		c := ComponentOf(s, int(seed.Node))
		k, known := place[c]
		if !known {
			k = int32(len(p.of))
			place[c] = k
			p.of = append(p.of, &source{mass: make([]float64, y.Classes)})
		}
		p.of[k].mass[seed.Class] += float64(seed.Weight)
		p.of[k].total += float64(seed.Weight)
	}
	free := make([]bool, y.Nodes)
	for i, d := range s.Degrees {
		k, known := place[ComponentOf(s, i)]
		if p.at[i] = k; !known {
			p.at[i] = -1
			continue
		}
		p.of[k].degree += d
		free[i] = p.of[k].mixed() && d > 0
	}
	p.free = newSubset(free)
	return p
}

// cancelled is the relative weight of a seed below which its source is rounding.
const cancelled = 0x1p-40

// sources returns D^-1/2 B, divided by the largest D^-1/2 of a seed.
func (p *poisson) sources() *csr.Dense {
	b := csr.NewDense(p.y.Nodes, p.y.Classes)
	least := math.Inf(1)
	for _, seed := range p.y.list {
		if p.free.has[seed.Node] {
			least = min(least, p.s.Degrees[seed.Node])
		}
	}
	p.eachSource(func(node, class int, v float64) {
		b.Row(node)[class] = float32(math.Sqrt(least/p.s.Degrees[node]) * v)
	})
	return b
}

// eachSource calls use for the sources that are not rounding.
func (p *poisson) eachSource(use func(node, class int, v float64)) {
	row := make([]float64, p.y.Classes)
	for k := 0; k < len(p.y.list); {
		node := int(p.y.list[k].Node)
		clear(row)
		total := 0.0
		for ; k < len(p.y.list) && int(p.y.list[k].Node) == node; k++ {
			row[p.y.list[k].Class] = float64(p.y.list[k].Weight)
			total += float64(p.y.list[k].Weight)
		}
		if !p.free.has[node] {
			continue
		}
		c := p.of[p.at[node]]
		for j := range row {
			v := row[j] - float64(total*c.mass[j]/c.total)
			if math.Abs(v) > cancelled*total {
				use(node, j, v)
				c.flows = true
			}
		}
	}
}

// centre removes from x, whose rows are 0 but for the free ones, its projection on D^1/2 in each
// component.
func (p *poisson) centre(x *csr.Dense) {
	sums := make([][]float64, len(p.of))
	for k := range sums {
		sums[k] = make([]float64, x.Cols)
	}
	for i, is := range p.free.has {
		if is {
			sum, root := sums[p.at[i]], math.Sqrt(p.s.Degrees[i])
			for j, v := range x.Row(i) {
				sum[j] += float64(root * float64(v))
			}
		}
	}
	p.eachFree(func(i int) {
		c, sum, root := p.of[p.at[i]], sums[p.at[i]], math.Sqrt(p.s.Degrees[i])
		row := x.Row(i)
		for j := range row {
			row[j] = float32(float64(row[j]) - float64(root*sum[j]/c.degree))
		}
	})
}

func (p *poisson) eachFree(use func(i int)) {
	rows.Each(len(p.free.has), p.opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if p.free.has[i] {
				use(i)
			}
		}
	})
}

// factors returns s_j of each class, up to a common factor.
func (p *poisson) factors() []float64 {
	factor := slices.Repeat([]float64{1}, p.y.Classes)
	if p.opt.Balance == Unbalanced {
		return factor
	}
	exponent := 0 // of the largest prior: any sum is allowed
	if p.opt.Prior != nil {
		_, exponent = math.Frexp(slices.Max(p.opt.Prior))
	}
	mass, total := make([]float64, p.y.Classes), 0.0
	for _, seed := range p.y.list {
		mass[seed.Class] += float64(seed.Weight)
		total += float64(seed.Weight)
	}
	for j := range factor {
		if p.opt.Prior != nil {
			factor[j] = math.Ldexp(p.opt.Prior[j], -exponent)
		}
		if mass[j] > 0 {
			factor[j] *= total / mass[j]
		}
	}
	return factor
}

// finish turns the rows of G into those of F.
func (p *poisson) finish(g *csr.Dense) error {
	factor := p.factors()
	p.eachFree(func(i int) {
		root, row := math.Sqrt(p.s.Degrees[i]), g.Row(i)
		for j := range row {
			row[j] = float32(factor[j] * float64(row[j]) / root)
		}
	})
	sigma, err := p.leads(g)
	if err != nil {
		return err
	}
	rows.Each(g.Rows, p.opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if c := p.at[i]; c >= 0 {
				p.of[c].toShares(g.Row(i), sigma[c])
			}
		}
	})
	return nil
}

// leads returns σ of each component, 1 if its scores are all equal. Leads below the rounding of the
// solution are ties. If the median is one, as on a star, σ is that of the others.
func (p *poisson) leads(z *csr.Dense) ([]float64, error) {
	seed := p.y.Mask()
	of, largest := make([][]float32, len(p.of)), make([]float64, len(p.of))
	for i, is := range p.free.has {
		if !is {
			continue
		}
		c := p.at[i]
		for _, v := range z.Row(i) {
			largest[c] = max(largest[c], math.Abs(float64(v)))
		}
		if !seed[i] {
			of[c] = append(of[c], p.of[c].lead(z.Row(i)))
		}
	}
	sigma := make([]float64, len(of))
	for c, list := range of {
		if !(largest[c] <= math.MaxFloat32/2) { // a lead is up to twice as large
			return nil, fmt.Errorf("%w: scores of Poisson learning above %.3g, expected weights of edges less far below the others", ErrRange, math.MaxFloat32/2)
		}
		slices.Sort(list)
		noise := float32(p.noise * largest[c])
		if len(list) > 0 && list[len(list)/2] <= noise {
			list = list[sort.Search(len(list), func(k int) bool { return list[k] > noise }):]
		}
		if sigma[c] = 1; len(list) > 0 {
			sigma[c] = float64(list[len(list)/2])
		}
	}
	return sigma, nil
}

// lead returns the lead of the largest score of a row over the second.
func (c *source) lead(row []float32) float32 {
	first, second := float32(math.Inf(-1)), float32(math.Inf(-1))
	for j, v := range row {
		switch {
		case c.mass[j] == 0:
		case v > first:
			first, second = v, first
		case v > second:
			second = v
		}
	}
	return first - second
}

// toShares turns a row of scores into shares.
func (c *source) toShares(row []float32, sigma float64) {
	if !c.flows {
		for j, v := range c.mass {
			row[j] = float32(v / c.total)
		}
		return
	}
	top, sum := math.Inf(-1), 0.0
	for j, v := range row {
		if c.mass[j] > 0 {
			top = max(top, float64(v))
		}
	}
	for j, v := range row {
		if row[j] = 0; c.mass[j] > 0 {
			row[j] = float32(exact.Exp((float64(v) - top) / sigma))
			sum += float64(row[j])
		}
	}
	for j := range row {
		row[j] = float32(float64(row[j]) / sum)
	}
}
