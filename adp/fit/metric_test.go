package fit

import (
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
)

// TestMetricByEdges: the edges name the cosine of words that stand beside them, dense or sparse; they are not asked where a metric is given or
// there are none.
func TestMetricByEdges(t *testing.T) {
	in, _ := words(t, 300, 3, 150, 0.8, 6)
	// Frequent words of its topic in the place of others of a text, and rare ones that say nothing: the plain cosine suits.
	rng := rand.New(rand.NewPCG(4, 4))
	x := csr.NewDense(300, 430)
	for i := range 300 {
		for q := range 30 {
			if rng.Float64() < 0.2 || q%3 == i%3 && rng.Float64() < 0.5 {
				x.Row(i)[q] = 1
			}
		}
		for range 6 {
			x.Row(i)[30+rng.IntN(400)] = 1
		}
	}
	numbers := csr.NewDense(300, 3)
	for k := range numbers.Data {
		numbers.Data[k] = float32(k*k%17) - 8
	}
	plain := knn.Cosine
	for _, c := range []struct {
		name  string
		in    Input
		opt   GraphOptions
		asked bool
	}{
		{"rare words tell", in, GraphOptions{}, true},
		{"frequent words tell", Input{Dense: x, Edges: in.Edges, Seeds: in.Seeds}, GraphOptions{}, true},
		{"a metric is given", in, GraphOptions{Metric: &plain}, false},
		{"no metric", Input{Dense: x, Edges: in.Edges, Seeds: in.Seeds}, GraphOptions{Kind: L1}, false},
		{"no edges", Input{Sparse: in.Sparse, Seeds: in.Seeds}, GraphOptions{}, false},
		{"numbers", Input{Dense: numbers, Edges: in.Edges, Seeds: in.Seeds}, GraphOptions{}, false},
	} {
		c.opt.Fixed = true
		g, err := NewGraph(t.Context(), c.in, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		trial := g.Report.EdgeTrial
		if (trial != nil) != c.asked || c.asked && g.Report.KNN.Metric != trial.Metric() {
			t.Errorf("%s: neighbours by %v, %+v", c.name, g.Report.KNN.Metric, trial)
		}
		if c.name == "a metric is given" && g.Report.KNN.Metric != plain {
			t.Errorf("neighbours by %v, not by the metric that is given", g.Report.KNN.Metric)
		}
		if c.name == "frequent words tell" && trial.Metric() != plain {
			t.Errorf("%s: %+v", c.name, trial)
		}
	}
}
