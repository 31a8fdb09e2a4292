package multilabel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/panics"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// drawn returns shares of m nodes, labels that they have by the odds o + b·ln p of each class, and sizes.
func drawn(seed uint64, m, c int, slope float64) (p *csr.Dense, truth [][]int32, sizes []float64) {
	rng := rand.New(rand.NewPCG(seed, 5))
	p, truth, sizes = csr.NewDense(m, c), make([][]int32, m), make([]float64, c)
	total := 0.0
	for j := range sizes {
		sizes[j] = 0.2 + rng.Float64()
		total += sizes[j]
	}
	for j := range sizes {
		sizes[j] /= total
	}
	for i := range m {
		if i%17 == 16 { // nothing is known of it
			truth[i] = []int32{int32(i % c)}
			continue
		}
		sum := 0.0
		for j := range c {
			p.Row(i)[j] = float32(math.Exp(2 * rng.NormFloat64()))
			sum += float64(p.Row(i)[j])
		}
		for j := range c {
			z := 2.5 + slope*math.Log(math.Max(float64(p.Row(i)[j])/sum, 1e-6)) + 0.8*math.Log(sizes[j])
			if rng.Float64() < 1/(1+math.Exp(-z)) {
				truth[i] = append(truth[i], int32(j))
			}
		}
	}
	return p, truth, sizes
}

// penalised is the function that FitOdds maximises, of a, b, g and the δ_j, written down again.
func penalised(x []float64, p *csr.Dense, truth [][]int32, sizes []float64, labels float64) float64 {
	c := len(sizes)
	value := -0.05*math.Pow(x[0]-math.Log(labels), 2) - 0.5*math.Pow(x[1]-1, 2) - 0.5*math.Pow(x[2], 2)
	for j := range c {
		value -= x[3+j] * x[3+j]
	}
	for i := range p.Rows {
		sum := 0.0
		for _, v := range p.Row(i) {
			sum += float64(v)
		}
		if sum == 0 {
			continue
		}
		for j, v := range p.Row(i) {
			z := x[0] + x[1]*math.Log(math.Max(float64(v)/sum, 1e-6)) + x[2]*math.Log(sizes[j]) + x[3+j]
			q := 1 / (1 + math.Exp(-z))
			if !slices.Contains(truth[i], int32(j)) {
				q = 1 - q
			}
			value += math.Log(q)
		}
	}
	return value
}

// TestFitOdds: the maximum is that of an optimiser that knows no derivatives, one coordinate after the other.
func TestFitOdds(t *testing.T) {
	racing.LongSum(t)
	const labels = 1.5
	for _, test := range []struct {
		m, c  int
		slope float64
	}{{80, 3, 1.3}, {30, 2, 0.4}, {200, 5, 0.9}, {3, 4, 1}, {1, 1, 1}} {
		p, truth, sizes := drawn(uint64(test.m), test.m, test.c, test.slope)
		x := make([]float64, 3+test.c)
		x[0], x[1] = math.Log(labels), 1
		for range 4000 {
			largest := 0.0
			for k := range x {
				const h = 1e-4
				at := func(v float64) float64 {
					moved := slices.Clone(x)
					moved[k] = v
					return penalised(moved, p, truth, sizes, labels)
				}
				low, mid, high := at(x[k]-h), at(x[k]), at(x[k]+h)
				step := h / 2 * (high - low) / (2*mid - low - high)
				x[k] += step
				largest = max(largest, math.Abs(step))
			}
			if largest < 1e-7 {
				break
			}
		}
		got := multilabel.FitOdds(p, truth, sizes, labels, 2)
		if math.Abs(got.Slope-x[1]) > 1e-4 {
			t.Errorf("%d nodes, %d classes: slope %v, expected %v", test.m, test.c, got.Slope, x[1])
		}
		for j, o := range got.Offsets {
			if want := x[0] + x[2]*math.Log(sizes[j]) + x[3+j]; math.Abs(o-want) > 1e-4 {
				t.Errorf("%d nodes, %d classes: offset %d is %v, expected %v", test.m, test.c, j, o, want)
			}
		}
	}
}

// TestFitOddsOfNone: without nodes the odds are those of the labels of a node, and thousands of nodes give the odds that they were drawn by.
func TestFitOddsOfNone(t *testing.T) {
	_, _, sizes := drawn(1, 0, 4, 1)
	none := multilabel.FitOdds(csr.NewDense(0, 4), nil, sizes, 1.5, 1)
	for j, o := range none.Offsets {
		if want := math.Log(1.5); none.Slope != 1 || math.Abs(o-want) > 1e-12 {
			t.Errorf("class %d: %v and slope %v, expected %v", j, o, none.Slope, want)
		}
	}
	p, truth, sizes := drawn(2, 20000, 4, 1.3)
	many := multilabel.FitOdds(p, truth, sizes, 1.5, 2)
	for j, o := range many.Offsets {
		if want := 2.5 + 0.8*math.Log(sizes[j]); math.Abs(many.Slope-1.3) > 0.05 || math.Abs(o-want) > 0.15 {
			t.Errorf("class %d: %v and slope %v, expected %v and 1.3", j, o, many.Slope, want)
		}
	}
	for _, bad := range [][]float64{{1, 0, 0, 0}, {1}} {
		if said := panics.Of(func() { multilabel.FitOdds(csr.NewDense(0, 4), nil, bad, 1, 1) }); !strings.HasPrefix(said, "multilabel: ") {
			t.Errorf("sizes %v: %q", bad, said)
		}
	}
}

