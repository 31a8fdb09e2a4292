package adp

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// rankRows does the steps of a run that differ where the process holds only some of the rows. A nil
// rankRows holds all of them.
type rankRows struct {
	world *dist.World
	graph *dist.Graph // of W
	local *csr.Matrix // W with the columns of the graph's extended rows
}

// normalized is S of an affinity, for the rows of this process.
type normalized struct {
	S        *csr.Matrix // × n
	Degrees  []float64
	operator diffuse.Operator // a *diffuse.Graph, or a *dist.Graph
}

func (p *rankRows) normalize(space *csr.Space, w *csr.Matrix, threads int) (normalized, error) {
	if p == nil {
		g, err := diffuse.NormalizeIn(space, w, threads)
		return normalized{g.S, g.Degrees, g}, err
	}
	g := dist.Normalize(p.world, w, threads)
	return normalized{g.S, g.Degrees, g}, nil
}

// keep stores the graph that labels are scored on.
func (p *rankRows) keep(s normalized, w *csr.Matrix) {
	if p != nil {
		p.graph = s.operator.(*dist.Graph)
		p.local = p.graph.Localized(w)
	}
}

// partition returns the world, or a nil interface (not a nil pointer in one) without other
// processes.
func (p *rankRows) partition() diffuse.Partition {
	if p == nil {
		return nil
	}
	return p.world
}

// first returns the node of the first row.
func (p *rankRows) first() int {
	if p == nil {
		return 0
	}
	lo, _, _ := p.world.Rows()
	return lo
}

// total sums a number over the processes.
func (p *rankRows) total(count int) int {
	counts := []int{count}
	p.totals(counts)
	return counts[0]
}

// totals sums numbers over the processes. Sums must stay below 2^53.
func (p *rankRows) totals(counts []int) {
	if p == nil {
		return
	}
	sums := make([]float64, len(counts))
	p.world.Fold(sums, func(sums []float64) {
		for k, count := range counts {
			sums[k] += float64(count)
		}
	})
	for k, sum := range sums {
		counts[k] = int(sum)
	}
}

// fit measures the labels of the own rows on W.
func (p *rankRows) fit(w *csr.Matrix, labels []int32, c, threads int) score.Fit {
	if p == nil {
		return score.OnRows(w, labels, labels, c, threads, nil)
	}
	return score.OnRows(p.local, labels, dist.Exchange(p.graph.Halo(), labels), c, threads, p.world)
}

// degreeVariation returns the standard deviation of the numbers of neighbours in W, divided by
// their mean.
func (p *rankRows) degreeVariation(w *csr.Matrix) float64 {
	here, n := w.Dims()
	mean := float64(p.total(w.NNZ())) / float64(n)
	if mean == 0 {
		return 0
	}
	square := rows.NewReducer(here, 1).Across(p.partition()).Sum(1, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			cols, _ := w.Row(i)
			sum[0] += float64((float64(len(cols)) - mean) * (float64(len(cols)) - mean))
		}
	})
	return math.Sqrt(square[0]/float64(n)) / mean
}

// aStep makes the own rows of A.
func (p *rankRows) aStep(ctx context.Context, s normalized, a *csr.Matrix, h *diffuse.Factor, opt diffuse.AffinityOptions) (*csr.Matrix, error) {
	if p == nil {
		return diffuse.AStep(ctx, s.S, a, h, opt)
	}
	return dist.AStep(ctx, p.graph, a, h, opt)
}

// freshStep makes the own rows of A from labels alone.
func (p *rankRows) freshStep(ctx context.Context, s normalized, h *diffuse.Factor, opt diffuse.AffinityOptions) (*csr.Matrix, error) {
	if p == nil {
		return diffuse.FreshStep(ctx, s.operator.(*diffuse.Graph), h, opt)
	}
	return dist.FreshStep(ctx, p.graph, h, opt)
}

// atSeeds returns a number of the row of each seed, which all processes then know.
func (p *rankRows) atSeeds(seeds []diffuse.Seed, nrows int, of func(row int, s diffuse.Seed) int) []int {
	lo := p.first()
	values := make([]int, len(seeds)) // 0 for rows of other processes
	for k, s := range seeds {
		if i := int(s.Node) - lo; i >= 0 && i < nrows {
			values[k] = of(i, s)
		}
	}
	p.totals(values)
	return values
}

// missed reports whether F is 0 in all classes of a seed that a training seed reaches.
func (p *rankRows) missed(f *csr.Dense, g diffuse.Parted, fold foldSeeds) bool {
	zero := p.atSeeds(fold.hidden, f.Rows, func(row int, _ diffuse.Seed) int {
		if diffuse.TopOf(f.Row(row)).Class < 0 {
			return 1
		}
		return 0
	})
	if !slices.Contains(zero, 1) {
		return false
	}
	component := func(row int, _ diffuse.Seed) int { return int(diffuse.ComponentOf(g, row)) }
	reached := map[int]bool{}
	for _, k := range p.atSeeds(fold.train.List(), f.Rows, component) {
		reached[k] = true
	}
	for k, of := range p.atSeeds(fold.hidden, f.Rows, component) {
		if zero[k] > 0 && reached[of] {
			return true
		}
	}
	return false
}

// classRanks returns the class rank of each seed in F.
func (p *rankRows) classRanks(f *csr.Dense, seeds []diffuse.Seed) crossval.Ranks {
	ranks := make(crossval.Ranks, len(seeds))
	for k, place := range p.atSeeds(seeds, f.Rows, func(row int, s diffuse.Seed) int { return int(crossval.RankOf(f.Row(row), int(s.Class))) }) {
		ranks[k] = int32(place)
	}
	return ranks
}

// answer is the prediction of a result for a node.
type answer struct {
	label              int32
	confidence, margin float32
}

// answers returns the predictions of r, which has the own rows, for the nodes of seeds. Node i has
// the row place[i], or i where place is nil.
func (p *rankRows) answers(r *Result, seeds []diffuse.Seed, place []uint32) []answer {
	const fields = 3
	lo := p.first()
	said := make([]int, fields*len(seeds)) // 0 for nodes of other processes: sums are copies
	for k, s := range seeds {
		i := int(s.Node)
		if place != nil {
			i = int(place[i])
		}
		if i -= lo; i >= 0 && i < len(r.Labels) {
			said[fields*k] = int(r.Labels[i])
			said[fields*k+1] = int(math.Float32bits(r.Confidence[i]))
			said[fields*k+2] = int(math.Float32bits(r.Margin[i]))
		}
	}
	p.totals(said)
	answers := make([]answer, len(seeds))
	for k := range answers {
		s := said[fields*k:]
		answers[k] = answer{int32(s[0]), math.Float32frombits(uint32(s[1])), math.Float32frombits(uint32(s[2]))}
	}
	return answers
}

// marginRanks returns the rank of each answer's margin among the margins of all rows. r has those
// of the own rows.
func (p *rankRows) marginRanks(r calibrate.Ranking, answers []answer) []float64 {
	const fields = 3
	counts := make([]int, fields*len(answers))
	for k, a := range answers {
		at := r.Place(a.margin)
		counts[fields*k], counts[fields*k+1], counts[fields*k+2] = at.Below, at.Through, at.Values
	}
	p.totals(counts)
	ranks := make([]float64, len(answers))
	for k := range ranks {
		ranks[k] = calibrate.Place{Below: counts[fields*k], Through: counts[fields*k+1], Values: counts[fields*k+2]}.Rank()
	}
	return ranks
}
