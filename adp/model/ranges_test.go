package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// drawn returns points with columns of several kinds: normal, of one sign, with long tails on both sides and on one, few and many
// zeros, two values, counts, a narrow range far from 0, and one value.
func drawn(rng *rand.Rand, n int) *csr.Dense {
	x := csr.NewDense(n, 11)
	for i := range n {
		row := x.Row(i)
		for j, v := range []float64{
			rng.NormFloat64(), 1.2 + 8.6*rng.Float64(), math.Exp(2 * rng.NormFloat64()), rng.NormFloat64() / rng.NormFloat64(),
			float64(rng.IntN(2)), max(0, rng.NormFloat64()-2), max(0, 100*rng.NormFloat64()), math.Floor(rng.ExpFloat64() * 3),
			1013 + 10*rng.NormFloat64(), 7, float64(rng.IntN(16)) / 15,
		} {
			row[j] = float32(v)
		}
	}
	return x
}

// cut returns rows lo to hi.
func cut(x *csr.Dense, lo, hi int) *csr.Dense {
	return &csr.Dense{Rows: hi - lo, Cols: x.Cols, Data: x.Data[lo*x.Cols : hi*x.Cols]}
}

// changed returns x with another value in the place of each.
func changed(x *csr.Dense, to func(j int, v float64) float64) *csr.Dense {
	out := csr.NewDense(x.Rows, x.Cols)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			out.Row(i)[j] = float32(to(j, float64(v)))
		}
	}
	return out
}

var angular = &Model{Joins: &knn.Attachment{Metric: knn.Cosine}, Features: &Features{}}

// farOf compares new points with those of a run.
func farOf(m *Model, run, asked *csr.Dense) *Far {
	r := m.Ranges(diffuse.Features{Dense: run})
	r.Add(diffuse.Features{Dense: asked})
	return r.Far()
}

// TestRangesSilent: new points drawn as those of the run are not far, whatever their numbers and the distributions.
func TestRangesSilent(t *testing.T) {
	for seed := range uint64(200) {
		x := drawn(rand.New(rand.NewPCG(seed, 1)), 600)
		for _, n := range []int{2, 5, 20, 100, 300} {
			for _, m := range []int{1, 2, 3, 10, 60, 300} {
				for name, of := range map[string]*Model{"length": {}, "angle": angular} {
					if far := farOf(of, cut(x, 0, n), cut(x, n, n+m)); far != nil {
						t.Errorf("seed %d, by %s: %d of %d points: %+v", seed, name, m, n, *far)
					}
				}
			}
		}
	}
}

// TestRangesFar: points in other units are far, and the column is named.
func TestRangesFar(t *testing.T) {
	x := drawn(rand.New(rand.NewPCG(5, 2)), 600)
	const positive, signed = 1, 0
	times := func(column int, factor float64) func(int, float64) float64 {
		return func(j int, v float64) float64 {
			if j == column || column < 0 {
				return v * factor
			}
			return v
		}
	}
	plus := func(column int, by float64) func(int, float64) float64 {
		return func(j int, v float64) float64 {
			if j == column {
				return v + by
			}
			return v
		}
	}
	for _, test := range []struct {
		name   string
		points int
		to     func(j int, v float64) float64
		column int // -1 for the lengths, -2 for nothing
	}{
		{"grams", 300, times(positive, 1000), positive},
		{"grams, three points", 3, times(positive, 1000), positive},
		{"grams, a point", 1, times(positive, 1000), positive},
		{"tonnes", 300, times(positive, .001), positive},
		{"tonnes, a point", 1, times(positive, .001), -2},
		{"twice as much", 300, times(positive, 1.5), -2},
		{"both signs", 300, times(signed, 1000), signed},
		{"hundredths of two values", 300, times(4, 100), 4},
		{"kelvin", 300, plus(signed, 273), signed},
		{"next year", 300, plus(8, 100), -2},
		{"another value where the run has one", 300, plus(9, 1e6), -1},
	} {
		far := farOf(&Model{}, cut(x, 0, 300), changed(cut(x, 300, 300+test.points), test.to))
		if got := columnOf(far); got != test.column {
			t.Errorf("%s: column %d, expected %d: %+v", test.name, got, test.column, far)
		}
	}
	far := farOf(&Model{}, cut(x, 0, 300), changed(cut(x, 300, 400), times(positive, 1000)))
	if far.Points != 100 || far.Asked != 100 || far.Nodes != 300 || far.Columns != 1 || far.Slight || far.Varying != 10 {
		t.Errorf("counts: %+v", *far)
	}
	if far.New[0] < 1200 || far.New[1] > 9800 || far.Run[0] < 1.2 || far.Run[1] > 9.8 || far.New[0] > far.New[1] {
		t.Errorf("ranges: %+v", *far)
	}
}

func columnOf(far *Far) int {
	if far == nil {
		return -2
	}
	return far.Column
}

