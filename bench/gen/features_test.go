package gen

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// TestContextual: of several classes and signs of λ, pairs inside a class and between two
// are edges with the model's probabilities, in both halves of the nodes.
func TestContextual(t *testing.T) {
	racing.LongSum(t)
	for _, opt := range []Options{
		{Nodes: 20000, Degree: 6, Lambda: 1.3, Seed: 1},
		{Nodes: 20000, Degree: 6, Lambda: -1.3, Seed: 2},
		{Nodes: 9000, Degree: 5, Lambda: 0, Seed: 3},
		{Nodes: 12000, Degree: 8, Lambda: 0.7, Classes: 4, Seed: 4},
	} {
		opt.Kind = CSBM
		g := graph(t, opt)
		c := float64(max(opt.Classes, 2))
		n, root := float64(opt.Nodes), opt.Lambda*math.Sqrt(opt.Degree)
		counts := map[[2]bool]int{}
		for pair := range all(t, g) {
			counts[[2]bool{g.Label(int(pair[0])) == g.Label(int(pair[1])), pair[0] < uint32(opt.Nodes/2)}]++
		}
		inside := n * (n/c - 1) / 2 * (opt.Degree + (c-1)*root) / n
		between := n * (n - n/c) / 2 * (opt.Degree - root) / n
		within(t, "inside, first half", counts[[2]bool{true, true}], inside*.75)
		within(t, "inside, second half", counts[[2]bool{true, false}], inside*.25)
		within(t, "between, first half", counts[[2]bool{false, true}], between*.75)
		within(t, "between, second half", counts[[2]bool{false, false}], between*.25)
	}
}

// features returns all features, from the file that is written.
func features(t *testing.T, g *Graph, threads int) (*csr.Dense, []byte) {
	t.Helper()
	var file bytes.Buffer
	if err := g.WriteFeatures(t.Context(), &file, threads); err != nil {
		t.Fatal(err)
	}
	text := bytes.Clone(file.Bytes())
	x, err := vecs.Read(&file, "f.npy", int64(file.Len()), vecs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x.Dense, text
}

// TestFeatures: given the classes, the features are normal around the means of the model:
// the residuals have variance 1/p, no covariance, and the kurtosis of normal values; the
// class means have the Gram matrix μ/n ‖u‖² of simplex corners, about μ(cδ − 1)/n.
func TestFeatures(t *testing.T) {
	for _, classes := range []int{2, 3} {
		const n, p, mu = 10000, 40, 40.0
		g := graph(t, Options{Kind: CSBM, Nodes: n, Degree: 3, Lambda: 0.5, Mu: mu, Dims: p, Classes: classes, Seed: 5})
		x, _ := features(t, g, 0)
		if x.Rows != n || x.Cols != p {
			t.Fatalf("%d×%d features", x.Rows, x.Cols)
		}
		mean, count := make([][p]float64, classes), make([]float64, classes)
		for i := range n {
			count[g.Label(i)]++
			for j, v := range x.Row(i) {
				mean[g.Label(i)][j] += float64(v)
			}
		}
		for k := range mean {
			for j := range p {
				mean[k][j] /= count[k]
			}
		}
		for j := range p { // u_k sum to 0 over the classes
			total := 0.0
			for k := range mean {
				total += mean[k][j] / float64(classes)
			}
			if math.Abs(total) > 5/math.Sqrt(n*p) {
				t.Errorf("feature %d has mean %v, expected 0", j, total)
			}
		}
		var covariance [p][p]float64
		fourth := 0.0
		for i := range n {
			var r [p]float64
			for j, v := range x.Row(i) {
				r[j] = (float64(v) - mean[g.Label(i)][j]) * math.Sqrt(p)
				fourth += r[j] * r[j] * r[j] * r[j] / (n * p)
			}
			for a := range p {
				for b := range p {
					covariance[a][b] += r[a] * r[b] / n
				}
			}
		}
		// Standard deviations: √(2/n) on the diagonal, √(1/n) beside it, √(96/np) of the kurtosis.
		for a := range p {
			for b := range p {
				want := 0.0
				if a == b {
					want = 1
				}
				if math.Abs(covariance[a][b]-want) > 0.07 {
					t.Errorf("covariance of features %d and %d is %v", a, b, covariance[a][b])
				}
			}
		}
		if math.Abs(fourth-3) > 0.05 {
			t.Errorf("kurtosis %v, expected 3", fourth)
		}
		for a := range classes {
			for b := range classes {
				product := 0.0
				for j := range p {
					product += mean[a][j] * mean[b][j] * n / mu
				}
				want := -1.0
				if a == b {
					want = float64(classes - 1)
				}
				// ‖g‖² of p values has the relative deviation √(2/p); the means add c/μ.
				if math.Abs(product-want) > 4*float64(classes)*math.Sqrt(2.0/p) {
					t.Errorf("means of classes %d and %d: %v, expected %v", a, b, product, want)
				}
			}
		}
	}
}

// TestFeaturesThreads: the bytes do not depend on the number of threads, features do not
// depend on the strength of the edges nor edges on that of the features.
func TestFeaturesThreads(t *testing.T) {
	opt := Options{Kind: CSBM, Nodes: 3*blockNodes + 5, Degree: 4, Lambda: 1, Mu: 2, Dims: 7, Seed: 8}
	x, first := features(t, graph(t, opt), 1)
	if slices.Equal(x.Row(0), x.Row(blockNodes)) {
		t.Error("two blocks of the same features")
	}
	_, again := features(t, graph(t, opt), 3)
	edges := func(opt Options) string {
		var text bytes.Buffer
		if err := graph(t, opt).WriteEdges(t.Context(), &text, '\t', 2); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	before := edges(opt)
	opt.Lambda = -1
	_, other := features(t, graph(t, opt), 2)
	if !bytes.Equal(first, again) || !bytes.Equal(first, other) {
		t.Error("other features with other threads or edges")
	}
	opt.Lambda, opt.Mu, opt.Dims = 1, 0, 0
	g := graph(t, opt)
	if edges(opt) != before {
		t.Error("other edges with other features")
	}
	if err := g.WriteFeatures(t.Context(), &bytes.Buffer{}, 1); !errors.Is(err, ErrOptions) {
		t.Errorf("features of none: %v", err)
	}
}
