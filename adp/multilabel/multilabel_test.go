package multilabel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/panics"
)

// TestSets computes L_i by the definition, with sets and not with orders.
func TestSets(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n, c, theta := 1+rng.IntN(30), 1+rng.IntN(6), 0.1+0.9*rng.Float64()
		f := csr.NewDense(n, c)
		p := make([][]float64, n)
		mean := make([]float64, c)
		reached := 0.0
		for i := range n {
			if rng.IntN(5) == 0 {
				continue
			}
			sum := 0.0
			for j := range c {
				f.Row(i)[j] = rng.Float32() * float32(1+j)
				sum += float64(f.Row(i)[j])
			}
			p[i] = make([]float64, c)
			reached++
			for j := range c {
				p[i][j] = float64(f.Row(i)[j]) / sum
				mean[j] += p[i][j]
			}
		}
		s, err := multilabel.New(f, theta)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			got := s.Of(i)
			if p[i] == nil {
				if len(got) != 0 {
					t.Errorf("an unreached node has labels %v", got)
				}
				continue
			}
			top := math.Inf(-1)
			for j := range c {
				top = max(top, p[i][j]-mean[j]/reached)
			}
			in := map[int32]bool{}
			for k, l := range got {
				in[l.Class] = true
				excess := p[i][l.Class] - mean[l.Class]/reached
				if math.Abs(l.Share-p[i][l.Class])+math.Abs(l.Excess-excess)+math.Abs(l.Margin-(excess-theta*top)) > 1e-12 {
					t.Errorf("seed %d, node %d: %+v", seed, i, l)
				}
				if k > 0 && l.Excess > got[k-1].Excess {
					t.Errorf("seed %d, node %d: not in order", seed, i)
				}
			}
			for j := range c {
				excess := p[i][j] - mean[j]/reached
				if want := excess > 0 && excess >= theta*top; want != in[int32(j)] && math.Abs(excess-theta*top) > 1e-12 && top > 1e-12 {
					t.Errorf("seed %d, node %d, class %d: excess %v of %v, in the set: %v", seed, i, j, excess, top, in[int32(j)])
				}
			}
			if len(got) == 0 {
				t.Errorf("seed %d: a reached node has no label", seed)
			}
		}
	}
	same := csr.NewDense(3, 2)
	copy(same.Data, []float32{1, 3, 2, 6, 3, 9})
	s, _ := multilabel.New(same, 0.5)
	if got := s.Of(1); len(got) != 1 || got[0].Class != 1 {
		t.Errorf("rows that all are the mean: %v", got)
	}
	for _, bad := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := multilabel.New(same, bad); err == nil {
			t.Errorf("threshold %v was taken", bad)
		}
	}
}

// TestCompare: by hand, and a perfect prediction.
func TestCompare(t *testing.T) {
	truth := [][]int32{{0, 1}, {2}, {0}}
	s := multilabel.Compare([][]int32{{1}, {2, 0}, nil}, truth, 4)
	// class 0: 0 hits, 1 got, 2 true; 1: 1, 1, 1; 2: 1, 1, 1.
	if s.MicroF1 != 2.0*2/(3+4) || math.Abs(s.MacroF1-2.0/3) > 1e-15 || s.Exact != 0 || s.Hamming != 3.0/12 || s.Predicted != 1 || s.True != 4.0/3 {
		t.Errorf("%+v", s)
	}
	if s := multilabel.Compare(truth, truth, 4); s.MicroF1 != 1 || s.MacroF1 != 1 || s.Exact != 1 || s.Hamming != 0 {
		t.Errorf("%+v", s)
	}
	if s := multilabel.Compare(nil, nil, 3); s != (multilabel.Score{}) {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(truth[0], []int32{0, 1}) {
		t.Error("the input has changed")
	}
}

// TestSetsAreKept: what was asked for stays when more is, and from several goroutines.
func TestSetsAreKept(t *testing.T) {
	f := csr.NewDense(64, 3)
	for i := range f.Rows {
		f.Row(i)[i%3], f.Row(i)[(i+1)%3] = 1, 0.5
	}
	sets, err := multilabel.New(f, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			of := make([][]multilabel.Label, f.Rows)
			all := make([][]multilabel.Label, f.Rows)
			for i := range f.Rows {
				of[i] = sets.Of(i)
				all[i], _ = sets.All(i)
			}
			for i := range f.Rows {
				if len(of[i]) == 0 || int(of[i][0].Class) != i%3 || all[i][i%3].Share != 2./3 || all[i][(i+2)%3].Share != 0 {
					t.Errorf("node %d has %v of %v", i, of[i], all[i])
				}
			}
		})
	}
	work.Wait()
}

func TestCompareOfOtherNodes(t *testing.T) {
	one, two := [][]int32{{0}}, [][]int32{{0}, {1}}
	for _, sets := range [][2][][]int32{{one, two}, {two, one}} {
		if said := panics.Of(func() { multilabel.Compare(sets[0], sets[1], 2) }); !strings.HasPrefix(said, "multilabel: ") {
			t.Errorf("%v: %q", sets, said)
		}
	}
}

// TestCompareEmptySets: an empty set that should be empty is right.
func TestCompareEmptySets(t *testing.T) {
	for classes := range 3 {
		got := multilabel.Compare([][]int32{nil, {}}, [][]int32{{}, nil}, classes)
		if want := (multilabel.Score{Nodes: 2, Exact: 1}); got != want {
			t.Errorf("%d classes: %+v, expected %+v", classes, got, want)
		}
	}
	if got := multilabel.Compare(nil, nil, 2); got != (multilabel.Score{}) {
		t.Errorf("no nodes: %+v", got)
	}
}

// TestRule: the rule of some sets gives other rows the labels that they would have among those sets.
func TestRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	f := csr.NewDense(40, 5)
	for k := range f.Data {
		f.Data[k] = rng.Float32()
	}
	some := &csr.Dense{Rows: 7, Cols: 5, Data: f.Data[15:50]}
	byShare, err := multilabel.New(f, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	byOdds := multilabel.ByOdds(f, &multilabel.Odds{Slope: 2, Offsets: []float64{1, 2, 3, 2, 1}, Least: []float64{0.5, 0.2, 0.3, 0.4, 0.1}})
	for name, all := range map[string]*multilabel.Sets{"share": byShare, "odds": byOdds} {
		sets := all.Rule().Of(some)
		for i := range some.Rows {
			if got, want := sets.Of(i), all.Of(i+3); !slices.Equal(got, want) {
				t.Errorf("%s: row %d has %v, expected %v", name, i, got, want)
			}
		}
	}
	for want, rule := range map[string]multilabel.Rule{
		"threshold 0":     {Mean: make([]float64, 5)},
		"4 means":         {Threshold: 1, Mean: make([]float64, 4)},
		"NaN among":       {Threshold: 1, Mean: []float64{0, 0, math.NaN(), 0, 0}},
		"slope NaN":       {Odds: &multilabel.Odds{Slope: math.NaN()}},
		"0 offsets":       {Odds: &multilabel.Odds{}},
		"+Inf among":      {Odds: &multilabel.Odds{Offsets: []float64{0, 0, 0, 0, math.Inf(1)}}},
		"1 least":         {Odds: &multilabel.Odds{Offsets: make([]float64, 5), Least: []float64{1}}},
		"2 among the lea": {Odds: &multilabel.Odds{Offsets: make([]float64, 5), Least: []float64{1, 2, 0, 0, 0}}},
	} {
		if err := rule.Check(5); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, expected %q", rule, err, want)
		}
	}
}
