package diffuse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// drawFeatures returns n×d features, one in three of them not 0, in both forms and by
// the oracle; the last row is 0.
func drawFeatures(t *testing.T, n, d int, seed uint64) (dense, sparse Features, want oracle.Mat) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	want = oracle.New(n, d)
	x := csr.NewDense(n, d)
	indptr, indices, data := []int64{0}, []uint32{}, []float32{}
	for i := range n {
		for j := range d {
			if v := float32(rng.NormFloat64()); i+1 < n && rng.IntN(3) == 0 {
				x.Set(i, j, v)
				want[i][j] = float64(v)
				indices, data = append(indices, uint32(j)), append(data, v)
			}
		}
		indptr = append(indptr, int64(len(data)))
	}
	m, err := csr.New(n, d, indptr, indices, data)
	if err != nil {
		t.Fatal(err)
	}
	return Features{Dense: x}, Features{Sparse: m}, want
}

// drawBlock returns an n×c block and the same by the oracle.
func drawBlock(n, c int, seed uint64) (*csr.Dense, oracle.Mat) {
	rng := rand.New(rand.NewPCG(seed, 3))
	x, want := csr.NewDense(n, c), oracle.New(n, c)
	for i := range n {
		for j := range c {
			x.Set(i, j, float32(rng.NormFloat64()))
			want[i][j] = float64(x.At(i, j))
		}
	}
	return x, want
}

