package baseline

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestKNN: the weights are those of the paper's definition, by sorting all
// distances.
func TestKNN(t *testing.T) {
	p, _ := blobs(t, 45, 3, 0.4)
	n := p.N()
	directed := oracle.New(n, n)
	for i := range n {
		type other struct {
			j    int
			dist float64
		}
		var others []other
		for j := range n {
			sum := 0.0
			for k, v := range p.X.Row(i) {
				sum += math.Pow(float64(v)-float64(p.X.At(j, k)), 2)
			}
			if j != i {
				others = append(others, other{j, math.Sqrt(sum)})
			}
		}
		slices.SortFunc(others, func(a, b other) int {
			if a.dist < b.dist {
				return -1
			}
			return 1
		})
		sigma := 0.0
		for _, o := range others[:27] {
			sigma += o.dist / 27
		}
		for _, o := range others[:10] {
			directed[i][o.j] = math.Exp(-o.dist * o.dist / (2 * sigma * sigma))
		}
	}
	near(t, "W", dense(p.W), oracle.Add(0.5, directed, 0.5, oracle.Transpose(directed)), 1e-5)
}

// TestNeighbourGraph: it is KNN's graph of the points at unit length, whatever
// their length was, of fewer neighbours.
func TestNeighbourGraph(t *testing.T) {
	p, _ := blobs(t, 45, 3, 0.4)
	unit := &Problem{Data: &Data{X: unitLength(p.X), Threads: 1}}
	for i := range p.X.Rows {
		for k := range p.X.Row(i) {
			p.X.Row(i)[k] *= float32(1 + i%3)
		}
	}
	got, err := neighbourGraph(3)(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := KNN(t.Context(), unit)
	if err != nil {
		t.Fatal(err)
	}
	// KNN's W is a mean: a pair that only one has among its three counts half.
	want := oracle.New(45, 45)
	nb, err := unit.search(t.Context(), unit.X)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 45 {
		sigma := 0.0
		at, far := nb.IDs[i*nb.K:(i+1)*nb.K], nb.Dist[i*nb.K:(i+1)*nb.K]
		for _, v := range far {
			sigma += float64(v) / float64(len(far))
		}
		for k, j := range at[:3] {
			want[i][j] = math.Exp(-float64(far[k]) * float64(far[k]) / (2 * sigma * sigma))
		}
	}
	near(t, "W", dense(got), oracle.Add(0.5, want, 0.5, oracle.Transpose(want)), 1e-4)
	if got.NNZ() >= whole.NNZ() {
		t.Errorf("%d entries of 3 neighbours, %d of 10", got.NNZ(), whole.NNZ())
	}
}

// TestThreshold: NNLRS's graph has Z's columns at unit length, without entries
// below θ, by definition.
func TestThreshold(t *testing.T) {
	r := &representation{w: mat.NewDense(3, 3, []float64{
		0.5, 0.3, 0,
		0.2, 0, 0.6,
		3, 0.4, 0.05,
	})}
	first, third := math.Sqrt(0.5*0.5+0.2*0.2+3*3), math.Sqrt(0.6*0.6+0.05*0.05)
	// The diagonal goes, and 0.2/3.05 is below 0.1.
	want := oracle.Mat{{0, 0.6, 0}, {0, 0, 0.6 / third}, {3 / first, 0.8, 0}}
	near(t, "W", dense(r.graph(0.1, 1)), oracle.Add(0.5, want, 0.5, oracle.Transpose(want)), 1e-6)
	want[1][0] = 0.2 / first
	near(t, "W of θ = 0", dense(r.graph(0, 1)), oracle.Add(0.5, want, 0.5, oracle.Transpose(want)), 1e-6)
}

// TestLearnedGraphs: each is an affinity, and joins points of one ray only
// where the rays are orthogonal.
func TestLearnedGraphs(t *testing.T) {
	p, truth := blobs(t, 60, 3, 0)
	for _, m := range []struct {
		name  string
		learn func(*Problem) (*csr.Matrix, error)
	}{
		{"KNN", func(p *Problem) (*csr.Matrix, error) { return KNN(t.Context(), p) }},
		{"LLE", func(p *Problem) (*csr.Matrix, error) { return LLE(t.Context(), p) }},
		{"L1", func(p *Problem) (*csr.Matrix, error) { return L1(t.Context(), p) }},
		{"SPG", func(p *Problem) (*csr.Matrix, error) { return SPG(t.Context(), p) }},
		{"NNLRS", func(p *Problem) (*csr.Matrix, error) { return NNLRS(t.Context(), p) }},
		{"SSNNLRS", func(p *Problem) (*csr.Matrix, error) { return SSNNLRS(t.Context(), p) }},
		{"FAML", func(p *Problem) (*csr.Matrix, error) { return FAML(t.Context(), p) }},
	} {
		w, err := m.learn(p)
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		if err := csr.CheckAffinity(w, 1); err != nil || w.NNZ() == 0 {
			t.Errorf("%s: %d entries, %v", m.name, w.NNZ(), err)
		}
		inside, across := 0.0, 0.0
		for i := range p.N() {
			cols, vals := w.Row(i)
			for k, j := range cols {
				if truth[i] == truth[j] {
					inside += float64(vals[k])
				} else {
					across += float64(vals[k])
				}
			}
		}
		if limit := 0.02; across > limit*inside {
			t.Errorf("%s: weight %g inside classes, %g across", m.name, inside, across)
		}
	}
}

// TestGram: VgVᵀ is the Gram matrix of the unit rows, for more points than
// dimensions and for fewer, and keeps the energy it says.
func TestGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, shape := range [][2]int{{20, 6}, {6, 20}} {
		x := csr.NewDense(shape[0], shape[1])
		for k := range x.Data {
			x.Data[k] = float32(rng.NormFloat64())
		}
		u := unitRows(x)
		g, err := newGram(u, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := oracle.Mul(slow(u), oracle.Transpose(slow(u)))
		near(t, "XᵀX", g.matrix(), want, 1e-8)
		part, err := newGram(u, 0.7)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, v := range part.g {
			sum += v
		}
		if n := float64(shape[0]); sum < 0.7*n || sum-part.g[len(part.g)-1] >= 0.7*n {
			t.Errorf("%v: %d directions hold %v of %v", shape, len(part.g), sum, n)
		}
	}
}

// TestSPG: the conditions of the optimum of a non-negative lasso hold: with
// the residual r_i, ⟨x_j, r_i⟩ = λ_i where a_ij > 0, and ≤ λ_i elsewhere.
func TestSPG(t *testing.T) {
	p, _ := blobs(t, 40, 3, 0.5)
	g, err := p.gram()
	if err != nil {
		t.Fatal(err)
	}
	xx := g.matrix()
	for i := range 40 {
		a := make([]float64, 40)
		penalty := spgPenalty(xx, i, spgGamma)
		nonNegative(a, xx, i, penalty)
		for j := range a {
			product := xx.At(j, i)
			for k, v := range a {
				product -= v * xx.At(j, k)
			}
			switch {
			case j == i:
				if a[j] != 0 {
					t.Errorf("point %d represents itself", i)
				}
			case a[j] < 0 || product > penalty*1.01 || a[j] > 0 && product < penalty*0.99:
				t.Errorf("point %d: coefficient %v of %d with product %v, penalty %v", i, a[j], j, product, penalty)
			}
		}
	}
}

// TestShrinker: subspace iteration on a matrix above the size for full
// decompositions agrees with a full one, also from a start of zeros.
func TestShrinker(t *testing.T) {
	const n = whole + 30
	rng := rand.New(rand.NewPCG(9, 9))
	a, b := mat.NewDense(n, 30, nil), mat.NewDense(30, n, nil)
	for _, m := range []*mat.Dense{a, b} {
		m.Apply(func(i, j int, _ float64) float64 { return rng.NormFloat64() / math.Sqrt(n) }, m)
	}
	m := mat.NewDense(n, n, nil)
	s := newShrinker(n, n)
	got := mat.NewDense(n, n, nil)
	s.apply(got, m, 0.5)
	if norm(got) != 0 {
		t.Errorf("of zeros: %v", norm(got))
	}
	m.Mul(a, b)
	var svd mat.SVD
	svd.Factorize(m, mat.SVDThin)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	want := mat.NewDense(n, n, nil)
	low(want, &u, svd.Values(nil), &v, 0.3)
	for range 30 {
		s.apply(got, m, 0.3)
	}
	near(t, "lowered singular values", got, slow(want), 1e-6)
}

// TestNNLRS: two steps of the method lead to the same objective; no feasible
// neighbour of the solution has a lower one, and neither have 0 and I; the
// constraint of the labels holds; labels of one class forbid nothing.
func TestNNLRS(t *testing.T) {
	if racing.On {
		t.Skip("under the race detector: this test has one goroutine, and runs without it")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // thousands of small products: several processors wait for each other
	p, _ := blobs(t, 36, 3, 0.3)
	g, err := p.gram()
	if err != nil {
		t.Fatal(err)
	}
	solve := func(mu float64, forbidden [][2]int) (*representation, float64) {
		r := newRepresentation(g, 0.5, 4)
		r.mu, r.forbidden = mu, forbidden
		for range 3000 {
			if r.step() < 1e-6 {
				break
			}
		}
		return r, r.objective(r.w)
	}
	r, best := solve(10, nil)
	if _, other := solve(30, nil); math.Abs(other-best) > 1e-3*best {
		t.Errorf("objective %v and %v", best, other)
	}
	// The multiplier of W is −β where W is above 0 and not below it elsewhere;
	// that of column i of E is λ times E's direction.
	for i := range 36 {
		for j := range 36 {
			if dual := r.mu * r.u3.At(i, j); dual < -r.beta-1e-2 || r.w.At(i, j) > 1e-3 && dual > -r.beta+1e-2 {
				t.Errorf("multiplier %v of W[%d][%d] = %v", dual, i, j, r.w.At(i, j))
			}
		}
		if length := r.mu * mat.Norm(r.u1.ColView(i), 2); length > r.lambda*1.01 || mat.Norm(r.e.ColView(i), 2) > 1e-3 && length < r.lambda*0.99 {
			t.Errorf("multiplier of length %v of column %d of E", length, i)
		}
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for k := range 200 {
		size := math.Pow(10, -float64(k%4)-1)
		w := mat.DenseCopyOf(r.w)
		w.Apply(func(_, _ int, v float64) float64 { return max(v+size*rng.NormFloat64(), 0) }, w)
		if value := r.objective(w); value < best*(1-1e-4) {
			t.Errorf("a neighbour at %g has %v, below %v", size, value, best)
		}
	}
	// Nor does descent along subgradients find one.
	w := mat.DenseCopyOf(r.w)
	for k := range 400 {
		descend(r, w, 1e-3/math.Sqrt(float64(k+1)))
		if value := r.objective(w); value < best*(1-1e-3) {
			t.Fatalf("descent finds %v in %d steps, below %v", value, k+1, best)
		}
	}
	identity := mat.NewDense(36, 36, nil)
	for i := range 36 {
		identity.Set(i, i, 1)
	}
	if zero := r.objective(mat.NewDense(36, 36, nil)); zero < best || r.objective(identity) < best {
		t.Errorf("0 or I is better than %v", best)
	}
	forbidden := [][2]int{{0, 3}, {3, 0}, {1, 4}}
	constrained, value := solve(10, forbidden)
	if value < best*(1-1e-3) {
		t.Errorf("with a constraint %v, without %v", value, best)
	}
	for _, at := range forbidden {
		if constrained.w.At(at[0], at[1]) != 0 {
			t.Errorf("W%v is not 0", at)
		}
	}

	free, err := NNLRS(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	one, err := diffuse.NewSeeds(36, 1, []diffuse.Seed{{Node: 0, Weight: 1}, {Node: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	same, err := SSNNLRS(t.Context(), &Problem{Data: p.Data, Seeds: one})
	if err != nil || !slices.Equal(values(free), values(same)) {
		t.Errorf("SSNNLRS without different labels is not NNLRS: %v", err)
	}
	labelled, err := SSNNLRS(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Seeds.List() {
		for _, o := range p.Seeds.List() {
			if s.Class != o.Class && labelled.At(int(s.Node), int(o.Node)) != 0 {
				t.Errorf("labelled points %d and %d of different classes are joined", s.Node, o.Node)
			}
		}
	}
}

// objective returns ‖W‖_* + β‖W‖₁ + λ‖X − XW‖_{2,1}: n³.
func (r *representation) objective(w *mat.Dense) float64 {
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDNone) {
		return math.NaN()
	}
	value := 0.0
	for _, s := range svd.Values(nil) {
		value += s
	}
	value += r.beta * mat.Sum(w)
	var rest mat.Dense
	rest.Mul(r.x, w)
	rest.Sub(r.x, &rest)
	_, n := rest.Dims()
	for i := range n {
		value += r.lambda * mat.Norm(rest.ColView(i), 2)
	}
	return value
}

// descend moves w against a subgradient of NNLRS's objective,
// UVᵀ + β − λ Xᵀ(R_i/‖R_i‖), and back to w ≥ 0.
func descend(r *representation, w *mat.Dense, rate float64) {
	n, _ := w.Dims()
	var svd mat.SVD
	svd.Factorize(w, mat.SVDThin)
	var u, v, slope, rest, fit mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	rank := 0
	for _, s := range svd.Values(nil) {
		if s > 1e-6 {
			rank++
		}
	}
	slope.Mul(u.Slice(0, n, 0, rank), v.Slice(0, n, 0, rank).T())
	rest.Mul(r.x, w)
	rest.Sub(r.x, &rest)
	length := make([]float64, n)
	for i := range n {
		length[i] = max(mat.Norm(rest.ColView(i), 2), 1e-9)
	}
	rest.Apply(func(_, i int, e float64) float64 { return e / length[i] }, &rest)
	fit.Mul(r.x.T(), &rest)
	w.Apply(func(i, j int, x float64) float64 {
		return max(x-rate*(slope.At(i, j)+r.beta-r.lambda*fit.At(i, j)), 0)
	}, w)
}

// TestFAML: every round lowers the objective, S has rows on the simplex of its
// entries and no diagonal, and Z's gradient is 0; with ten entries a row of S and
// with all.
func TestFAML(t *testing.T) {
	for _, neighbours := range []int{10, 0} {
		weights := flexibly
		weights.neighbours = neighbours
		checkFlexible(t, weights)
	}
}

func checkFlexible(t *testing.T, weights flexibility) {
	p, _ := blobs(t, 45, 3, 0.5)
	f, err := newFlexible(t.Context(), p, weights)
	if err != nil {
		t.Fatal(err)
	}
	before := math.Inf(1)
	for range 8 {
		if err := f.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		if value := f.objective(); value > before*(1+1e-6) {
			t.Errorf("%v after %v", value, before)
		} else {
			before = value
		}
	}
	// S: the slope 2λ₂(S − Z) + γ‖F_i − F_j‖² is least where S is above 0, for
	// labels that are not yet settled.
	rng := rand.New(rand.NewPCG(4, 4))
	for k := range f.f.Data {
		f.f.Data[k] = rng.Float32()
	}
	f.project(true)
	for i := range 45 {
		sum, entries := 0.0, 0
		least, most := math.Inf(1), math.Inf(-1)
		for j, v := range f.s.RawRowView(i) {
			if sum += v; v < 0 || v > 0 && !slices.Contains(f.open[i], j) || i == j && v != 0 {
				t.Errorf("S[%d][%d] = %v", i, j, v)
			}
			if !slices.Contains(f.open[i], j) {
				continue
			}
			entries++
			slope := 2*weights.near*(v-f.z.At(i, j)) + weights.labels*f.apart(i, j)
			least = min(least, slope)
			if v > 0 {
				most = max(most, slope)
			}
		}
		if want := weights.neighbours; math.Abs(sum-1) > 1e-9 || want > 0 && entries != want || want == 0 && entries != 44 {
			t.Errorf("row %d of S sums to %v of %d entries", i, sum, entries)
		}
		if most > least+1e-9 {
			t.Errorf("row %d of S: slopes up to %v where the least is %v", i, most, least)
		}
	}
	f.express()
	xx := slow(f.gram.matrix())
	z, s := slow(f.z), slow(f.s)
	gradient := oracle.Add(1, oracle.Mul(xx, z), -1, xx)
	gradient = oracle.Add(1, gradient, weights.ridge+weights.near, z)
	gradient = oracle.Add(1, gradient, -weights.near, s)
	if d := oracle.MaxAbsDiff(gradient, oracle.New(45, 45)); d > 1e-8 {
		t.Errorf("Z's gradient is %g", d)
	}
}
