package bench

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/bench/gen"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// Contextual is an experiment on the contextual stochastic block model ([gen.CSBM]): the accuracy
// of methods against the strength of the signal, which is in the edges, in the features, or in
// both. In theory the classes of a large graph can be told without any label, better than by
// chance, where
//
//	s = λ² + μ²/γ > 1,  γ = n/p.
//
// Y. Deshpande, S. Sen, A. Montanari, E. Mossel: Contextual Stochastic Block Models, NeurIPS 2018.
type Contextual struct {
	Nodes, Dims int
	Degree      float64
	PerClass    int // labelled nodes of each of the two classes
	Strengths   []float64
	Methods     []Method
	Draws       int // graphs, each with its own labels
	Seed        uint64
	Each        func(Strength) // called for each finished value; may be nil
}

// Mix says where the signal of a contextual graph is: λ = √s·sin φ and μ = √(sγ)·cos φ.
type Mix struct {
	Name  string
	Angle float64 // φ; below 0 edges join unlike nodes
}

// Mixes are those that the experiment tries.
var Mixes = []Mix{
	{"edges", math.Pi / 2},
	{"features", 0},
	{"both", math.Pi / 4},
	{"both, edges join unlike nodes", -math.Pi / 4},
}

// Strength is the accuracy of a method on graphs of one strength: a value a draw.
type Strength struct {
	Mix, Method string
	Value       float64 // s
	Accuracy    []float64
}

// Mean returns the mean and the standard deviation over the draws.
func (s Strength) Mean() (mean, sd float64) { return Cell{Accuracy: s.Accuracy}.Mean() }

// Run does the experiment.
func (c Contextual) Run(ctx context.Context) (all []Strength, err error) {
	for _, mix := range Mixes {
		for _, value := range c.Strengths {
			row := make([]Strength, len(c.Methods))
			for k, m := range c.Methods {
				row[k] = Strength{Mix: mix.Name, Method: m.Name, Value: value}
			}
			for draw := range c.Draws {
				values, err := c.draw(ctx, mix, value, uint64(draw))
				if err != nil {
					return nil, err
				}
				for k, v := range values {
					row[k].Accuracy = append(row[k].Accuracy, v)
				}
			}
			for _, s := range row {
				if c.Each != nil {
					c.Each(s)
				}
			}
			all = append(all, row...)
		}
	}
	return all, nil
}

// draw returns the accuracy of each method on one graph.
func (c Contextual) draw(ctx context.Context, mix Mix, strength float64, draw uint64) ([]float64, error) {
	gamma := float64(c.Nodes) / float64(c.Dims)
	made, err := gen.New(gen.Options{
		Kind: gen.CSBM, Nodes: c.Nodes, Degree: c.Degree, Classes: 2, Dims: c.Dims, Seed: c.Seed + draw,
		Lambda: math.Sqrt(strength) * math.Sin(mix.Angle), Mu: math.Sqrt(strength*gamma) * math.Cos(mix.Angle),
	})
	if err != nil {
		return nil, err
	}
	g, err := contextualGraph(ctx, made)
	if err != nil {
		return nil, err
	}
	return Accuracy{Methods: c.Methods}.values(ctx, Drawn{
		Set: mix.Name, PerClass: c.PerClass, Draw: int(draw), Graph: g, Seeds: Draw(g.Truth, 2, c.PerClass, c.Seed, draw),
	})
}

// contextualGraph holds a random graph with features in memory, as a set of the kind both.
func contextualGraph(ctx context.Context, made *gen.Graph) (*Graph, error) {
	n := made.Nodes()
	g := &Graph{IDs: ids.Sequence(n), Truth: make([]int32, n), Classes: []string{"0", "1"}}
	edges, block, values := &csr.Edges{}, &csr.Edges{}, []float32(nil)
	for k := range made.Blocks() {
		made.Block(k, block)
		edges.Src, edges.Dst = append(edges.Src, block.Src...), append(edges.Dst, block.Dst...)
		values = append(values, made.Features(k, nil)...)
	}
	for i := range g.Truth {
		g.Truth[i] = int32(made.Label(i))
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		return nil, err
	}
	g.Edges, g.X = w, &vecs.Features{Dense: &csr.Dense{Rows: n, Cols: len(values) / n, Data: values}}
	return g, Set{Name: "csbm"}.open(ctx, g, g.X, w)
}

// WriteStrengths writes the means as a Markdown table: a row a mix and strength, a column a method.
func WriteStrengths(w io.Writer, all []Strength, methods []Method) error {
	header := []string{"signal in", "λ² + μ²/γ"}
	for _, m := range methods {
		header = append(header, m.Name)
	}
	t := NewTable(header...)
	for k := 0; k < len(all); k += len(methods) {
		row := []string{all[k].Mix, fmt.Sprint(all[k].Value)}
		for _, s := range all[k : k+len(methods)] {
			mean, sd := s.Mean()
			row = append(row, fmt.Sprintf("%.3f ± %.3f", mean, sd))
		}
		t.Add(row...)
	}
	return t.Write(w)
}
