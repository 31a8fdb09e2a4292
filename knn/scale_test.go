package knn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestWidest: against two-pass variances; a column far from 0 does not cancel.
func TestWidest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 77))
	x := csr.NewDense(300, 4)
	scale, offset := []float64{1, 30, 0, 2}, []float64{0, 5, 1e4, 1e6}
	for i := range x.Rows {
		for j := range x.Cols {
			x.Set(i, j, float32(offset[j]+scale[j]*random.NormFloat64()))
		}
	}
	total, widest := 0.0, 0.0
	for j := range x.Cols {
		mean, v := 0.0, 0.0
		for i := range x.Rows {
			mean += float64(x.At(i, j)) / float64(x.Rows)
		}
		for i := range x.Rows {
			v += math.Pow(float64(x.At(i, j))-mean, 2)
		}
		total += v
		if j == 1 {
			widest = v
		}
	}
	if column, share := Widest(x); column != 1 || math.Abs(share-widest/total) > 1e-9 {
		t.Errorf("column %d with %v, expected 1 with %v", column, share, widest/total)
	}
	if column, share := WidestSparse(sparsify(t, x)); column != 1 || math.Abs(share-widest/total) > 1e-6 {
		t.Errorf("sparse: column %d with %v, expected 1 with %v", column, share, widest/total)
	}
	if column, share := WidestSparse(sparsify(t, csr.NewDense(5, 3))); column != 0 || share != 0 {
		t.Errorf("sparse zeros: column %d with %v", column, share)
	}
	for _, flat := range []*csr.Dense{csr.NewDense(0, 3), csr.NewDense(5, 3), csr.NewDense(5, 0)} {
		if column, share := Widest(flat); column != 0 || share != 0 {
			t.Errorf("%d×%d of zeros: column %d with %v", flat.Rows, flat.Cols, column, share)
		}
	}
}

// TestWidestShape: a block of too few numbers is named.
func TestWidestShape(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); got != "knn: 1 numbers for 2×1 features" {
			t.Errorf("panic %q", got)
		}
	}()
	Widest(&csr.Dense{Rows: 2, Cols: 1, Data: []float32{1}})
}

// columnsOf returns n points of some columns.
func columnsOf(n int, columns ...func(i int) float32) *csr.Dense {
	x := csr.NewDense(n, len(columns))
	for i := range n {
		for j, column := range columns {
			x.Set(i, j, column(i))
		}
	}
	return x
}

// TestCounting: a column that counts points, and none that only begins so, or goes
// otherwise; past 2^24 in steps that float32 has, if there are enough.
func TestCounting(t *testing.T) {
	count := func(i int) float32 { return float32(i) }
	broken := func(i int) float32 { return float32(i + i/39) }
	for name, test := range map[string]struct {
		x    *csr.Dense
		want int
	}{
		"from 0":           {columnsOf(40, count), 0},
		"second":           {columnsOf(40, broken, func(i int) float32 { return float32(i + 1) }, count), 1},
		"negative":         {columnsOf(40, func(i int) float32 { return float32(i - 7) }), 0},
		"few":              {columnsOf(9, count), -1},
		"broken":           {columnsOf(40, broken), -1},
		"down":             {columnsOf(40, func(i int) float32 { return float32(40 - i) }), -1},
		"by twos":          {columnsOf(40, func(i int) float32 { return float32(2 * i) }), -1},
		"constant":         {columnsOf(40, func(int) float32 { return 3 }), -1},
		"past 2^24":        {columnsOf(40, func(i int) float32 { return float32(1<<24 - 20 + i) }), 0},
		"ids of 25 bits":   {columnsOf(40, func(i int) float32 { return float32(20240000 + i) }), 0},
		"a large constant": {columnsOf(40, func(int) float32 { return 8850010001 }), -1},
		"times, merged":    {columnsOf(40, func(i int) float32 { return float32(1700000003 + i*7%40) }), -1},
		"no points":        {columnsOf(0, count), -1},
		"no features":      {columnsOf(40), -1},
	} {
		if got := Counting(test.x); got != test.want {
			t.Errorf("%s: column %d, expected %d", name, got, test.want)
		}
	}
}

