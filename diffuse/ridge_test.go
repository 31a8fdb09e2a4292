package diffuse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestRidgeAgreesWithInverse: directly and by conjugate gradients, with weights of 0
// among them.
func TestRidgeAgreesWithInverse(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(16) {
		w, graph := randomGraph(t, seed)
		n, d, c := len(graph), 1+int(seed*3%20), 1+int(seed%5)
		dense, sparse, x := drawFeatures(t, n, d, seed)
		tilde := oracle.Mul(oracle.Hops(graph, 0.9, 10), x)
		targets, want := drawBlock(n, c, seed)
		rng := rand.New(rand.NewPCG(seed, 5))
		weights, exact := make([]float32, n), make([]float64, n)
		for i := range n {
			if rng.IntN(3) > 0 {
				weights[i] = 3 * rng.Float32()
				exact[i] = float64(weights[i])
			}
		}
		v := oracle.Ridge(tilde, want, exact, 0.3)
		for name, form := range everyForm(t, dense, sparse, w, TenHops, 2) {
			got, stats, err := Ridge(ctx, form, targets, weights, RidgeOptions{Lambda: 0.3, MaxIterations: 200, Tolerance: 1e-7})
			if err != nil || !stats.Converged {
				t.Fatal(stats, err)
			}
			if off := worstDifference(got, v); off > 2e-5 {
				t.Errorf("graph %d, %s: V is off by %.1e (%+v)", seed, name, off, stats)
			}
		}
	}
}

