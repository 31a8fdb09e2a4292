package points

import (
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestLeaks: columns that hold the labels are told from features, also from strong ones. Every fifth of 60 points has a
// known label, one of three classes, or of two.
func TestLeaks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	class := func(i int) int { return i / 5 % 3 }
	known := func(i int) bool { return i%5 == 0 }
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
		"all labels": {3, func(i int) float64 { return float64(3 - class(i)) }, true},
		"all labels, and one further": {3, func(i int) float64 {
			if i == 7 {
				return 9
			}
			return float64(class(i))
		}, true},
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
		"a value of one class alone":    {3, func(i int) float64 { return map[bool]float64{true: 1}[known(i) && class(i) == 0] }, false},
		"known ones differ from others": {3, func(i int) float64 { return map[bool]float64{true: 1}[known(i)] }, false},
	} {
		x := csr.NewDense(60, 1)
		labels, nodes := map[uint32]uint32{}, []uint32(nil)
		for i := range x.Rows {
			x.Set(i, 0, float32(c.value(i)))
			if known(i) {
				nodes = append(nodes, uint32(i))
				labels[uint32(i)] = uint32(class(i) % c.classes)
			}
		}
		if got := leaks(x, 0, nodes, labels); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestLeaksOfFew: one value of all points without a known label tells from ten such points on.
func TestLeaksOfFew(t *testing.T) {
	for others, want := range map[int]bool{9: false, 10: true} {
		x := csr.NewDense(4+others, 1)
		labels, nodes := map[uint32]uint32{}, []uint32(nil)
		for i := range uint32(4) {
			x.Set(int(i), 0, float32(1+i%2))
			nodes, labels[i] = append(nodes, i), i%2
		}
		if got := leaks(x, 0, nodes, labels); got != want {
			t.Errorf("%d others: %v, want %v", others, got, want)
		}
	}
}
