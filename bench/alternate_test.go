package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestTakeTurns: another contestant is first in every round, a trial does not
// count, and what check refuses ends it with the name.
func TestTakeTurns(t *testing.T) {
	var order []string
	var all []contestant
	for _, name := range []string{"a", "b", "c"} {
		all = append(all, contestant{name, func() (sample, error) {
			order = append(order, name)
			return sample{Sum: float64(len(order))}, nil
		}})
	}
	times, err := alternate(context.Background(), 2, true, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ""); got != "abcbcacab" {
		t.Errorf("order %s", got)
	}
	if got := fmt.Sprint(times["a"]); got != "[{0 0 6 0} {0 0 8 0}]" {
		t.Errorf("runs of a: %s", got)
	}
	refuse := func(name string, s sample) error {
		if name == "c" {
			return errors.New("no")
		}
		return nil
	}
	if _, err := alternate(context.Background(), 1, false, all, refuse); err == nil || err.Error() != "c: no" {
		t.Errorf("refused: %v", err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := alternate(done, 1, false, all, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestWarm: the second of two runs counts, and the first that fails ends it.
func TestWarm(t *testing.T) {
	calls := 0
	c := warm(contestant{"a", func() (sample, error) {
		calls++
		if calls == 3 {
			return sample{}, errors.New("no")
		}
		return sample{Sum: float64(calls)}, nil
	}})
	if s, err := c.run(); err != nil || s.Sum != 2 {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := c.run(); err == nil || calls != 3 {
		t.Errorf("call %d: %v", calls, err)
	}
}

// TestExponent: of an exact power, and none of one size.
func TestExponent(t *testing.T) {
	var points []ScalingPoint
	for _, n := range []int{100, 1000, 50000} {
		points = append(points, ScalingPoint{Nodes: n, Runs: []sample{{Wall: 3e-6 * math.Pow(float64(n), 1.07)}}})
	}
	if b := Exponent(points, ScalingPoint.Seconds); math.Abs(b-1.07) > 1e-12 {
		t.Errorf("exponent %v, expected 1.07", b)
	}
	if b := Exponent(points[:1], ScalingPoint.Seconds); !math.IsNaN(b) {
		t.Errorf("exponent %v of one size", b)
	}
}

// TestAffinitySteps: the C program keeps the same values as this one. It takes
// part only where there is a compiler.
func TestAffinitySteps(t *testing.T) {
	for _, pattern := range []string{"random", "knn"} {
		e := AffinitySteps{Nodes: 3000, Degree: 4, Pattern: pattern, TopK: 10, Classes: 3, Threads: 2, Rounds: 1, Seed: 1, Peers: "peers", Log: t.Logf}
		times, err := e.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if times.Products < times.Candidates || times.Candidates < 50 {
			t.Errorf("%s: %v multiply-adds and %v candidates a row", pattern, times.Products, times.Candidates)
		}
		var text strings.Builder
		if err := times.Write(&text); err != nil || strings.Count(text.String(), "\n") != 2+len(times.Runs) {
			t.Errorf("%s: %v\n%s", pattern, err, text.String())
		}
	}
}

// TestNeighbors: both searches without peers, with their recall.
func TestNeighbors(t *testing.T) {
	e := Neighbors{Nodes: 1500, Dims: 8, K: 5, Recall: 0.9, Programs: NeighborPrograms, Threads: 2, Rounds: 2, Seed: 1, Log: t.Logf}
	times, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(times.Runs))
	if !slices.Equal(names, []string{ours + " approx", ours + " exact"}) {
		t.Fatalf("programs %q", names)
	}
	if r := times.Runs[ours+" exact"][1].Sum; r != 1 {
		t.Errorf("recall %v of the exact search", r)
	}
	e.Programs = []string{"scann"}
	if _, err := e.Run(context.Background()); err == nil {
		t.Error("an unknown program gives no error")
	}
}

// TestPoints: points lie around the centre of their cluster.
func TestPoints(t *testing.T) {
	const n, d = 3000, 16
	x, of := Points(n, d, 1)
	var mean [3][d]float64
	var count [3]float64
	for i, c := range of {
		count[c]++
		for k, v := range x.Row(i) {
			mean[c][k] += float64(v)
		}
	}
	within := 0.0
	for i, c := range of {
		for k, v := range x.Row(i) {
			gap := float64(v) - mean[c][k]/count[c]
			within += gap * gap / (n * d)
		}
	}
	if math.Abs(within-0.25) > 0.01 {
		t.Errorf("variance %v inside clusters, expected 1/4", within)
	}
	again, _ := Points(n, d, 1)
	if !slices.Equal(again.Data, x.Data) {
		t.Error("the same seed gives other points")
	}
}