// TestShuffled: a column that has the whole numbers of a range in another order, and none that repeats
// one, leaves one out, or has them in order.
func TestShuffled(t *testing.T) {
	by7 := func(n int) func(i int) float32 { // 7 and n have no common factor
		return func(i int) float32 { return float32(i * 7 % n) }
	}
	but := func(column func(i int) float32, at int, v float32) func(i int) float32 {
		return func(i int) float32 {
			if i == at {
				return v
			}
			return column(i)
		}
	}
	plus := func(column func(i int) float32, c float32) func(i int) float32 {
		return func(i int) float32 { return column(i) + c }
	}
	words := func(i int) float32 { return float32(i % 3) }
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, test := range map[string]struct {
		x    *csr.Dense
		want int
	}{
		"from 0":          {columnsOf(40, by7(40)), 0},
		"from 1":          {columnsOf(40, plus(by7(40), 1)), 0},
		"after others":    {columnsOf(64, words, plus(by7(64), .5), by7(64), by7(64)), 2},
		"after counting":  {columnsOf(127, func(i int) float32 { return float32(i) }, plus(by7(127), 1)), 1},
		"down":            {columnsOf(40, func(i int) float32 { return float32(40 - i) }), 0},
		"fewest":          {columnsOf(20, by7(20)), 0},
		"few":             {columnsOf(19, by7(19)), -1},
		"in order":        {columnsOf(40, func(i int) float32 { return float32(i + 1) }), -1},
		"from 1000":       {columnsOf(120, plus(by7(120), 1000)), 0},
		"to 2^24":         {columnsOf(40, plus(by7(40), 1<<24-39)), 0},
		"past 2^24":       {columnsOf(40, plus(by7(40), 1<<24-38)), -1},
		"like remainders": {columnsOf(40, but(by7(40), 1, 47)), -1},
		"below 0":         {columnsOf(40, plus(by7(40), -1)), -1},
		"one twice":       {columnsOf(40, but(by7(40), 39, 14)), -1},
		"one left out":    {columnsOf(40, but(by7(40), 5, 40)), -1},
		"a fraction":      {columnsOf(40, but(by7(40), 39, 33.5)), -1},
		"not a number":    {columnsOf(40, but(by7(40), 39, nan)), -1},
		"an infinity":     {columnsOf(40, but(by7(40), 1, inf), but(by7(40), 39, -inf)), -1},
		"counts of words": {columnsOf(40, words), -1},
		"too many points": {&csr.Dense{Rows: 1<<24 + 1, Cols: 1}, -1},
		"no points":       {columnsOf(0, words), -1},
		"no features":     {columnsOf(40), -1},
	} {
		if got := Shuffled(test.x); got != test.want {
			t.Errorf("%s: column %d, expected %d", name, got, test.want)
		}
	}
}

// unlike returns n points of three columns; two tell the class: around 0 and 6,
// of deviations 1 and 1/50, and one of deviation 1000 that says nothing.
func unlike(n int) *csr.Dense {
	random := rand.New(rand.NewPCG(3, 5))
	x := csr.NewDense(n, 3)
	for i := range n {
		class := float64(i % 2)
		x.Set(i, 0, float32(6*class+random.NormFloat64()))
		x.Set(i, 1, float32(40+(6*class+random.NormFloat64())/50))
		x.Set(i, 2, float32(5e4+1000*random.NormFloat64()))
	}
	return x
}

