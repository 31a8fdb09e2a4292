package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// asCounts makes the features of a problem sparse: those below a bound are 0.
func asCounts(t *testing.T, p *Problem) *Problem {
	t.Helper()
	x := p.X.Clone()
	for k, v := range x.Data {
		if v < 0.4 {
			x.Data[k] = 0
		}
	}
	m, err := sparseRows(x)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{Data: &Data{Sparse: m, W: p.W, Threads: p.Threads}, Seeds: p.Seeds}
}

// TestPeers: what TestAllMethods asks of the paper's methods, of features in both forms.
func TestPeers(t *testing.T) {
	for _, m := range Peers() {
		t.Run(m.Name, func(t *testing.T) {
			if m.Reference == "" || m.Kind == "" {
				t.Error("no reference or kind")
			}
			dense, truth := blobs(t, 60, 3, 0.2)
			for _, p := range []*Problem{dense, asCounts(t, dense)} {
				first, err := m.Label(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				if share, _ := score.Accuracy(first, truth, p.Seeds.Mask()); share < 0.95 {
					t.Errorf("accuracy %v", share)
				}
				again, err := m.Label(t.Context(), p)
				if err != nil || !slices.Equal(first, again) {
					t.Errorf("another result from what is kept: %v", err)
				}
				fresh := func() *Problem {
					return &Problem{Data: &Data{X: p.X, Sparse: p.Sparse, W: p.W, Threads: 3}, Seeds: p.Seeds}
				}
				if again, err = m.Label(t.Context(), fresh()); err != nil || !slices.Equal(first, again) {
					t.Errorf("another result with more threads: %v", err)
				}
				ended, cancel := context.WithCancel(t.Context())
				cancel()
				if _, err := m.Label(ended, fresh()); !errors.Is(err, context.Canceled) {
					t.Errorf("error %v from an ended context", err)
				}
			}
			other, _ := blobs(t, 60, 3, 0.2)
			if !slices.Equal(other.X.Data, dense.X.Data) || !slices.Equal(values(other.W), values(dense.W)) {
				t.Error("the input was changed")
			}
		})
	}
}

// sklearn are nine samples of three features, and what scikit-learn 1.2.1 says of them:
//
//	LogisticRegression(C=1, solver="newton-cg", tol=1e-12, max_iter=100000).fit(X, y).predict_proba(X)[:4]
//	the same with C = 1/(9·10⁻³)
//	Ridge(alpha=1).fit(X, onehot(y)).predict(X)[:4]
//	Ridge(alpha=1).fit(X[:3], onehot(y[:3])).predict(X)[5:7]
func sklearn(t *testing.T) (p *Problem, logistic, weak, ridge, few oracle.Mat) {
	t.Helper()
	x := csr.NewDense(9, 3)
	var seeds []diffuse.Seed
	for i := range 9 {
		for j := range 3 {
			x.Set(i, j, float32((3*i+7*j+i*j*j)%11-5)/4)
		}
		seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32((i*i + i/4) % 3), Weight: 1})
	}
	y, err := diffuse.NewSeeds(9, 3, seeds)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{Data: &Data{X: x, W: csr.Identity(9), Threads: 1}, Seeds: y},
		oracle.Mat{{0.65421304, 0.21290669, 0.13288027}, {0.08070608, 0.32963803, 0.58965589}, {0.21001725, 0.40075075, 0.389232}, {0.423442, 0.37748668, 0.19907132}},
		oracle.Mat{{0.88997743, 0.08054543, 0.02947715}, {0.01013962, 0.32000092, 0.66985946}, {0.07465317, 0.48481186, 0.44053497}, {0.34922759, 0.46669059, 0.18408182}},
		oracle.Mat{{0.71128081, 0.20860129, 0.0801179}, {-0.00696677, 0.37057878, 0.636388}, {0.22534834, 0.36897106, 0.4056806}, {0.45766345, 0.36736334, 0.1749732}},
		oracle.Mat{{0.37908708, 0.62091292, 0.0}, {0.51634833, 0.48365167, 0.0}}
}