// mustDiffuse returns PX on the graph of w.
func mustDiffuse(t *testing.T, x Features, w *csr.Matrix, hops Hops, threads int) *Diffused {
	t.Helper()
	var g *Graph
	if w != nil {
		g = Normalize(w, threads)
	}
	d, err := NewDiffused(x, g, hops, threads)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// everyForm returns X̃ of sparse and dense features, never formed and formed.
func everyForm(t *testing.T, dense, sparse Features, w *csr.Matrix, hops Hops, threads int) map[string]*Diffused {
	t.Helper()
	forms := map[string]*Diffused{}
	for name, x := range map[string]Features{"dense": dense, "sparse": sparse} {
		d := mustDiffuse(t, x, w, hops, threads)
		formed, err := d.Form(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !formed.Formed() {
			t.Error(name, "is not formed")
		}
		forms[name], forms[name+" formed"] = d, formed
	}
	return forms
}

// TestDiffusedAgreesWithDense: every form of X̃ gives the products and rows of the dense
// PX, on random graphs with isolated nodes, for no hops and an odd and even number.
func TestDiffusedAgreesWithDense(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(24) {
		w, graph := randomGraph(t, seed)
		n, d, c := len(graph), 1+int(seed*5%37), 1+int(seed%14)
		dense, sparse, x := drawFeatures(t, n, d, seed)
		hops := []Hops{{}, TenHops, {Weight: 0.5, Steps: 3}, {Weight: 1, Steps: 1}}[seed%4]
		want := oracle.Mul(oracle.Hops(graph, hops.Weight, hops.Steps), x)
		if hops.none() {
			want = x
		}
		v, vWant := drawBlock(d, c, seed)
		r, rWant := drawBlock(n, c, seed+1000)
		for name, form := range everyForm(t, dense, sparse, w, hops, 2) {
			forward, back := csr.NewDense(n, c), csr.NewDense(d, c)
			if err := errors.Join(form.Apply(ctx, forward, v), form.ApplyT(ctx, back, r)); err != nil {
				t.Fatal(err)
			}
			points, err := form.Rows(ctx, []uint32{0, uint32(n - 1), uint32(n / 2)})
			if err != nil {
				t.Fatal(err)
			}
			for what, off := range map[string]float64{
				"X̃V":  worstDifference(forward, oracle.Mul(want, vWant)),
				"X̃ᵀR": worstDifference(back, oracle.Mul(oracle.Transpose(want), rWant)),
				"rows": worstDifference(points, oracle.Mat{want[0], want[n-1], want[n/2]}),
			} {
				if off > 2e-6 {
					t.Errorf("graph %d, %s: %s is off by %.1e", seed, name, what, off)
				}
			}
		}
	}
}

// TestDiffusedIsTheSame: for any threads and version of the kernels, on rows that fill
// blocks and do not.
func TestDiffusedIsTheSame(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{511, 512, 513, 1030} {
		w, _ := pathOf(t, n)
		dense, sparse, _ := drawFeatures(t, n, 37, 5)
		v, _ := drawBlock(37, 3, 1)
		r, _ := drawBlock(n, 3, 2)
		want := map[string][]float32{}
		for _, version := range kernel.Names() {
			if racing.On && version != "portable" { // the others are assembly, which the detector does not see
				continue
			}
			before := kernel.Select(version)
			t.Cleanup(func() { kernel.Select(before) })
			for _, threads := range []int{1, 2, 3, 8} {
				for name, form := range everyForm(t, dense, sparse, w, TenHops, threads) {
					forward, back := csr.NewDense(n, 3), csr.NewDense(37, 3)
					if err := errors.Join(form.Apply(ctx, forward, v), form.ApplyT(ctx, back, r)); err != nil {
						t.Fatal(err)
					}
					coefficients, _, err := Ridge(ctx, form, r, nil, RidgeOptions{Lambda: 1})
					if err != nil {
						t.Fatal(err)
					}
					got := slices.Concat(forward.Data, back.Data, coefficients.Data)
					if want[name] == nil {
						want[name] = got
					}
					if !slices.Equal(got, want[name]) {
						t.Errorf("n=%d, %s, %s, %d threads: other bits", n, version, name, threads)
					}
				}
			}
		}
	}
}

// TestFeatureFaults: each fault is named.
func TestFeatureFaults(t *testing.T) {
	bad := csr.NewDense(700, 3)
	bad.Set(600, 1, float32(math.NaN()))
	bad.Set(650, 0, float32(math.Inf(1)))
	sparse := csr.Identity(4).WithData([]float32{1, 1, float32(math.Inf(-1)), 1})
	for _, test := range []struct {
		x    Features
		want string
	}{
		{Features{}, "either dense or sparse"},
		{Features{Dense: bad, Sparse: sparse}, "either dense or sparse"},
		{Features{Dense: bad}, "row 600: value NaN in column 1"},
		{Features{Sparse: sparse}, "row 2: value -Inf in column 2"},
		{Features{Dense: &csr.Dense{Rows: 2, Cols: 2, Data: make([]float32, 3)}}, "3 numbers"},
		{Features{Dense: csr.NewDense(3, 1)}, "of 3 nodes"},
	} {
		_, err := NewDiffused(test.x, Normalize(csr.Identity(5), 1), TenHops, 2)
		if !errors.Is(err, ErrFeatures) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
	for _, hops := range []Hops{{Weight: -1, Steps: 1}, {Weight: 2, Steps: 1}, {Weight: math.NaN(), Steps: 1}, {Steps: -1}} {
		if _, err := NewDiffused(Features{Dense: csr.NewDense(3, 1)}, nil, hops, 1); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", hops, err)
		}
	}
}

// TestUnitRows: rows have length 1 at any scale, those of zeros stay, X is not changed.
func TestUnitRows(t *testing.T) {
	for _, scale := range []float64{1, 1e30, 1e-30} {
		dense, sparse, _ := drawFeatures(t, 40, 9, 1)
		times(dense.Dense.Data, scale)
		_, _, data := sparse.Sparse.Arrays()
		times(data, scale)
		before := slices.Clone(dense.Dense.Data)
		unit, same := dense.UnitRows(2).Dense, sparse.UnitRows(2).Sparse
		if !slices.Equal(before, dense.Dense.Data) {
			t.Error("X is another")
		}
		for i := range 40 {
			want := 1.0
			if squares(dense.Dense.Row(i)) == 0 {
				want = 0
			}
			if size := math.Sqrt(squares(unit.Row(i))); math.Abs(size-want) > 1e-6 {
				t.Errorf("scale %v: row %d has length %v", scale, i, size)
			}
			for j := range 9 {
				if float64(unit.At(i, j)) != same.At(i, j) {
					t.Errorf("row %d, column %d: %v dense, %v sparse", i, j, unit.At(i, j), same.At(i, j))
				}
			}
		}
	}
}

// TestUnitRoots: products of rows are Bhattacharyya coefficients of their shares, values below 0 keep their sign, rows of zeros stay, and of words
// that are there or not the bits are those of unit rows.
func TestUnitRoots(t *testing.T) {
	dense, sparse, _ := drawFeatures(t, 40, 9, 1)
	before := slices.Clone(dense.Dense.Data)
	roots, same := dense.UnitRoots(2).Dense, sparse.UnitRoots(3).Sparse
	if !slices.Equal(before, dense.Dense.Data) {
		t.Error("X is another")
	}
	share := func(i, j int) float64 {
		sum := 0.0
		for _, v := range dense.Dense.Row(i) {
			sum += math.Abs(float64(v))
		}
		if sum == 0 {
			return 0
		}
		return float64(dense.Dense.At(i, j)) / sum
	}
	for i := range 40 {
		for j := range 9 {
			got, want := float64(roots.At(i, j)), share(i, j)
			if math.Abs(got*math.Abs(got)-want) > 1e-6 {
				t.Errorf("row %d, column %d: the square of %v is not %v", i, j, got, want)
			}
			if got != same.At(i, j) {
				t.Errorf("row %d, column %d: %v dense, %v sparse", i, j, got, same.At(i, j))
			}
		}
	}
	for k, v := range dense.Dense.Data {
		dense.Dense.Data[k] = 0
		if v > 0.3 {
			dense.Dense.Data[k] = 1
		}
	}
	if !slices.Equal(dense.UnitRoots(1).Dense.Data, dense.UnitRows(1).Dense.Data) {
		t.Error("roots of words that are there or not have other bits than unit rows")
	}
}

// TestStandardize: columns have mean 0 and standard deviation 1/√d far from 0 and at any
// scale; constant ones become 0 and are counted.
func TestStandardize(t *testing.T) {
	const n, d = 1500, 5
	x := csr.NewDense(n, d)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		copy(x.Row(i), []float32{0.1, 1e6 + float32(rng.IntN(2)), 1e30 * rng.Float32(), 1e-30 * rng.Float32(), float32(rng.NormFloat64())})
	}
	f := Features{Dense: x}
	s, err := f.Standardize(3)
	if err != nil || s.Constant != 1 {
		t.Fatal(s, err)
	}
	got, err := s.Apply(f, 2)
	if err != nil {
		t.Fatal(err)
	}
	for j := range d {
		sum, sq := 0.0, 0.0
		for i := range n {
			v := float64(got.Dense.At(i, j))
			sum, sq = sum+v, sq+v*v
		}
		want := 1.0 / d
		if j == 0 {
			want = 0
		}
		if math.Abs(sum/n) > 1e-7 || math.Abs(sq/n-want) > 1e-6 {
			t.Errorf("column %d: mean %v, variance %v", j, sum/n, sq/n)
		}
	}
	if _, err := s.Apply(Features{Dense: csr.NewDense(1, 4)}, 1); !errors.Is(err, ErrFeatures) {
		t.Error(err)
	}
	if _, err := (Features{Sparse: csr.Identity(2)}).Standardize(1); !errors.Is(err, ErrFeatures) {
		t.Error(err)
	}
}

// TestDiffusedExtremes: features and weights of 1e±30 give finite products that agree
// with those of size 1.
func TestDiffusedExtremes(t *testing.T) {
	ctx := context.Background()
	for _, weight := range []float64{1e30, 1, 1e-30} {
		for _, scale := range []float64{1e30, 1e-30} {
			w, graph := randomGraph(t, 3)
			_, _, data := w.Arrays()
			data = slices.Clone(data)
			times(data, weight)
			n := len(graph)
			dense, sparse, x := drawFeatures(t, n, 7, 3)
			times(dense.Dense.Data, scale)
			_, _, values := sparse.Sparse.Arrays()
			times(values, scale)
			want := oracle.Scale(scale, oracle.Mul(oracle.Hops(oracle.Scale(weight, graph), 0.9, 10), x))
			for name, form := range everyForm(t, dense, sparse, w.WithData(data), TenHops, 1) {
				points, err := form.Rows(ctx, []uint32{0, 1, 2})
				if off := worstDifference(points, want[:3]); err != nil || !(off < 1e-5) {
					t.Errorf("weights %v, features %v, %s: off by %v, %v", weight, scale, name, off, err)
				}
				r, targets := drawBlock(n, 2, 1)
				lambda := 0.02 * scale * scale
				v, _, err := Ridge(ctx, form, r, nil, RidgeOptions{Lambda: lambda, MaxIterations: 60, Tolerance: 1e-6})
				if err != nil {
					t.Fatal(err)
				}
				exact := oracle.Ridge(oracle.Scale(1/scale, want), targets, slices.Repeat([]float64{1}, n), 0.02)
				if off := worstDifference(v, oracle.Scale(1/scale, exact)); !(off < 1e-3) {
					t.Errorf("weights %v, features %v, %s: V is off by %v", weight, scale, name, off)
				}
			}
		}
	}
}

// TestDiffusedCancel: nothing goes on when the context has ended.
func TestDiffusedCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w, y := pathOf(t, 700)
	dense, sparse, _ := drawFeatures(t, 700, 9, 1)
	for _, x := range []Features{dense, sparse} {
		d := mustDiffuse(t, x, w, TenHops, 2)
		_, formErr := d.Form(ctx)
		_, rowsErr := d.Rows(ctx, []uint32{1})
		_, _, ridgeErr := Ridge(ctx, d, csr.NewDense(700, 2), nil, RidgeOptions{Lambda: 1})
		_, kernelErr := NewKernel(ctx, d, y, 2)
		for k, err := range []error{formErr, rowsErr, ridgeErr, kernelErr, d.Apply(ctx, csr.NewDense(700, 1), csr.NewDense(9, 1)), d.ApplyT(ctx, csr.NewDense(9, 1), csr.NewDense(700, 1))} {
			if !errors.Is(err, context.Canceled) {
				t.Error(k, err)
			}
		}
	}
}

