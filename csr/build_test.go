package csr

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// naive builds the entries of W, with counts, from a map: the rules of
// FromEdges one sentence at a time.
func naive(e Edges, opt BuildOptions) (w map[[2]uint32]float32, stats BuildStats, duplicate bool) {
	all := map[[2]uint32][]float64{}
	for k := range e.Src {
		i, j, v := e.Src[k], e.Dst[k], float32(1)
		if e.Weight != nil {
			v = e.Weight[k]
		}
		switch {
		case i == j:
			stats.SelfLoops++
			continue
		case v == 0:
			stats.ZeroWeight++
			continue
		case !opt.Directed && i > j:
			i, j = j, i
		}
		pair := [2]uint32{i, j}
		if len(all[pair]) > 0 {
			stats.Duplicates++
		}
		all[pair] = append(all[pair], float64(v))
	}
	w = map[[2]uint32]float32{}
	for pair, list := range all {
		slices.Sort(list)
		sum := 0.0
		for _, v := range list {
			sum += v
		}
		if opt.Duplicates == DuplicatesMax {
			sum = list[len(list)-1]
		}
		w[pair] = float32(sum)
		if !opt.Directed {
			w[[2]uint32{pair[1], pair[0]}] = float32(sum)
		}
	}
	return w, stats, stats.Duplicates > 0
}

// randomEdges returns m edges with loops, duplicates, reversed duplicates and
// weights of 0 among n nodes, the last of them isolated.
func randomEdges(random *rand.Rand, n, m int) Edges {
	e := Edges{}
	weighted := random.IntN(3) > 0
	for len(e.Src) < m {
		i, j := uint32(random.IntN(n)), uint32(random.IntN(n))
		v := float32(math.Exp2(40*random.Float64() - 20))
		if random.IntN(10) == 0 {
			v = 0
		}
		for range 1 + random.IntN(3) {
			e.Src, e.Dst = append(e.Src, i), append(e.Dst, j)
			if weighted {
				e.Weight = append(e.Weight, v)
			}
			if random.IntN(2) == 0 {
				i, j = j, i
			}
			if random.IntN(2) == 0 {
				v = random.Float32()
			}
		}
	}
	return e
}

func (e Edges) clone() *Edges {
	return &Edges{Src: slices.Clone(e.Src), Dst: slices.Clone(e.Dst), Weight: slices.Clone(e.Weight)}
}

// shuffled returns the edges in another order and, where direction does not
// count, with some endpoints swapped.
func (e Edges) shuffled(random *rand.Rand, swap bool) *Edges {
	c := e.clone()
	random.Shuffle(len(c.Src), func(p, q int) {
		c.Src[p], c.Src[q] = c.Src[q], c.Src[p]
		c.Dst[p], c.Dst[q] = c.Dst[q], c.Dst[p]
		if c.Weight != nil {
			c.Weight[p], c.Weight[q] = c.Weight[q], c.Weight[p]
		}
	})
	for k := range c.Src {
		if swap && random.IntN(2) == 0 {
			c.Src[k], c.Dst[k] = c.Dst[k], c.Src[k]
		}
	}
	return c
}

