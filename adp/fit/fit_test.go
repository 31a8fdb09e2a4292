package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
	"github.com/adp-sparse/adp-sparse/knn"
)

// cloud returns n points of c classes about centres in d dimensions, the second half of the
// columns in units a thousand times as small, edges mostly inside classes, and seeds.
func cloud(t *testing.T, n, c, d, perClass int) Input {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	x := csr.NewDense(n, d)
	centres := csr.NewDense(c, d)
	for k := range centres.Data {
		centres.Data[k] = 2 * float32(rng.NormFloat64())
	}
	edges := &csr.Edges{}
	var seeds []diffuse.Seed
	count := make([]int, c)
	for i := range n {
		class := i % c
		for j := range d {
			v := centres.At(class, j) + float32(rng.NormFloat64())
			if j >= d/2 {
				v *= 1000
			}
			x.Set(i, j, v)
		}
		for range 3 {
			other := class + c*rng.IntN(n/c)
			if rng.Float64() < 0.3 {
				other = rng.IntN(n)
			}
			if other != i {
				edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(other))
			}
		}
		if count[class] < perClass {
			count[class]++
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(class), Weight: 1})
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := diffuse.NewSeeds(n, c, seeds)
	if err != nil {
		t.Fatal(err)
	}
	return Input{Edges: w, Dense: x, Seeds: y}
}

// TestByHand: the result is that of the same steps made by hand, for edges, for features and
// for both, with any number of threads.
func TestByHand(t *testing.T) {
	ctx := context.Background()
	both := cloud(t, 120, 3, 8, 4)
	scaling, err := knn.ScalingOf(both.Dense, 0)
	if err != nil {
		t.Fatal(err)
	}
	ofFeatures, _, err := knn.Graph(ctx, scaling.Apply(both.Dense, 0), knn.GraphOptions{Search: knn.Options{Metric: knn.Manhattan}})
	if err != nil {
		t.Fatal(err)
	}
	sum, beta := csr.Blend(both.Edges, ofFeatures, knn.DefaultShare, 0)
	for _, c := range []struct {
		name string
		in   Input
		w    *csr.Matrix
	}{
		{"edges", Input{Edges: both.Edges, Seeds: both.Seeds}, both.Edges},
		{"features", Input{Dense: both.Dense, Seeds: both.Seeds}, ofFeatures},
		{"both", both, sum},
	} {
		want, err := adp.Run(ctx, c.w, c.in.Seeds, adp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 3} {
			got, err := Run(ctx, c.in, Options{Graph: GraphOptions{Fixed: true}, Run: adp.Options{Threads: threads}, Combine: NoCombine})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.F.Data, want.F.Data) {
				t.Errorf("%s, %d threads: not the labels and F of the steps made by hand", c.name, threads)
			}
			if want := map[string]float64{"both": beta}[c.name]; got.Affinity.Beta != want {
				t.Errorf("%s: β is %v, expected %v", c.name, got.Affinity.Beta, want)
			}
			if r := got.Affinity.Report; c.name != "edges" && (!r.Scaled || r.Scaling == nil || r.Scaling != got.Affinity.Scaling) {
				t.Errorf("%s: columns of unlike units are not scaled, or the report does not say by what", c.name)
			}
		}
	}
}