// TestChoose: thresholds are those of all numbers of labels tried, by the width of a bin, and nodes that are skipped take no part.
func TestChoose(t *testing.T) {
	p, _, _ := drawn(3, 600, 5, 1.2)
	odds := &multilabel.Odds{Slope: 1.2, Offsets: []float64{2.5, 1.5, 0.5, -0.5, -2}, Least: make([]float64, 5)} // frequent and rare classes
	skip := make([]bool, p.Rows)
	for i := range skip {
		if skip[i] = i%3 == 0; skip[i] { // all of the last class, which would move its threshold
			copy(p.Row(i), []float32{0, 0, 0, 0, 1})
		}
	}
	odds.Choose(p, skip, 2)
	sets := multilabel.ByOdds(p, odds)
	var every []float64
	of := make([][]float64, 5)
	for i := range p.Rows {
		all, _ := sets.All(i)
		if skip[i] || all == nil {
			continue
		}
		for j, l := range all {
			every, of[j] = append(every, l.Share), append(of[j], l.Share)
		}
	}
	// bounds returns the probabilities between which the best threshold lies: any between those of the last label given and the next.
	bounds := func(q []float64) (low, high float64) {
		slices.SortFunc(q, func(a, b float64) int { return -compare(a, b) })
		sum, right, best, at := 0.0, 0.0, 0.0, 0
		for _, v := range q {
			sum += v
		}
		for k, v := range q {
			right += v
			if f := 2 * right / (float64(k+1) + sum); f > best {
				best, at = f, k
			}
		}
		return q[min(at+1, len(q)-1)], q[at]
	}
	u, uHigh := bounds(every)
	for j, least := range odds.Least {
		v, vHigh := bounds(of[j])
		if low, high := math.Sqrt(u*v), math.Sqrt(uHigh*vHigh); least < low*0.9 || least > high*1.1 {
			t.Errorf("class %d: %v, expected %v to %v", j, least, low, high)
		}
	}
	odds.Choose(csr.NewDense(0, 5), nil, 1)
	if slices.ContainsFunc(odds.Least, func(v float64) bool { return v != 0.5 }) {
		t.Errorf("without nodes %v", odds.Least)
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// TestByOdds: the labels are those of the definition, the most probable first.
func TestByOdds(t *testing.T) {
	f := csr.NewDense(3, 3)
	copy(f.Data, []float32{1, 2, 1, 0, 0, 0, 0.1, 0.1, 0.8})
	odds := &multilabel.Odds{Slope: 2, Offsets: []float64{1, 2, 3}, Least: []float64{0.1, 0.6, 0.4}}
	sets := multilabel.ByOdds(f, odds)
	q := func(j int, p float64) float64 { return 1 / (1 + math.Exp(-odds.Offsets[j]-2*math.Log(p))) }
	got := sets.Of(0) // q is .15, .65 and .56
	if len(got) != 3 || got[0].Class != 1 || got[1].Class != 2 || got[2].Class != 0 {
		t.Fatalf("%+v", got)
	}
	for k, want := range []float64{q(1, 0.5), q(2, 0.25), q(0, 0.25)} {
		if l := got[k]; math.Abs(l.Share-want) > 1e-9 || l.Margin != l.Share-odds.Least[l.Class] {
			t.Errorf("%+v, expected %v", l, want)
		}
	}
	if got := sets.Of(1); got != nil {
		t.Errorf("a row of zeros has %v", got)
	}
	odds.Least = []float64{0.99, 0.99, 0.99}
	if got := sets.Of(2); len(got) != 1 || got[0].Class != 2 || got[0].Margin >= 0 {
		t.Errorf("where all are below their thresholds: %+v", got)
	}
	if said := panics.Of(func() { multilabel.ByOdds(csr.NewDense(1, 2), odds) }); !strings.HasPrefix(said, "multilabel: ") {
		t.Errorf("odds of other classes: %q", said)
	}
}

// TestOddsSameBits: any number of threads gives the same odds.
func TestOddsSameBits(t *testing.T) {
	p, truth, sizes := drawn(4, 5000, 6, 1)
	want := multilabel.FitOdds(p, truth, sizes, 2, 1)
	want.Choose(p, nil, 1)
	for _, threads := range []int{2, 3, 8} {
		got := multilabel.FitOdds(p, truth, sizes, 2, threads)
		got.Choose(p, nil, threads)
		if got.Slope != want.Slope || !slices.Equal(got.Offsets, want.Offsets) || !slices.Equal(got.Least, want.Least) {
			t.Errorf("%d threads: %+v, expected %+v", threads, got, want)
		}
	}
}