// TestSklearn compares logistic and ridge regression with scikit-learn's.
func TestSklearn(t *testing.T) {
	p, logistic, weak, ridge, few := sklearn(t)
	x, err := sparseRows(p.X)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		decay float64
		want  oracle.Mat
	}{{1. / 9, logistic}, {1e-3, weak}} {
		h, err := p.softmax(t.Context(), x, c.decay)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "logistic regression", float64s(h).Slice(0, 4, 0, 3), c.want, 1e-6)
	}
	f, err := p.ridgeScores(x)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ridge, 9 samples of 3 features", float64s(f).Slice(0, 4, 0, 3), ridge, 1e-6)
	if p.Seeds, err = diffuse.NewSeeds(9, 3, p.Seeds.List()[:3]); err != nil {
		t.Fatal(err)
	}
	wide, err := sparseRows(sideways(p.X))
	if err != nil {
		t.Fatal(err)
	}
	if f, err = p.ridgeScores(x); err != nil {
		t.Fatal(err)
	}
	near(t, "ridge, 3 samples", float64s(f).Slice(5, 7, 0, 3), few, 1e-6)
	if f, err = p.ridgeScores(wide); err != nil {
		t.Fatal(err)
	}
	near(t, "ridge, 3 samples of 4 features, the last 0", float64s(f).Slice(5, 7, 0, 3), few, 1e-6)
	if f, err = p.ridgeScores(rowsPart(t, x, 0, 1), rowsPart(t, x, 1, 3)); err != nil {
		t.Fatal(err)
	}
	near(t, "ridge of two blocks", float64s(f).Slice(5, 7, 0, 3), few, 1e-6)
}

func float64s(d *csr.Dense) *mat.Dense {
	m := mat.NewDense(d.Rows, d.Cols, nil)
	for i := range d.Rows {
		for j, v := range d.Row(i) {
			m.Set(i, j, float64(v))
		}
	}
	return m
}

// sideways returns x with a column of zeros more: as many features as make the dual.
func sideways(x *csr.Dense) *csr.Dense {
	out := csr.NewDense(x.Rows, x.Cols+1)
	for i := range x.Rows {
		copy(out.Row(i), x.Row(i))
	}
	return out
}

