package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
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
	// Combine says whether features take part beside their graph, on sets with features.
	Combine fit.Combine
	// Pool names methods of the feature step in place of those that it takes by itself, on sets
	// with features ([fit.Options.Pool]).
	Pool []string
	// Calibrate asks for a confidence that is a probability ([fit.Options.Calibrate]).
	Calibrate bool
	// Label is another method than those of Options: it returns the class of each node, of those of the seeds,
	// which may be fewer than the set has, -1 for none, and needs the features of the graph. Nil for Options. It has no rounds.
	Label func(ctx context.Context, g *Graph, seeds *diffuse.Seeds) ([]int32, error)
	// Elsewhere says that another program ran it on the same draws: the journal has all of its values.
	Elsewhere bool
}

// ErrNoValue is wrapped where the journal lacks a value of a method that another program ran.
var ErrNoValue = errors.New("no value in the journal")

// ErrNoFeatures is wrapped where a method needs features and a set is read without.
var ErrNoFeatures = errors.New("no features")

// Accuracy is an experiment: the accuracy of methods on sets, over draws of
// labelled nodes that are the same for every method.
type Accuracy struct {
	Sets     []Set
	Methods  []Method
	PerClass []int // labelled nodes a class
	Draws    int
	Seed     uint64
	// Splits says where the labels come from.
	Splits Splits
	// Balanced scores by the mean over the classes of the share of their nodes that
	// have their class, in place of the share of all nodes.
	Balanced bool
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

// Splits says which nodes of a set are labelled, and which are tested on.
type Splits int

// The splits.
const (
	// ByClass draws PerClass nodes of each class, and tests on all others.
	ByClass Splits = iota
	// AtRandom draws PerClass nodes for each class from all nodes, so that classes have labels as they have nodes, and tests
	// on all others.
	AtRandom
	// Published takes the published splits of the sets, up to Draws of them: those of train are the labels, the nodes
	// of test are tested on, and validation labels are not used. PerClass is not read; its place in cells is 0.
	Published
)

// Cell is the accuracy of a method on a set with a number of labels a class, 0 for
// published splits: one value a draw, on the nodes with a true label that were not drawn,
// or on those of test.
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
	if err := a.checkFeatures(); err != nil {
		return nil, err
	}
	var cells []Cell
	for _, set := range a.Sets {
		g, err := set.Load(ctx)
		if err != nil {
			return nil, err
		}
		if len(g.Classes) == 0 {
			return nil, fmt.Errorf("set %s has no labels", set.Name)
		}
		rows, err := a.rows(set, g)
		if err != nil {
			return nil, err
		}
		for _, draws := range rows {
			row, err := a.cells(ctx, draws)
			if err != nil {
				return nil, fmt.Errorf("set %s: %w", set.Name, err)
			}
			cells = append(cells, row...)
		}
	}
	return cells, nil
}

// checkFeatures refuses methods that need features on sets that are read without.
func (a Accuracy) checkFeatures() error {
	for _, m := range a.Methods {
		for _, set := range a.Sets {
			if m.Label != nil && !set.FromFeatures() {
				return fmt.Errorf("method %s on set %s: %w, expected %s@both, or another kind that reads them", m.Name, set.Name, ErrNoFeatures, set.Name)
			}
		}
	}
	return nil
}

