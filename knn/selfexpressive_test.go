package knn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// express solves without truncation and returns the dense coefficients.
func express(t *testing.T, x *csr.Dense, opt SelfExpressiveOptions) (*expression, [][]float64) {
	t.Helper()
	if err := opt.setDefaults(); err != nil {
		t.Fatal(err)
	}
	points, err := newExpressPoints(x, opt.Threads)
	if err != nil {
		t.Fatal(err)
	}
	e := &expression{points: points, opt: opt, found: make([]combination, x.Rows), fate: make([]expressFate, x.Rows)}
	if err := e.solve(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := make([][]float64, x.Rows)
	for i := range c {
		c[i] = make([]float64, x.Rows)
		for k, j := range e.found[i].ids {
			c[i][j] = e.found[i].coef[k]
		}
	}
	return e, c
}

// unitRows is an independent normalisation in float64.
func unitRows(x *csr.Dense) [][]float64 {
	u := make([][]float64, x.Rows)
	for i := range u {
		u[i] = make([]float64, x.Cols)
		sum := 0.0
		for _, v := range x.Row(i) {
			sum += float64(v) * float64(v)
		}
		for j, v := range x.Row(i) {
			u[i][j] = float64(v) / math.Sqrt(sum)
		}
	}
	return u
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

// penalties returns λτ and λ(1−τ) of point i.
func penalties(u [][]float64, i int, gamma, tau float64) (l1, l2 float64) {
	largest := 0.0
	for j := range u {
		if j != i {
			largest = max(largest, math.Abs(inner(u[i], u[j])))
		}
	}
	lambda := largest / (tau * gamma)
	return lambda * tau, lambda * (1 - tau)
}

func randomPoints(seed uint64, n, d int) *csr.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := csr.NewDense(n, d)
	for k := range x.Data {
		x.Data[k] = float32(rng.NormFloat64())
	}
	return x
}

// The points of the golden test: integers −9…9 from the C standard's sample
// generator, 12×6.
func goldenPoints() *csr.Dense {
	x := csr.NewDense(12, 6)
	state := int64(1)
	for k := range x.Data {
		state = (state*1103515245 + 12345) % (1 << 31)
		x.Data[k] = float32((state>>16)%19 - 9)
	}
	return x
}

// Coefficients by scikit-learn 1.2.1, Lasso(alpha=λτ/6) and ElasticNet(
// alpha=(λτ+λ(1−τ))/6, l1_ratio=τ), fit_intercept=False, tol=1e-14, on the
// unit points in float64. The tolerance is what a KKT residual of 1e-4 λ
// leaves at this conditioning.
func TestSelfExpressiveGolden(t *testing.T) {
	for _, want := range []struct {
		tau  float64
		i    int
		coef []float64
	}{
		{1, 0, []float64{0, -0.3248403, 0, 0, 0, -0.6810282, 0, 0, 1.0830019, 0.217314, 0.107763, 0.0682358}},
		{1, 5, []float64{-0.8070662, 0, 0, 0, 0, 0, 0, 0.3318606, 0.8054939, 0, -0.0162914, 0.2221416}},
		{0.7, 0, []float64{0, -0.3565614, 0, 0, 0.1242673, -0.6664159, 0, 0, 0.9279494, 0, 0.1625299, 0.2096883}},
		{0.7, 5, []float64{-0.7488451, 0, 0, 0.0452644, 0, 0, 0, 0.3669154, 0.7349903, -0.019163, -0.0340055, 0.2211989}},
	} {
		for _, candidates := range []int{2, 100} {
			_, c := express(t, goldenPoints(), SelfExpressiveOptions{Gamma: 20, Tau: want.tau, Candidates: candidates})
			for j, w := range want.coef {
				if math.Abs(c[want.i][j]-w) > 1e-3 {
					t.Errorf("tau %v, %d candidates: c[%d][%d] = %v, scikit-learn has %v", want.tau, candidates, want.i, j, c[want.i][j], w)
				}
			}
		}
	}
}

// The optimality conditions, over all points and in float64: with r the
// residual, |⟨x_j,r⟩| ≤ λτ off the support, ⟨x_j,r⟩ = λτ·sign(c_j) + λ(1−τ)c_j
// on it.
func TestSelfExpressiveOptimality(t *testing.T) {
	if racing.On {
		t.Skip("an oracle of one goroutine: the test runs without the race detector")
	}
	const n, d, seed = 150, 24, 11
	t.Logf("seed %d", seed)
	x := randomPoints(seed, n, d)
	for k := range x.Data {
		x.Data[k] += 1.5 // much alike, like pictures
	}
	for i := range 10 { // and some three times
		copy(x.Row(50+i), x.Row(i))
		copy(x.Row(100+i), x.Row(i))
	}
	u := unitRows(x)
	for _, opt := range []SelfExpressiveOptions{
		{Gamma: 20, Candidates: 6},
		{Gamma: 5, Tau: 0.6, Candidates: 6},
		{Gamma: 200},
		{Gamma: 20, Candidates: n},
	} {
		opt.Keep = -1
		e, c := express(t, x, opt)
		report := e.report()
		if report.Certified != n {
			t.Errorf("%+v: %d of %d points certified", opt, report.Certified, n)
		}
		if opt.Candidates == 6 && report.Rounds < 2 {
			t.Errorf("%+v: %d rounds from 6 candidates, expected the active set to grow", opt, report.Rounds)
		}
		worst := 0.0
		for i := range n {
			l1, l2 := penalties(u, i, e.opt.Gamma, e.opt.Tau)
			worst = max(worst, kktViolation(u, c[i], i, l1, l2)/l1)
		}
		if limit := 2 * expressTolerance; worst > limit {
			t.Errorf("%+v: optimality violated by %v λτ, expected at most %v", opt, worst, limit)
		}
	}
}

func kktViolation(u [][]float64, c []float64, i int, l1, l2 float64) float64 {
	r := slices.Clone(u[i])
	for j, v := range c {
		for k := range r {
			r[k] -= v * u[j][k]
		}
	}
	worst := math.Abs(c[i]) // must be zero
	for j := range u {
		switch g := inner(u[j], r); {
		case j == i:
		case c[j] == 0:
			worst = max(worst, math.Abs(g)-l1)
		default:
			worst = max(worst, math.Abs(g-l2*c[j]-math.Copysign(l1, c[j])))
		}
	}
	return worst
}

// A slow solver of another kind: proximal gradient steps on all coefficients
// in float64.
func TestSelfExpressiveProximalOracle(t *testing.T) {
	if racing.On {
		t.Skip("an oracle of one goroutine: the test runs without the race detector")
	}
	const n, d, seed = 40, 60, 5
	t.Logf("seed %d", seed)
	x := randomPoints(seed, n, d)
	u := unitRows(x)
	for _, tau := range []float64{1, 0.8} {
		_, c := express(t, x, SelfExpressiveOptions{Gamma: 20, Tau: tau, Candidates: 5})
		for i := range 10 {
			l1, l2 := penalties(u, i, 20, tau)
			want := proximalGradient(u, i, l1, l2)
			for j := range want {
				if math.Abs(c[i][j]-want[j]) > 1e-4 {
					t.Errorf("tau %v: c[%d][%d] = %v, oracle has %v", tau, i, j, c[i][j], want[j])
				}
			}
		}
	}
}

func proximalGradient(u [][]float64, i int, l1, l2 float64) []float64 {
	n := len(u)
	c := make([]float64, n)
	step := 0.1 // the largest eigenvalue of these Gram matrices is below 10
	for range 3000 {
		r := slices.Clone(u[i])
		for j, v := range c {
			for k := range r {
				r[k] -= v * u[j][k]
			}
		}
		for j := range c {
			v := c[j] + step*(inner(u[j], r)-l2*c[j])
			c[j] = math.Copysign(max(0, math.Abs(v)-step*l1), v)
		}
		c[i] = 0
	}
	return c
}

// Points of a union of independent subspaces are written with points of their
// own subspace only.
func TestSelfExpressiveUnionOfSubspaces(t *testing.T) {
	const subspaces, dim, each, d, seed = 5, 3, 60, 40, 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	x := csr.NewDense(subspaces*each, d)
	for s := range subspaces {
		basis := randomPoints(uint64(100+s), dim, d)
		for i := s * each; i < (s+1)*each; i++ {
			for b := range dim {
				a := float32(rng.NormFloat64())
				for j, v := range basis.Row(b) {
					x.Row(i)[j] += a * v
				}
			}
		}
	}
	w, _, err := SelfExpressive(t.Context(), x, SelfExpressiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := csr.CheckSymmetric(w, 1); err != nil {
		t.Error(err)
	}
	within, all := 0.0, 0.0
	for i := range x.Rows {
		cols, vals := w.Row(i)
		if len(cols) == 0 {
			t.Errorf("point %d is isolated", i)
		}
		for k, j := range cols {
			all += float64(vals[k])
			if int(j)/each == i/each {
				within += float64(vals[k])
			}
		}
	}
	if within < 0.9999*all {
		t.Errorf("share %v of the weight within subspaces, expected all", within/all)
	}
}

func TestSelfExpressiveThreads(t *testing.T) {
	x := randomPoints(8, 333, 17)
	var first *csr.Matrix
	for _, threads := range []int{1, 2, 7} {
		w, _, err := SelfExpressive(t.Context(), x, SelfExpressiveOptions{Candidates: 20, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = w
		}
		wantIndptr, wantIndices, wantData := first.Arrays()
		indptr, indices, data := w.Arrays()
		if !slices.Equal(indptr, wantIndptr) || !slices.Equal(indices, wantIndices) || !slices.Equal(data, wantData) {
			t.Errorf("the graph of %d threads differs from that of 1", threads)
		}
	}
}

func TestSelfExpressiveDegenerate(t *testing.T) {
	type edges map[[2]int]float64
	for _, test := range []struct {
		name           string
		rows           [][]float32
		zero, isolated int
		want           edges // i < j
	}{
		{"no points", nil, 0, 0, edges{}},
		{"one point", [][]float32{{1, 2}}, 0, 1, edges{}},
		{"orthogonal points", [][]float32{{1, 0}, {0, 1}}, 0, 2, edges{}},
		{"a point orthogonal to others but for rounding", [][]float32{{3, 4}, {3, 4}, {6, 8}, {-4, 3}}, 0, 1, edges{{0, 1}: 1.9, {0, 2}: 0.95}},
		{"a point that is nearly orthogonal", [][]float32{{1, 0}, {1e-6, 1}}, 0, 0, edges{{0, 1}: 1.9e-6}},
		{"a row of zeros", [][]float32{{0, 0}, {1, 1}, {2, 2}}, 1, 1, edges{{1, 2}: 1.9}},
		{"all rows zero", [][]float32{{0, 0}, {0, 0}}, 2, 2, edges{}},
		// Every point takes the one of smallest id: 0 takes 1, the others 0.
		{"all rows equal", [][]float32{{1, 2}, {1, 2}, {1, 2}, {1, 2}}, 0, 0, edges{{0, 1}: 1.9, {0, 2}: 0.95, {0, 3}: 0.95}},
		{"a duplicate of opposite sign", [][]float32{{1, 2}, {-2, -4}}, 0, 0, edges{{0, 1}: 1.9}},
		{"far scales", [][]float32{{3e38, 3e38}, {1e-40, 1e-40}}, 0, 0, edges{{0, 1}: 1.9}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := csr.NewDense(len(test.rows), 2)
			for i, row := range test.rows {
				copy(x.Row(i), row)
			}
			w, report, err := SelfExpressive(t.Context(), x, SelfExpressiveOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if report.Zero != test.zero || report.Isolated != test.isolated || report.Certified != x.Rows {
				t.Errorf("report %+v, expected %d zero, %d isolated, all certified", *report, test.zero, test.isolated)
			}
			if w.NNZ() != 2*len(test.want) {
				t.Errorf("%d entries, expected %d", w.NNZ(), 2*len(test.want))
			}
			for e, v := range test.want {
				if got := w.At(e[0], e[1]); math.Abs(got-v) > 1e-5 || got != w.At(e[1], e[0]) {
					t.Errorf("weight %v between %v, expected %v", got, e, v)
				}
			}
		})
	}
}

func TestSelfExpressiveErrors(t *testing.T) {
	bad := func(v float32) *csr.Dense {
		x := randomPoints(1, 5, 3)
		x.Set(3, 1, v)
		return x
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, test := range []struct {
		x    *csr.Dense
		opt  SelfExpressiveOptions
		is   error
		want []string
	}{
		{bad(nan), SelfExpressiveOptions{}, ErrFeatures, []string{"row 3", "column 1", "NaN"}},
		{bad(inf), SelfExpressiveOptions{}, ErrFeatures, []string{"row 3", "column 1", "-Inf"}},
		{csr.NewDense(4, 0), SelfExpressiveOptions{}, ErrFeatures, []string{"0 dimensions"}},
		{bad(1), SelfExpressiveOptions{Gamma: 1, Tau: 1.5, Candidates: -1, Rounds: -2, Keep: -2, Scale: 9}, ErrOptions, []string{"gamma", "tau", "candidates", "rounds", "kept", "scale"}},
		{bad(1), SelfExpressiveOptions{Gamma: math.NaN()}, ErrOptions, []string{"gamma NaN"}},
	} {
		_, _, err := SelfExpressive(t.Context(), test.x, test.opt)
		if !errors.Is(err, test.is) {
			t.Errorf("%+v: error %v, expected %v", test.opt, err, test.is)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error %q does not say %q", err, want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := SelfExpressive(ctx, bad(1), SelfExpressiveOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancelling", err)
	}
}

// Rounds and Keep bound the work and the memory, and the report says so.
func TestSelfExpressiveLimits(t *testing.T) {
	x := randomPoints(4, 200, 20)
	_, report, err := SelfExpressive(t.Context(), x, SelfExpressiveOptions{Candidates: 5, Rounds: -1, Keep: 3})
	if err != nil {
		t.Fatal(err)
	}
	if report.Certified != 0 || report.Checks != 0 || report.Truncated == 0 {
		t.Errorf("report %+v, expected nothing checked and rows truncated", *report)
	}
	c := combination{[]uint32{2, 5, 7, 9}, []float64{0.5, -0.9, 0.5, 0.1}}
	if !c.truncate(2) || !slices.Equal(c.ids, []uint32{5, 2}) || !slices.Equal(c.coef, []float64{-0.9, 0.5}) {
		t.Errorf("truncated to %+v, expected -0.9 at 5 and 0.5 at 2", c)
	}
}

func TestSelfExpressiveScale(t *testing.T) {
	all := []combination{
		{[]uint32{1, 2}, []float64{3, -4}},
		{[]uint32{0}, []float64{0.25}},
		{},
	}
	for how, want := range map[SelfExpressiveScale][3]float64{
		SelfExpressiveBounded: {0.75, 1, 0.25},
		SelfExpressiveByMax:   {0.75, 1, 1},
		SelfExpressiveByNorm:  {0.6, 0.8, 1},
	} {
		m := combinationMatrix(all, how, 1)
		for k, at := range [][2]int{{0, 1}, {0, 2}, {1, 0}} {
			if got := m.At(at[0], at[1]); math.Abs(got-want[k]) > 1e-7 {
				t.Errorf("scale %d: %v at %v, expected %v", how, got, at, want[k])
			}
		}
	}
}

// asked is a context that counts how often it is asked, and ends at the question of a number.
type asked struct {
	context.Context
	times, ends atomic.Int64
}

func (a *asked) Err() error {
	if at := a.times.Add(1); a.ends.Load() > 0 && at >= a.ends.Load() {
		return context.Canceled
	}
	return nil
}

// TestSelfExpressiveEnds: the context is asked for each point of a block and for each run of products, and
// nothing is solved once it has ended, wherever that is.
func TestSelfExpressiveEnds(t *testing.T) {
	racing.LongSum(t)
	n := expressBlock // one block
	x := randomPoints(4, n, 20)
	whole := &asked{Context: t.Context()}
	if _, _, err := SelfExpressive(whole, x, SelfExpressiveOptions{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	least := int64(n + n/expressChunk)
	if whole.times.Load() < least {
		t.Errorf("the context is asked %d times, expected %d at least", whole.times.Load(), least)
	}
	for ends := int64(1); ends <= whole.times.Load(); ends += 7 {
		ctx := &asked{Context: t.Context()}
		ctx.ends.Store(ends)
		if _, _, err := SelfExpressive(ctx, x, SelfExpressiveOptions{Threads: 1}); !errors.Is(err, context.Canceled) || ctx.times.Load() > ends+3 {
			t.Errorf("ended at question %d: error %v, asked %d times", ends, err, ctx.times.Load())
		}
	}
}
