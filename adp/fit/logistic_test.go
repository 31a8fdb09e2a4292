package fit

import (
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestLogisticOfColumns: the scores are those of a regression on columns that are standardised by hand, with as much
// weight for each class, whose seeds are of unlike numbers here; and columns and b add up to the lead of a score.
func TestLogisticOfColumns(t *testing.T) {
	in := cloud(t, 90, 3, 6, 9)
	list := slices.DeleteFunc(slices.Clone(in.Seeds.List()), func(s diffuse.Seed) bool { return s.Class == 2 && s.Node > 12 })
	var err error
	if in.Seeds, err = diffuse.NewSeeds(90, 3, list); err != nil {
		t.Fatal(err)
	}
	x, err := prepare(&in, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	tr := &trainer{pool: &pool{members: []member{{logistic, onSum, 1}}}, y: in.Seeds}
	if err := tr.pool.prepare(t.Context(), x, in.Seeds); err != nil {
		t.Fatal(err)
	}
	tr.sums.x = x
	got, err := tr.score(t.Context(), tr.members[0])
	if err != nil {
		t.Fatal(err)
	}
	z, seeded := csr.NewDense(90, 6), csr.NewDense(len(list), 6)
	for j := range 6 {
		mean, square := 0.0, 0.0
		for i := range 90 {
			mean += float64(in.Dense.At(i, j)) / 90
		}
		for i := range 90 {
			square += math.Pow(float64(in.Dense.At(i, j))-mean, 2) / 90
		}
		for i := range 90 {
			z.Set(i, j, float32((float64(in.Dense.At(i, j))-mean)/math.Sqrt(square)))
		}
	}
	targets, count := make([][]float64, len(list)), make([]float64, 3)
	for k, s := range list {
		copy(seeded.Row(k), z.Row(int(s.Node)))
		targets[k] = make([]float64, 3)
		targets[k][s.Class] = 1
		count[s.Class]++
	}
	weights := make([]float64, len(list))
	for k, s := range list {
		weights[k] = 1 / count[s.Class]
	}
	rows, err := csr.FromDense(seeded)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := diffuse.Logistic(t.Context(), rows, targets, weights, 1/float64(len(list)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 90 {
		for c := range 3 {
			want := fit.Bias[c]
			for j, v := range z.Row(i) {
				want += float64(v) * fit.Theta[j*3+c]
			}
			if math.Abs(float64(got.At(i, c))-want) > 1e-3 {
				t.Fatalf("score %d of node %d is %v, expected %v", c, i, got.At(i, c), want)
			}
		}
	}
	say, err := tr.logisticReasons(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var voice Voice
	if err := say(t.Context(), &Why{Node: 50, Label: 2, RunnerUp: 0}, &voice); err != nil {
		t.Fatal(err)
	}
	if want := float64(got.At(50, 2)) - float64(got.At(50, 0)); math.Abs(voice.Columns.Total+voice.Prior-want) > 1e-3 {
		t.Errorf("columns and b add up to %v, expected %v", voice.Columns.Total+voice.Prior, want)
	}
}

// TestLogisticWhereItPays: not of many columns, as of pictures, and not of words.
func TestLogisticWhereItPays(t *testing.T) {
	for _, test := range []struct {
		columns int
		want    bool
	}{{6, true}, {mostLogistic + 1, false}} {
		in := cloud(t, 120, 3, test.columns, 5)
		in.Edges = nil
		r, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (member{logistic, onSum, 1}).leftOut(&prepared{x: diffuse.Features{Dense: in.Dense}}, in.Seeds) == test.want {
			t.Errorf("%d columns: a costly logistic regression: %t", test.columns, !test.want)
		}
		if got := slices.ContainsFunc(r.Combination.Members, func(m Member) bool { return m.Method == methodTitles[logistic] }); got != test.want {
			t.Errorf("%d columns: logistic regression takes part: %t", test.columns, got)
		}
	}
}

// TestLogisticOfManyClasses: the product of seeds, columns and classes has a bound.
func TestLogisticOfManyClasses(t *testing.T) {
	for _, test := range []struct {
		seeds, classes int
		want           bool
	}{{1000, 20, false}, {1001, 20, true}, {2000, 10, false}} {
		var list []diffuse.Seed
		for i := range test.seeds {
			list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(i % test.classes), Weight: 1})
		}
		y, err := diffuse.NewSeeds(3000, test.classes, list)
		if err != nil {
			t.Fatal(err)
		}
		x := &prepared{x: diffuse.Features{Dense: csr.NewDense(3000, 100)}}
		if got := (member{logistic, onSum, 1}).leftOut(x, y); got != test.want {
			t.Errorf("%d seeds of %d classes: costly: %t", test.seeds, test.classes, got)
		}
	}
}
