package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/adp/suggest"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Suggest is an experiment: what nodes to label next are worth. From one labelled node a
// class, as many nodes as there are classes are labelled at a time by each rule, and
// again; then a method labels the rest.
type Suggest struct {
	Sets    []Set
	Method  Method
	Batches []int // numbers of batches, each a row of its own
	Draws   int
	Seed    uint64
	// Cold starts from nothing known in place of one node a class.
	Cold bool
}

// SuggestRule says which nodes to label: count of them, none of them in known, all
// with a true label. F is nil where nothing is known.
type SuggestRule struct {
	Name string
	Next func(ctx context.Context, s *diffuse.Graph, g *Graph, f *csr.Dense, known []bool, count int, random *rand.Rand) ([]int, error)
}

// SuggestRules are the rules that are compared: nodes at random, those of the largest
// uncertainty, and package suggest.
var SuggestRules = []SuggestRule{{"random", atRandom}, {"most uncertain", mostUncertain}, {"suggest", suggested}}

// SuggestRow is the accuracy by each rule on the nodes without a known label, a mean over
// the draws; NaN where all nodes were labelled.
type SuggestRow struct {
	Set      string
	Batches  int
	Known    float64 // labels at the end
	Accuracy []float64
}

// Run does the experiment.
func (e Suggest) Run(ctx context.Context) ([]SuggestRow, error) {
	var all []SuggestRow
	for _, set := range e.Sets {
		g, err := set.Load(ctx)
		if err != nil {
			return nil, err
		}
		s := diffuse.Normalize(g.W, 0)
		for _, batches := range e.Batches {
			row := SuggestRow{Set: set.Name, Batches: batches, Accuracy: make([]float64, len(SuggestRules))}
			for draw := range e.Draws {
				for k, rule := range SuggestRules {
					known, accuracy, err := e.draw(ctx, g, s, rule, batches, uint64(draw))
					if err != nil {
						return nil, fmt.Errorf("set %s: %w", set.Name, err)
					}
					row.Accuracy[k] += accuracy / float64(e.Draws)
					row.Known += float64(known) / float64(e.Draws*len(SuggestRules))
				}
			}
			all = append(all, row)
		}
	}
	return all, nil
}

// draw labels by a rule from the labels of a draw on, and returns how many are known in
// the end, and the accuracy on the others.
func (e Suggest) draw(ctx context.Context, g *Graph, s *diffuse.Graph, rule SuggestRule, batches int, draw uint64) (int, float64, error) {
	n, c := len(g.Truth), len(g.Classes)
	var list []diffuse.Seed
	if !e.Cold {
		list = Draw(g.Truth, c, 1, e.Seed, draw)
	}
	random := rand.New(rand.NewPCG(e.Seed+1, draw))
	for batch := 0; ; batch++ {
		known := make([]bool, n)
		var y *diffuse.Seeds
		var f *csr.Dense
		if len(list) > 0 {
			var err error
			if y, err = diffuse.NewSeeds(n, c, list); err != nil {
				return 0, 0, err
			}
			known = y.Mask()
		}
		if batch == batches {
			accuracy, err := e.accuracy(ctx, g, y, known)
			return len(list), accuracy, err
		}
		if y != nil {
			var err error
			if f, _, err = diffuse.LGC(ctx, s, y, diffuse.Options{Underflow: diffuse.UnderflowAll}); err != nil {
				return 0, 0, err
			}
		}
		nodes, err := rule.Next(ctx, s, g, f, known, c, random)
		if err != nil {
			return 0, 0, err
		}
		for _, i := range nodes {
			list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(g.Truth[i]), Weight: 1})
		}
	}
}

// accuracy returns that of the method on the nodes that are not known; NaN where all are.
func (e Suggest) accuracy(ctx context.Context, g *Graph, y *diffuse.Seeds, known []bool) (float64, error) {
	if y == nil {
		return 0, nil // nobody suggested a node
	}
	result, err := fit.Label(ctx, g.W, y, fit.Options{Run: e.Method.Options})
	if err != nil {
		return 0, err
	}
	accuracy, nodes := score.Accuracy(result.Labels, g.Truth, known)
	if nodes == 0 {
		accuracy = math.NaN()
	}
	return accuracy, nil
}

// unknown returns the nodes that could be labelled, shuffled.
func unknown(g *Graph, known []bool, random *rand.Rand) (nodes []int) {
	for i, y := range g.Truth {
		if y >= 0 && !known[i] {
			nodes = append(nodes, i)
		}
	}
	random.Shuffle(len(nodes), func(a, b int) { nodes[a], nodes[b] = nodes[b], nodes[a] })
	return nodes
}

func atRandom(_ context.Context, _ *diffuse.Graph, g *Graph, _ *csr.Dense, known []bool, count int, random *rand.Rand) ([]int, error) {
	nodes := unknown(g, known, random)
	return nodes[:min(count, len(nodes))], nil
}

func mostUncertain(_ context.Context, _ *diffuse.Graph, g *Graph, f *csr.Dense, known []bool, count int, random *rand.Rand) ([]int, error) {
	nodes := unknown(g, known, random)
	u := suggest.Doubt(f, known)
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(u[b], u[a]) })
	return nodes[:min(count, len(nodes))], nil
}

func suggested(ctx context.Context, s *diffuse.Graph, g *Graph, f *csr.Dense, known []bool, count int, _ *rand.Rand) (nodes []int, err error) {
	u := suggest.Doubt(f, known)
	for i, y := range g.Truth {
		if y < 0 { // nobody could say
			u[i] = 0
		}
	}
	next, err := suggest.Next(ctx, s, g.W, u, count, 0)
	for _, x := range next {
		nodes = append(nodes, x.Node)
	}
	return nodes, err
}

// WriteSuggest writes the rows as a Markdown table.
func WriteSuggest(w io.Writer, rows []SuggestRow) error {
	header := []string{"set", "batches", "labels"}
	for _, rule := range SuggestRules {
		header = append(header, rule.Name)
	}
	t := NewTable(header...)
	for _, r := range rows {
		cells := []string{r.Set, fmt.Sprint(r.Batches), fmt.Sprintf("%.0f", r.Known)}
		for _, v := range r.Accuracy {
			cell := "–"
			if !math.IsNaN(v) {
				cell = fmt.Sprintf("%.3f", v)
			}
			cells = append(cells, cell)
		}
		t.Add(cells...)
	}
	return t.Write(w)
}
