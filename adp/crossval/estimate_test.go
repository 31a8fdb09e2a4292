package crossval

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestEstimate: the intervals are those of Wilson for 1/(1.5/n + (1−λ)/40) cases, computed by another
// program.
func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		name string
		e    Evidence
		want Estimate
	}{
		{
			"as many of each class",
			Evidence{Right: 0.8, LeftOut: 20, Seeds: []int{10, 10}, Predicted: []int{600, 400}, Stated: -1},
			Estimate{Accuracy: 0.8, Low: 0.4902, High: 0.9433, LeftOut: 20, Largest: 0.6},
		},
		{
			"stated counts for eight",
			Evidence{Right: 0.8, LeftOut: 20, Seeds: []int{10, 10}, Predicted: []int{600, 400}, Stated: 0.45},
			Estimate{Accuracy: 0.7, Low: 0.3968, High: 0.8922, LeftOut: 20, Largest: 0.6},
		},
		{
			"all right",
			Evidence{Right: 1, LeftOut: 15, Seeds: []int{5, 5, 5}, Predicted: []int{1, 1, 1}, Stated: -1},
			Estimate{Accuracy: 1, Low: 0.6756, High: 1, LeftOut: 15, Largest: 1. / 3},
		},
		{
			"none right, nothing predicted",
			Evidence{Right: 0, LeftOut: 15, Seeds: []int{5, 5, 5}, Predicted: []int{0, 0, 0}, Stated: -1},
			Estimate{Accuracy: 0, Low: 0, High: 0.3244, LeftOut: 15, Largest: 1. / 3},
		},
		{
			"two predictions say nothing of the classes",
			Evidence{Right: 0.8, LeftOut: 20, Seeds: []int{10, 10}, Predicted: []int{2, 0}, Stated: -1},
			Estimate{Accuracy: 0.8, Low: 0.4902, High: 0.9433, LeftOut: 20, Largest: 0.5},
		},
		{ // λ = 1 − 1/36
			"sizes told",
			Evidence{Right: 0.9, LeftOut: 100, Seeds: []int{80, 20}, Predicted: []int{0, 10}, Stated: -1},
			Estimate{Accuracy: 0.9, Low: 0.8022, High: 0.9523, LeftOut: 100, Largest: 0.8 * 35 / 36},
		},
	} {
		got := test.e.Estimate()
		for _, pair := range [][2]float64{{got.Accuracy, test.want.Accuracy}, {got.Low, test.want.Low}, {got.High, test.want.High}, {got.Largest, test.want.Largest}} {
			if math.Abs(pair[0]-pair[1]) > 5e-5 {
				t.Errorf("%s: %+v, expected %+v", test.name, got, test.want)
				break
			}
		}
		if got.LeftOut != test.want.LeftOut || !(got.Low <= got.Accuracy && got.Accuracy <= got.High) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// TestEstimateNarrows: more left-out seeds make the interval narrower; where seeds were drawn by class
// it stays as wide as that of 40 cases.
func TestEstimateNarrows(t *testing.T) {
	width := func(seeds []int, n int) float64 {
		e := Evidence{Right: 0.8, LeftOut: n, Seeds: seeds, Predicted: seeds, Stated: -1}.Estimate()
		return e.High - e.Low
	}
	for _, seeds := range [][]int{{500, 500}, {900, 100}} {
		last := 1.0
		for n := 1; n < 1e6; n *= 2 {
			if now := width(seeds, n); !(now < last) {
				t.Errorf("%v: %d seeds have a width of %v, half of them %v", seeds, n, now, last)
			} else {
				last = now
			}
		}
	}
	low, high := wilson(0.8, 40)
	if least := high - low; width([]int{500, 500}, 1e9)-least > 1e-6 || width([]int{500, 500}, 1e9) < least-1e-6 {
		t.Errorf("%v, expected %v", width([]int{500, 500}, 1e9), least)
	}
	if got := width([]int{900, 100}, 1e9); got > 0.02 {
		t.Errorf("%v where seeds tell the sizes", got)
	}
}

// TestCoverage: of seeds as the constants take them, one independent case for one and a half, the interval
// holds the truth in 93 to 99 of 100 draws, at any accuracy.
func TestCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, accuracy := range []float64{0.1, 0.5, 0.8, 0.95} {
		const draws, cases = 4000, 100
		holds := 0
		for range draws {
			right := 0.0
			for range cases {
				if random.Float64() < accuracy {
					right++
				}
			}
			// λ is near 1, so that 1.5·cases seeds are cases.
			e := Evidence{Right: right / cases, LeftOut: perCase * cases, Seeds: []int{1e6, 1}, Predicted: []int{1, 1}, Stated: -1}.Estimate()
			if e.Low <= accuracy && accuracy <= e.High {
				holds++
			}
		}
		if share := float64(holds) / draws; share < 0.93 || share > 0.99 {
			t.Errorf("accuracy %v: %.3f of the intervals hold it", accuracy, share)
		}
	}
}

func TestVerdict(t *testing.T) {
	for want, e := range map[Verdict]Estimate{
		Better:        {Accuracy: 0.9, Low: 0.7, Largest: 0.6},
		PerhapsBetter: {Accuracy: 0.9, Low: 0.6, Largest: 0.6},
		NoBetter:      {Accuracy: 0.6, Low: 0.4, Largest: 0.6},
	} {
		if got := e.Verdict(); got != want {
			t.Errorf("%+v: %v, expected %v", e, got, want)
		}
	}
}

// TestTold: equal numbers, and those that chance makes unlike, tell no sizes.
func TestTold(t *testing.T) {
	for _, test := range []struct {
		seeds []int
		want  float64
	}{
		{[]int{5, 5, 5}, 0},
		{[]int{11, 9}, 0},
		{[]int{80, 20}, 1 - 1./36},
		{[]int{46, 8, 6}, 1 - 2/((676.+144+196)/20)}, // 26, −12 and −14 off 20
		{[]int{7}, 0},
		{[]int{0, 0}, 0},
	} {
		if got := Told(test.seeds); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%v: %v, expected %v", test.seeds, got, test.want)
		}
	}
}

// TestByClass: as many of each class as it has.
func TestByClass(t *testing.T) {
	for _, test := range []struct {
		seeds []int
		want  bool
	}{
		{[]int{20, 20, 18, 1, 20}, true},
		{[]int{5, 5}, true},
		{[]int{20, 20, 5, 5}, false},
		{[]int{20, 5}, false},
		{[]int{46, 8, 6}, false},
		{nil, false},
	} {
		if got := ByClass(test.seeds); got != test.want {
			t.Errorf("%v: %v", test.seeds, got)
		}
	}
}

// TestOfNothing: without seeds there are numbers that say so, and no NaN.
func TestOfNothing(t *testing.T) {
	if got := (Ranks{}).Accuracy(); got != 0 {
		t.Errorf("accuracy of no ranks: %v", got)
	}
	for _, seeds := range [][]int{nil, {}, {0, 0}} {
		if got := Told(seeds); got != 0 {
			t.Errorf("told by %v: %v", seeds, got)
		}
	}
	for stated, want := range map[float64]float64{-1: 0, 0: 0, 0.75: 0.75} {
		got := Evidence{Stated: stated}.Estimate()
		if got != (Estimate{Accuracy: want, Low: 0, High: 1}) {
			t.Errorf("stated %v: %+v", stated, got)
		}
	}
}
