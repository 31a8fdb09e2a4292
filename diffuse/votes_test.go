package diffuse

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// denseVotes are the votes of labels by their definition, in float64.
func denseVotes(s oracle.Mat, class []int32, c int) oracle.Mat {
	n, labelled := len(s), 0.0
	share := make([]float64, c)
	for _, j := range class {
		if j >= 0 {
			share[j]++
			labelled++
		}
	}
	h := oracle.New(n, c)
	for i, own := range class {
		for j := range c {
			if own >= 0 {
				h[i][j] = -share[j] / labelled
			}
		}
		if own >= 0 {
			h[i][own]++
		}
	}
	sum := oracle.New(n, c)
	for range voteHops {
		h = oracle.Mul(s, h)
		for i := range h {
			for j, v := range h[i] {
				sum[i][j] += v
			}
		}
	}
	for i := range sum {
		length := 0.0
		for _, v := range sum[i] {
			length += v * v
		}
		for j := range sum[i] {
			if length > 0 {
				sum[i][j] /= math.Sqrt(length)
			}
		}
	}
	return sum
}

// TestVotes: votes and the graph that they teach are those of dense algebra, for any number of
// threads and in files too.
func TestVotes(t *testing.T) {
	const c, k = 3, 4
	w, whole := randomGraph(t, 7)
	g := Normalize(w, 1)
	n := g.Dim()
	f := randomF(n, c, 5)
	copy(f.Row(11), make([]float32, c)) // a node without a label
	h := NewFactor(f, Hard)
	s := oracle.NormalizeSym(whole)
	want := denseVotes(s, h.class, c)
	votes, err := Votes(context.Background(), g, h, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for j := range c {
			if d := math.Abs(float64(votes.At(i, j)) - want[i][j]); d > 1e-5 {
				t.Fatalf("vote %d,%d is %v, want %v", i, j, votes.At(i, j), want[i][j])
			}
		}
	}

	const alpha, anchor = 0.9, 0.25
	kept := oracle.New(n, n)
	for i := range n {
		var near []int
		at := func(j int) (sum float64) {
			for q := range c {
				sum += want[i][q] * want[j][q]
			}
			return alpha * sum
		}
		for j := range n {
			if j != i && s[i][j] > 0 && at(j) > 0 {
				near = append(near, j)
			}
		}
		slices.SortFunc(near, func(a, b int) int {
			if at(a) > at(b) {
				return -1
			}
			return 1
		})
		for _, j := range near[:min(k, len(near))] {
			kept[i][j] = at(j)
		}
		kept[i][i] = at(i) + 1 - alpha
	}
	var first *csr.Matrix
	for _, threads := range []int{1, 2, 3} {
		for _, space := range []*csr.Space{nil, csr.NewSpace(t.TempDir())} {
			a, err := FreshStep(context.Background(), g, h, AffinityOptions{TopK: k, Alpha: alpha, Anchor: anchor, Threads: threads, Space: space})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = a
			}
			if fmt.Sprint(first.Arrays()) != fmt.Sprint(a.Arrays()) {
				t.Errorf("%d threads, files %v: other bits", threads, space != nil)
			}
		}
	}
	got := toDense(first)
	for i := range n {
		for j := range n {
			if d := math.Abs(got[i][j] - (kept[i][j]+kept[j][i])/2 - anchor*s[i][j]); d > 1e-5 {
				t.Fatalf("A at %d,%d is %v, want %v", i, j, got[i][j], (kept[i][j]+kept[j][i])/2+anchor*s[i][j])
			}
		}
	}
}

// TestFreshStepMemory: an A-step on the edges has no accumulators, whatever the number of threads.
func TestFreshStepMemory(t *testing.T) {
	const n = 1 << 17
	var e csr.Edges
	for i := range n {
		e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32((i+1)%n))
	}
	w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g := Normalize(w, 2)
	f := csr.NewDense(n, 2)
	for i := range n {
		f.Set(i, i%2, 1)
	}
	h := NewFactor(f, Hard)
	taken := func(threads int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, step := range []func(opt AffinityOptions) (*csr.Matrix, error){
			func(opt AffinityOptions) (*csr.Matrix, error) { return FreshStep(context.Background(), g, h, opt) },
			func(opt AffinityOptions) (*csr.Matrix, error) { return AStep(context.Background(), g.S, nil, h, opt) },
		} {
			if _, err := step(AffinityOptions{TopK: 5, Alpha: 0.9, Zeta: 1, Threads: threads}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	taken(1)
	if one, four := taken(1), taken(4); four > one+n {
		t.Errorf("%d bytes with one thread, %d with four", one, four)
	}
}
