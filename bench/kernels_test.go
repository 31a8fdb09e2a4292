package bench

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPattern: the asked number of entries, the shape that its name promises,
// and the same matrix for the same seed.
func TestPattern(t *testing.T) {
	const n, degree = 20000, 20
	for _, name := range Patterns {
		a, err := Pattern(name, n, degree, 1)
		if err != nil {
			t.Fatal(err)
		}
		if mean := float64(a.NNZ()) / n; mean < 0.9*degree || mean > 1.1*degree {
			t.Errorf("%s: %.1f entries a row, expected about %d", name, mean, degree)
		}
		again, _ := Pattern(name, n, degree, 1)
		_, cols, _ := a.Arrays()
		if _, same, _ := again.Arrays(); !slices.Equal(cols, same) {
			t.Errorf("%s: the same seed gives another matrix", name)
		}
		near, longest := 0, 0
		for i := range n {
			row, _ := a.Row(i)
			longest = max(longest, len(row))
			for _, j := range row {
				if math.Abs(float64(j)-float64(i)) < 5000 {
					near++
				}
			}
		}
		share := float64(near) / float64(a.NNZ())
		if (name == "knn") != (share > 0.85) || (name == "power-law") != (longest > 10*degree) {
			t.Errorf("%s: %.2f of the entries are near the diagonal, the longest row has %d", name, share, longest)
		}
	}
	if _, err := Pattern("grid", 10, 2, 1); err == nil {
		t.Error("an unknown pattern gives no error")
	}
}

// TestKernels measures without peers, and with those that can run here.
func TestKernels(t *testing.T) {
	for _, peers := range []string{"", "peers"} {
		e := Kernels{
			Nodes: 2000, Degree: 5, Patterns: []string{"random"}, Columns: []int{4, 10}, Threads: 1, Rounds: 2, Seed: 1,
			Peers: peers, Python: "python3", Log: t.Logf,
		}
		cases, err := e.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := WriteKernels(&out, cases); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(out.String(), "\n"); lines != 4 {
			t.Errorf("%d lines, expected 4:\n%s", lines, out.String())
		}
		for _, c := range cases {
			if us := c.best(ours); len(c.Seconds[us]) != e.Rounds {
				t.Errorf("%d times for %q, expected %d", len(c.Seconds[us]), us, e.Rounds)
			}
		}
	}
}

// TestKernelRatio: the median of the ratios of each round, and not the ratio of
// the medians; the best variant of C is that of the smallest median.
func TestKernelRatio(t *testing.T) {
	c := KernelCase{Seconds: map[string][]float64{
		ours + " avx2": {2, 30, 4}, "c simd32": {1, 10, 4}, "c simd64": {5, 6, 7}, "c plain": {9, 9, 9}, "c gather0": {1, 1, 1},
	}}
	if best := c.bestC(); best != "c simd32" {
		t.Errorf("best C is %q", best)
	}
	if r := c.ratio(c.best(ours), c.bestC()); r != 2 {
		t.Errorf("ratio %v, expected 2", r)
	}
	if r := c.ratio("scipy scipy", c.best(ours)); !math.IsNaN(r) {
		t.Errorf("ratio %v to a peer that did not run", r)
	}
}

// TestPeerFaults: a program that does not speak the protocol is an error.
func TestPeerFaults(t *testing.T) {
	if _, err := startPeer(context.Background(), "none", filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing program starts")
	}
	if _, err := startPeer(context.Background(), "env", "go", "version"); err == nil || !strings.Contains(err.Error(), "expected ready") {
		t.Errorf("a program that says something else: %v", err)
	}
}
