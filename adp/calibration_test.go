package adp

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestCalibrate: on a planted partition whose classes overlap, the confidence
// after calibration is that of being right, on the nodes without a seed, and
// grows with the margin; before, it is not near.
func TestCalibrate(t *testing.T) {
	const n, c = 3000, 4
	src, dst, weight, class := gen.PlantedPartition(n, c, 0.006, 0.0025, 2)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = -1
		if i < 60*c {
			labels[i] = class[i]
		}
	}
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Select: Full, Settings: []Setting{{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}}, TrialFolds: -1}
	r, err := Run(context.Background(), w, y, opt)
	if err != nil {
		t.Fatal(err)
	}
	cal, err := Calibrate(context.Background(), w, y, opt.Chosen(r), 0)
	if err != nil {
		t.Fatal(err)
	}
	if !cal.Calibrated || cal.LeftOut+cal.Unreached != 60*c || cal.Folds != CalibrationFolds || len(cal.Bins) != 10 {
		t.Fatalf("%+v", cal)
	}
	errorOf := func() float64 {
		var p []float64
		var right []bool
		for i, label := range r.Labels {
			if label >= 0 && r.Status[i] != Seed {
				p = append(p, float64(r.Confidence[i]))
				right = append(right, int(label) == class[i])
			}
		}
		return calibrate.ECE(calibrate.Reliability(p, right))
	}
	raw := errorOf()
	margins, before := slices.Clone(r.Margin), slices.Clone(r.Labels)
	const least = 0.7
	cal.Apply(r, least)
	after := errorOf()
	t.Logf("ECE %.3f, calibrated %.3f, on left-out seeds %.3f and %.3f", raw, after, cal.RawECE, cal.ECE)
	// 240 left-out seeds know a share of right ones to 0.03: 0.08 is 2.5 of it.
	if after > 0.08 || raw < 2*after || math.Abs(cal.ECE-after) > 0.08 {
		t.Errorf("expected calibration error %.3f, after calibration %.3f, said to be %.3f", raw, after, cal.ECE)
	}
	if !slices.Equal(margins, r.Margin) || !slices.Equal(before, r.Labels) {
		t.Error("labels or margins changed")
	}
	uncertain := 0
	for i := range r.Labels {
		switch p := r.Confidence[i]; {
		case r.Labels[i] < 0 && p != 0:
			t.Fatalf("node %d has no label and confidence %v", i, p)
		case r.Status[i] == Uncertain:
			uncertain++
			if p >= least && margins[i] > TieMargin {
				t.Fatalf("node %d is uncertain with confidence %v", i, p)
			}
		case r.Status[i] == Predicted && p < least:
			t.Fatalf("node %d is predicted with confidence %v", i, p)
		}
		j := (i + 1) % n
		if r.Labels[i] >= 0 && r.Labels[j] >= 0 && margins[i] < margins[j] && r.Confidence[i] > r.Confidence[j] {
			t.Fatalf("margins %v and %v, confidence %v and %v", margins[i], margins[j], r.Confidence[i], r.Confidence[j])
		}
	}
	if uncertain == 0 || uncertain == n {
		t.Errorf("%d of %d nodes are uncertain", uncertain, n)
	}
}