// TestRangesOfPictures: pixels up to 1 are told from pixels up to 255, and the reverse, also by a single picture. By angle they are the same.
func TestRangesOfPictures(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	x := csr.NewDense(120, 64)
	for i := range x.Data {
		if rng.IntN(3) > 0 {
			x.Data[i] = float32(1 + rng.IntN(255))
		}
	}
	share := changed(x, func(_ int, v float64) float64 { return v / 255 })
	for _, m := range []int{1, 3, 20} {
		down, up := farOf(&Model{}, cut(x, 0, 100), cut(share, 100, 100+m)), farOf(&Model{}, cut(share, 0, 100), cut(x, 100, 100+m))
		if columnOf(down) == -2 || columnOf(up) < 0 || m == 1 && down.Column != -1 || up.Columns < 20 || up.Points < 1 {
			t.Errorf("%d pictures: %+v, %+v", m, down, up)
		}
		if far := farOf(angular, cut(x, 0, 100), cut(share, 100, 100+m)); far != nil {
			t.Errorf("%d pictures by angle: %+v", m, *far)
		}
	}
	// A column that outweighs all others changes the angles.
	heavy := changed(cut(x, 100, 120), func(j int, v float64) float64 {
		if j == 7 {
			return v*1000 + 1000
		}
		return v
	})
	if far := farOf(angular, cut(x, 0, 100), heavy); columnOf(far) != 7 || !far.UnitLength || far.New[1] > 1 || far.Run[1] > 1 {
		t.Errorf("a heavy column by angle: %+v", far)
	}
	// Scaled columns, trees and standardised regressions do not go by angle alone.
	for name, m := range map[string]*Model{
		"scaled columns":            {Joins: angular.Joins, Features: &Features{Scaling: &knn.Scaling{}}},
		"trees":                     {Joins: angular.Joins, Features: &Features{}, Trees: 0.5},
		"a standardised regression": {Joins: angular.Joins, Features: &Features{}, Guess: &adp.Guess{Standard: &diffuse.Standard{}}},
		"distances":                 {Joins: &knn.Attachment{Metric: knn.L2}, Features: &Features{}},
		"products":                  {Joins: &knn.Attachment{Metric: knn.InnerProduct}, Features: &Features{}},
	} {
		if m.byAngle() {
			t.Errorf("a model of %s goes by angle alone", name)
		}
	}
	if m := (&Model{Joins: &knn.Attachment{Metric: knn.HellingerIDF}, Features: &Features{}, Guess: &adp.Guess{}}); !m.byAngle() {
		t.Error("a model of words does not go by angle alone")
	}
}

// TestRangesStandardised: standardised points beside rows of counts are outside most ranges, and not far; the reverse is told too.
func TestRangesStandardised(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	x := csr.NewDense(400, 8)
	for i := range x.Data {
		x.Data[i] = float32(rng.IntN(4))
	}
	standard := changed(x, func(_ int, v float64) float64 { return (v - 1.5) / 1.118 })
	if far := farOf(&Model{}, cut(x, 0, 300), cut(standard, 300, 400)); far == nil || !far.Slight || far.Columns != 8 || far.Varying != 8 || far.Points < 45 || far.Points > 65 {
		t.Errorf("standardised: %+v", far)
	}
	few := changed(cut(x, 300, 400), func(j int, v float64) float64 {
		if j < 3 {
			return v - 1.5
		}
		return v
	})
	if far := farOf(&Model{}, cut(x, 0, 300), few); far != nil {
		t.Errorf("three of eight columns: %+v", *far)
	}
}

