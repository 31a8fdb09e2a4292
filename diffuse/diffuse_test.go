package diffuse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// graphOf builds the graph of generated edges, and its dense affinity by the
// oracle.
func graphOf(t *testing.T, n int, src, dst []uint32, weight []float32) (*csr.Matrix, oracle.Mat) {
	t.Helper()
	dense := oracle.Affinity(n, src, dst, weight)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w, dense
}

// randomGraph returns one of a family of small graphs: isolated nodes, two
// components, self-loops in the edges and weights over decades among them.
func randomGraph(t *testing.T, seed uint64) (*csr.Matrix, oracle.Mat) {
	t.Helper()
	n := 6 + int(seed*7%50)
	src, dst, weight := gen.RandomGraph(n, 0.1+0.05*float64(seed%5), seed, gen.Options{
		Isolated: int(seed % 3), TwoComponents: seed%2 == 1, SelfLoops: 0.1, WeightSpread: float64(seed % 4),
	})
	return graphOf(t, n, src, dst, weight)
}

// randomSeeds labels about a quarter of the nodes.
func randomSeeds(t *testing.T, n, c int, seed uint64) (*Seeds, oracle.Mat) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var list []Seed
	y := oracle.New(n, c)
	for i := range n {
		if i == 0 || rng.IntN(4) == 0 {
			s := Seed{Node: uint32(i), Class: uint32(rng.IntN(c)), Weight: 1}
			list = append(list, s)
			y[i][s.Class] = 1
		}
	}
	seeds, err := NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return seeds, y
}

// worstDifference returns the largest |x − want| over the largest |want|.
func worstDifference(x *csr.Dense, want oracle.Mat) float64 {
	worst, scale := 0.0, 0.0
	for i, row := range want {
		for j, v := range row {
			worst = max(worst, math.Abs(float64(x.At(i, j))-v))
			scale = max(scale, math.Abs(v))
		}
	}
	return worst / scale
}

