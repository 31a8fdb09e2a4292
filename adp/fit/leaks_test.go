package fit

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// told returns n points of three columns, the middle one with the given values, and the classes of some as seeds, −1 for none.
func told(t *testing.T, n int, value func(i int) float64, class func(i int) int) Input {
	t.Helper()
	x := csr.NewDense(n, 3)
	labels := make([]int, n)
	for i := range n {
		x.Set(i, 0, float32(i%2)+0.5)
		x.Set(i, 1, float32(value(i)))
		x.Set(i, 2, float32(i%3/2))
		labels[i] = class(i)
	}
	seeds, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	return Input{Dense: x, Seeds: seeds}
}

// sparse returns the same input with sparse features.
func sparse(t *testing.T, in Input) Input {
	t.Helper()
	x, err := csr.FromDense(in.Dense)
	if err != nil {
		t.Fatal(err)
	}
	in.Dense, in.Sparse = nil, x
	return in
}

// fifth returns the class of a point, of c classes, as a known label of every fifth point.
func fifth(c int) func(i int) int {
	return func(i int) int {
		if i%5 == 0 {
			return i / 5 % 3 % c
		}
		return -1
	}
}

// TestLeaks: columns that hold the labels are told from features, also from strong ones, dense and sparse. Every fifth of 60
// points has a known label, one of three classes, or of two.
func TestLeaks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	class := func(i int) int { return i / 5 % 3 }
	known := func(i int) bool { return i%5 == 0 }
	one := func(is bool) float64 { return map[bool]float64{true: 1}[is] }
	for name, c := range map[string]struct {
		classes int
		value   func(i int) float64
		want    bool
	}{
		"labels, and -1 for none": {3, func(i int) float64 {
			if known(i) {
				return float64(class(i))
			}
			return -1
		}, true},
		"two classes, and 0 for none": {2, func(i int) float64 {
			if known(i) {
				return float64(1 + class(i)%2)
			}
			return 0
		}, true},
		"two values of a class, and 0 for none": {2, func(i int) float64 {
			if known(i) {
				return float64(1 + class(i)%2 + 2*(i%2))
			}
			return 0
		}, false},
		"all labels":                         {3, func(i int) float64 { return float64(3 - class(i)) }, true},
		"all labels, 0 for the second class": {3, func(i int) float64 { return []float64{1, 0, 2}[class(i)] }, true},
		"all labels, and one further": {3, func(i int) float64 {
			if i == 7 {
				return 9
			}
			return float64(class(i))
		}, true},
		"all labels, and two further": {3, func(i int) float64 {
			if i == 7 || i == 8 {
				return float64(i)
			}
			return float64(class(i))
		}, false},
		"all labels of two classes, as a strong feature": {2, func(i int) float64 { return float64(class(i) % 2) }, false},
		"a feature with an error": {3, func(i int) float64 {
			if i == 10 {
				return 0
			}
			return float64(class(i))
		}, false},
		"few whole numbers":             {3, func(i int) float64 { return float64(i % 7 % 3) }, false},
		"more values than classes":      {3, func(i int) float64 { return float64(class(i)) + 10*float64(i%5) }, false},
		"fractions":                     {3, func(i int) float64 { return float64(class(i)) / 2 }, false},
		"a constant":                    {3, func(int) float64 { return 1 }, false},
		"numbers":                       {3, func(i int) float64 { return float64(class(i)) + random.Float64() }, false},
		"a value of one class alone":    {3, func(i int) float64 { return one(known(i) && class(i) == 0) }, false},
		"known ones differ from others": {3, func(i int) float64 { return one(known(i)) }, false},
	} {
		want := []int(nil)
		if c.want {
			want = []int{1}
		}
		in := told(t, 60, c.value, fifth(c.classes))
		stored := sparse(t, in)
		if got := in.Leaks(); !slices.Equal(got, want) {
			t.Errorf("%s: columns %v, want %v", name, got, want)
		}
		if got := stored.Leaks(); !slices.Equal(got, want) {
			t.Errorf("%s, sparse: columns %v, want %v", name, got, want)
		}
	}
}