func TestFromEdgesAgainstMap(t *testing.T) {
	refused := 0
	for trial := range uint64(300) {
		random := rand.New(rand.NewPCG(trial, 11))
		n := 2 + random.IntN(40)
		if trial%30 == 0 {
			n = sizes[4+trial/30%4]
		}
		edges := randomEdges(random, n, random.IntN(3*n))
		opt := BuildOptions{Directed: trial%2 == 1, Duplicates: Duplicates(trial / 2 % 3)}
		want, stats, duplicate := naive(edges, opt)
		var first *Matrix
		for k, threads := range threadCounts {
			opt.Threads = threads
			e := edges.clone()
			if k > 0 {
				e = edges.shuffled(random, !opt.Directed)
			}
			m, got, err := FromEdges(n+1, e, opt)
			if opt.Duplicates == DuplicatesError && duplicate {
				refused++
				var fault *DuplicateError
				if !errors.As(err, &fault) || !errors.Is(err, ErrDuplicate) || fault.Src >= fault.Dst && !opt.Directed {
					t.Errorf("trial %d: got %v, want a DuplicateError", trial, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("trial %d: %v", trial, err)
			}
			if e.Src != nil || e.Dst != nil || e.Weight != nil {
				t.Errorf("trial %d: the edges are still held", trial)
			}
			mustBeSound(t, m)
			if m.NNZ() != len(want) || got != stats {
				t.Errorf("trial %d: %d entries, %+v; want %d, %+v", trial, m.NNZ(), got, len(want), stats)
			}
			for pair, v := range want {
				if m.At(int(pair[0]), int(pair[1])) != float64(v) {
					t.Errorf("trial %d: %v is %v, want %v", trial, pair, m.At(int(pair[0]), int(pair[1])), v)
				}
			}
			if first == nil {
				first = m
			}
			if !sameBits(m, first) {
				t.Errorf("trial %d: another matrix with %d threads and shuffled edges", trial, threads)
			}
			if !opt.Directed && CheckSymmetric(m, 1) != nil {
				t.Errorf("trial %d: %v", trial, CheckSymmetric(m, 1))
			}
		}
	}
	if refused == 0 {
		t.Error("no trial had duplicates to refuse")
	}
}

func TestFromEdgesNamesDuplicate(t *testing.T) {
	for _, c := range []struct {
		directed bool
		want     string
	}{{false, "csr: edge 2-7 is given more than once"}, {true, "csr: edge 7-2 is given more than once"}} {
		for _, threads := range threadCounts {
			e := &Edges{Src: []uint32{900, 7, 2, 900, 7}, Dst: []uint32{1000, 2, 3, 1000, 2}}
			_, _, err := FromEdges(1025, e, BuildOptions{Directed: c.directed, Duplicates: DuplicatesError, Threads: threads})
			if err == nil || err.Error() != c.want {
				t.Errorf("threads %d: got %v, want %s", threads, err, c.want)
			}
		}
	}
}

// TestFirstDuplicateIsNamed: of duplicates in many buckets, the one of the first row,
// whichever worker comes to one first.
func TestFirstDuplicateIsNamed(t *testing.T) {
	racing.LongSum(t)
	const n, m = 200_000, 500_000
	rng := rand.New(rand.NewPCG(1, 17))
	e := &Edges{}
	for k := range uint32(m) {
		e.Src, e.Dst = append(e.Src, k%n), append(e.Dst, (k%n+1+k/n)%n)
	}
	for range 20 {
		k := rng.IntN(m)
		e.Src, e.Dst = append(e.Src, e.Dst[k]), append(e.Dst, e.Src[k])
	}
	var want error
	for trial := range 12 {
		_, _, err := FromEdges(n, e.clone(), BuildOptions{Duplicates: DuplicatesError, Threads: 1 + trial%6})
		var fault *DuplicateError
		if !errors.As(err, &fault) || fault.Src >= fault.Dst {
			t.Fatal(err)
		}
		if want == nil {
			want = err
		}
		if err.Error() != want.Error() {
			t.Fatalf("trial %d: %v, before: %v", trial, err, want)
		}
	}
}

// TestMeanIsOfDirected: edges without direction have nothing to take the mean of.
func TestMeanIsOfDirected(t *testing.T) {
	m, _, err := FromEdges(2, &Edges{Src: []uint32{0}, Dst: []uint32{1}}, BuildOptions{Mean: true})
	if err != nil || m.At(0, 1) != 1 || m.At(1, 0) != 1 {
		t.Errorf("%v, %v", m, err)
	}
}

// TestAddRefusesWeights that it has no room for.
func TestAddRefusesWeights(t *testing.T) {
	b := NewBuilder(2, 1, false, BuildOptions{})
	if err := b.Add(0, &Edges{Src: []uint32{0}, Dst: []uint32{1}, Weight: []float32{2}}); !errors.Is(err, ErrStructure) {
		t.Error(err)
	}
}

func TestFromEdgesByNoRule(t *testing.T) {
	for _, rule := range []Duplicates{-1, 9} {
		e := &Edges{Src: []uint32{0, 1}, Dst: []uint32{1, 0}, Weight: []float32{1, 2}}
		if m, _, err := FromEdges(2, e, BuildOptions{Duplicates: rule}); !errors.Is(err, ErrStructure) {
			t.Errorf("rule %d: %v, %v", rule, m, err)
		}
	}
}

func TestFromEdgesFaults(t *testing.T) {
	const big = math.MaxFloat32
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		n    int
		e    Edges
		row  int
		want string
	}{
		{"negative n", -1, Edges{}, -1, "csr: -1 nodes, expected 0 to 4294967295"},
		{"large n", MaxDim + 1, Edges{}, -1, "csr: 4294967296 nodes"},
		{"lengths", 3, Edges{Src: []uint32{1}}, -1, "csr: 1 sources, 0 destinations and 0 weights"},
		{"weights", 3, Edges{Src: []uint32{1}, Dst: []uint32{2}, Weight: []float32{}}, -1, "csr: 1 sources, 1 destinations and 0 weights"},
		{"source", 3, Edges{Src: []uint32{0, 3}, Dst: []uint32{1, 1}}, 3, "csr: row 3: edge 1 has endpoint 3, expected below 3"},
		{"destination", 3, Edges{Src: []uint32{0, 2}, Dst: []uint32{1, math.MaxUint32}}, 2, "csr: row 2: edge 1 has endpoint 4294967295, expected below 3"},
		{"no nodes", 0, Edges{Src: []uint32{0}, Dst: []uint32{0}}, 0, "csr: row 0: edge 0 has endpoint 0, expected below 0"},
		{"negative weight", 3, Edges{Src: []uint32{0}, Dst: []uint32{1}, Weight: []float32{-1}}, 0, "csr: row 0: edge 0 has weight -1, expected a finite number of at least 0"},
		{"NaN", 3, Edges{Src: []uint32{2}, Dst: []uint32{1}, Weight: []float32{nan}}, 2, "csr: row 2: edge 0 has weight NaN"},
		{"infinity", 3, Edges{Src: []uint32{2}, Dst: []uint32{1}, Weight: []float32{inf}}, 2, "csr: row 2: edge 0 has weight +Inf"},
		{"weight of a loop", 3, Edges{Src: []uint32{2}, Dst: []uint32{2}, Weight: []float32{inf}}, 2, "csr: row 2: edge 0 has weight +Inf"},
		{"sum", 3, Edges{Src: []uint32{2, 1}, Dst: []uint32{1, 2}, Weight: []float32{big, big}}, 1, "csr: row 1: edges to node 2 add up to weight 6.8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, threads := range threadCounts {
				m, _, err := FromEdges(c.n, c.e.clone(), BuildOptions{Threads: threads})
				var fault *StructureError
				if m != nil || !errors.As(err, &fault) || !errors.Is(err, ErrStructure) || fault.Row != c.row || !strings.HasPrefix(err.Error(), c.want) {
					t.Errorf("got %v, want row %d: %s", err, c.row, c.want)
				}
			}
		})
	}
	// Within range: the largest alone, by maximum, and weights of -0.
	e := Edges{Src: []uint32{0, 1, 1}, Dst: []uint32{1, 0, 2}, Weight: []float32{big, big, float32(math.Copysign(0, -1))}}
	m, stats, err := FromEdges(3, &e, BuildOptions{Duplicates: DuplicatesMax})
	if err != nil || m.At(0, 1) != big || stats != (BuildStats{ZeroWeight: 1, Duplicates: 1}) {
		t.Errorf("got %v, %+v, %v", m, stats, err)
	}
}