// TestScaling: means and ranges against a direct count on points that are all looked at; columns
// that do not vary, that mostly do not, and values far out; a value that is not finite is named.
func TestScaling(t *testing.T) {
	const n = 1001
	random := rand.New(rand.NewPCG(8, 8))
	x := csr.NewDense(n, 5)
	var ranked []float64
	mean := 0.0
	for i := range n {
		v := float32(3e5 + 70*random.NormFloat64())
		if i%100 == 0 {
			v *= 100 // far out, in one of a hundred
		}
		ranked, mean = append(ranked, float64(v)), mean+float64(v)/n
		x.Set(i, 0, v)
		x.Set(i, 1, float32(random.NormFloat64()))
		x.Set(i, 2, 7)
		if i == 500 {
			x.Set(i, 3, 20)
		}
		x.Set(i, 4, 5+float32(random.NormFloat64()))
	}
	s, err := ScalingOf(x, 2)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ranked)
	if want := (ranked[950] - ranked[50]) / 3.29; math.Abs(float64(s.Spread[0])-want) > 1e-6*want || math.Abs(float64(s.Middle[0])-mean) > 1e-6*mean {
		t.Errorf("column 0: %v and %v, expected %v and %v", s.Middle[0], s.Spread[0], mean, want)
	}
	if math.Abs(float64(s.Spread[0])-70) > 8 || math.Abs(float64(s.Spread[1])-1) > 0.1 || s.Spread[2] != 1 {
		t.Errorf("spreads %v, expected about 70 and 1, and 1 for nothing", s.Spread)
	}
	if s.Spread[3] != 10 {
		t.Errorf("a column that is 0 but once: spread %v, expected half the difference of its two values, 10", s.Spread[3])
	}
	if want := float64(s.Spread[0]) / math.Min(float64(s.Spread[1]), float64(s.Spread[4])); math.Abs(s.Ratio-want) > 1e-9*want {
		t.Errorf("ratio %v, expected %v: the lower of the two middle spreads of four", s.Ratio, want)
	}
	scaled := s.Apply(x, 2)
	for i := range n {
		for j := range x.Cols {
			want := (float64(x.At(i, j)) - float64(s.Middle[j])) / float64(s.Spread[j])
			want = max(-3, min(3, want))
			if got := float64(scaled.At(i, j)); math.Abs(got-want) > 1e-6*math.Abs(want) {
				t.Fatalf("point %d, column %d: %v, expected %v", i, j, got, want)
			}
		}
	}
	x.Set(3, 4, float32(math.Inf(1)))
	if _, err := ScalingOf(x, 2); !errors.Is(err, ErrFeatures) || !strings.Contains(err.Error(), "row 3, column 4") {
		t.Errorf("an infinite value: %v", err)
	}
	if v := s.Apply(x, 1).At(3, 4); !math.IsInf(float64(v), 1) {
		t.Errorf("an infinite value became %v", v)
	}
	x.Set(3, 4, math.MaxFloat32)
	if v := (&Scaling{Middle: s.Middle, Spread: []float32{1, 1, 1, 1, 1e-30}}).Apply(x, 1).At(3, 4); v != 1e15 {
		t.Errorf("the largest number over 1e-30 became %v, expected 1e15", v)
	}
}

// TestUnlike: columns of unlike units are, those of like ones and axes that are centred are not; the
// order of points and threads do not matter; neighbours by scaled columns know the classes.
func TestUnlike(t *testing.T) {
	x := unlike(300)
	of := func(x *csr.Dense) *Scaling {
		t.Helper()
		s, err := ScalingOf(x, 3)
		if err != nil || s.Check(x.Cols) != nil {
			t.Fatal(err, s.Check(x.Cols))
		}
		return s
	}
	s := of(x)
	if !s.Unlike() {
		t.Errorf("ratio %v, centred %t: columns of deviations 3, 0.06 and 1000 are unlike", s.Ratio, s.Centred)
	}
	if centred := of(&csr.Dense{Rows: x.Rows, Cols: 3, Data: centre(x)}); centred.Unlike() || !centred.Centred {
		t.Errorf("axes about 0 are taken for columns of unlike units: %v", centred)
	}
	if like := of(s.Apply(x, 1)); like.Ratio > 1.5 || like.Unlike() {
		t.Errorf("scaled columns have a ratio of %v", like.Ratio)
	}
	inside := func(x *csr.Dense) (count int) {
		nb, _, err := Search(t.Context(), x, Options{K: 5})
		if err != nil {
			t.Fatal(err)
		}
		for i := range nb.N {
			for _, j := range nb.IDs[i*5 : i*5+5] {
				if i%2 == int(j)%2 {
					count++
				}
			}
		}
		return count
	}
	if raw, scaled := inside(x), inside(s.Apply(x, 1)); raw > 900 || scaled < 1490 {
		t.Errorf("of 1500 neighbours %d are of the class, %d with columns scaled", raw, scaled)
	}
	for _, broken := range []*Scaling{{}, {Middle: make([]float32, 3), Spread: make([]float32, 3)}, {Middle: make([]float32, 3), Spread: []float32{1, float32(math.NaN()), 1}}, {Middle: []float32{0, 0, float32(math.Inf(1))}, Spread: []float32{1, 1, 1}}} {
		if err := broken.Check(3); !errors.Is(err, ErrFeatures) {
			t.Errorf("%v passes: %v", broken, err)
		}
	}
}

