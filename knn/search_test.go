package knn

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

func mustSearch(t *testing.T, x *csr.Dense, opt Options) (*Neighbors, *Report) {
	t.Helper()
	nb, report, err := Search(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	return nb, report
}

func TestExactIsBruteForce(t *testing.T) {
	racing.LongSum(t)
	for _, set := range datasets(1) {
		set.run(t, func(t *testing.T, metric Metric) {
			ids, dist := bruteForce(set.x, min(40, set.x.Rows-1), metric)
			for _, k := range []int{1, 5, 40} {
				if k >= set.x.Rows {
					k = set.x.Rows - 1
				}
				nb, report := mustSearch(t, set.x, Options{K: k, Metric: metric, Method: Exact})
				checkRows(t, set.x, nb, ids, dist, set.ties && metric != Cosine)
				if report.Recall != 1 || report.Method != Exact {
					t.Errorf("report %+v", report)
				}
			}
		})
	}
}

// With all cells probed, the approximate search is exact.
func TestApproxWithFullRecallIsBruteForce(t *testing.T) {
	racing.LongSum(t)
	for _, set := range datasets(2) {
		if set.x.Rows < 3 {
			continue
		}
		set.run(t, func(t *testing.T, metric Metric) {
			opt := Options{K: 2, Metric: metric, Method: Approx, Recall: 1, RecallSample: set.x.Rows}
			nb, report := mustSearch(t, set.x, opt)
			checkAgainst(t, set.x, nb, set.ties && metric != Cosine)
			if report.Recall != 1 {
				t.Errorf("recall %v", report.Recall)
			}
		})
	}
}

func TestSameBitsForAnyThreadsAndKernel(t *testing.T) {
	for _, set := range datasets(3) {
		set.run(t, func(t *testing.T, metric Metric) {
			opt := Options{K: min(9, set.x.Rows-1), Metric: metric, Method: Exact, Threads: 1}
			want, _ := mustSearch(t, set.x, opt)
			for _, name := range kernel.Names() {
				if racing.On && name != "portable" { // the others are assembly, which the detector does not see
					continue
				}
				before := kernel.Select(name)
				for _, opt.Threads = range []int{1, 2, 5} {
					got, report := mustSearch(t, set.x, opt)
					if !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.Dist, want.Dist) {
						t.Errorf("kernel %s, %d threads: other neighbours", name, opt.Threads)
					}
					if report.Kernel != name {
						t.Errorf("report says kernel %s, %s ran", report.Kernel, name)
					}
				}
				kernel.Select(before)
			}
		})
	}
}

// clustered returns n points around centres, in random order.
func clustered(n, d, centres int, seed uint64) *csr.Dense {
	rng := rand.New(rand.NewPCG(seed, 11))
	c := csr.NewDense(centres, d)
	for i := range c.Data {
		c.Data[i] = float32(3 * rng.NormFloat64())
	}
	x := csr.NewDense(n, d)
	for i := range n {
		from := c.Row(rng.IntN(centres))
		for p := range d {
			x.Set(i, p, from[p]+float32(rng.NormFloat64()))
		}
	}
	return x
}

func TestApproxReachesRecallWithFewProbes(t *testing.T) {
	x := clustered(4000, 16, 40, 5)
	opt := Options{K: 10, Method: Approx, Seed: 3}
	nb, report := mustSearch(t, x, opt)
	if report.Probes < 1 || report.Probes > report.Cells/2 {
		t.Errorf("%d probes of %d cells", report.Probes, report.Cells)
	}
	exact, _ := mustSearch(t, x, Options{K: 10, Method: Exact})
	same := 0
	for i := range x.Rows {
		want, _ := exact.Row(i)
		got, _ := nb.Row(i)
		for _, j := range got {
			if slices.Contains(want, j) {
				same++
			}
		}
	}
	recall := float64(same) / float64(len(nb.IDs))
	if recall < 0.97 || math.Abs(recall-report.Recall) > 0.02 {
		t.Errorf("recall %v, reported %v", recall, report.Recall)
	}
	for _, opt.Threads = range []int{1, 2, 3} {
		again, _ := mustSearch(t, x, opt)
		if !slices.Equal(nb.IDs, again.IDs) || !slices.Equal(nb.Dist, again.Dist) {
			t.Errorf("%d threads: other neighbours", opt.Threads)
		}
	}
	low, worse := mustSearch(t, x, Options{K: 10, Method: Approx, Recall: 0.5})
	if worse.Probes >= report.Probes || slices.Equal(low.IDs, nb.IDs) {
		t.Errorf("recall 0.5 takes %d probes, 0.98 takes %d", worse.Probes, report.Probes)
	}
}

func TestRecallCountsTies(t *testing.T) {
	x := &csr.Dense{Rows: 5, Cols: 1, Data: []float32{0, 1, -1, 5, 6}}
	nb := newNeighbors(5, 1, L2)
	copy(nb.IDs, []uint32{2, 0, 4, 4, 3}) // 0: a tie; 2: wrong; the others right
	got, err := Recall(context.Background(), x, nb, 1, 99, 1, 0)
	if err != nil || got != 0.8 {
		t.Errorf("recall %v, %v, expected 0.8", got, err)
	}
	if _, err := Recall(context.Background(), x, nb, 5, 9, 1, 0); !errors.Is(err, ErrOptions) {
		t.Errorf("recall of 5 of 5 points: %v", err)
	}
}

func TestSearchRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	good := []float32{1, 2, 3, 4, 5, 6}
	cases := []struct {
		name string
		x    csr.Dense
		opt  Options
		want error
		says string
	}{
		{"NaN", csr.Dense{Rows: 3, Cols: 2, Data: []float32{1, 2, 3, nan, 5, inf}}, Options{K: 1}, ErrFeatures, "row 1, column 1: value NaN"},
		{"Inf", csr.Dense{Rows: 3, Cols: 2, Data: []float32{1, 2, 3, 4, inf, 6}}, Options{K: 1}, ErrFeatures, "row 2, column 0: value -Inf"},
		{"one row", csr.Dense{Rows: 1, Cols: 6, Data: good}, Options{K: 1}, ErrFeatures, "1 points"},
		{"no rows", csr.Dense{Rows: 0, Cols: 6}, Options{K: 1}, ErrFeatures, "0 points"},
		{"no columns", csr.Dense{Rows: 6, Cols: 0}, Options{K: 1}, ErrFeatures, "0 coordinates"},
		{"k = n", csr.Dense{Rows: 3, Cols: 2, Data: good}, Options{K: 3}, ErrOptions, "k = 3 for 3 points"},
		{"negative k", csr.Dense{Rows: 3, Cols: 2, Data: good}, Options{K: -1}, ErrOptions, "k = -1"},
		{"metric", csr.Dense{Rows: 3, Cols: 2, Data: good}, Options{K: 1, Metric: 9}, ErrOptions, "Metric(9)"},
		{"method", csr.Dense{Rows: 3, Cols: 2, Data: good}, Options{K: 1, Method: 9}, ErrOptions, "Method(9)"},
		{"recall", csr.Dense{Rows: 3, Cols: 2, Data: good}, Options{K: 1, Recall: 1.1}, ErrOptions, "recall 1.1"},
		{"sample", csr.Dense{Rows: 3, Cols: 2, Data: good}, Options{K: 1, RecallSample: -1}, ErrOptions, "sample of -1"},
	}
	for _, c := range cases {
		_, _, err := Search(context.Background(), &c.x, c.opt)
		if !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v, expected %q", c.name, err, c.says)
		}
	}
}

func TestSearchStopsWithContext(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, method := range []Method{Exact, Approx} {
		ctx, cancel := context.WithCancel(context.Background())
		opt := Options{Method: method, Threads: 2, Progress: func(done, total int) {
			if done >= total {
				t.Errorf("%v went on to the end", method)
			}
			cancel()
		}}
		if _, _, err := Search(ctx, clustered(4000, 2, 4, 1), opt); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v, expected context.Canceled", method, err)
		}
	}
	// A goroutine is counted for a moment after it has said that it is done.
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > 30*time.Second {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestAutoGoesByCost(t *testing.T) {
	for _, c := range []struct {
		n, d  int
		exact bool
	}{{20_000, 16, true}, {9_298, 256, true}, {43_500, 9, true}, {70_000, 784, false}, {1_000_000, 2, false}} {
		if got := exactCost(c.n, c.d) <= exactLimit; got != c.exact {
			t.Errorf("%d×%d: exact %v", c.n, c.d, got)
		}
	}
	if _, report := mustSearch(t, clustered(100, 3, 2, 1), Options{}); report.Method != Exact || report.K != DefaultK {
		t.Errorf("report %+v", report)
	}
}

func TestProgressEndsAtTotal(t *testing.T) {
	for _, method := range []Method{Exact, Approx} {
		last, end := 0, 0
		mustSearch(t, clustered(2000, 2, 4, 1), Options{Method: method, Threads: 3, Progress: func(done, total int) {
			if done != last+1 {
				t.Errorf("%v: %d done after %d", method, done, last)
			}
			last, end = done, total
		}})
		if last == 0 || last != end {
			t.Errorf("%v: ended at %d of %d", method, last, end)
		}
	}
}

func TestDistinctPoints(t *testing.T) {
	want := map[string]int{"gaussian": 150, "few distinct": 4, "line": 45, "all equal": 1, "signed zeros": 1, "two": 2}
	for _, set := range datasets(4) {
		_, report := mustSearch(t, set.x, Options{K: 1})
		if n, ok := want[set.name]; ok && report.Distinct != n {
			t.Errorf("%s: %d distinct points, expected %d", set.name, report.Distinct, n)
		}
	}
}

func TestSearchLeavesFeaturesAlone(t *testing.T) {
	x := clustered(300, 3, 4, 1)
	before := x.Clone()
	for _, metric := range metrics() {
		mustSearch(t, x, Options{Metric: metric, Method: Approx})
	}
	if !slices.Equal(x.Data, before.Data) {
		t.Error("features changed")
	}
}

func TestNamesRoundTrip(t *testing.T) {
	for _, m := range metrics() {
		checkName(t, m, new(Metric))
	}
	for _, m := range []Method{Auto, Exact, Approx} {
		checkName(t, m, new(Method))
	}
	for w := SymmetricGaussian; w <= Uniform; w++ {
		checkName(t, w, new(Weighting))
	}
}

// checkName writes v by name, reads it back, and reads a name that is none.
func checkName[T comparable, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T, v T, back P) {
	t.Helper()
	text, err := any(v).(encoding.TextMarshaler).MarshalText()
	if err != nil || string(text) != fmt.Sprint(v) {
		t.Errorf("%v written as %q, %v", v, text, err)
	}
	if err := back.UnmarshalText(text); err != nil || *back != v {
		t.Errorf("%v read back as %v, %v", v, *back, err)
	}
	if err := back.UnmarshalText([]byte("no such name")); !errors.Is(err, ErrOptions) {
		t.Errorf("%v, expected ErrOptions", err)
	}
}