// rows returns the draws of each row of the table.
func (a Accuracy) rows(set Set, g *Graph) (rows [][]Drawn, err error) {
	if a.Splits == Published {
		draws, err := set.Published(g)
		return [][]Drawn{draws[:min(a.Draws, len(draws))]}, err
	}
	for _, perClass := range a.PerClass {
		var row []Drawn
		for draw := range a.Draws {
			var seeds []diffuse.Seed
			if a.Splits == AtRandom {
				seeds = DrawAny(g.Truth, perClass*len(g.Classes), a.Seed, uint64(draw))
			} else {
				seeds = Draw(g.Truth, len(g.Classes), perClass, a.Seed, uint64(draw))
			}
			if len(seeds) == g.labelled() {
				break // nothing is left to test on
			}
			row = append(row, Drawn{Set: set.Name, Splits: a.Splits, PerClass: perClass, Draw: draw, Graph: g, Seeds: seeds})
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func (a Accuracy) cells(ctx context.Context, draws []Drawn) ([]Cell, error) {
	cells := make([]Cell, len(a.Methods))
	for k, m := range a.Methods {
		cells[k] = Cell{Set: draws[0].Set, Method: m.Name, PerClass: draws[0].PerClass}
	}
	for _, drawn := range draws {
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
	seeds, err := d.seeds()
	if err != nil {
		return nil, err
	}
	choose := sync.OnceValues(func() (*csr.Matrix, error) { return d.Graph.Choose(ctx, seeds) })
	values := make([]float64, len(a.Methods))
	for k, m := range a.Methods {
		key := a.key(d, m)
		if a.Journal != nil {
			if v, ok := a.Journal.known[key]; ok {
				values[k] = v
				continue
			}
		}
		if m.Elsewhere {
			return nil, fmt.Errorf("method %s: %w, expected a line %s,…", m.Name, ErrNoValue, key)
		}
		labels, err := a.label(ctx, d, seeds, m, choose)
		if err != nil {
			return nil, err
		}
		values[k] = a.score(labels, d)
		if a.Journal != nil {
			if err := a.Journal.add(key, values[k]); err != nil {
				return nil, err
			}
		}
	}
	return values, nil
}

// label labels a draw by a method, on the graph that it is given.
func (a Accuracy) label(ctx context.Context, d Drawn, seeds *diffuse.Seeds, m Method, choose func() (*csr.Matrix, error)) ([]int32, error) {
	if m.Label != nil {
		return m.Label(ctx, d.Graph, seeds)
	}
	r, err := a.result(ctx, d, seeds, m, choose)
	if err != nil {
		return nil, err
	}
	return r.Labels, nil
}

// result returns the result of a method of the program on a draw.
func (a Accuracy) result(ctx context.Context, d Drawn, seeds *diffuse.Seeds, m Method, choose func() (*csr.Matrix, error)) (r *fit.Result, err error) {
	if (d.Graph.Made.Keep != nil || d.Graph.Input.Edges != nil && a.EachRound == nil) && !m.First && m.Options.Method.Has(adp.Tries) {
		in := d.Graph.Input
		in.Seeds = seeds
		return fit.Run(ctx, in, fit.Options{Graph: d.Graph.Made, Run: m.Options, Combine: m.Combine, Pool: m.Pool, Calibrate: m.Calibrate})
	}
	w := d.Graph.W
	if !m.First {
		if w, err = choose(); err != nil {
			return nil, err
		}
	}
	return a.run(ctx, w, d, seeds, m)
}

// score returns the accuracy of labels, of the classes that have a seed, on the nodes that a draw tests on.
func (a Accuracy) score(labels []int32, d Drawn) float64 {
	if classes := d.known(); len(classes) < len(d.Graph.Classes) {
		labels = slices.Clone(labels)
		for i, label := range labels {
			if label >= 0 {
				labels[i] = classes[label]
			}
		}
	}
	if a.Balanced {
		return score.NewConfusion(labels, d.Graph.Truth, len(d.Graph.Classes), d.exclude()).BalancedAccuracy()
	}
	share, _ := score.Accuracy(labels, d.Graph.Truth, d.exclude())
	return share
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
		row := []string{cells[k].Set, labelsText(cells[k].PerClass)}
		for _, c := range cells[k : k+len(methods)] {
			mean, sd := c.Mean()
			row = append(row, fmt.Sprintf("%.3f ± %.3f", mean, sd))
		}
		t.Add(row...)
	}
	return t.Write(w)
}

// labelsText is a number of labels a class in a table.
func labelsText(perClass int) string {
	if perClass == 0 {
		return "published"
	}
	return fmt.Sprint(perClass)
}