// TestLGCPath checks the closed form on the path a–b–c–d with seeds a=A, d=B:
// the class-A share of each row, from the 4×4 inverse by hand.
func TestLGCPath(t *testing.T) {
	src, dst, weight := gen.Path(4)
	w, _ := graphOf(t, 4, src, dst, weight)
	y, err := HardSeeds([]int{0, -1, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		alpha float64
		want  [4]float64
	}{
		{0.5, [4]float64{.962963, .777778, .222222, .037037}},
		{0.9, [4]float64{.682906, .569378, .430622, .317094}},
	} {
		for _, solver := range []Solver{CG, Power} {
			f, _, err := LGC(context.Background(), Normalize(w, 1), y, Options{Alpha: test.alpha, Balance: Unbalanced, Solver: solver, Tolerance: 1e-7})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range test.want {
				got := float64(f.At(i, 0)) / float64(f.At(i, 0)+f.At(i, 1))
				if math.Abs(got-want) > 2e-6 {
					t.Errorf("α=%v solver %d node %d: share of class A %.6f, want %.6f", test.alpha, solver, i, got, want)
				}
			}
		}
	}
}

// TestLGCAgreesWithInverse: conjugate gradients, the plain iteration and the
// dense inverse agree to 1e-5 on random graphs.
func TestLGCAgreesWithInverse(t *testing.T) {
	for seed := range uint64(60) {
		w, dense := randomGraph(t, seed)
		y, want := randomSeeds(t, len(dense), 1+int(seed%6), seed)
		for _, alpha := range []float64{0.2, 0.9, 0.99} {
			exact := oracle.LGC(dense, want, alpha)
			for _, solver := range []Solver{CG, Power} {
				f, stats, err := LGC(context.Background(), Normalize(w, 2), y, Options{Alpha: alpha, Balance: Unbalanced, Solver: solver, Tolerance: 1e-8})
				if err != nil {
					t.Fatal(err)
				}
				if d := worstDifference(f, exact); d > 1e-5 {
					t.Errorf("graph %d α=%v solver %d: differs from the inverse by %.1e (%+v)", seed, alpha, solver, d, stats)
				}
			}
		}
	}
}

// TestCGTakesFewProducts: on a long path at α = 0.99 the error falls by
// (√κ−1)/(√κ+1) a product, κ = (1+α)/(1−α) = 199: 1e-6 in at most 103. Steepest
// descent would need thousands.
func TestCGTakesFewProducts(t *testing.T) {
	n := 2000
	src, dst, weight := gen.Path(n)
	w, _ := graphOf(t, n, src, dst, weight)
	y, _ := NewSeeds(n, 2, []Seed{{Node: 0, Class: 0, Weight: 1}, {Node: uint32(n - 1), Class: 1, Weight: 1}})
	_, stats, err := LGC(context.Background(), Normalize(w, 1), y, Options{})
	if err != nil || !stats.Converged || stats.Iterations > 103 {
		t.Errorf("%+v, %v", stats, err)
	}
}

// TestPowerIsPatient: with α very near 1 the residual falls by less than a
// thousandth in an iteration; the plain iteration goes on all the same.
func TestPowerIsPatient(t *testing.T) {
	src, dst, weight := gen.Path(50)
	w, dense := graphOf(t, 50, src, dst, weight)
	y, _ := NewSeeds(50, 1, []Seed{{Node: 0, Weight: 1}})
	yd := oracle.New(50, 1)
	yd[0][0] = 1
	f, stats, err := LGC(context.Background(), Normalize(w, 1), y, Options{Alpha: 0.9995, Solver: Power, Tolerance: 1e-5, Balance: Unbalanced})
	if err != nil || worstDifference(f, oracle.LGC(dense, yd, 0.9995)) > 1e-3 {
		t.Errorf("%+v, %v: off by %.1e", stats, err, worstDifference(f, oracle.LGC(dense, yd, 0.9995)))
	}
}

// TestHarmonicAgreesWithSolve compares the harmonic functions with the dense
// solve; reached rows sum to 1.
func TestHarmonicAgreesWithSolve(t *testing.T) {
	for seed := range uint64(60) {
		w, dense := randomGraph(t, seed)
		y, _ := randomSeeds(t, len(dense), 3, seed)
		labels := make([]int, len(dense))
		for i := range labels {
			labels[i] = -1
		}
		for _, s := range y.List() {
			labels[s.Node] = int(s.Class)
		}
		f, stats, err := Harmonic(context.Background(), Normalize(w, 1), y, Options{Balance: Unbalanced, Tolerance: 1e-8})
		if err != nil {
			t.Fatal(err)
		}
		if d := worstDifference(f, oracle.Harmonic(dense, labels, 3)); d > 2e-5 {
			t.Errorf("graph %d: differs from the solve by %.1e (%+v)", seed, d, stats)
		}
	}
}

// TestMassNormalization: the free nodes' class masses follow the prior before
// rows are scaled; with one free node a class apart, the effect on the path
// is known: symmetric seeds and an unequal prior tip the middle.
func TestMassNormalization(t *testing.T) {
	src, dst, weight := gen.Path(3)
	w, _ := graphOf(t, 3, src, dst, weight)
	y, _ := HardSeeds([]int{0, -1, 1})
	f, _, err := Harmonic(context.Background(), Normalize(w, 1), y, Options{Prior: []float64{1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	// The harmonic value is (½, ½); masses are ½ each; ×(1,3) and scaled: (¼, ¾).
	if got := f.At(1, 1); math.Abs(float64(got)-0.75) > 1e-6 {
		t.Errorf("middle node has %v of the second class, want 0.75", got)
	}
}

// denseFactor turns H into a dense matrix.
func denseFactor(h *Factor, n int) oracle.Mat {
	d := oracle.New(n, h.classes)
	for i := range n {
		switch {
		case h.soft != nil:
			for j, v := range h.soft.Row(i) {
				d[i][j] = float64(v)
			}
		case h.class[i] >= 0:
			d[i][h.class[i]] = float64(h.weight[i])
		}
	}
	return d
}

func toDense(m *csr.Matrix) oracle.Mat {
	r, c := m.Dims()
	d := oracle.New(r, c)
	for i := range r {
		cols, vals := m.Row(i)
		for k, j := range cols {
			d[i][j] = float64(vals[k])
		}
	}
	return d
}

func randomF(n, c int, seed uint64) *csr.Dense {
	rng := rand.New(rand.NewPCG(seed, 2))
	f := csr.NewDense(n, c)
	for k := range f.Data {
		f.Data[k] = rng.Float32()
	}
	return f
}

// TestAStepWithoutTruncation: with k = n the sparse step equals the dense
// α S (A + ζ HHᵀ) Sᵀ + (1−α) I to rounding, for every way to make H, on 200
// random graphs with isolated nodes, self-loops and two components.
func TestAStepWithoutTruncation(t *testing.T) {
	for seed := range uint64(200) {
		w, dense := randomGraph(t, seed)
		n := len(dense)
		s := oracle.NormalizeSym(dense)
		h := NewFactor(randomF(n, 3, seed), []Harden{SqrtMargin, Hard, Soft}[seed%3])
		hd := denseFactor(h, n)
		z := oracle.Scale(0.7, oracle.Mul(hd, oracle.Transpose(hd)))
		a, want := csr.Identity(n), oracle.Identity(n)
		for step := range 2 { // the second from a full A
			var err error
			a, err = AStep(context.Background(), normalized(w), a, h, AffinityOptions{TopK: n, Alpha: 0.9, Zeta: 0.7, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			want = oracle.AStep(s, want, z, 0.9)
			if d := oracle.MaxAbsDiff(toDense(a), want); !(d < 3e-6) {
				t.Fatalf("graph %d step %d: differs from the dense step by %.1e", seed, step, d)
			}
		}
	}
}

// TestAStepOfEdges: without an A the step is the top k of the dense rows of α (S + S ζHHᵀ Sᵀ) on the
// edges of S, symmetric, plus (1−α) I and the anchor.
func TestAStepOfEdges(t *testing.T) {
	for seed := range uint64(100) {
		w, dense := randomGraph(t, seed)
		n := len(dense)
		s := oracle.NormalizeSym(dense)
		h := NewFactor(randomF(n, 3, seed), []Harden{SqrtMargin, Hard, Soft}[seed%3])
		k := []int{2, 5, n}[seed%3]
		a, err := AStep(context.Background(), normalized(w), nil, h, AffinityOptions{TopK: k, Alpha: 0.9, Zeta: 0.7, Anchor: 0.5, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		hd := denseFactor(h, n)
		z := oracle.Mul(oracle.Mul(s, oracle.Scale(0.7, oracle.Mul(hd, oracle.Transpose(hd)))), oracle.Transpose(s))
		full := oracle.New(n, n)
		for i := range n {
			for j := range n {
				if i == j || s[i][j] > 0 {
					full[i][j] = 0.9 * (s[i][j] + z[i][j])
				}
			}
			full[i][i] += 0.1
		}
		if tied(full, k) {
			continue // may fall either way in float32
		}
		kept := oracle.TopKRows(full, k)
		want := oracle.Add(1, oracle.Add(0.5, kept, 0.5, oracle.Transpose(kept)), 0.5, s)
		if d := oracle.MaxAbsDiff(toDense(a), want); !(d < 3e-6) {
			t.Fatalf("graph %d: differs from the dense step by %.1e", seed, d)
		}
	}
}

func normalized(w *csr.Matrix) *csr.Matrix {
	s, _ := csr.NormalizeSym(w, 1)
	return s
}

// TestAStepTruncation: with k < n the step is the top k of the dense rows
// among the pattern of SAS, made symmetric. Where the dense step has no entry
// outside of that pattern (ζ = 0), the oracle knows the whole result.
func TestAStepTruncation(t *testing.T) {
	for seed := range uint64(100) {
		w, dense := randomGraph(t, seed)
		n := len(dense)
		k := 1 + int(seed%5)
		h := NewFactor(randomF(n, 3, seed), SqrtMargin)
		a, err := AStep(context.Background(), normalized(w), normalized(w), h, AffinityOptions{TopK: k, Alpha: 0.9, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		s := oracle.NormalizeSym(dense)
		full := oracle.AStep(s, s, oracle.New(n, n), 0.9)
		kept := oracle.TopKRows(full, k)
		want := oracle.Add(0.5, kept, 0.5, oracle.Transpose(kept))
		// Near ties may fall either way in float32: compare the kept mass too.
		got := toDense(a)
		for i := range n {
			if d := math.Abs(sum(got[i]) - sum(want[i])); d > 1e-5 && !tied(full, k) {
				t.Errorf("graph %d row %d: sum %v, want %v", seed, i, sum(got[i]), sum(want[i]))
			}
		}
	}
}

// tied reports whether some row's k-th and next entries agree to float32.
func tied(m oracle.Mat, k int) bool {
	for i, row := range m {
		var off []float64
		for j, v := range row {
			if j != i {
				off = append(off, v)
			}
		}
		slices.Sort(off)
		slices.Reverse(off)
		if k < len(off) && off[k-1] > 0 && math.Abs(off[k-1]-off[k]) < 1e-6 {
			return true
		}
	}
	return false
}

func sum(row []float64) (total float64) {
	for _, v := range row {
		total += v
	}
	return total
}

// TestAStepBoundIsExact: the bound that skips candidates changes nothing.
// With labels deciding the order, every row must hold exactly the k best
// candidates by the dense values.
func TestAStepBoundIsExact(t *testing.T) {
	for seed := range uint64(100) {
		n, c, k := 60, 12, 4
		src, dst, weight := gen.RandomGraph(n, 0.15, seed, gen.Options{})
		w, dense := graphOf(t, n, src, dst, weight)
		h := NewFactor(randomF(n, c, seed), Soft)
		zeta := 5 / h.MeanRowSum(nil)
		s := normalized(w)
		step := stepOf(s, h, AffinityOptions{TopK: k, Alpha: 0.9, Zeta: zeta, Threads: 1})
		hd := denseFactor(h, n)
		full := oracle.AStep(oracle.NormalizeSym(dense), oracle.NormalizeSym(dense), oracle.Scale(zeta, oracle.Mul(hd, oracle.Transpose(hd))), 0.9)
		worker := step.newWorker(0)
		for i := range n {
			step.lightRow(worker, i)
			kept, _ := worker.one.top.Entries()
			least, ok := worker.one.top.Least()
			if !ok {
				continue
			}
			for _, j := range worker.v.Columns() {
				if int(j) != i && !slices.Contains(kept, j) && full[i][j] > float64(least)*(1+1e-5) {
					t.Fatalf("graph %d row %d: column %d has %v but the least kept is %v", seed, i, j, full[i][j], least)
				}
			}
		}
	}
}

// stepOf is an A-step of A = S over all rows.
func stepOf(s *csr.Matrix, h *Factor, opt AffinityOptions) *affinityStep {
	n, _ := s.Dims()
	to := &keptRows{out: csr.NewRowBuffer(n, n, opt.TopK+1)}
	return newAffinityStep(AffinityRows{S: s, A: s, G: h.Times(s, 1), Own: n, Nodes: n, Entries: s.NNZ()}, opt.TopK == n-1, to, opt)
}

// TestAStepInFiles: a step whose graphs lie in files has the bits of one in memory,
// for light, heavy and cut rows, with an anchor and without, and leaves no file.
func TestAStepInFiles(t *testing.T) {
	seeds := uint64(10)
	if racing.On {
		seeds = 2
	}
	for seed := range seeds {
		n, p := 700, 0.01
		if seed%2 == 0 {
			p = 0.3 // heavy rows
		}
		src, dst, weight := gen.RandomGraph(n, p, seed, gen.Options{WeightSpread: 1})
		w, _ := graphOf(t, n, src, dst, weight)
		s := normalized(w)
		h := NewFactor(randomF(n, 4, seed), SqrtMargin)
		for _, k := range []int{1, 7, n - 1} {
			opt := AffinityOptions{TopK: k, Alpha: 0.9, Zeta: 1 / h.MeanRowSum(nil), Anchor: float64(seed % 3), Threads: 2}
			if seed%4 == 0 {
				opt.Hubs = HubRows{Above: 1, Work: 1000, Links: 10, Terms: 1000}
			}
			want, err := AStep(context.Background(), s, s, h, opt)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			opt.Space = csr.NewSpace(dir)
			got, err := AStep(context.Background(), s, s, h, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(first(got.Arrays()), first(want.Arrays())) {
				t.Errorf("graph %d, k = %d: another graph", seed, k)
			}
			if err := opt.Space.Close(); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("%v left", left)
			}
		}
	}
}

func first(indptr []int64, indices []uint32, data []float32) [3]any {
	return [3]any{indptr, indices, data}
}

// TestHeavyRows: rows made in groups are those made one by one, to the
// rounding of their sums, for group sizes full and not, and where three steps do not
// lead everywhere.
func TestHeavyRows(t *testing.T) {
	for seed := range uint64(20) {
		n := 90
		src, dst, weight := gen.RandomGraph(n, []float64{0.1, 0.02}[seed%2], seed, gen.Options{WeightSpread: 1})
		w, _ := graphOf(t, n, src, dst, weight)
		s := normalized(w)
		h := NewFactor(randomF(n, 4, seed), SqrtMargin)
		for _, k := range []int{6, n - 1} {
			opt := AffinityOptions{TopK: k, Alpha: 0.9, Zeta: 1 / h.MeanRowSum(nil), Threads: 1}
			light, heavy := stepOf(s, h, opt), stepOf(s, h, opt)
			lw, hw := light.newWorker(0), heavy.newWorker(0)
			for i := range n {
				light.lightRow(lw, i)
				if hw.heavy = append(hw.heavy, i); len(hw.heavy) == groupWidth || i == n-1 {
					heavy.heavyRows(hw)
				}
			}
			a, b := toDense(light.out.(*keptRows).out.Matrix(1)), toDense(heavy.out.(*keptRows).out.Matrix(1))
			for i := range n {
				slices.Sort(a[i]) // near ties may fall either way
				slices.Sort(b[i])
			}
			if d := oracle.MaxAbsDiff(a, b); d > 1e-6 {
				t.Errorf("graph %d k=%d: rows differ by %.1e", seed, k, d)
			}
		}
	}
}

// TestHubs: a graph with a hub, large enough for groups, gives the dense step
// and the same bits for any threads.
func TestHubs(t *testing.T) {
	n := 450
	src, dst, weight := gen.RandomGraph(n, 0.06, 3, gen.Options{})
	for i := 1; i < n; i++ {
		src, dst, weight = append(src, 0), append(dst, uint32(i)), append(weight, 1)
	}
	w, dense := graphOf(t, n, src, dst, weight)
	s := normalized(w)
	h := NewFactor(randomF(n, 3, 1), SqrtMargin)
	opt := AffinityOptions{TopK: n, Alpha: 0.9, Zeta: 1, Threads: 1}
	step := stepOf(s, h, opt)
	heavy := 0
	for i := range n {
		if step.isHeavy(step.work(i)) {
			heavy++
		}
	}
	if heavy < n/2 {
		t.Fatalf("%d heavy rows of %d: the test does not test them", heavy, n)
	}
	var first *csr.Matrix
	for _, threads := range []int{1, 2, 3} {
		opt.Threads = threads
		a, err := AStep(context.Background(), s, s, h, opt)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = a
		}
		_, cols, vals := a.Arrays()
		_, fc, fv := first.Arrays()
		if !slices.Equal(cols, fc) || !slices.Equal(vals, fv) {
			t.Errorf("%d threads give other bits than 1", threads)
		}
	}
	hd := denseFactor(h, n)
	sd := oracle.NormalizeSym(dense)
	want := oracle.AStep(sd, sd, oracle.Mul(hd, oracle.Transpose(hd)), 0.9)
	if d := oracle.MaxAbsDiff(toDense(first), want); !(d < 1e-5*sum([]float64{want[0][0], 1})) {
		t.Errorf("differs from the dense step by %.1e", d)
	}
}

// TestAStarAgreesWithClosedForm compares the series of sparse products with
// the Kronecker solve of the paper's closed form.
func TestAStarAgreesWithClosedForm(t *testing.T) {
	for seed := range uint64(30) {
		n := 4 + int(seed%8)
		src, dst, weight := gen.RandomGraph(n, 0.4, seed, gen.Options{})
		w, dense := graphOf(t, n, src, dst, weight)
		h := randomF(n, 3, seed)
		hd := oracle.New(n, 3)
		for i := range n {
			for j := range 3 {
				hd[i][j] = float64(h.At(i, j))
			}
		}
		v := randomF(n, 2, seed+1000)
		vd := oracle.New(n, 2)
		for i := range n {
			vd[i][0], vd[i][1] = float64(v.At(i, 0)), float64(v.At(i, 1))
		}
		for _, alpha := range []float64{0.5, 0.9, 0.99} {
			star := oracle.AStar(oracle.NormalizeSym(dense), oracle.Scale(0.3, oracle.Mul(hd, oracle.Transpose(hd))), alpha)
			got, err := AStar(context.Background(), normalized(w), FixedFactor(h), 0.3, alpha, 1e-8, v, 1)
			if err != nil {
				t.Fatal(err)
			}
			if d := worstDifference(got, oracle.Mul(star, vd)); d > 2e-5 {
				t.Errorf("graph %d α=%v: differs from the closed form by %.1e", seed, alpha, d)
			}
		}
	}
}

// TestAStarMinimises: A* of the series, read off by the columns of I, is
// where the gradient of the paper's objective J is zero.
func TestAStarMinimises(t *testing.T) {
	n, zeta := 40, 0.3
	src, dst, weight := gen.RandomGraph(n, 0.2, 6, gen.Options{WeightSpread: 5})
	w, dense := graphOf(t, n, src, dst, weight)
	h, one := randomF(n, 3, 6), csr.NewDense(n, n)
	hd := oracle.New(n, 3)
	for i := range n {
		one.Set(i, i, 1)
		for j := range 3 {
			hd[i][j] = float64(h.At(i, j))
		}
	}
	s, z := oracle.NormalizeSym(dense), oracle.Scale(zeta, oracle.Mul(hd, oracle.Transpose(hd)))
	for _, alpha := range []float64{0.5, 0.9, 0.99} {
		star, err := AStar(context.Background(), normalized(w), FixedFactor(h), zeta, alpha, 1e-9, one, 1)
		if err != nil {
			t.Fatal(err)
		}
		a := oracle.New(n, n)
		for i := range n {
			for j := range n {
				a[i][j] = float64(star.At(i, j))
			}
		}
		zero := oracle.New(n, n)
		e, scale := oracle.MaxAbsDiff(oracle.ObjectiveGradient(s, a, z, 1/alpha-1), zero), oracle.MaxAbsDiff(a, zero)
		if e > 1e-5*scale {
			t.Errorf("α=%v: a gradient of %.1e at A* of %.1e", alpha, e, scale)
		}
	}
}

// TestAStarIsTheFixedPoint checks the equation that defines A*, applied to a
// vector, A* v = α S (A* + Z) S v + (1−α) v, on a graph too large for an
// inverse: the right side from A*(Sv), made by the same call, and from
// ExactStep with A = 0. It is scale-free, and no part of the series.
func TestAStarIsTheFixedPoint(t *testing.T) {
	racing.LongSum(t)
	n := 2000
	src, dst, weight := gen.RandomGraph(n, 0.004, 9, gen.Options{WeightSpread: 2})
	w, _ := graphOf(t, n, src, dst, weight)
	s := normalized(w)
	h := NewFactor(randomF(n, 5, 9), SqrtMargin)
	zeta := 0.5 / h.MeanRowSum(nil)
	v := randomF(n, 1, 10)
	for k := range v.Data {
		v.Data[k] -= 0.5
	}
	both := csr.NewDense(n, 2) // v and Sv
	sv := csr.NewDense(n, 1)
	csr.MulDense(sv, s, v, 1)
	for i := range n {
		both.Set(i, 0, v.At(i, 0))
		both.Set(i, 1, sv.At(i, 0))
	}
	empty := csr.NewRowBuffer(n, n, 0).Matrix(1)
	for _, alpha := range []float64{0.5, 0.9, 0.99} {
		star, err := AStar(context.Background(), s, h, zeta, alpha, 1e-7, both, 2)
		if err != nil {
			t.Fatal(err)
		}
		right := ExactStep(s, empty, h, zeta, alpha, v, 2)
		spread := csr.NewDense(n, 2) // S A* [v, Sv]
		csr.MulDense(spread, s, star, 1)
		worst, scale := 0.0, 0.0
		for i := range n {
			want := float64(right.At(i, 0)) + alpha*float64(spread.At(i, 1))
			worst = max(worst, math.Abs(want-float64(star.At(i, 0))))
			scale = max(scale, math.Abs(want))
		}
		if !(scale > 0) || worst > 2e-5*scale {
			t.Errorf("α=%v: A*v differs from α S (A*+Z) S v + (1−α) v by %.1e of %.1e", alpha, worst, scale)
		}
		one, err := AStar(context.Background(), s, h, zeta, alpha, 1e-7, both, 1)
		if err != nil || !slices.Equal(one.Data, star.Data) {
			t.Errorf("α=%v: other bits with one thread (%v)", alpha, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := AStar(ctx, s, h, zeta, 0.9, 1e-7, v, 1); err == nil {
		t.Error("runs on in an ended context")
	}
}

// TestExactStep compares the step on vectors with the dense step.
func TestExactStep(t *testing.T) {
	for seed := range uint64(30) {
		w, dense := randomGraph(t, seed)
		n := len(dense)
		h := NewFactor(randomF(n, 3, seed), Soft)
		hd := denseFactor(h, n)
		v := randomF(n, 2, seed+1000)
		vd := oracle.New(n, 2)
		for i := range n {
			vd[i][0], vd[i][1] = float64(v.At(i, 0)), float64(v.At(i, 1))
		}
		sd := oracle.NormalizeSym(dense)
		step := oracle.AStep(sd, dense, oracle.Scale(0.3, oracle.Mul(hd, oracle.Transpose(hd))), 0.8)
		got := ExactStep(normalized(w), w, h, 0.3, 0.8, v, 1)
		if d := worstDifference(got, oracle.Mul(step, vd)); d > 1e-5 {
			t.Errorf("graph %d: differs from the dense step by %.1e", seed, d)
		}
	}
}

// TestThreadsSameBits: the number of threads changes no bit of any result.
func TestThreadsSameBits(t *testing.T) {
	n := 3000 // several row blocks
	src, dst, weight := gen.RandomGraph(n, 0.003, 5, gen.Options{WeightSpread: 2})
	w, _ := graphOf(t, n, src, dst, weight)
	y, _ := randomSeeds(t, n, 5, 5)
	var first []float32
	for _, threads := range []int{1, 2, 3, 8} {
		g := Normalize(w, threads)
		f, _, err := LGC(context.Background(), g, y, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		harmonic, _, err := Harmonic(context.Background(), g, y, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		poisson, _, err := Poisson(context.Background(), g, y, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		a, err := AStep(context.Background(), g.S, g.S, NewFactor(f, SqrtMargin), AffinityOptions{TopK: 5, Alpha: 0.9, Zeta: 0.1, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		_, _, data := a.Arrays()
		all := slices.Concat(f.Data, harmonic.Data, poisson.Data, data)
		if first == nil {
			first = all
		}
		if !slices.Equal(first, all) {
			t.Errorf("%d threads give other bits than 1", threads)
		}
	}
}

func TestSeedsAreChecked(t *testing.T) {
	ok := Seed{Node: 1, Class: 1, Weight: 1}
	for name, list := range map[string][]Seed{
		"none": nil, "node": {{Node: 3, Weight: 1}}, "class": {{Class: 2, Weight: 1}}, "zero": {{Weight: 0}},
		"negative": {{Weight: -1}}, "nan": {{Weight: float32(math.NaN())}}, "inf": {{Weight: float32(math.Inf(1))}}, "twice": {ok, ok},
	} {
		if _, err := NewSeeds(3, 2, list); !errors.Is(err, ErrSeeds) {
			t.Errorf("%s: error %v, want ErrSeeds", name, err)
		}
	}
	for _, y := range []int{math.MaxInt32, 1 << 32, 1 << 60, math.MaxInt} {
		if _, err := HardSeeds([]int{0, y, -1}); !errors.Is(err, ErrSeeds) {
			t.Errorf("label %d: error %v, want ErrSeeds", y, err)
		}
	}
	if _, err := NewSeeds(3, math.MaxInt32+1, []Seed{ok}); !errors.Is(err, ErrSeeds) {
		t.Errorf("2^31 classes: error %v, want ErrSeeds", err)
	}
	if _, err := NewSeeds(3, 2, []Seed{ok, {Node: 1, Class: 0, Weight: 0.5}}); err != nil {
		t.Errorf("soft seeds: %v", err)
	}
}

// TestHardSeeds: labels of any size of integer, as those of a result.
func TestHardSeeds(t *testing.T) {
	want := []Seed{{0, 2, 1}, {2, 0, 1}}
	type class int8
	for name, seeds := range map[string]func() (*Seeds, error){
		"int":   func() (*Seeds, error) { return HardSeeds([]int{2, -1, 0, -5}) },
		"int32": func() (*Seeds, error) { return HardSeeds([]int32{2, -1, 0, -5}) },
		"int64": func() (*Seeds, error) { return HardSeeds([]int64{2, -1, 0, -5}) },
		"class": func() (*Seeds, error) { return HardSeeds([]class{2, -1, 0, -5}) },
	} {
		y, err := seeds()
		if err != nil || y.Nodes != 4 || y.Classes != 3 || !slices.Equal(y.List(), want) {
			t.Errorf("%s: %+v, %v", name, y, err)
		}
	}
	if _, err := HardSeeds([]int32{0, math.MaxInt32}); !errors.Is(err, ErrSeeds) {
		t.Errorf("a label past the classes: %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, bad := range []Options{
		{Alpha: 1},
		{Alpha: -0.1},
		{Alpha: math.NaN()},
		{Tolerance: 1},
		{MaxIterations: -1},
		{Prior: []float64{1}},
		{Prior: []float64{1, 0}},
		{Solver: 9},
		{Solver: -1},
		{Balance: 9},
		{Balance: -1},
	} {
		if _, err := bad.WithDefaults(2); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: error %v, want ErrOptions", bad, err)
		}
	}
	s := csr.Identity(3)
	for _, bad := range []AffinityOptions{{}, {Alpha: 1.5}, {Alpha: math.NaN()}, {Alpha: 0.5, Zeta: -1}, {Alpha: 0.5, Zeta: math.NaN()}, {Alpha: 0.5, Anchor: math.NaN()}, {Alpha: 0.5, Anchor: math.Inf(1)}, {Alpha: 0.5, Anchor: 1e39}, {Alpha: 0.5, Anchor: -1}} {
		if _, err := AStep(context.Background(), s, s, NewFactor(randomF(3, 2, 1), Hard), bad); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: error %v, want ErrOptions", bad, err)
		}
	}
}

// TestCancel: a context that ends stops the solvers and the A-step.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w, _ := randomGraph(t, 4)
	n, _ := w.Dims()
	y, _ := randomSeeds(t, n, 2, 4)
	_, _, lgc := LGC(ctx, Normalize(w, 1), y, Options{})
	_, _, power := LGC(ctx, Normalize(w, 1), y, Options{Solver: Power})
	_, err := AStep(ctx, normalized(w), normalized(w), NewFactor(randomF(n, 2, 1), Hard), AffinityOptions{TopK: 2, Alpha: 0.9})
	for _, err := range []error{lgc, power, err} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	}
}

func TestTopOf(t *testing.T) {
	for _, test := range []struct {
		row  []float32
		want Top
	}{
		{[]float32{0, 0}, Top{Class: -1, Second: -1}},
		{[]float32{1, 3, 0}, Top{Class: 1, Second: 0, Share: 0.75, Margin: 0.5}},
		{[]float32{2, 2}, Top{Class: 0, Second: 1, Share: 0.5}},
		{[]float32{-1, 4}, Top{Class: 1, Second: -1, Share: 1, Margin: 1}},
	} {
		if got := TopOf(test.row); got != test.want {
			t.Errorf("%v: %+v, want %+v", test.row, got, test.want)
		}
	}
}

func ExampleLGC() {
	// The path a–b–c–d with a and d labelled.
	w, _, _ := csr.FromEdges(4, &csr.Edges{Src: []uint32{0, 1, 2}, Dst: []uint32{1, 2, 3}}, csr.BuildOptions{})
	y, _ := HardSeeds([]int{0, -1, -1, 1})
	f, stats, _ := LGC(context.Background(), Normalize(w, 0), y, Options{Alpha: 0.9})
	for i := range 4 {
		top := TopOf(f.Row(i))
		fmt.Printf("node %d: class %d, margin %.2f\n", i, top.Class, top.Margin)
	}
	fmt.Println("converged:", stats.Converged)
	// Output:
	// node 0: class 0, margin 0.37
	// node 1: class 0, margin 0.14
	// node 2: class 1, margin 0.14
	// node 3: class 1, margin 0.37
	// converged: true
}

func TestSeedsAreKept(t *testing.T) {
	// Out of order, and of a size that is scaled.
	list := []Seed{{4, 1, 1e30}, {0, 0, 1e30}, {2, 1, 1e30}}
	given := slices.Clone(list)
	y, err := NewSeeds(6, 2, list)
	if err != nil || !slices.Equal(list, given) {
		t.Fatalf("the caller's seeds are %v, %v, want %v", list, err, given)
	}
	kept := slices.Clone(y.List())
	list[0].Class = 0
	more := append(y.List(), Seed{1, 0, 1})
	_ = append(y.List(), Seed{1, 1, 1}) // in the room behind the list, if it had any
	_ = append(y.Within(0, 3), Seed{3, 0, 1})
	if _, err := NewSeeds(6, 2, more); err != nil || more[3] != (Seed{1, 0, 1}) {
		t.Errorf("seeds with one more are %v, %v", more, err)
	}
	if !slices.Equal(y.List(), kept) {
		t.Errorf("other seeds changed these to %v, want %v", y.List(), kept)
	}
	bad := append(given, Seed{1, 7, 1})
	before := slices.Clone(bad)
	if _, err := NewSeeds(6, 2, bad); !errors.Is(err, ErrSeeds) || !slices.Equal(bad, before) {
		t.Errorf("after the error %v the caller's seeds are %v, want %v", err, bad, before)
	}
}

// TestFactorScale: ζ'HHᵀ has the mean row sum zeta; without a zeta, or an H, ζ' is 0.
func TestFactorScale(t *testing.T) {
	f := csr.NewDense(4, 2)
	for i := range 3 {
		f.Set(i, i%2, 1)
		f.Set(i, 1-i%2, 0.25)
	}
	for _, how := range []Harden{SqrtMargin, Hard, Soft} {
		h := NewFactor(f, how)
		if scale := h.Scale(0.5, nil); math.Abs(scale*h.MeanRowSum(nil)-0.5) > 1e-12 {
			t.Errorf("hardening %d: scale %v of row sums %v", how, scale, h.MeanRowSum(nil))
		}
		if scale := h.Scale(-1, nil); scale != 0 {
			t.Errorf("hardening %d: scale %v without a zeta", how, scale)
		}
		if scale := NewFactor(csr.NewDense(4, 2), how).Scale(0.5, nil); scale != 0 {
			t.Errorf("hardening %d: scale %v of H = 0", how, scale)
		}
	}
}
