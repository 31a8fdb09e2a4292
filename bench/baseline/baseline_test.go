package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// blobs returns n points near c orthogonal rays in the positive orthant of
// 2c dimensions, with W their neighbour graph, and labels two points a class.
func blobs(t *testing.T, n, c int, noise float64) (*Problem, []int32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	x := csr.NewDense(n, 2*c)
	truth := make([]int32, n)
	for i := range n {
		truth[i] = int32(i % c)
		for j := range 2 * c {
			v := noise * rng.Float64()
			if j/2 == i%c {
				v += 0.5 + rng.Float64()
			}
			x.Set(i, j, float32(v))
		}
	}
	d := &Data{X: x, Threads: 1}
	w, err := KNN(t.Context(), &Problem{Data: d})
	if err != nil {
		t.Fatal(err)
	}
	d.W = w
	return d.with(t, truth, c, 2), truth
}

func (d *Data) with(t *testing.T, truth []int32, c, perClass int) *Problem {
	t.Helper()
	seeds, err := diffuse.NewSeeds(d.N(), c, bench.Draw(truth, c, perClass, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{Data: d, Seeds: seeds}
}

// connected returns a small problem on a connected random graph.
func connected(t *testing.T, n int) *Problem {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	e := &csr.Edges{}
	add := func(i, j int) {
		e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, uint32(j)), append(e.Weight, float32(0.2+rng.Float64()))
	}
	for i := range n - 1 {
		add(i, i+1)
	}
	add(0, 2) // a triangle: the graph is not bipartite
	for range n {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			add(i, j)
		}
	}
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := diffuse.NewSeeds(n, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: uint32(n - 1), Class: 1, Weight: 1}, {Node: uint32(n / 2), Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{Data: &Data{W: w, Threads: 1}, Seeds: seeds}
}

func slow(m mat.Matrix) oracle.Mat {
	r, c := m.Dims()
	out := oracle.New(r, c)
	for i := range r {
		for j := range c {
			out[i][j] = m.At(i, j)
		}
	}
	return out
}

func near(t *testing.T, what string, got mat.Matrix, want oracle.Mat, tolerance float64) {
	t.Helper()
	if d := oracle.MaxAbsDiff(slow(got), want); !(d <= tolerance) {
		t.Errorf("%s: off by %g", what, d)
	}
}

func (p *Problem) seedLabels() []int {
	y := make([]int, p.N())
	for i := range y {
		y[i] = -1
	}
	for _, s := range p.Seeds.List() {
		y[s.Node] = int(s.Class)
	}
	return y
}

func argmax(m oracle.Mat) []int32 {
	y := make([]int32, len(m))
	for i, row := range m {
		for j, v := range row {
			if v > row[y[i]] {
				y[i] = int32(j)
			}
		}
	}
	return y
}

// TestAllMethods: on classes that are apart every method is right nearly
// everywhere, gives the same labels again from a fresh start and with more
// threads, stops when told to, and changes neither features nor graph.
func TestAllMethods(t *testing.T) {
	for _, m := range Methods() {
		t.Run(m.Name, func(t *testing.T) {
			if m.Reference == "" || m.Kind == "" {
				t.Error("no reference or kind")
			}
			p, truth := blobs(t, 60, 3, 0.2)
			features, graph := slices.Clone(p.X.Data), slices.Clone(values(p.W))
			first, err := m.Label(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if share, _ := score.Accuracy(first, truth, p.Seeds.Mask()); share < 0.95 {
				t.Errorf("accuracy %v", share)
			}
			if !slices.Equal(features, p.X.Data) || !slices.Equal(graph, values(p.W)) {
				t.Error("the input was changed")
			}
			again, err := m.Label(t.Context(), p)
			if err != nil || !slices.Equal(first, again) {
				t.Errorf("another result from what is kept: %v", err)
			}
			fresh, _ := blobs(t, 60, 3, 0.2)
			fresh.Threads = 3
			if again, err = m.Label(t.Context(), fresh); err != nil || !slices.Equal(first, again) {
				t.Errorf("another result with more threads: %v", err)
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			fresh, _ = blobs(t, 60, 3, 0.2)
			if _, err := m.Label(ended, fresh); err == nil {
				t.Error("no error from an ended context")
			}
		})
	}
}

func values(m *csr.Matrix) []float32 { _, _, v := m.Arrays(); return v }

// TestUnreached: a component without labels gets none, by every method that
// sees the graph alone.
func TestUnreached(t *testing.T) {
	w, _, err := csr.FromEdges(8, &csr.Edges{Src: []uint32{0, 1, 2, 0, 5, 6}, Dst: []uint32{1, 2, 3, 2, 6, 7}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := diffuse.NewSeeds(8, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 3, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range slices.Concat(propagation(), diffusions(), alternating()) {
		y, err := m.Label(t.Context(), &Problem{Data: &Data{W: w, Threads: 1}, Seeds: seeds})
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		for i := 4; i < 8; i++ {
			if y[i] != -1 {
				t.Errorf("%s: point %d has class %d", m.Name, i, y[i])
			}
		}
		if y[0] < 0 || y[1] < 0 || y[2] < 0 || y[3] < 0 {
			t.Errorf("%s: a point beside the labelled ones has no class: %v", m.Name, y)
		}
	}
}

// TestClassics: LP's fixed point and GFHF's labels are the harmonic
// functions, LGC's labels the closed form, by elimination.
func TestClassics(t *testing.T) {
	p := connected(t, 25)
	w := slow(dense(p.W))
	harmonic := oracle.Harmonic(w, p.seedLabels(), 2)
	f, err := propagate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Rows {
		for j := range f.Cols {
			if math.Abs(float64(f.At(i, j))-harmonic[i][j]) > 1e-3 {
				t.Errorf("LP: F[%d][%d] = %v, harmonic %v", i, j, f.At(i, j), harmonic[i][j])
			}
		}
	}
	for _, test := range []struct {
		label func(context.Context, *Problem) ([]int32, error)
		want  oracle.Mat
	}{{GFHF, harmonic}, {LGC, oracle.LGC(w, slow(p.oneHot()), Alpha)}} {
		if y, err := test.label(t.Context(), p); err != nil || !slices.Equal(y, argmax(test.want)) {
			t.Errorf("%v, want %v (%v)", y, argmax(test.want), err)
		}
	}
}

// TestGGMC: the scores before the first step are LGC's F for the
// degree-normalised labels; after every step they are P V Y for V and Y made
// anew; each step takes the smallest gradient of Q by its definition; and
// PᵀLP + μ(P−I)² = μ(I−P).
func TestGGMC(t *testing.T) {
	p := connected(t, 20)
	kernel, err := p.lgcKernel(1 / (1 + ggmcMu))
	if err != nil {
		t.Fatal(err)
	}
	n := p.N()
	w := slow(dense(p.W))
	degrees := oracle.Degrees(w)
	identity := oracle.Identity(n)
	l := oracle.Add(1, identity, -1, oracle.NormalizeSym(w))
	pm := oracle.Inverse(oracle.Add(1/ggmcMu, l, 1, identity))
	apart := oracle.Add(1, pm, -1, identity)
	a := oracle.Add(1, oracle.Mul(oracle.Mul(pm, l), pm), ggmcMu, oracle.Mul(apart, apart))
	near(t, "P", kernel, pm, 1e-6)
	if d := oracle.MaxAbsDiff(a, oracle.Scale(-ggmcMu, apart)); d > 1e-10 {
		t.Errorf("A is not μ(I−P): %g", d)
	}
	g := newCut(p, kernel)
	vy := func() oracle.Mat {
		mass := make([]float64, 2)
		for i, y := range g.label {
			if y >= 0 {
				mass[y] += degrees[i]
			}
		}
		m := oracle.New(n, 2)
		for i, y := range g.label {
			if y >= 0 {
				m[i][y] = degrees[i] / mass[y]
			}
		}
		return m
	}
	first := oracle.LGC(w, vy(), 1/(1+ggmcMu))
	for more := true; more; {
		now := vy()
		scores := oracle.Mul(pm, now)
		if len(first) > 0 {
			if d := oracle.MaxAbsDiff(first, scores); d > 1e-9 {
				t.Errorf("the first F is not LGC's: %g", d)
			}
			first = nil
		}
		for j := range g.scores {
			for i, v := range g.scores[j] {
				if math.Abs(v-scores[i][j]) > 1e-6 {
					t.Fatalf("score [%d][%d] %v, want %v", i, j, v, scores[i][j])
				}
			}
		}
		gradient := oracle.Mul(a, now)
		least, point, class := math.Inf(1), -1, int32(-1)
		for i, y := range g.label {
			for j, v := range gradient[i] {
				if y < 0 && v < least {
					least, point, class = v, i, int32(j)
				}
			}
		}
		if more = g.step(); more && g.label[point] != class {
			t.Errorf("the smallest gradient is of point %d and class %d", point, class)
		}
	}
	if slices.Contains(g.label, -1) {
		t.Error("a point was left out")
	}
}

// elimination solves (L + Σ_C d_C d_Cᵀ)U = B for the components C of a graph: L U = B with dᵀU = 0 on each.
type elimination struct {
	of      []uint32
	inverse oracle.Mat
}

func eliminate(w *csr.Matrix) *elimination {
	of, _ := csr.Components(w, 1)
	affinity := slow(dense(w))
	degrees := oracle.Degrees(affinity)
	system := oracle.Scale(-1, affinity)
	for i := range system {
		system[i][i] += degrees[i]
		for j := range system[i] {
			if of[i] == of[j] {
				system[i][j] += degrees[i] * degrees[j]
			}
		}
	}
	return &elimination{of, oracle.Inverse(system)}
}

// scores returns U of Poisson learning, and U_ij/ȳ_j. In components with seeds of one class that is largest, in those without none.
func (e *elimination) scores(y *diffuse.Seeds) (u, z oracle.Mat) {
	b := oracle.New(y.Nodes, y.Classes)
	share := make([]float64, y.Classes)
	for _, s := range y.List() {
		share[s.Class]++
		mean, count := make([]float64, y.Classes), 0.0
		for _, other := range y.List() {
			if e.of[other.Node] == e.of[s.Node] {
				mean[other.Class]++
				count++
			}
		}
		b[s.Node][s.Class]++
		for j, v := range mean {
			b[s.Node][j] -= v / count
		}
	}
	u = oracle.Mul(e.inverse, b)
	z = oracle.New(y.Nodes, y.Classes)
	for i, row := range u {
		for j, v := range row {
			z[i][j] = v / share[j]
		}
	}
	return u, z
}

// TestPoisson: the labels are those by elimination. With ȳ = (1, 2, 4)/7 the largest of U_ij/ȳ_j is not that of U_ij.
func TestPoisson(t *testing.T) {
	p := connected(t, 30)
	three, err := diffuse.NewSeeds(30, 3, []diffuse.Seed{{Node: 2, Class: 0, Weight: 1}, {Node: 8, Class: 1, Weight: 1}, {Node: 14, Class: 1, Weight: 1}, {Node: 5, Class: 2, Weight: 1}, {Node: 20, Class: 2, Weight: 1}, {Node: 24, Class: 2, Weight: 1}, {Node: 28, Class: 2, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	exact := eliminate(p.W)
	for k, seeds := range []*diffuse.Seeds{p.Seeds, three} {
		u, z := exact.scores(seeds)
		y, err := Poisson(t.Context(), &Problem{Data: p.Data, Seeds: seeds})
		if plain := argmax(u); err != nil || !slices.Equal(y, argmax(z)) || k == 1 && slices.Equal(y, plain) {
			t.Errorf("%v, want %v (%v); without the prior %v", y, argmax(z), err, plain)
		}
	}
}

// TestPoissonOfComponents: the labels are those by elimination wherever the margin tells, on neighbour graphs, of several components with
// seeds too.
func TestPoissonOfComponents(t *testing.T) {
	racing.LongSum(t)
	parts := 0
	for _, noise := range []float64{0.1, 1, 2} {
		p, truth := blobs(t, 400, 4, noise)
		exact := eliminate(p.W)
		for perClass := range 6 {
			p := p.with(t, truth, 4, 4*(perClass+1))
			var count [4]int
			list := slices.DeleteFunc(slices.Clone(p.Seeds.List()), func(s diffuse.Seed) bool {
				count[s.Class]++
				return count[s.Class] > (perClass+1)*(int(s.Class)+1) // classes of unlike numbers
			})
			seeds, err := diffuse.NewSeeds(p.N(), 4, list)
			if err != nil {
				t.Fatal(err)
			}
			p.Seeds = seeds
			y, err := Poisson(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			_, z := exact.scores(seeds)
			classes := map[uint32][]uint32{}
			for _, s := range list {
				if k := exact.of[s.Node]; !slices.Contains(classes[k], s.Class) {
					classes[k] = append(classes[k], s.Class)
				}
			}
			parts = max(parts, len(classes))
			for i, label := range y {
				known := classes[exact.of[i]]
				if len(known) < 2 {
					if want := append(known, math.MaxUint32)[0]; label != int32(want) {
						t.Fatalf("noise %v: node %d has label %d, want %d", noise, i, label, int32(want))
					}
					continue
				}
				best := slices.Max(z[i])
				if label < 0 || best-z[i][label] > 1e-4*math.Abs(best) {
					t.Fatalf("noise %v, %d labels of the first class: node %d has label %d of score %v, the largest is %v", noise, perClass+1, i, label, z[i][label], best)
				}
			}
		}
	}
	if parts < 2 {
		t.Error("all graphs are connected")
	}
}

// TestGeodesics: nearest agrees with all shortest paths by relaxation.
func TestGeodesics(t *testing.T) {
	p := connected(t, 25)
	n := p.N()
	d := slow(dense(p.W))
	for i := range d {
		for j := range d[i] {
			if i != j && d[i][j] == 0 {
				d[i][j] = math.Inf(1)
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	for i := range n {
		cols, far := nearest(p.W, i, 8)
		row := slices.Clone(d[i])
		slices.Sort(row)
		for m, j := range cols {
			if math.Abs(far[m]-d[i][j]) > 1e-6 || math.Abs(far[m]-row[m+1]) > 1e-6 {
				t.Errorf("point %d: its %d-th nearest is %d at %v, want %v (the path is %v)", i, m+1, j, far[m], row[m+1], d[i][j])
			}
		}
	}
}

// TestLPGMM: P is symmetric and sums to 1; the gradient is that of finite
// differences; the objective falls with every step; rows stay on the simplex
// and given ones where they are.
func TestLPGMM(t *testing.T) {
	p, _ := blobs(t, 50, 3, 0.6)
	pairs, err := p.geodesicPairs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := csr.CheckAffinity(pairs, 1); err != nil {
		t.Error(err)
	}
	if sum := mat.Sum(dense(pairs)); math.Abs(sum-1) > 1e-5 {
		t.Errorf("P sums to %v", sum)
	}
	start, _, err := diffuse.Harmonic(t.Context(), diffuse.Normalize(pairs, 1), p.Seeds, p.options())
	if err != nil {
		t.Fatal(err)
	}
	d := newDivergence(pairs, start, p.Seeds.Mask())
	d.slope()
	for i := range 50 {
		for j := range 3 {
			if !d.free[i] {
				continue
			}
			const h = 1e-6
			old := d.f[i][j]
			d.f[i][j] = old + h
			up := d.objective(d.f)
			d.f[i][j] = old - h
			down := d.objective(d.f)
			d.f[i][j] = old
			if want := (up - down) / (2 * h); math.Abs(d.gradient[i][j]-want) > 1e-6 {
				t.Fatalf("gradient[%d][%d] = %v, differences give %v", i, j, d.gradient[i][j], want)
			}
		}
	}
	steps := 0
	for before := d.value; d.step() && steps < 50; steps++ {
		if d.value >= before {
			t.Errorf("step %d: %v after %v", steps, d.value, before)
		}
		before = d.value
	}
	if steps < 2 {
		t.Errorf("only %d steps", steps)
	}
	for i, row := range d.f {
		sum := 0.0
		for j, v := range row {
			sum += v
			if v < 0 || d.fixed[i] && v != float64(start.At(i, j)) {
				t.Errorf("F[%d] = %v", i, row)
			}
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("F[%d] sums to %v", i, sum)
		}
	}
}

// TestSimplex: the projection is the point x − θ cut at 0 with the θ that
// bisection finds.
func TestSimplex(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for except := -1; except < 3; except++ {
		for range 50 {
			x := make([]float64, 6)
			for k := range x {
				x[k] = 3 * rng.NormFloat64()
			}
			lo, hi := -20.0, 20.0
			total := func(theta float64) (sum float64) {
				for k, v := range x {
					if k != except {
						sum += max(v-theta, 0)
					}
				}
				return sum
			}
			for range 200 {
				if mid := (lo + hi) / 2; total(mid) > 1 {
					lo = mid
				} else {
					hi = mid
				}
			}
			got := slices.Clone(x)
			simplex(got, except)
			for k := range x {
				want := max(x[k]-lo, 0)
				if k == except {
					want = 0
				}
				if math.Abs(got[k]-want) > 1e-12 {
					t.Fatalf("%v without %d: %v", x, except, got)
				}
			}
		}
	}
}