// TestCross: blocks of every shape beside tiles agree with the dense product.
func TestCross(t *testing.T) {
	for _, shape := range [][3]int{{1, 1, 1}, {3, 4, 12}, {512, 5, 13}, {513, 11, 3}, {1030, 25, 24}} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			a, x := drawBlock(shape[0], shape[1], 1)
			b, y := drawBlock(shape[0], shape[2], 2)
			got, err := cross(context.Background(), a, b, nil, 3)
			if err != nil {
				t.Fatal(err)
			}
			want := oracle.Mul(oracle.Transpose(x), y)
			for k, v := range got {
				if math.Abs(v-want[k/shape[2]][k%shape[2]]) > 1e-10 {
					t.Fatalf("place %d: %v", k, v)
				}
			}
		})
	}
}

// TestScores: new points get what nodes with their features get where P = I.
func TestScores(t *testing.T) {
	ctx := context.Background()
	dense, sparse, x := drawFeatures(t, 30, 8, 4)
	v, want := drawBlock(8, 3, 4)
	for _, f := range []Features{dense, sparse} {
		got, err := Scores(ctx, f, v, 2)
		if err != nil {
			t.Fatal(err)
		}
		if off := worstDifference(got, oracle.Mul(x, want)); off > 1e-6 {
			t.Errorf("off by %v", off)
		}
	}
	if _, err := Scores(ctx, dense, csr.NewDense(9, 3), 1); !errors.Is(err, ErrFeatures) {
		t.Error(err)
	}
}