// TestCalibrateFallsBack where there are too few seeds to leave out: it runs
// nothing, says why, and changes nothing.
func TestCalibrateFallsBack(t *testing.T) {
	if racing.On {
		t.Skip("graphs of one block of rows, so one goroutine: the test runs without the race detector")
	}
	w, y := planted.Graph(t, 300, 3, 6, 1) // 18 seeds
	r, err := Run(context.Background(), w, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	cal, err := Calibrate(context.Background(), w, y, Options{}, 5)
	if err != nil || cal.Calibrated || cal.Folds != 0 || cal.Reason == "" || cal.Model != nil {
		t.Fatalf("%+v, %v", cal, err)
	}
	confidence, status := slices.Clone(r.Confidence), slices.Clone(r.Status)
	cal.Apply(r, 0.99)
	if !slices.Equal(confidence, r.Confidence) || !slices.Equal(status, r.Status) {
		t.Error("confidence or status changed without a model")
	}
	w, y = planted.Graph(t, 300, 3, 7, 1) // 21
	if cal, err = Calibrate(context.Background(), w, y, Options{}, 5); err != nil || !cal.Calibrated {
		t.Errorf("21 seeds: %+v, %v", cal, err)
	}
	if _, err := Calibrate(context.Background(), w, y, Options{}, 1); !errors.Is(err, ErrOptions) {
		t.Errorf("one fold: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Calibrate(ctx, w, y, Options{}, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

// TestChosen: a run with the options of what was chosen makes it again, with
// the same bits, where one setting led to it.
func TestChosen(t *testing.T) {
	racing.LongSum(t)
	w, y := planted.Graph(t, 600, 3, 5, 8)
	ways := map[Method]bool{}
	for _, opt := range []Options{{Settings: []Setting{{TopK: 5, GraphAlpha: 0.99}}}, {Select: Fast}, {Select: None, Rounds: 2}, {Anchor: -1, TopK: 20}, {Anchor: -1, TopK: 60, TrialFolds: -1}, {TopK: 250, TrialFolds: -1}, {Method: ADP1, Rounds: 4}, {Method: LGC}, {Method: GFHF}} {
		r, err := Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		chosen := opt.Chosen(r)
		again, err := Run(context.Background(), w, y, chosen)
		if err != nil {
			t.Fatal(err)
		}
		ways[chosen.Method] = true
		if !slices.Equal(again.F.Data, r.F.Data) || len(again.Rounds) > len(r.Rounds) {
			t.Errorf("%+v: the chosen round %d, made again as %+v, differs", opt, r.Chosen, chosen)
		}
	}
	if !ways[ADP] || !ways[LGC] {
		t.Errorf("graph too easy: chose %v", ways)
	}
}

// TestNewCalibration: bins and errors are those of the confidence, the accuracy is the share that is right; with fewer than 20 cases
// there are none, and a reason. Apply changes nothing.
func TestNewCalibration(t *testing.T) {
	var raw, confidence []float64
	var right []bool
	for k := range 40 {
		raw, confidence = append(raw, 0.5), append(confidence, 0.7)
		if k >= 20 {
			confidence[k] = 0.9
		}
		right = append(right, k%20 < 15)
	}
	c := NewCalibration(raw, confidence, right, 3, 4)
	if !c.Calibrated || c.Model != nil || c.LeftOut != 40 || c.Unreached != 3 || c.Folds != 4 || len(c.Bins) != 2 ||
		math.Abs(c.Accuracy-0.75) > 1e-12 || math.Abs(c.Said()-0.8) > 1e-12 || math.Abs(c.ECE-0.1) > 1e-12 || math.Abs(c.RawECE-0.25) > 1e-12 {
		t.Errorf("%+v, said %v", c, c.Said())
	}
	r := &Result{Labels: []int32{0}, Confidence: []float32{0.4}, Margin: []float32{0.3}, Status: []Status{Predicted}}
	if c.Apply(r, 0.9); r.Confidence[0] != 0.4 || r.Status[0] != Predicted {
		t.Errorf("confidence %v, status %v after Apply", r.Confidence[0], r.Status[0])
	}
	for unreached, reason := range map[int]string{0: "can leave out 19 known labels", 2: "19 known labels were reached"} {
		if c := NewCalibration(raw[:19], confidence[:19], right[:19], unreached, 4); c.Calibrated || !strings.Contains(c.Reason, reason) || c.Bins != nil || c.Said() != 0 {
			t.Errorf("19 cases, %d unreached: %+v", unreached, c)
		}
	}
	all := slices.Repeat([]bool{true}, 49)
	if c := NewCalibration(make([]float64, 49), make([]float64, 49), all, 0, 4); c.Accuracy != 1 {
		t.Errorf("all right: accuracy %v", c.Accuracy)
	}
}