// TestRidgeOptions: invalid options are refused.
func TestRidgeOptions(t *testing.T) {
	dense, _, _ := drawFeatures(t, 5, 2, 1)
	d := mustDiffuse(t, dense, nil, Hops{}, 1)
	for _, opt := range []RidgeOptions{{}, {Lambda: -1}, {Lambda: math.NaN()}, {Lambda: math.Inf(1)}, {Lambda: 1, Tolerance: 2}, {Lambda: 1, MaxIterations: -1}} {
		if _, _, err := Ridge(context.Background(), d, csr.NewDense(5, 1), nil, opt); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	for _, w := range []float32{-1, float32(math.NaN()), float32(math.Inf(1))} {
		if _, _, err := Ridge(context.Background(), d, csr.NewDense(5, 1), []float32{1, w, 1, 1, 1}, RidgeOptions{Lambda: 1}); !errors.Is(err, ErrOptions) {
			t.Errorf("weight %v: %v", w, err)
		}
	}
}

// ridgeCase is a set of seeds, with weights and nodes of two classes, and the rows,
// targets and weights of the nodes that they are of.
type ridgeCase struct {
	form    map[string]*Diffused
	y       *Seeds
	x       oracle.Mat // X̃ at the seeds, of length 1 where unit
	shares  oracle.Mat
	weights []float64
	lengths []float64 // of all rows of X̃
	n, d    int
}

// mustUnit returns a form with rows of length 1: of their exact length, which is an estimate where
// X̃ is not formed.
func (r *ridgeCase) mustUnit(t *testing.T, form *Diffused, unit bool, scale float64) *Diffused {
	t.Helper()
	if !unit {
		return form
	}
	u, err := form.Unit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, length := range r.lengths {
		length *= scale
		if off := math.Abs(u.norm[i] - length); form.Formed() && off > 1e-5*length || off > 0.8*length {
			t.Errorf("row %d has a length of %v, expected %v", i, u.norm[i], length)
		}
		u.norm[i] = length
	}
	return u
}

func newRidgeCase(t *testing.T, seed uint64, unit bool) *ridgeCase {
	t.Helper()
	w, graph := randomGraph(t, seed)
	n, d, c := len(graph), 1+int(seed*7%23), 2+int(seed%3)
	dense, sparse, x := drawFeatures(t, n, d, seed)
	r := &ridgeCase{form: everyForm(t, dense, sparse, w, Hops{Weight: 0.8, Steps: 4}, 2), n: n, d: d}
	tilde := oracle.Mul(oracle.Hops(graph, 0.8, 4), x)
	for _, row := range tilde {
		r.lengths = append(r.lengths, math.Sqrt(oracle.Mul(oracle.Mat{row}, oracle.Transpose(oracle.Mat{row}))[0][0]))
	}
	rng := rand.New(rand.NewPCG(seed, 6))
	var list []Seed
	for i := range n {
		if i > 2 && i+1 < n && rng.IntN(3) > 0 {
			continue
		}
		row := make([]float64, c)
		first, weight := rng.IntN(c), 0.5+rng.Float32()
		list = append(list, Seed{uint32(i), uint32(first), weight})
		row[first] = 1
		total := float64(weight)
		if i%4 == 1 {
			second := (first + 1) % c
			list = append(list, Seed{uint32(i), uint32(second), 0.25})
			total += 0.25
			row[first], row[second] = float64(weight)/total, 0.25/total
		}
		r.x, r.shares, r.weights = append(r.x, slices.Clone(tilde[i])), append(r.shares, row), append(r.weights, total)
		if size := math.Sqrt(oracle.Mul(oracle.Mat{tilde[i]}, oracle.Transpose(oracle.Mat{tilde[i]}))[0][0]); unit && size > 0 {
			r.x[len(r.x)-1] = oracle.Scale(1/size, oracle.Mat{tilde[i]})[0]
		}
	}
	var err error
	if r.y, err = NewSeeds(n, c, list); err != nil {
		t.Fatal(err)
	}
	return r
}

// fit returns the V of the seeds, by their centred targets.
func (r *ridgeCase) fit(lambda float64) oracle.Mat {
	_, c := r.shares.Dims()
	mean, total := make([]float64, c), 0.0
	for i, w := range r.weights {
		total += w
		for j, v := range r.shares[i] {
			mean[j] += w * v
		}
	}
	var centred oracle.Mat
	for _, row := range r.shares {
		row = slices.Clone(row)
		for j := range mean {
			row[j] -= mean[j] / total
		}
		centred = append(centred, row)
	}
	return oracle.Ridge(r.x, centred, r.weights, lambda)
}

// solveSeeds returns V of the seeds by their kernel.
func solveSeeds(t *testing.T, x Map, y *Seeds, lambda float64, threads int) *csr.Dense {
	t.Helper()
	k, err := NewKernel(t.Context(), x, y, threads)
	if err != nil {
		t.Fatal(err)
	}
	v, err := k.Solve(t.Context(), y, lambda)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestKernelAgreesWithInverse: V is that of the primal inverse; weighted, with nodes of two classes, a row of zeros and isolated nodes.
func TestKernelAgreesWithInverse(t *testing.T) {
	for seed := range uint64(16) {
		unit, lambda := seed%2 == 0, []float64{1, 0.05, 20}[seed%3]
		r := newRidgeCase(t, seed, unit)
		want := r.fit(lambda)
		for name, form := range r.form {
			got := solveSeeds(t, r.mustUnit(t, form, unit, 1), r.y, lambda, 2)
			if off := worstDifference(got, want); off > 5e-5 {
				t.Errorf("case %d, %s: V is off by %.1e", seed, name, off)
			}
		}
	}
}

// TestFolds: the regression on some seeds of a kernel is that of a kernel of their own, for maps alone and side by side.
func TestFolds(t *testing.T) {
	for seed := range uint64(6) {
		r := newRidgeCase(t, seed, true)
		list := r.y.List()
		var known []Seed
		for k, s := range list {
			if k%3 != 1 || IsSoft(list, k) {
				known = append(known, s)
			}
		}
		train, err := NewSeeds(r.n, r.y.Classes, known)
		if err != nil {
			t.Fatal(err)
		}
		for name, form := range r.form {
			unit := r.mustUnit(t, form, true, 1)
			for at, x := range []Map{unit, Joined{unit, form}, Joined{form, unit, form}} {
				kernel, err := NewKernel(t.Context(), x, r.y, 2)
				if err != nil {
					t.Fatal(err)
				}
				got, err := kernel.Solve(t.Context(), train, 0.5)
				if err != nil {
					t.Fatal(err)
				}
				for k, v := range solveSeeds(t, x, train, 0.5, 2).Data {
					if math.Abs(float64(v-got.Data[k])) > 2e-5 {
						t.Fatalf("case %d, %s, map %d: V has %v, expected %v", seed, name, at, got.Data[k], v)
					}
				}
			}
		}
	}
}

// TestPrimalIsDual: on the seeds' targets and weights both give one V.
func TestPrimalIsDual(t *testing.T) {
	ctx := context.Background()
	r := newRidgeCase(t, 5, false)
	targets, weights := SeedTargets(r.y)
	for name, form := range r.form {
		primal, stats, err := Ridge(ctx, form, targets, weights, RidgeOptions{Lambda: 0.5, MaxIterations: 100, Tolerance: 1e-7})
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range solveSeeds(t, form, r.y, 0.5, 2).Data {
			if math.Abs(float64(v-primal.Data[k])) > 1e-5 {
				t.Fatalf("%s: V is %v, %v in the dual (%+v)", name, primal.Data[k], v, stats)
			}
		}
	}
}

// TestDualByHand: two nodes of one feature, 1 and −1, a class each, λ = 2. K is
// (1 −1; −1 1), targets ±½, B = ±1/8·…: (K+2I)^-1 (½, −½) = (⅛, −⅛), so V = (¼, −¼).
func TestDualByHand(t *testing.T) {
	x := &csr.Dense{Rows: 2, Cols: 1, Data: []float32{1, -1}}
	y, err := HardSeeds([]int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	v := solveSeeds(t, mustDiffuse(t, Features{Dense: x}, nil, Hops{}, 1), y, 2, 1)
	if math.Abs(float64(v.At(0, 0))-0.25) > 1e-7 || math.Abs(float64(v.At(0, 1))+0.25) > 1e-7 {
		t.Errorf("V = %v", v.Data)
	}
}

// TestDualEdges: one node alone, one class, seeds without features, scales of 1e±30.
func TestDualEdges(t *testing.T) {
	ctx := context.Background()
	one, _ := HardSeeds([]int{0})
	k, err := NewKernel(ctx, mustDiffuse(t, Features{Dense: csr.NewDense(1, 1)}, lonely(t), TenHops, 1), one, 1)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := k.Solve(ctx, one, 1); err != nil || v.Data[0] != 0 {
		t.Error(v, err)
	}
	for _, lambda := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := k.Solve(ctx, one, lambda); !errors.Is(err, ErrOptions) {
			t.Errorf("lambda %v: %v", lambda, err)
		}
	}
	for _, scale := range []float64{1e30, 1e-30} {
		r := newRidgeCase(t, 9, true)
		want := r.fit(1)
		w, graph := randomGraph(t, 9)
		dense, sparse, _ := drawFeatures(t, len(graph), r.d, 9)
		times(dense.Dense.Data, scale)
		_, _, values := sparse.Sparse.Arrays()
		times(values, scale)
		for name, form := range everyForm(t, dense, sparse, w, Hops{Weight: 0.8, Steps: 4}, 1) {
			v := solveSeeds(t, r.mustUnit(t, form, true, scale), r.y, 1, 1)
			if off := worstDifference(v, want); !(off < 1e-5) {
				t.Errorf("scale %v, %s: off by %v", scale, name, off)
			}
		}
	}
}

// lonely returns the graph of one node.
func lonely(t *testing.T) *csr.Matrix {
	t.Helper()
	m, err := csr.New(1, 1, []int64{0, 0}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestDualIsTheSame: for any threads, with enough seeds that several work.
func TestDualIsTheSame(t *testing.T) {
	const n = 700
	w, _ := pathOf(t, n)
	dense, sparse, _ := drawFeatures(t, n, 30, 8)
	labels := slices.Repeat([]int{-1}, n)
	for i := range 300 {
		labels[i] = i % 7
	}
	y, err := HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]float32{}
	for _, threads := range []int{1, 2, 3, 8} {
		for name, form := range everyForm(t, dense, sparse, w, Hops{Weight: 0.5, Steps: 2}, threads) {
			got := solveSeeds(t, form, y, 1, threads).Data
			if want[name] == nil {
				want[name] = got
			}
			if !slices.Equal(got, want[name]) {
				t.Errorf("%s, %d threads: other bits", name, threads)
			}
		}
	}
}

// TestDualIterated: conjugate gradients on K give what its factors do, on seeds of several weights
// and classes and a part of the kernel's, at any number of threads.
func TestDualIterated(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 4))
	const n, c = 400, 3
	x := csr.NewDense(n, 20)
	for k := range x.Data {
		x.Data[k] = float32(rng.NormFloat64())
	}
	var all []Seed
	for i := range n / 2 {
		all = append(all, Seed{Node: uint32(2 * i), Class: uint32(rng.IntN(c)), Weight: 0.5 + rng.Float32()})
	}
	y, err := NewSeeds(n, c, all)
	if err != nil {
		t.Fatal(err)
	}
	part, err := NewSeeds(n, c, all[30:])
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range []float64{0.01, 1, 100} {
		var before [][]float64
		for _, threads := range []int{1, 2, 3} {
			m, err := NewDiffused(Features{Dense: x}, nil, Hops{}, threads)
			if err != nil {
				t.Fatal(err)
			}
			kernel, err := NewKernel(ctx, m, y, threads)
			if err != nil {
				t.Fatal(err)
			}
			for at, v := range kernel.k { // of float32, as iterated has it
				kernel.k[at] = float64(float32(v))
			}
			columns, err := kernel.on(part).factored(ctx, lambda)
			if err != nil {
				t.Fatal(err)
			}
			dense := kernel.k
			kernel.round()
			got, err := kernel.on(part).iterated(ctx, lambda)
			if err != nil {
				t.Fatal(err)
			}
			for j, column := range columns {
				for i, v := range column {
					if math.Abs(got[j][i]-v) > 1e-7*max(1, math.Abs(v))*max(1, 0.1/lambda) { // what is left is divided by λ
						t.Fatalf("lambda %v: b[%d][%d] = %v, expected %v", lambda, j, i, got[j][i], v)
					}
				}
				if before != nil && !slices.Equal(before[j], got[j]) {
					t.Fatalf("lambda %v, %d threads: other bits", lambda, threads)
				}
			}
			before = got
			d := kernel.on(part)
			for j, column := range got { // (√WK√W+λI)B is √WŶ to a millionth
				left, size := 0.0, 0.0
				for i, root := range d.root {
					right := root * d.targets[j][i]
					sum := lambda * column[i]
					for l, v := range column {
						sum += root * dense[d.at[i]*len(kernel.Nodes)+d.at[l]] * d.root[l] * v
					}
					left, size = left+(right-sum)*(right-sum), size+right*right
				}
				if math.Sqrt(left/size) > 1e-6 {
					t.Errorf("lambda %v, class %d: %v of the right side is left", lambda, j, math.Sqrt(left/size))
				}
			}
		}
	}
}

// TestKernelByColumns: with more seeds than K is made for, a kernel has the scores of a dense solve in float64, from all
// seeds and from some, with the same bits for any threads.
func TestKernelByColumns(t *testing.T) {
	racing.LongSum(t)
	ctx := t.Context()
	const n, d = MostDual + 300, 7
	w, _ := pathOf(t, n)
	dense, sparse, _ := drawFeatures(t, n, d, 3)
	var seeds, some []Seed
	for i := range uint32(n - 200) {
		s := Seed{Node: i, Class: i % 3, Weight: 1 + float32(i%2)}
		if seeds = append(seeds, s); i%4 > 0 {
			some = append(some, s)
		}
	}
	y, err := NewSeeds(n, 3, seeds)
	if err != nil {
		t.Fatal(err)
	}
	fold, err := NewSeeds(n, 3, some)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]Features{"dense": dense, "sparse": sparse} {
		var first []*csr.Dense
		for _, threads := range []int{1, 3} {
			k, err := NewCentredKernel(ctx, x, Normalize(w, threads), Hops{Weight: 1, Steps: 2}, y, threads)
			if err != nil {
				t.Fatal(err)
			}
			all := mat.NewDense(n, 2*d, nil)
			for step, part := range k.x.(Joined) {
				rows, err := part.Rows(ctx, everyNode(n))
				if err != nil {
					t.Fatal(err)
				}
				for i := range n {
					for j, v := range rows.Row(i) {
						all.Set(i, step*d+j, float64(v))
					}
				}
			}
			for at, from := range []*Seeds{y, fold} {
				got, err := k.Scores(ctx, from, 1)
				if err != nil {
					t.Fatal(err)
				}
				if threads == 1 {
					first = append(first, got)
				} else if !slices.Equal(got.Data, first[at].Data) {
					t.Errorf("%s: other bits with %d threads", name, threads)
				}
				targets, weights := SeedTargets(from)
				weighted, right := mat.NewDense(n, 2*d, nil), mat.NewDense(n, 3, nil)
				for i := range n {
					for j := range 2 * d {
						weighted.Set(i, j, float64(weights[i])*all.At(i, j))
					}
					for j, v := range targets.Row(i) {
						right.Set(i, j, float64(v))
					}
				}
				var normal, side, v, want mat.Dense
				normal.Mul(weighted.T(), all)
				for j := range 2 * d {
					normal.Set(j, j, normal.At(j, j)+1)
				}
				side.Mul(weighted.T(), right)
				if err := v.Solve(&normal, &side); err != nil {
					t.Fatal(err)
				}
				want.Mul(all, &v)
				for i := range n {
					for j := range 3 {
						if off := math.Abs(want.At(i, j) - float64(got.At(i, j))); off > 1e-4 {
							t.Fatalf("%s, %d seeds: the score of node %d is off by %.1e", name, len(from.List()), i, off)
						}
					}
				}
			}
		}
	}
}