// TestChosen: the graph of the features is tried alone where the edges say nothing, and wins.
func TestChosen(t *testing.T) {
	ctx := context.Background()
	in := cloud(t, 300, 3, 8, 12)
	noise, edges := rand.New(rand.NewPCG(1, 2)), &csr.Edges{}
	for range 4000 {
		edges.Src, edges.Dst = append(edges.Src, uint32(noise.IntN(300))), append(edges.Dst, uint32(noise.IntN(300)))
	}
	var err error
	if in.Edges, _, err = csr.FromEdges(300, edges, csr.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	g, err := NewGraph(ctx, in, GraphOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(g.Report.Choice, func(t choice.GraphTrial) bool { return t.Graph == "edges" && !t.Chosen }) ||
		!slices.ContainsFunc(g.Report.Choice, func(t choice.GraphTrial) bool { return t.Graph == "knn manhattan scaled" && t.Chosen }) {
		t.Errorf("choice %+v, expected the features alone", g.Report.Choice)
	}
	if g.Report.Share != 0 || g.Report.KNN == nil {
		t.Errorf("report %+v, expected that of the features alone", g.Report)
	}
	fixed, err := NewGraph(ctx, in, GraphOptions{Fixed: true})
	if err != nil || fixed.Report.Choice != nil {
		t.Errorf("fixed: choice %+v, %v", fixed.Report.Choice, err)
	}
	joinable, err := NewGraph(ctx, in, GraphOptions{Joinable: true})
	if err != nil || !slices.Contains(joinable.Report.Untried, "edges") || joinable.Report.KNN.Found == nil {
		t.Errorf("joinable: %+v, %v", joinable.Report, err)
	}
}

// TestJoinable: new points can join a graph of neighbours of all nodes, whose features are known.
func TestJoinable(t *testing.T) {
	ctx := context.Background()
	in := cloud(t, 40, 2, 4, 5)
	found, _, err := knn.Search(ctx, in.Dense, knn.Options{K: 3, Metric: knn.L2})
	if err != nil {
		t.Fatal(err)
	}
	fewer := &csr.Dense{Rows: 39, Cols: 4, Data: in.Dense.Data[:39*4]}
	for name, c := range map[string]struct {
		in   Input
		kind Kind
		want bool
	}{
		"neighbours":                           {Input{Dense: in.Dense}, KNN, true},
		"beside edges":                         {Input{Dense: in.Dense, Edges: in.Edges}, KNN, true},
		"a node without features":              {Input{Dense: fewer, Edges: in.Edges}, KNN, false},
		"edges alone":                          {Input{Edges: in.Edges}, KNN, false},
		"l1":                                   {Input{Dense: in.Dense}, L1, false},
		"lle":                                  {Input{Dense: in.Dense}, LLE, false},
		"neighbours found elsewhere":           {Input{Neighbors: found}, KNN, false},
		"neighbours found elsewhere, features": {Input{Neighbors: found, Dense: in.Dense}, KNN, true},
	} {
		g, err := NewGraph(ctx, c.in, GraphOptions{Kind: c.kind, K: 3, Joinable: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := g.Report.Joinable(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if (g.Joins != nil) != c.want {
			t.Errorf("%s: joined by %v", name, g.Joins)
		}
	}
}

// TestNeighboursFound: features are mixed as ever where their neighbours were found elsewhere.
func TestNeighboursFound(t *testing.T) {
	ctx := context.Background()
	in := cloud(t, 120, 3, 6, 5)
	l2, both := knn.L2, in
	found, _, err := knn.Search(ctx, in.Dense, knn.Options{K: 10, Metric: l2})
	if err != nil {
		t.Fatal(err)
	}
	for name, edges := range map[string]*csr.Matrix{"features": nil, "edges and features": in.Edges} {
		in.Edges, both.Edges, both.Neighbors = edges, edges, found
		opt := Options{Graph: GraphOptions{Metric: &l2, Kind: KNN}}
		want, err := Run(ctx, in, opt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Run(ctx, both, opt)
		if err != nil || got.Combination == nil || !slices.Equal(got.F.Data, want.F.Data) {
			t.Errorf("%s: another answer than where the neighbours are searched for: %v", name, err)
		}
	}
	if got, err := Run(ctx, Input{Neighbors: found, Seeds: in.Seeds}, Options{}); err != nil || got.Combination != nil {
		t.Errorf("neighbours alone: a mixture, %v", err)
	}
}

// TestMixed: beside other methods, other graphs of features are made where the first one is wrong on more than 0.15 of the left-out
// seeds, and none with edges. Run makes the graph so where it mixes.
func TestMixed(t *testing.T) {
	ctx := t.Context()
	in := cloud(t, 300, 3, 8, 12)
	if g, err := NewGraph(ctx, in, GraphOptions{Mixed: true}); err != nil || g.Report.Choice != nil {
		t.Errorf("with edges: choice %+v, %v", g.Report.Choice, err)
	}
	kinds := map[[2]bool]int{}
	for _, shape := range [][3]int{{300, 3, 8}, {400, 8, 4}, {400, 10, 4}} {
		in := cloud(t, shape[0], shape[1], shape[2], 12)
		in.Edges = nil
		alone, err := NewGraph(ctx, in, GraphOptions{})
		if err != nil {
			t.Fatal(err)
		}
		mixed, err := NewGraph(ctx, in, GraphOptions{Mixed: true})
		if err != nil {
			t.Fatal(err)
		}
		first := alone.Report.Choice[0]
		doubt := len(alone.Report.Choice) > 1
		want := len(alone.Report.Choice)
		if first.Accuracy >= 0.85 {
			want = 1
		}
		if len(mixed.Report.Choice) != want {
			t.Errorf("%v: choice %+v, expected %d graphs", shape, mixed.Report.Choice, want)
		}
		kinds[[2]bool{doubt, want > 1}]++
		ran, err := Run(ctx, in, Options{})
		if err != nil || len(ran.Affinity.Report.Choice) != want {
			t.Errorf("%v, run: choice %+v, %v, expected %d graphs", shape, ran.Affinity.Report.Choice, err, want)
		}
	}
	if kinds[[2]bool{true, true}] == 0 || kinds[[2]bool{true, false}] == 0 || kinds[[2]bool{false, false}] == 0 {
		t.Errorf("cases %v, expected doubt, doubt for one method alone, and none", kinds)
	}
}

// TestPrior: unequal numbers of seeds choose class sizes as in adp, unless the prior is said.
func TestPrior(t *testing.T) {
	ctx := context.Background()
	in := cloud(t, 300, 3, 8, 40)
	list := slices.DeleteFunc(in.Seeds.List(), func(s diffuse.Seed) bool { return s.Class == 0 && s.Node > 30 })
	y, err := diffuse.NewSeeds(300, 3, list)
	if err != nil {
		t.Fatal(err)
	}
	want, trial, err := choice.Prior(ctx, in.Edges, y, adp.Options{})
	if err != nil || trial == nil {
		t.Fatal(trial, err)
	}
	got, err := Label(ctx, in.Edges, y, Options{})
	if err != nil || !slices.Equal(got.Prior, want) || *got.PriorTrial != *trial || got.OfSeeds != trial.Chosen {
		t.Errorf("prior %v %+v, expected %v %+v; %v", got.Prior, got.PriorTrial, want, trial, err)
	}
	for _, c := range []struct {
		opt  Options
		want []float64
	}{
		{Options{Prior: EqualPrior}, nil},
		{Options{Prior: SeedPrior}, choice.SeedPrior(y)},
		{Options{Run: adp.Options{Prior: []float64{1, 2, 3}}}, []float64{1, 2, 3}},
		{Options{Run: adp.Options{Method: adp.LGC}}, nil},
	} {
		if got, err := Label(ctx, in.Edges, y, c.opt); err != nil || !slices.Equal(got.Prior, c.want) || got.PriorTrial != nil {
			t.Errorf("prior %v %+v, expected %v; %v", got.Prior, got.PriorTrial, c.want, err)
		}
	}
}

// TestRefused: what does not fit each other is an error, and no graph is made.
func TestRefused(t *testing.T) {
	ctx := context.Background()
	in := cloud(t, 60, 3, 4, 2)
	short := in.Seeds
	many := csr.NewDense(61, 2)
	cosine, unknown := knn.Cosine, knn.Metric(9)
	near, _, err := knn.Search(ctx, in.Dense, knn.Options{K: 5})
	if err != nil {
		t.Fatal(err)
	}
	cut := &csr.Dense{Rows: 60, Cols: in.Dense.Cols, Data: in.Dense.Data[1:]}
	for _, opt := range []Options{{Prior: 9}, {Combine: 9}} {
		if _, err := Run(ctx, in, opt); !errors.Is(err, adp.ErrOptions) {
			t.Errorf("%+v: error %v", opt, err)
		}
		if _, err := Label(ctx, in.Edges, short, opt); !errors.Is(err, adp.ErrOptions) {
			t.Errorf("label, %+v: error %v", opt, err)
		}
	}
	_, _, weights := in.Edges.Arrays()
	nan := in.Edges.WithData(slices.Repeat([]float32{float32(math.NaN())}, len(weights)))
	of := &Graph{W: in.Edges, OfFeatures: in.Edges}
	if _, err := LabelInput(ctx, Input{Edges: in.Edges, Sparse: nan, Seeds: short}, of, Options{}); !errors.Is(err, knn.ErrFeatures) {
		t.Errorf("no number, on a graph: error %v", err)
	}
	for _, c := range []struct {
		w     *csr.Matrix
		seeds *diffuse.Seeds
	}{{nil, short}, {in.Edges, nil}} {
		if _, err := Label(ctx, c.w, c.seeds, Options{}); !errors.Is(err, ErrInput) {
			t.Errorf("label of %v, %v: error %v", c.w != nil, c.seeds != nil, err)
		}
	}
	for _, c := range []struct {
		name string
		in   Input
		opt  GraphOptions
		want error
	}{
		{"nothing", Input{Seeds: short}, GraphOptions{}, ErrInput},
		{"no seeds", Input{Dense: in.Dense}, GraphOptions{}, ErrInput},
		{"more rows than nodes", Input{Edges: in.Edges, Dense: many, Seeds: short}, GraphOptions{}, ErrInput},
		{"dense and sparse", Input{Dense: in.Dense, Sparse: in.Edges, Seeds: short}, GraphOptions{}, ErrInput},
		{"k", Input{Dense: in.Dense, Seeds: short}, GraphOptions{K: 60}, adp.ErrOptions},
		{"default of k", Input{Dense: in.Dense, Seeds: short}, GraphOptions{DefaultK: -1}, adp.ErrOptions},
		{"share", in, GraphOptions{Share: 1}, adp.ErrOptions},
		{"kind", in, GraphOptions{Kind: 9}, adp.ErrOptions},
		{"sparse l1", Input{Sparse: in.Edges, Seeds: short}, GraphOptions{Kind: L1, Metric: &cosine}, adp.ErrOptions},
		{"lle of neighbours alone", Input{Neighbors: near, Seeds: short}, GraphOptions{Kind: LLE}, adp.ErrOptions},
		{"links of neighbours alone", Input{Neighbors: near, Seeds: short}, GraphOptions{Make: knn.GraphOptions{Connect: true}}, adp.ErrOptions},
		{"links of sparse points", Input{Sparse: in.Edges, Seeds: short}, GraphOptions{Make: knn.GraphOptions{Connect: true}}, adp.ErrOptions},
		{"metric", Input{Dense: in.Dense, Seeds: short}, GraphOptions{Metric: &unknown}, adp.ErrOptions},
		{"weighting", in, GraphOptions{Make: knn.GraphOptions{Weighting: 9}}, adp.ErrOptions},
		{"symmetry", in, GraphOptions{Make: knn.GraphOptions{Symmetry: 9}}, adp.ErrOptions},
		{"an option of knn, for knn", in, GraphOptions{Make: knn.GraphOptions{Symmetry: 9}}, knn.ErrOptions},
		{"numbers", Input{Dense: cut, Seeds: short}, GraphOptions{}, knn.ErrFeatures},
		{"numbers beside edges", Input{Edges: in.Edges, Dense: cut, Seeds: short}, GraphOptions{}, knn.ErrFeatures},
		{"short neighbours", Input{Neighbors: &knn.Neighbors{N: 60, K: 5, IDs: near.IDs}, Seeds: short}, GraphOptions{}, knn.ErrNeighbors},
		{"no classes", Input{Edges: in.Edges, Seeds: &diffuse.Seeds{Nodes: 60, Classes: -1}}, GraphOptions{}, ErrInput},
		{"no number", Input{Dense: &csr.Dense{Rows: 60, Cols: 1, Data: slices.Repeat([]float32{float32(math.NaN())}, 60)}, Seeds: short}, GraphOptions{}, knn.ErrFeatures},
		{"admission", in, GraphOptions{Admit: func(string, int64) error { return errRefused }}, errRefused},
	} {
		if _, err := Run(ctx, c.in, Options{Graph: c.opt}); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, expected %v", c.name, err, c.want)
		}
	}
}

var errRefused = errors.New("refused")

// TestStages: the stages come in order, and a calibration is the one of adp.
func TestStages(t *testing.T) {
	in := cloud(t, 300, 3, 8, 20)
	var seen []Stage
	got, err := Label(context.Background(), in.Edges, in.Seeds, Options{Calibrate: true, Stage: func(s Stage) { seen = append(seen, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []Stage{ChoosingPrior, Running, Calibrating, Done}) {
		t.Errorf("stages %v", seen)
	}
	if got.Calibration == nil || !got.Calibration.Calibrated {
		t.Errorf("calibration %+v", got.Calibration)
	}
	small := cloud(t, 120, 3, 8, 4)
	for name, in := range map[string]Input{"edges": {Edges: small.Edges, Seeds: small.Seeds}, "features": {Dense: small.Dense, Seeds: small.Seeds}, "both": small} {
		seen = nil
		if _, err := Run(context.Background(), in, Options{Stage: func(s Stage) { seen = append(seen, s) }}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(seen, []Stage{Running, Combining, Done}) {
			t.Errorf("%s: stages %v", name, seen)
		}
	}
	seen = nil
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(stopped, Input{Edges: small.Edges, Seeds: small.Seeds}, Options{Stage: func(s Stage) { seen = append(seen, s) }}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []Stage{Running, Done}) {
		t.Errorf("stages of work that was stopped: %v", seen)
	}
}

// TestRunColumns: the run before the feature step works on all class columns at a time where the step takes more memory
// than that, else on as many as it was told. The labels are the same.
func TestRunColumns(t *testing.T) {
	racing.LongSum(t)
	both, _ := words(t, 2000, 12, 60, 0.6, 2)
	seen := map[int]int{}
	for _, in := range []Input{both, {Edges: both.Edges, Seeds: both.Seeds}, {Sparse: both.Sparse, Seeds: both.Seeds}} {
		g, err := NewGraph(t.Context(), in, GraphOptions{Fixed: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, topK := range []int{0, 100} { // a learned graph of 100 a row takes more than a step without features
			all := Options{Run: adp.Options{TopK: topK}}
			some := Options{Run: adp.Options{TopK: topK, ClassColumns: 1}}
			columns := in.runColumns(g, some)
			seen[columns]++
			if fits := in.runBytes(g, all) <= PoolBytes(&in, g, some); (columns == 0) != fits || in.runColumns(g, all) != 0 {
				t.Errorf("edges %t, features %t: %d columns at a time, all fit: %t", in.Edges != nil, in.featured(), columns, fits)
			}
		}
	}
	if seen[0] < 3 || seen[1] < 2 {
		t.Errorf("columns at a time and cases: %v", seen)
	}
	few, _ := words(t, 400, 12, 60, 0.6, 2)
	want, err := Run(t.Context(), few, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Run(t.Context(), few, Options{Run: adp.Options{ClassColumns: 1}}); err != nil || !slices.Equal(got.F.Data, want.F.Data) {
		t.Errorf("other probabilities with one column at a time, error %v", err)
	}
}

// TestLeastPoolBytes: what a mixture takes at least, before there is a graph, is no more than what it takes on one. With edges it is more than half;
// of features alone, whose graph is unknown, more than a fifth.
func TestLeastPoolBytes(t *testing.T) {
	both := cloud(t, 3000, 3, 10, 5)
	for _, in := range []Input{both, {Edges: both.Edges, Seeds: both.Seeds}, {Dense: both.Dense, Seeds: both.Seeds}} {
		part := int64(2)
		if in.Edges == nil {
			part = 5
		}
		g, err := NewGraph(t.Context(), in, GraphOptions{Fixed: true})
		if err != nil {
			t.Fatal(err)
		}
		if least, all := LeastPoolBytes(&in, Options{}), PoolBytes(&in, g, Options{}); least > all || part*least < all {
			t.Errorf("edges %t, features %t: at least %d of %d bytes", in.Edges != nil, in.Dense != nil, least, all)
		}
	}
	if LeastPoolBytes(nil, Options{}) != 0 || LeastPoolBytes(&Input{}, Options{}) != 0 {
		t.Error("bytes of nothing")
	}
}

// TestParts: parts that are missing, or do not fit each other, are errors and no panics, whatever function they are given to.
func TestParts(t *testing.T) {
	ctx, in := context.Background(), cloud(t, 60, 3, 4, 3)
	of := func(in Input) *Graph {
		g, err := NewGraph(ctx, in, GraphOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g, ofDense := of(in), of(Input{Dense: in.Dense, Seeds: in.Seeds})
	small := cloud(t, 30, 3, 4, 3)
	for name, c := range map[string]struct {
		in Input
		g  *Graph
	}{
		"no graph":                      {in, nil},
		"an empty graph":                {in, &Graph{}},
		"a graph of features alone":     {in, ofDense},
		"a graph of edges alone":        {in, of(Input{Edges: in.Edges, Seeds: in.Seeds})},
		"a graph of fewer nodes":        {in, of(small)},
		"a features' graph of fewer":    {in, &Graph{W: g.W, OfFeatures: of(small).OfFeatures}},
		"an input of nothing":           {Input{}, g},
		"an input of seeds alone":       {Input{Seeds: in.Seeds}, g},
		"no seeds":                      {Input{Edges: in.Edges, Dense: in.Dense}, g},
		"seeds of other nodes":          {Input{Edges: in.Edges, Dense: in.Dense, Seeds: small.Seeds}, g},
		"features of other nodes' rows": {Input{Edges: small.Edges, Dense: in.Dense, Seeds: small.Seeds}, of(small)},
	} {
		if _, err := LabelInput(ctx, c.in, c.g, Options{}); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v, expected an error about the input", name, err)
		}
		if bytes := PoolBytes(&c.in, c.g, Options{}); bytes < 0 {
			t.Errorf("%s: %d bytes", name, bytes)
		}
	}
	nan := in.Dense.Clone()
	nan.Data[7] = float32(math.NaN())
	for _, in := range []Input{{Edges: in.Edges, Dense: nan, Seeds: in.Seeds}, {Dense: nan, Seeds: in.Seeds}} {
		if _, err := LabelInput(ctx, in, g, Options{}); !errors.Is(err, knn.ErrFeatures) {
			t.Errorf("NaN on a graph of other features: %v, expected an error about features", err)
		}
	}
	narrow := Input{Dense: &csr.Dense{Rows: 60, Cols: 2, Data: in.Dense.Data[:120]}, Seeds: in.Seeds}
	if _, err := LabelInput(ctx, narrow, ofDense, Options{}); ofDense.Scaling == nil || !errors.Is(err, knn.ErrFeatures) {
		t.Errorf("columns that the graph does not scale: %v, expected an error about features", err)
	}
	if PoolBytes(nil, nil, Options{}) != 0 || EstimateBytes(nil, 2, Options{}) != 0 {
		t.Error("bytes of nothing")
	}
	for _, prior := range []Prior{AutoPrior, SeedPrior} {
		if _, _, err := ChoosePrior(ctx, nil, nil, Options{Prior: prior}); !errors.Is(err, ErrInput) {
			t.Errorf("prior %d of nothing: %v", prior, err)
		}
	}
	keep := func(w *csr.Matrix) GraphOptions {
		return GraphOptions{Keep: func(knn.Start, func() (*csr.Matrix, error)) (*csr.Matrix, error) { return w, nil }}
	}
	for name, opt := range map[string]GraphOptions{"none": keep(nil), "another": keep(small.Edges)} {
		if _, err := NewGraph(ctx, Input{Dense: in.Dense}, opt); !errors.Is(err, adp.ErrOptions) {
			t.Errorf("%s kept: %v, expected an error about options", name, err)
		}
	}
	near := &knn.Neighbors{N: 3, K: 1, IDs: []uint32{1, 0, 0}, Dist: []float32{1, 1, 1}}
	for name, change := range map[string]func(*knn.Neighbors){
		"copies of one":      func(nb *knn.Neighbors) { nb.Of = []uint32{0} },
		"a negative one":     func(nb *knn.Neighbors) { nb.Dist = []float32{-1, 1, 1} },
		"one without length": func(nb *knn.Neighbors) { nb.Dist = []float32{float32(math.NaN()), 1, 1} },
	} {
		bad := *near
		change(&bad)
		if _, err := NewGraph(ctx, Input{Neighbors: &bad}, GraphOptions{}); !errors.Is(err, knn.ErrNeighbors) {
			t.Errorf("neighbours, %s: %v, expected an error about neighbours", name, err)
		}
	}
}

// TestForgedSeeds: seeds that are not as they were made are errors.
func TestForgedSeeds(t *testing.T) {
	ctx, in := context.Background(), cloud(t, 60, 3, 4, 3)
	forged := func(change func(*diffuse.Seeds)) *diffuse.Seeds {
		y := *in.Seeds
		change(&y)
		return &y
	}
	for name, y := range map[string]*diffuse.Seeds{
		"none":          {Nodes: 60, Classes: 3},
		"fewer classes": in.Seeds.Of(2),
		"one class":     in.Seeds.Of(1),
		"fewer nodes":   forged(func(y *diffuse.Seeds) { y.Nodes = 2 }),
	} {
		w, _, err := csr.FromEdges(y.Nodes, &csr.Edges{Src: []uint32{0}, Dst: []uint32{1}}, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []adp.Method{adp.ADP, adp.LGC} {
			if _, err := adp.Run(ctx, w, y, adp.Options{Method: method}); !errors.Is(err, diffuse.ErrSeeds) {
				t.Errorf("%s, %v: %v, expected an error about seeds", name, method, err)
			}
		}
		for _, in := range []Input{{Edges: w, Seeds: y}, {Dense: in.Dense, Seeds: y}, {Edges: in.Edges, Dense: in.Dense, Seeds: y}} {
			if _, err := Run(ctx, in, Options{}); !errors.Is(err, ErrInput) {
				t.Errorf("%s: %v, expected an error about the input", name, err)
			}
		}
		for _, prior := range []Prior{AutoPrior, SeedPrior} {
			if _, err := Label(ctx, w, y, Options{Prior: prior}); !errors.Is(err, ErrInput) {
				t.Errorf("%s, prior %d: %v, expected an error about the input", name, prior, err)
			}
		}
	}
}