// TestLeaksOfFew: one value of all points without a known label tells from ten such points on, numbers of classes tell from three
// labelled points a class on, and nothing tells with fewer than two.
func TestLeaksOfFew(t *testing.T) {
	for _, c := range []struct {
		labelled, classes, others int
		none                      bool // others have one further value, else that of the first class
		want                      bool
	}{
		{4, 2, 9, true, false},
		{4, 2, 10, true, true},
		{3, 2, 10, true, false},
		{4, 1, 10, true, false},
		{9, 3, 1, false, true},
		{8, 3, 1, false, false},
		{9, 3, 0, false, false},
	} {
		class := func(i int) int {
			if i < c.labelled {
				return i % c.classes
			}
			return -1
		}
		in := told(t, c.labelled+c.others, func(i int) float64 {
			if c.none {
				return float64(1 + class(i))
			}
			return float64(1 + max(class(i), 0))
		}, class)
		if got := in.Leaks() != nil; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestLeaksOfTwo: all labels of two classes are told from a feature of two values at either end of a row, from twelve labels a class on, and
// without another value.
func TestLeaksOfTwo(t *testing.T) {
	for name, c := range map[string]struct {
		column, each int
		further      bool
		want         []int
	}{
		"first":             {0, 12, false, []int{0}},
		"last":              {2, 12, false, []int{2}},
		"between":           {1, 12, false, nil},
		"few":               {2, 11, false, nil},
		"one further value": {2, 12, true, nil},
	} {
		in := told(t, 60, func(i int) float64 { return float64(i % 7) }, func(i int) int {
			if i < 2*c.each {
				return i % 2
			}
			return -1
		})
		for i := range 60 {
			in.Dense.Set(i, 0, float32(i%5))
			in.Dense.Set(i, c.column, float32(i%2))
		}
		if c.further {
			in.Dense.Set(59, c.column, 9)
		}
		for form, in := range map[string]Input{"dense": in, "sparse": sparse(t, in)} {
			if got := in.Leaks(); !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: columns %v, want %v", name, form, got, c.want)
			}
		}
	}
}

// TestLeaksOfDoubt: labels in doubt, sets of labels and faulty inputs have no leaks, and points without features do not count.
func TestLeaksOfDoubt(t *testing.T) {
	class := fifth(3)
	in := told(t, 60, func(i int) float64 { return float64(class(i)) }, class)
	with := func(change func(in *Input)) []int {
		other := in
		change(&other)
		return other.Leaks()
	}
	add := func(in *Input, nodes int, more diffuse.Seed) {
		seeds, err := diffuse.NewSeeds(nodes, 3, append(slices.Clone(in.Seeds.List()), more))
		if err != nil {
			t.Fatal(err)
		}
		in.Seeds = seeds
	}
	for name, change := range map[string]func(in *Input){
		"a label in doubt": func(in *Input) { add(in, 60, diffuse.Seed{Node: 5, Class: 2, Weight: 1}) },
		"sets":             func(in *Input) { in.Seeds = in.Seeds.AsSets() },
		"no seeds":         func(in *Input) { in.Seeds = nil },
		"no features":      func(in *Input) { in.Dense = nil },
		"numbers that lack": func(in *Input) {
			in.Dense = &csr.Dense{Rows: 60, Cols: 3, Data: in.Dense.Data[:170]}
		},
		"both forms": func(in *Input) { in.Sparse = sparse(t, *in).Sparse },
	} {
		if got := with(change); got != nil {
			t.Errorf("%s: %v, want none", name, got)
		}
	}
	if got := with(func(in *Input) { add(in, 61, diffuse.Seed{Node: 60, Class: 0, Weight: 1}) }); !slices.Equal(got, []int{1}) {
		t.Errorf("a node without features: %v, want column 1", got)
	}
}

// TestResultLeaks: a run tells of such columns by itself, as a mixture and as one method.
func TestResultLeaks(t *testing.T) {
	class := fifth(3)
	in := told(t, 60, func(i int) float64 { return float64(class(i)) }, class)
	for _, combine := range []Combine{AutoCombine, NoCombine} {
		r, err := Run(context.Background(), in, Options{Combine: combine})
		if err != nil {
			t.Fatal(err)
		}
		if (r.Combination != nil) != (combine == AutoCombine) || !slices.Equal(r.Leaks, []int{1}) {
			t.Errorf("combine %d: mixture %v, leaks %v, want column 1", combine, r.Combination != nil, r.Leaks)
		}
	}
}