// otherMap hides what a map is.
type otherMap struct{ Map }

// TestRidgeOfOtherMaps: a map whose products may not be transposes of each other has a kernel, of many seeds too, with
// the scores that its columns give. With more than MostIterated it is refused.
func TestRidgeOfOtherMaps(t *testing.T) {
	ctx := t.Context()
	const n = MostIterated + 50
	dense, _, _ := drawFeatures(t, n, 3, 5)
	columns := mustDiffuse(t, dense, nil, Hops{}, 1)
	for _, m := range []int{20, MostDual + 1, MostIterated + 1} {
		var seeds []Seed
		for i := range m {
			seeds = append(seeds, Seed{Node: uint32(i), Class: uint32(i % 6), Weight: 1 + float32(i%3)})
		}
		y, err := NewSeeds(n, 6, seeds)
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewKernel(ctx, otherMap{columns}, y, 1)
		if errors.Is(err, ErrOptions) != (m > MostIterated) || m <= MostIterated && err != nil {
			t.Fatalf("%d seeds: %v", m, err)
		}
		if err != nil {
			continue
		}
		targets, weights := SeedTargets(y)
		v, _, err := Ridge(ctx, columns, targets, weights, RidgeOptions{Lambda: 2})
		if err != nil {
			t.Fatal(err)
		}
		want := csr.NewDense(n, 6)
		if err := columns.Apply(ctx, want, v); err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 3} {
			k.threads = threads
			got, err := k.Scores(ctx, y, 2)
			if err != nil {
				t.Fatal(err)
			}
			for at, value := range got.Data {
				if off := math.Abs(float64(value - want.Data[at])); off > 1e-4 {
					t.Fatalf("%d seeds: a score is off by %.1e", m, off)
				}
			}
		}
	}
}

// everyNode returns 0 to n−1.
func everyNode(n int) []uint32 {
	nodes := make([]uint32, n)
	for i := range nodes {
		nodes[i] = uint32(i)
	}
	return nodes
}