// centre returns the values of x less the means of their columns.
func centre(x *csr.Dense) []float32 {
	out := slices.Clone(x.Data)
	for j := range x.Cols {
		mean := 0.0
		for i := range x.Rows {
			mean += float64(x.At(i, j)) / float64(x.Rows)
		}
		for i := range x.Rows {
			out[i*x.Cols+j] -= float32(mean)
		}
	}
	return out
}

// TestCoarse: columns that float32 has rounded to a few steps, and those that only look so.
func TestCoarse(t *testing.T) {
	const n = 3000
	for _, test := range []struct {
		name  string
		value func(i int) float64
		want  int
	}{
		{"a third, constant", func(int) float64 { return 1.0 / 3 }, 0},
		{"a million and a bit, constant", func(int) float64 { return 1_000_000.7 }, 0},
		{"zero", func(int) float64 { return 0 }, 0},
		{"years", func(i int) float64 { return float64(1950 + i%70) }, 0},
		{"counts", func(i int) float64 { return float64(i) }, 0},
		{"dates as numbers", func(i int) float64 { return float64(20_200_101 + 10_000*(i%7) + i%28) }, 0},
		{"prices near 1000", func(i int) float64 { return 1000 + float64(i%97)/97 }, 0},
		{"seconds of a month", func(i int) float64 { return 1_700_000_000 + float64(i)*864 }, 0},
		{"seconds of an hour", func(i int) float64 { return 1_700_000_000 + float64(i) }, 2},
		{"seconds of a minute", func(i int) float64 { return 1_700_000_000 + float64(i%60) }, 2},
		{"the same below 0", func(i int) float64 { return -1_700_000_000 - float64(i%60) }, 2},
		{"a small offset", func(i int) float64 { return 1 + 1e-7*float64(i%20) }, 2},
	} {
		x := csr.NewDense(n, 3)
		for i := range n {
			x.Row(i)[0], x.Row(i)[1], x.Row(i)[2] = float32(i%11), float32(test.value(i)), float32(test.value(i))
		}
		s, err := ScalingOf(x, 2)
		if err != nil {
			t.Fatal(err)
		}
		if s.Coarse != test.want {
			t.Errorf("%s: column %d, expected %d (spread %v)", test.name, s.Coarse, test.want, s.Spread[1])
		}
	}
}

// TestApplyShape: features of other columns than the scaling, or of too few numbers, panic.
func TestApplyShape(t *testing.T) {
	s := &Scaling{Middle: []float32{0, 10, 100}, Spread: []float32{1, 1, 1}}
	for want, x := range map[string]*csr.Dense{
		"knn: scaling of 3 and 3 columns for features of 0": csr.NewDense(2, 0),
		"knn: scaling of 3 and 3 columns for features of 2": csr.NewDense(2, 2),
		"knn: scaling of 3 and 3 columns for features of 4": csr.NewDense(2, 4),
		"knn: 5 numbers for 2×3 features":                   {Rows: 2, Cols: 3, Data: make([]float32, 5)},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("panic %q, expected %q", got, want)
				}
			}()
			s.Apply(x, 1)
		}()
	}
}