// TestRangesLimits: values on both sides of each limit of the rules, beside 100 points with 1 to 100 and a column that keeps their lengths.
func TestRangesLimits(t *testing.T) {
	run := csr.NewDense(100, 3)
	for i := range 100 {
		copy(run.Row(i), []float32{float32(i + 1), float32(9000 + 10*i), 0})
		if i%5 == 0 {
			run.Row(i)[2] = float32(i + 1)
		}
	}
	for _, test := range []struct {
		name      string
		of, count int // new points, and those of them with other values
		values    []float32
		column    int
	}{
		{"at the width of the range", 50, 50, []float32{199, 9500, 0}, -2},
		{"beyond it", 50, 50, []float32{200, 9500, 0}, 0},
		{"a tenth", 50, 50, []float32{0.1, 9500, 0}, -2},
		{"below a tenth", 50, 50, []float32{0.099, 9500, 0}, 0},
		{"half of the points", 50, 25, []float32{300, 9500, 0}, 0},
		{"fewer than half", 50, 24, []float32{300, 9500, 0}, -2},
		{"half of the largest size", 50, 50, []float32{50, 14986, 0}, 1},
		{"below half of it", 50, 50, []float32{50, 14984, 0}, -2},
		{"a tenth of the points have a value", 100, 10, []float32{50, 9500, 400}, 2},
		{"fewer than a tenth", 101, 10, []float32{50, 9500, 400}, -2},
		{"a point at 100 widths", 1, 1, []float32{9999, 9500, 0}, -2},
		{"a point beyond them", 1, 1, []float32{10002, 9500, 0}, 0},
		{"two points, one beyond them", 2, 1, []float32{10002, 9500, 0}, 0},
		{"three points, one beyond them", 3, 1, []float32{10002, 9500, 0}, -2},
		{"a short point", 1, 1, []float32{50, 91, 0}, -2},
		{"a shorter one", 1, 1, []float32{50, 74, 0}, -1},
	} {
		asked := csr.NewDense(test.of, 3)
		for i := range test.of {
			if copy(asked.Row(i), []float32{50, 9500, 0}); i < test.count {
				copy(asked.Row(i), test.values)
			}
		}
		if far := farOf(&Model{}, run, asked); columnOf(far) != test.column {
			t.Errorf("%s: column %d, expected %d: %+v", test.name, columnOf(far), test.column, far)
		}
	}
	// Outside, but not far: in three columns of five, by a third of the points.
	run = csr.NewDense(100, 5)
	for k := range run.Data {
		run.Data[k] = float32(1 + k/5)
	}
	for _, test := range []struct {
		name          string
		of, count, at int // new points, those outside, and columns in which they are
		want          bool
	}{{"a third in three", 60, 20, 3, true}, {"fewer in three", 60, 19, 3, false}, {"a third in two", 60, 20, 2, false}} {
		asked := csr.NewDense(test.of, 5)
		for i := range test.of {
			for j := range 5 {
				if asked.Row(i)[j] = 50; i < test.count && j < test.at {
					asked.Row(i)[j] = 110
				}
			}
		}
		if far := farOf(&Model{}, run, asked); (far != nil) != test.want || far != nil && (!far.Slight || far.Points != 20) {
			t.Errorf("outside, %s: %+v", test.name, far)
		}
		two := func(x *csr.Dense) *csr.Dense {
			out := csr.NewDense(x.Rows, 2)
			for i := range x.Rows {
				copy(out.Row(i), x.Row(i))
			}
			return out
		}
		if far := farOf(&Model{}, two(run), two(asked)); far != nil {
			t.Errorf("outside in two columns of two: %+v", *far)
		}
	}
}

// TestRangesForms: sparse points and blocks of points give what dense points at once do.
func TestRangesForms(t *testing.T) {
	x := drawn(rand.New(rand.NewPCG(4, 4)), 300)
	grams := changed(cut(x, 200, 300), func(j int, v float64) float64 { return v * []float64{1, 1000}[j%2] })
	grams.Data[0], grams.Data[5] = float32(math.NaN()), float32(math.Inf(1)) // which a search refuses
	for _, m := range []*Model{{}, angular} {
		want := farOf(m, cut(x, 0, 200), grams)
		if want == nil {
			t.Fatal("grams are not far")
		}
		sparse := func(x *csr.Dense) diffuse.Features {
			s, err := csr.FromDense(changed(x, func(_ int, v float64) float64 {
				if v-v != 0 {
					return 0
				}
				return v
			}))
			if err != nil {
				t.Fatal(err)
			}
			return diffuse.Features{Sparse: s}
		}
		r := m.Ranges(sparse(cut(x, 0, 200)))
		for lo := 0; lo < 100; lo += 7 {
			part := cut(grams, lo, min(lo+7, 100))
			if lo%2 == 0 {
				r.Add(sparse(part))
			} else {
				r.Add(diffuse.Features{Dense: part})
			}
		}
		if got := r.Far(); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	empty := (&Model{}).Ranges(diffuse.Features{Dense: csr.NewDense(3, 2)})
	if far := empty.Far(); far != nil {
		t.Errorf("without points: %+v", *far)
	}
	empty.Add(diffuse.Features{Dense: cut(x, 0, 0)})
	if far := empty.Far(); far != nil {
		t.Errorf("no points: %+v", *far)
	}
}

// TestNoChance: the product is the share of the orders of n and m values in which k new ones or more lie beyond the largest of the n.
func TestNoChance(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for m := 1; m <= 5; m++ {
			beyond, orders := make([]float64, m+1), 0.0
			for set := range 1 << (n + m) { // a bit for each new value, the lowest the largest value
				new, top := 0, 0
				for i := range n + m {
					new += set >> i & 1
				}
				for top < n+m && set>>top&1 == 1 {
					top++
				}
				if new != m {
					continue
				}
				orders++
				for k := range min(top, m) + 1 {
					beyond[k]++
				}
			}
			for k, count := range beyond {
				p := 1.0
				for i := range k {
					p *= float64(m-i) / float64(n+m-i)
				}
				if math.Abs(p-count/orders) > 1e-12 {
					t.Errorf("%d of %d beyond %d: %v, expected %v", k, m, n, p, count/orders)
				}
			}
		}
	}
	r := &Ranges{spans: make([]span, 10)} // the limit is 5e-8
	for _, test := range []struct {
		k, m, n int
		want    bool
	}{{0, 5, 1000, false}, {1, 1, 1_000_000, false}, {2, 2, 1000, false}, {3, 3, 1000, true}, {3, 1000, 1000, false}, {25, 1000, 1000, true}, {20, 1000, 1000, false}, {3, 3, 100, false}} {
		if got := r.noChance(test.k, test.m, test.n); got != test.want {
			t.Error(fmt.Sprint(test.k, " of ", test.m, " beyond ", test.n), got)
		}
	}
}