// TestAcross: maps of features that come with Xᵀ share it, and have the same products.
func TestAcross(t *testing.T) {
	ctx := t.Context()
	const n, d = 700, 11
	_, sparse, _ := drawFeatures(t, n, d, 9)
	w, _ := pathOf(t, n)
	r, _ := drawBlock(n, 3, 4)
	want, got := csr.NewDense(d, 3), csr.NewDense(d, 3)
	if err := mustDiffuse(t, sparse, w, Hops{Weight: 1, Steps: 2}, 1).ApplyT(ctx, want, r.Clone()); err != nil {
		t.Fatal(err)
	}
	with := sparse.Across(2)
	x := mustDiffuse(t, with, w, Hops{Weight: 1, Steps: 2}, 2)
	if err := x.ApplyT(ctx, got, r.Clone()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Data, want.Data) {
		t.Error("another product")
	}
	if other := mustDiffuse(t, with, nil, Hops{}, 2); other.across != x.across || x.across == nil {
		t.Error("Xᵀ is made twice")
	}
}

// TestRowsOfUnit: Rows are those that Apply multiplies with, also of unit length, and whether or not the map is formed.
func TestRowsOfUnit(t *testing.T) {
	ctx := t.Context()
	w, graph := randomGraph(t, 5)
	n := len(graph)
	dense, sparse, _ := drawFeatures(t, n, 7, 3)
	nodes := []uint32{2, 0, uint32(n - 1)}
	for _, x := range []Features{dense, sparse} {
		for _, hops := range []Hops{{}, {Weight: 0.5, Steps: 1}} {
			d := mustDiffuse(t, x, w, hops, 1)
			formed, err := d.Form(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, of := range []*Diffused{d, formed} {
				unit, err := of.Unit(ctx)
				if err != nil {
					t.Fatal(err)
				}
				for _, of := range []*Diffused{of, unit} {
					eye, all := csr.NewDense(7, 7), csr.NewDense(n, 7)
					for j := range 7 {
						eye.Set(j, j, 1)
					}
					if err := of.Apply(ctx, all, eye); err != nil {
						t.Fatal(err)
					}
					got, err := of.Rows(ctx, nodes)
					if err != nil {
						t.Fatal(err)
					}
					for k, i := range nodes {
						for j, v := range all.Row(int(i)) {
							if math.Abs(float64(v-got.At(k, j))) > 1e-5 {
								t.Errorf("hops %v, formed %v, of unit length %v: row %d is %v, expected %v", hops, of.Formed(), of.norm != nil, i, got.Row(k), all.Row(int(i)))
								break
							}
						}
					}
				}
			}
		}
	}
}

// TestFaintRows: a row whose inverse length float32 does not hold, as that of a node with one edge of 1e-40, is 0, not NaN.
func TestFaintRows(t *testing.T) {
	ctx := t.Context()
	w, _, err := csr.FromEdges(6, &csr.Edges{Src: []uint32{2}, Dst: []uint32{4}, Weight: []float32{1e-40}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dense := &csr.Dense{Rows: 6, Cols: 1, Data: []float32{0, 0, 0, 0, 1, 0}}
	sparse, err := csr.FromDense(dense)
	if err != nil {
		t.Fatal(err)
	}
	y, err := HardSeeds([]int{-1, -1, 0, -1, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	g := Normalize(w, 1)
	for _, x := range []Features{{Dense: dense}, {Sparse: sparse}} {
		kernel, err := NewCentredKernel(ctx, x, g, Hops{Weight: 1, Steps: 2, Symmetric: true}, y, 1)
		if err != nil {
			t.Fatal(err)
		}
		f, err := kernel.Scores(ctx, y, 1)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range f.Data {
			if !isFinite(float64(v)) {
				t.Errorf("sparse %v: score %v of node %d", x.Sparse != nil, v, k/2)
			}
		}
	}
}