// Duplicates are added in float64 and rounded once: 2^24 and sixteen ones are
// not 2^24, whatever their order.
func TestFromEdgesAddsInFloat64(t *testing.T) {
	e := Edges{Src: []uint32{0}, Dst: []uint32{1}, Weight: []float32{1 << 24}}
	for range 16 {
		e.Src, e.Dst, e.Weight = append(e.Src, 1), append(e.Dst, 0), append(e.Weight, 1)
	}
	m, _, err := FromEdges(2, &e, BuildOptions{})
	if err != nil || m.At(0, 1) != 1<<24+16 {
		t.Errorf("got %v, %v", m.At(0, 1), err)
	}
}

func TestErrorTexts(t *testing.T) {
	if got := fmt.Sprint(&StructureError{-1, "x"}, "; ", &StructureError{4, "x"}); got != "csr: x; csr: row 4: x" {
		t.Errorf("got %s", got)
	}
}

// TestBuilderUsedUp: a builder gives its matrix once, and then takes no more edges.
func TestBuilderUsedUp(t *testing.T) {
	ctx := context.Background()
	b := NewBuilder(3, 1, false, BuildOptions{})
	e := &Edges{Src: []uint32{0}, Dst: []uint32{1}}
	if err := b.Add(0, e); err != nil {
		t.Fatal(err)
	}
	if m, _, err := b.Matrix(ctx); err != nil || m.NNZ() != 2 {
		t.Fatal(m, err)
	}
	if m, _, err := b.Matrix(ctx); m != nil || !errors.Is(err, ErrUsed) {
		t.Errorf("a second matrix: %v, %v", m, err)
	}
	if _, err := b.Rows(ctx, nil); !errors.Is(err, ErrUsed) {
		t.Errorf("rows after the matrix: %v", err)
	}
	if err := b.Add(0, e); !errors.Is(err, ErrUsed) {
		t.Errorf("edges after the matrix: %v", err)
	}
}
