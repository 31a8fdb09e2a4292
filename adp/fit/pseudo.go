package fit

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The constants of the alternation (docs/decisions/0014-feature-step.md).
const (
	seedsOwn   = 10.0 // the seeds have a weight of (m/c)/(m/c + seedsOwn) of 1
	guessRidge = 0.02 // λ, of the mean square of a row
	hardness   = 1.5  // of H, see soften
	lastAlpha  = 0.8  // of the last smoothing
	seedRidge  = 1.0  // λ of the ridges from the seeds alone
)

// guessed returns G of the labels that LGC gives on a graph, or on the one rebuilt from it.
func (t *trainer) guessed(ctx context.Context, graph int) (*csr.Dense, error) {
	if t.guesses[graph] != nil {
		return t.guesses[graph], nil
	}
	f, err := t.diffused(ctx, t.taughtOn(graph))
	if err == nil {
		t.guesses[graph], err = t.guess(ctx, graph, f)
	}
	return t.guesses[graph], err
}

// guess is the feature step: G = ZV, n×c, the ridge regression of the pseudo-labels of F, shares
// of rows, on the diffused features.
func (t *trainer) guess(ctx context.Context, graph int, f *csr.Dense) (*csr.Dense, error) {
	v, err := t.guessBy(ctx, graph, f)
	if err != nil {
		return nil, err
	}
	return applied(ctx, t.low[graph], v)
}

// guessBy returns V of a guess.
func (t *trainer) guessBy(ctx context.Context, graph int, f *csr.Dense) (*csr.Dense, error) {
	targets, weights := pseudoLabels(f, t.y)
	mean, err := t.low[graph].MeanSquare(ctx)
	if err != nil {
		return nil, err
	}
	return regress(ctx, t.low[graph], targets, weights, max(guessRidge*mean, math.SmallestNonzeroFloat32))
}

// pseudoLabels returns the targets onehot(ŷ) − 1/c, n×c, and weights of the nodes by F, shares
// of rows: ŷ is the largest class, the weight √margin, made the same in sum for each predicted
// class. The seeds have their classes, and a weight of ρ = (m/c)/(m/c + 10) of 1 together, the
// same for each class.
func pseudoLabels(f *csr.Dense, y *diffuse.Seeds) (targets *csr.Dense, weights []float32) {
	n, c := f.Rows, f.Cols
	targets, weights = csr.NewDense(n, c), make([]float32, n)
	classes, total := make([]int32, n), make([]float64, c)
	list := y.List()
	seeded := make([]bool, n)
	for _, s := range list {
		seeded[s.Node] = true
	}
	for i := range n {
		top := diffuse.TopOf(f.Row(i))
		if classes[i] = top.Class; top.Class >= 0 && !seeded[i] {
			weights[i] = float32(math.Sqrt(float64(top.Margin)))
			total[top.Class] += float64(weights[i])
		}
	}
	predicted := 0.0
	for _, sum := range total {
		if sum > 0 {
			predicted++
		}
	}
	perClass := float64(len(list)) / float64(c)
	own := perClass / (perClass + seedsOwn)
	for i, class := range classes {
		if weights[i] > 0 {
			weights[i] = float32((1 - own) * float64(weights[i]) / float64(total[class]*predicted))
			target(targets.Row(i), int(class), 1)
		}
	}
	seeds, present := make([]float64, c), 0.0
	for _, s := range list {
		if seeds[s.Class] == 0 {
			present++
		}
		seeds[s.Class] += float64(s.Weight)
	}
	for k, s := range list { // of a node in several classes the first and heaviest counts, where these are not its labels
		if k > 0 && list[k-1].Node == s.Node {
			if y.Sets {
				target(targets.Row(int(s.Node)), int(s.Class), 1)
			}
			continue
		}
		weights[s.Node] = float32(own * float64(s.Weight) / (seeds[s.Class] * present))
		target(targets.Row(int(s.Node)), int(s.Class), 1)
	}
	return targets, weights
}

// target adds onehot(class) − 1/c.
func target(row []float32, class int, share float32) {
	for j := range row {
		row[j] -= share / float32(len(row))
	}
	row[class] += share
}

// smooth returns LGC of α = 0.8 on H = softmax(1.5 G/sd G), the seeds as they are, as shares.
func (t *trainer) smooth(ctx context.Context, graph int, g *csr.Dense) (*csr.Dense, error) {
	h := soften(g, t.y, t.opt.Threads)
	f, _, err := diffuse.Smooth(ctx, t.graphs[graph], h, diffuse.Options{Alpha: lastAlpha, Tolerance: t.tolerance(), Threads: t.opt.Threads})
	if err != nil {
		return nil, err
	}
	stack.Shares(f, t.opt.Threads)
	return f, nil
}

// soften returns H = softmax(1.5 G/sd G) of centred G, with the seeds' own classes; rows of zeros
// stay so.
func soften(g *csr.Dense, y *diffuse.Seeds, threads int) *csr.Dense {
	h := g.Clone()
	stack.Centre(h, threads)
	size := stack.Size(h, threads)
	rows.Each(h.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := h.Row(i)
			most, least, sum := row[0], row[0], 0.0
			for _, v := range row {
				most, least = max(most, v), min(least, v)
			}
			if most == least { // nothing is known
				clear(row)
				continue
			}
			for j, v := range row {
				e := exact.Exp(hardness * (float64(v) - float64(most)) / size)
				row[j] = float32(e)
				sum += e
			}
			for j, v := range row {
				row[j] = float32(float64(v) / sum)
			}
		}
	})
	list := y.List()
	for k, s := range list {
		if k == 0 || list[k-1].Node != s.Node {
			clear(h.Row(int(s.Node)))
		}
		h.Row(int(s.Node))[s.Class] += s.Weight
	}
	return h
}
