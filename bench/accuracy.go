package bench

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Method is a named way to label a graph.
type Method struct {
	Name    string
	Options adp.Options
	// First takes the graph that a choice starts from, on sets of the kind auto.
	First bool
}

// Accuracy is an experiment: the accuracy of methods on sets, over draws of
// labelled nodes that are the same for every method.
type Accuracy struct {
	Sets     []Set
	Methods  []Method
	PerClass []int // labelled nodes a class
	Draws    int
	Seed     uint64
	// Each is called for each finished cell of the table; may be nil.
	Each func(Cell)
	// EachDraw is called with each draw before the methods run on it, and ends
	// the experiment by an error; may be nil.
	EachDraw func(Drawn) error
	// EachRound is called for each round of each finished run, in order; may
	// be nil.
	EachRound func(RoundRecord)
	// Journal has the values that are known and takes each new one; nil for
	// none. The rounds of a known one are not passed on.
	Journal *Journal
}

// Cell is the accuracy of a method on a set with a number of labels a class:
// one value a draw, on the nodes with a true label that were not drawn.
type Cell struct {
	Set, Method string
	PerClass    int
	Accuracy    []float64
}

// Mean returns the mean and the standard deviation of the draws.
func (c Cell) Mean() (mean, sd float64) {
	for _, v := range c.Accuracy {
		mean += v
	}
	mean /= float64(len(c.Accuracy))
	for _, v := range c.Accuracy {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(max(len(c.Accuracy)-1, 1)))
}

// Run does the experiment. A number of labels that leaves no node of a set to
// test on has no cells.
func (a Accuracy) Run(ctx context.Context) ([]Cell, error) {
	var cells []Cell
	for _, set := range a.Sets {
		g, err := set.Load(ctx)
		if err != nil {
			return nil, err
		}
		if len(g.Classes) == 0 {
			return nil, fmt.Errorf("set %s has no labels", set.Name)
		}
		for _, perClass := range a.PerClass {
			if len(Draw(g.Truth, len(g.Classes), perClass, a.Seed, 0)) == g.labelled() {
				continue // nothing is left to test on
			}
			row, err := a.cells(ctx, set.Name, g, perClass)
			if err != nil {
				return nil, fmt.Errorf("set %s: %w", set.Name, err)
			}
			cells = append(cells, row...)
		}
	}
	return cells, nil
}

func (a Accuracy) cells(ctx context.Context, name string, g *Graph, perClass int) ([]Cell, error) {
	cells := make([]Cell, len(a.Methods))
	for k, m := range a.Methods {
		cells[k] = Cell{Set: name, Method: m.Name, PerClass: perClass}
	}
	for draw := range a.Draws {
		drawn := Drawn{Set: name, PerClass: perClass, Draw: draw, Graph: g, Seeds: Draw(g.Truth, len(g.Classes), perClass, a.Seed, uint64(draw))}
		if a.EachDraw != nil {
			if err := a.EachDraw(drawn); err != nil {
				return nil, err
			}
		}
		values, err := a.values(ctx, drawn)
		if err != nil {
			return nil, err
		}
		for k, v := range values {
			cells[k].Accuracy = append(cells[k].Accuracy, v)
		}
	}
	for _, c := range cells {
		if a.Each != nil {
			a.Each(c)
		}
	}
	return cells, nil
}

// values returns the accuracy of each method on a draw. The graph is chosen
// only where a method has to be run.
func (a Accuracy) values(ctx context.Context, d Drawn) ([]float64, error) {
	seeds, err := diffuse.NewSeeds(len(d.Graph.Truth), len(d.Graph.Classes), d.Seeds)
	if err != nil {
		return nil, err
	}
	var chosen *csr.Matrix
	values := make([]float64, len(a.Methods))
	for k, m := range a.Methods {
		key := a.key(d, m)
		if a.Journal != nil {
			if v, ok := a.Journal.known[key]; ok {
				values[k] = v
				continue
			}
		}
		w := d.Graph.W
		if d.Graph.Choose != nil && !m.First {
			if chosen == nil {
				if chosen, err = d.Graph.Choose(ctx, seeds); err != nil {
					return nil, err
				}
			}
			w = chosen
		}
		result, err := a.run(ctx, w, d, seeds, m)
		if err != nil {
			return nil, err
		}
		values[k], _ = score.Accuracy(result.Labels, d.Graph.Truth, seeds.Mask())
		if a.Journal != nil {
			if err := a.Journal.add(key, values[k]); err != nil {
				return nil, err
			}
		}
	}
	return values, nil
}

// WriteAccuracy writes the cells as a Markdown table, a row for each set and
// number of labels, a column a method.
func WriteAccuracy(w io.Writer, cells []Cell, methods []Method) error {
	header := []string{"set", "labels a class"}
	for _, m := range methods {
		header = append(header, m.Name)
	}
	t := NewTable(header...)
	for k := 0; k < len(cells); k += len(methods) {
		row := []string{cells[k].Set, fmt.Sprint(cells[k].PerClass)}
		for _, c := range cells[k : k+len(methods)] {
			mean, sd := c.Mean()
			row = append(row, fmt.Sprintf("%.3f ± %.3f", mean, sd))
		}
		t.Add(row...)
	}
	return t.Write(w)
}
