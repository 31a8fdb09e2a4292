package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
	"github.com/adp-sparse/adp-sparse/knn"
)

// TestNearestSeed: the scores are −ln of distances that are summed column by column in float64, of
// columns as they were, of scaled ones, and of sparse rows of unit length.
func TestNearestSeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, d = 200, 7
	raw := csr.NewDense(n, d)
	for i := range n {
		for j := range d {
			raw.Set(i, j, float32(1000*float64(j)+math.Pow(4, float64(j))*rng.NormFloat64()))
		}
	}
	copy(raw.Row(9), raw.Row(0)) // in the place of a seed
	counts := csr.NewDense(n, d)
	for k := range counts.Data {
		counts.Data[k] = float32(rng.IntN(3))
	}
	clear(counts.Row(7)) // without features
	sparse, err := csr.FromDense(counts)
	if err != nil {
		t.Fatal(err)
	}
	var seeds []diffuse.Seed
	for k := range 80 { // more than a block of class 0, none of class 3
		seeds = append(seeds, diffuse.Seed{Node: uint32(2 * k), Class: uint32(max(0, k-77)), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, 4, seeds)
	if err != nil {
		t.Fatal(err)
	}
	scaling, err := knn.ScalingOf(raw, 1)
	if err != nil {
		t.Fatal(err)
	}
	scaled := scaling.Apply(raw, 1)
	for name, c := range map[string]struct {
		in      Input
		scaling *knn.Scaling
	}{
		"as they were": {Input{Dense: raw}, nil},
		"scaled":       {Input{Dense: raw}, scaling},
		"sparse":       {Input{Sparse: sparse}, nil},
	} {
		c.in.Seeds = y
		x, err := prepare(&c.in, c.scaling, 2)
		if err != nil {
			t.Fatal(err)
		}
		far, err := newDistances(x, 2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&trainer{pool: &pool{far: far, opt: adp.Options{Threads: 3}}, y: y}).nearestSeed(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.0
		for _, q := range far.square {
			mean += q / n
		}
		rows := func(i, j int) float64 { return float64(raw.At(i, j)) }
		switch name {
		case "scaled":
			rows = func(i, j int) float64 { return float64(scaled.At(i, j)) }
		case "sparse":
			rows = func(i, j int) (v float64) {
				cols, values := x.x.Sparse.Row(i)
				if at := slices.Index(cols, uint32(j)); at >= 0 {
					v = float64(values[at])
				}
				return v
			}
		}
		for i := range n {
			distance, most := []float64{math.Inf(1), math.Inf(1), math.Inf(1), 0}, 0.0
			for _, s := range seeds {
				sum := 0.0
				for j := range d {
					sum += math.Pow(rows(i, j)-rows(int(s.Node), j), 2)
				}
				distance[s.Class] = min(distance[s.Class], math.Sqrt(sum))
			}
			for _, v := range distance[:3] {
				most = max(most, v)
			}
			distance[3] = most
			for j, v := range distance {
				want := -math.Log(v)
				if name != "sparse" { // over √d, as the columns are
					want += math.Log(math.Sqrt(d))
				}
				near := float64(got.At(i, j))
				switch {
				case name == "sparse" && i == 7:
					if near != 0 {
						t.Fatalf("%s: row without features: %v", name, got.Row(i))
					}
				case v == 0: // as near as can be told
					if floor := -0.5 * math.Log(leastDistance*mean); near < floor-1 || near > floor+1e-6 {
						t.Errorf("%s: node %d, class %d: %v at distance 0", name, i, j, near)
					}
				case math.Abs(near-want) > 2e-3:
					t.Errorf("%s: node %d, class %d: %.5f, expected %.5f", name, i, j, near, want)
				}
			}
		}
	}
}

// TestCrossAccuracy: of members whose scores are chance, the mixture has no skill on seeds that did not
// weigh it, though it has on those that did.
func TestCrossAccuracy(t *testing.T) {
	if racing.On {
		t.Skip("one goroutine: the test runs without the race detector")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	const m, c, methods, draws = 24, 2, 30, 40
	own, crossed, told := 0.0, 0.0, 0.0
	for range draws {
		y, err := diffuse.NewSeeds(m, c, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 1, Class: 1, Weight: 1}})
		if err != nil {
			t.Fatal(err)
		}
		p := &pool{whole: &trainer{y: y}}
		left := &leftOut{}
		for k := range m {
			left.classes, left.nodes = append(left.classes, uint32(k%c)), append(left.nodes, uint32(k))
		}
		for range methods {
			p.members = append(p.members, member{plain, onSum, 1})
			var sizes []float64
			var scores []float32
			for range m {
				v := float32(rng.NormFloat64())
				sizes, scores = append(sizes, 1), append(scores, v, -v)
			}
			left.sizes, left.scores = append(left.sizes, sizes), append(left.scores, scores)
		}
		whole := p.weigh(left, c)
		own += accuracy(p.mix(left, whole, c), left.classes) / draws
		quarters := p.quarters(left, c)
		crossed += accuracy(p.crossed(left, quarters, c, nil), left.classes) / draws
		whole.Bias, whole.Accuracy = make([]float64, c), 0.7
		told += p.reliability(whole, left, quarters, 0).Accuracy / draws
	}
	if math.Abs(told-0.5) > 0.06 {
		t.Errorf("%.3f of the left-out seeds are right where the confidence is checked, expected about 0.5", told)
	}
	if own < 0.6 || math.Abs(crossed-0.5) > 0.06 {
		t.Errorf("accuracy %.3f by own weights, %.3f by those of other folds; expected well above and about 0.5", own, crossed)
	}
}

// TestHugeValues: marks of missing values, as 1e30 or the largest float32, whose squares float32 does not hold, are as far as smaller
// ones are: labels are the same but for some that rounding decides, F is finite, and distances are told in the units of the columns.
func TestHugeValues(t *testing.T) {
	marked := func(mark float32) Input {
		in := cloud(t, 120, 3, 4, 10)
		for k := range 12 {
			in.Dense.Data[(13+37*k)%len(in.Dense.Data)] = mark
		}
		in.Edges = nil
		return in
	}
	graph := GraphOptions{Scale: Unscaled}
	want, err := Run(context.Background(), marked(1e12), Options{Graph: graph})
	if err != nil {
		t.Fatal(err)
	}
	var huge []int32
	for _, mark := range []float32{1e22, 1e30, math.MaxFloat32} {
		got, err := Run(context.Background(), marked(mark), Options{Graph: graph, Explain: []int{100}})
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range got.F.Data {
			if math.IsNaN(float64(v)) {
				t.Fatalf("mark %v: F of node %d is NaN", mark, k/3)
			}
		}
		changed := 0
		for i, label := range want.Labels {
			if got.Labels[i] != label {
				changed++
			}
		}
		if changed > 3 { // all others are equally far from a marked row, but for rounding
			t.Errorf("mark %v: %d labels are not those of 1e12: %v, expected %v", mark, changed, got.Labels, want.Labels)
		}
		if huge == nil {
			huge = got.Labels
		}
		if !slices.Equal(got.Labels, huge) {
			t.Errorf("mark %v: labels %v, expected those of 1e22, %v", mark, got.Labels, huge)
		}
		in := marked(mark)
		x, err := prepare(&in, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		far, err := newDistances(x, 1)
		if err != nil {
			t.Fatal(err)
		}
		// Row 3 has a mark, and row 2 none: they are the mark over √d apart.
		if apart := math.Sqrt(far.squares(2, []uint32{3})[0]) * far.unit; math.Abs(apart/float64(mark)-0.5) > 1e-6 {
			t.Errorf("mark %v: rows are %v apart, expected half the mark", mark, apart)
		}
		if kernel := newDecay(far, in.Seeds); !(kernel.scale > 0) || math.IsInf(kernel.scale, 0) || slices.ContainsFunc(kernel.rows.Data, func(v float32) bool { return math.IsInf(float64(v), 0) }) {
			t.Errorf("mark %v: differences of %v in the mean", mark, kernel.scale)
		}
	}
}
