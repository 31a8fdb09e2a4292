package fit

import (
	"math"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// judged returns a result of two classes that has the seeds and the predictions of each, of a confidence, and nodes without a label.
func judged(t *testing.T, seeds, predicted [2]int, confidence float32, unreached int) (*Result, *diffuse.Seeds) {
	t.Helper()
	r := &Result{Result: &adp.Result{}}
	add := func(n int, label int32, confidence float32, status adp.Status) {
		for range n {
			r.Labels, r.Confidence, r.Status = append(r.Labels, label), append(r.Confidence, confidence), append(r.Status, status)
		}
	}
	var list []diffuse.Seed
	for class, n := range seeds {
		for range n {
			list = append(list, diffuse.Seed{Node: uint32(len(list)), Class: uint32(class), Weight: 1})
		}
		add(n, int32(class), 1, adp.Seed)
	}
	for class, n := range predicted {
		add(n, int32(class), confidence, adp.Predicted)
	}
	add(unreached, -1, 0, adp.Unreached)
	y, err := diffuse.NewSeeds(len(r.Labels), 2, list)
	if err != nil {
		t.Fatal(err)
	}
	return r, y
}

// TestEstimate: the left-out seeds of the mixture judge the result, else those of the calibration, else those of the trial. Only a mixture
// states its accuracy itself, and nodes without a label are wrong. The ends of the interval are those of 1/(1.5/n + 1/40) cases.
func TestEstimate(t *testing.T) {
	mixed, calibrated := &Combination{LeftOut: 40, Foretold: 0.75}, &adp.Calibration{LeftOut: 10, Accuracy: 1, Calibrated: true}
	weak := &adp.Trial{Folds: 4, LeftOut: 20, LGC: 0.7}
	type want struct {
		accuracy, low, high float64
		leftOut             int
		by                  Judge
		noBetter            bool
	}
	for name, c := range map[string]struct {
		trial       *adp.Trial
		calibration *adp.Calibration
		combination *Combination
		predicted   [2]int
		unreached   int
		want        *want
	}{
		"the learned graph":   {&adp.Trial{Folds: 4, LeftOut: 100, LGC: 0.5, ADP: 0.9, Accepted: true}, nil, nil, [2]int{20, 20}, 0, &want{0.9, 0.72, 0.97, 100, ByTrial, false}},
		"another alpha":       {&adp.Trial{Folds: 4, LeftOut: 100, LGC: 0.5, ADP: 0.4, Alpha: 0.8, AlphaAccuracy: 0.9}, nil, nil, [2]int{20, 20}, 0, &want{0.9, 0.72, 0.97, 100, ByTrial, false}},
		"LGC":                 {&adp.Trial{Folds: 4, LeftOut: 20, LGC: 0.8, ADP: 0.9}, nil, nil, [2]int{75, 25}, 0, &want{0.8, 0.49, 0.94, 20, ByTrial, false}},
		"no better":           {weak, nil, nil, [2]int{75, 25}, 0, &want{0.7, 0.40, 0.89, 20, ByTrial, true}},
		"nothing predicted":   {&adp.Trial{Folds: 4, LeftOut: 20, LGC: 0.4}, nil, nil, [2]int{}, 0, &want{0.4, 0.168, 0.687, 20, ByTrial, false}},
		"nothing reached":     {&adp.Trial{Folds: 4, LeftOut: 20, LGC: 0.4}, nil, nil, [2]int{}, 1, &want{0.4, 0.168, 0.687, 20, ByTrial, true}},
		"calibration":         {weak, calibrated, nil, [2]int{20, 20}, 0, &want{1, 0.60, 1, 10, ByCalibration, false}},
		"calibration of none": {weak, &adp.Calibration{}, nil, [2]int{10, 10}, 0, &want{0.7, 0.40, 0.89, 20, ByTrial, false}},
		"mixture":             {weak, calibrated, mixed, [2]int{30, 10}, 0, &want{0.775, 0.53, 0.91, 40, ByMixture, false}}, // (30 + 8·0.9)/48
		"mixture, unreached":  {weak, nil, mixed, [2]int{30, 10}, 40, &want{0.7, 0.456, 0.867, 40, ByMixture, true}},        // (30 + 8·0.45)/48
		"mixture of no nodes": {weak, nil, mixed, [2]int{}, 0, &want{0.75, 0.505, 0.898, 40, ByMixture, false}},             // as no confidence is stated
		"mixture of none":     {weak, nil, &Combination{}, [2]int{20, 20}, 0, nil},
		"several labels":      {weak, nil, &Combination{LeftOut: 40, Foretold: 0.75, Several: &Several{}}, [2]int{20, 20}, 0, nil},
		"no trial":            {nil, nil, nil, [2]int{20, 20}, 0, nil},
		"none left out":       {&adp.Trial{}, nil, nil, [2]int{20, 20}, 0, nil},
		"pseudo-labels":       {&adp.Trial{Folds: 4, PseudoLabels: 9, LeftOut: 9, ADP: 0.9, Accepted: true}, nil, nil, [2]int{20, 20}, 0, nil},
	} {
		r, y := judged(t, [2]int{10, 10}, c.predicted, 0.9, c.unreached)
		r.Trial, r.Calibration, r.Combination = c.trial, c.calibration, c.combination
		got := r.Estimate(y)
		if got == nil || c.want == nil {
			if got != nil || c.want != nil {
				t.Errorf("%s: %+v, expected %+v", name, got, c.want)
			}
			continue
		}
		near := func(a, b, off float64) bool { return math.Abs(a-b) <= off }
		if !near(got.Accuracy, c.want.accuracy, 1e-6) || !near(got.Low, c.want.low, 0.005) || !near(got.High, c.want.high, 0.005) ||
			got.LeftOut != c.want.leftOut || got.By != c.want.by || got.NoBetter != c.want.noBetter {
			t.Errorf("%s: %+v, expected %+v", name, got, *c.want)
		}
	}
}

// TestEstimateOfOneClass: one class has no other that all nodes could get.
func TestEstimateOfOneClass(t *testing.T) {
	y, err := diffuse.NewSeeds(2, 1, []diffuse.Seed{{Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	r := &Result{Result: &adp.Result{Labels: []int32{0, 0}, Confidence: []float32{1, 1}, Status: []adp.Status{adp.Seed, adp.Predicted}, Trial: &adp.Trial{LeftOut: 1, LGC: 1}}}
	if got := r.Estimate(y); got == nil || got.NoBetter {
		t.Errorf("%+v", got)
	}
}