// rowsPart returns columns lo to hi−1.
func rowsPart(t *testing.T, x *csr.Matrix, lo, hi uint32) *csr.Matrix {
	t.Helper()
	n, _ := x.Dims()
	s := stack{cols: int(hi - lo)}
	for i := range n {
		var cols []uint32
		var vals []float32
		from, v := x.Row(i)
		for k, j := range from {
			if j >= lo && j < hi {
				cols, vals = append(cols, j-lo), append(vals, v[k])
			}
		}
		s.add(cols, vals)
	}
	m, err := s.matrix()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// loopedByHand returns S̃ of a problem, dense.
func loopedByHand(p *Problem) oracle.Mat {
	w := oracle.Add(1, slow(dense(p.W)), 1, oracle.Identity(p.N()))
	n := len(w)
	degree := make([]float64, n)
	for i := range n {
		for _, v := range w[i] {
			degree[i] += v
		}
	}
	for i := range n {
		for j := range n {
			w[i][j] /= math.Sqrt(degree[i] * degree[j])
		}
	}
	return w
}

// TestHop: S̃²X by definition, of a graph with a node without edges.
func TestHop(t *testing.T) {
	p := connected(t, 20)
	p.W = csr.Embed(p.W, counted(20), 21, 1)
	x := csr.NewDense(21, 4)
	rng := rand.New(rand.NewPCG(8, 9))
	for k := range x.Data {
		if rng.IntN(2) == 0 {
			x.Data[k] = rng.Float32()
		}
	}
	m, err := sparseRows(x)
	if err != nil {
		t.Fatal(err)
	}
	s := loopedByHand(p)
	want := slow(float64s(x))
	for hops := 1; hops <= 2; hops++ {
		if m, err = p.hop(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		want = oracle.Mul(s, want)
		near(t, "hop", dense(m), want, 1e-6)
	}
}

// TestDiffused: what SGC and SIGN are fitted on, by definition: S̃²X of rows that sum to 1,
// and X, S̃X, S̃²X with rows at unit length.
func TestDiffused(t *testing.T) {
	p, _ := blobs(t, 40, 3, 0.2)
	p = asCounts(t, p)
	for _, label := range []func(context.Context, *Problem) ([]int32, error){SGC, SIGN} {
		if _, err := label(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	s := loopedByHand(p)
	divided := func(x oracle.Mat, power float64) oracle.Mat {
		out := oracle.New(len(x), len(x[0]))
		for i, row := range x {
			length := 0.0
			for _, v := range row {
				length += math.Pow(math.Abs(v), power)
			}
			for j, v := range row {
				out[i][j] = v / math.Pow(length, 1/power)
			}
		}
		return out
	}
	x := slow(dense(p.Sparse))
	near(t, "SGC", dense(p.kept["S̃²X"].(*csr.Matrix)), oracle.Mul(s, oracle.Mul(s, divided(x, 1))), 1e-6)
	blocks := p.kept["blocks"].([]*csr.Matrix)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks", len(blocks))
	}
	hop := divided(x, 2)
	for _, b := range blocks {
		near(t, "SIGN", dense(b), divided(hop, 2), 1e-6)
		hop = oracle.Mul(s, hop)
	}
}

func counted(n int) []uint32 {
	at := make([]uint32, n)
	for i := range at {
		at[i] = uint32(i)
	}
	return at
}

// TestSpread: steps by definition, and the limit (1−α)(I − αS)^-1 H.
func TestSpread(t *testing.T) {
	p := connected(t, 20)
	h := csr.NewDense(20, 2)
	rng := rand.New(rand.NewPCG(8, 10))
	for k := range h.Data {
		h.Data[k] = 3*rng.Float32() - 1
	}
	s, start := loopedByHand(p), slow(float64s(h))
	want, bounded := start, start
	for range 3 {
		want = oracle.Add(0.9, oracle.Mul(s, want), 0.1, start)
		bounded = oracle.Add(0.9, oracle.Mul(s, bounded), 0.1, start)
		for _, row := range bounded {
			for k, v := range row {
				row[k] = min(1, max(0, v))
			}
		}
	}
	limit := oracle.Scale(0.1, oracle.Mul(oracle.Inverse(oracle.Add(1, oracle.Identity(20), -0.9, s)), start))
	for _, c := range []struct {
		steps   int
		bounded bool
		want    oracle.Mat
	}{{3, false, want}, {3, true, bounded}, {300, false, limit}} {
		f, err := p.spread(t.Context(), p.looped().S, h, 0.9, c.steps, c.bounded)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "spread", float64s(f), c.want, 1e-5)
	}
}

// TestCorrect: the corrected probabilities by the text's formulas, dense. A node that no
// seed's error reaches keeps its own.
func TestCorrect(t *testing.T) {
	p := connected(t, 20)
	p.W = csr.Embed(p.W, counted(20), 21, 1)
	seeds, err := diffuse.NewSeeds(21, 2, p.Seeds.List())
	if err != nil {
		t.Fatal(err)
	}
	p = &Problem{Data: &Data{W: p.W, Threads: 1}, Seeds: seeds}
	h := csr.NewDense(21, 2)
	rng := rand.New(rand.NewPCG(8, 11))
	for i := range 21 {
		h.Set(i, 0, rng.Float32())
		h.Set(i, 1, 1-h.At(i, 0))
	}
	base := slow(float64s(h))
	e, sigma := oracle.New(21, 2), 0.0
	for _, s := range seeds.List() {
		for k := range 2 {
			e[s.Node][k] = -base[s.Node][k]
		}
		e[s.Node][s.Class]++
		sigma += (math.Abs(e[s.Node][0]) + math.Abs(e[s.Node][1])) / float64(len(seeds.List()))
	}
	s, spread := oracle.NormalizeSym(slow(dense(p.W))), e
	for range 50 {
		spread = oracle.Add(0.8, oracle.Mul(s, spread), 0.2, e)
	}
	want := oracle.New(21, 2)
	for i := range 21 {
		length := math.Abs(spread[i][0]) + math.Abs(spread[i][1])
		for k := range 2 {
			want[i][k] = base[i][k]
			if length > 0 {
				want[i][k] += sigma * spread[i][k] / length
			}
		}
	}
	for _, s := range seeds.List() {
		want[s.Node] = make([]float64, 2)
		want[s.Node][s.Class] = 1
	}
	if err := p.correct(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	near(t, "corrected", float64s(h), want, 1e-4)
}

// TestNearestSeed compares with all distances: Euclidean ones of dense features, angles of
// counts, and distances of scaled columns where one column is of another unit.
func TestNearestSeed(t *testing.T) {
	p, _ := blobs(t, 50, 4, 2)
	unlike := &Problem{Data: &Data{X: p.X.Clone(), W: p.W, Threads: 2}, Seeds: p.Seeds}
	for i := range unlike.X.Rows {
		unlike.X.Set(i, 3, 1000*unlike.X.At(i, 3))
	}
	counts := asCounts(t, p)
	scaled, err := unlike.points()
	if err != nil {
		t.Fatal(err)
	}
	unit, err := counts.points()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		p    *Problem
		x    *mat.Dense
	}{{"as they are", p, float64s(p.X)}, {"unlike units", unlike, dense(scaled)}, {"counts", counts, dense(unit)}} {
		got, err := NearestSeed(t.Context(), c.p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			best, class := math.Inf(1), uint32(0)
			for _, s := range c.p.Seeds.List() {
				var d mat.VecDense
				d.SubVec(c.x.RowView(i), c.x.RowView(int(s.Node)))
				if v := d.Norm(2); v < best {
					best, class = v, s.Class
				}
			}
			if got[i] != int32(class) {
				t.Errorf("%s: point %d has class %d, expected %d", c.what, i, got[i], class)
			}
		}
	}
}

// TestPrepared: rows of counts have the length that is asked for, empty rows stay, and
// columns of other features have a spread of 1.
func TestPrepared(t *testing.T) {
	x := csr.NewDense(40, 50)
	for i := 1; i < 40; i++ {
		x.Set(i, i%7, float32(i))
		x.Set(i, 20, 2)
	}
	d := &Data{X: x, W: csr.Identity(40)}
	if !d.counts() {
		t.Fatal("not counts")
	}
	for _, c := range []struct {
		of     func() (*csr.Matrix, error)
		length func([]float32) float64
	}{{d.points, euclidean}, {d.shares, absolute}} {
		m, err := c.of()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 40 {
			_, vals := m.Row(i)
			want := 1.0
			if i == 0 {
				want = 0
			}
			if got := c.length(vals); math.Abs(got-want) > 1e-6 {
				t.Errorf("row %d has length %v, expected %v", i, got, want)
			}
		}
	}
}

// TestComparison: columns are given the edges of a set and not the graph that is made
// with its features, and what they make of a set is made once.
func TestComparison(t *testing.T) {
	p, _ := blobs(t, 30, 3, 0.2)
	edges := csr.Identity(30)
	var c Comparison
	var seen []*Data
	m := c.Column(Method{Name: "m", Label: func(_ context.Context, p *Problem) ([]int32, error) {
		seen = append(seen, p.Data)
		return nil, errors.New("none")
	}})
	features := &vecs.Features{Dense: p.X}
	both, near := &bench.Graph{W: p.W, Edges: edges, X: features}, &bench.Graph{W: p.W, X: features}
	for _, g := range []*bench.Graph{both, both, near} {
		if _, err := m.Label(t.Context(), g, p.Seeds); err == nil || !strings.Contains(err.Error(), "method m: none") {
			t.Errorf("error %v", err)
		}
	}
	if seen[0] != seen[1] || seen[1] == seen[2] || seen[0].W != edges || seen[2].W != p.W || seen[0].X != p.X {
		t.Error("other data than those of the sets")
	}
}
