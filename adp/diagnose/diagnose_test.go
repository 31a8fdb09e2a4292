package diagnose

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// closedA returns the closed form of the learned graph (Eq. solution1). In
// the eigenbasis of S = QΛQᵀ the tensor inverse is diagonal:
//
//	A* = Q ( (αλ_iλ_j / (1−αλ_iλ_j)) ∘ QᵀZQ + (1−α) diag(1/(1−αλ_i²)) ) Qᵀ
//
// with Z = FFᵀ. O(n³).
func closedA(t *testing.T, s, f *mat.Dense, alpha float64) *mat.Dense {
	t.Helper()
	n, _ := s.Dims()
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(n, s.RawMatrix().Data), true) {
		t.Fatal("no eigenvectors")
	}
	lambda := eigen.Values(nil)
	var q, qf, inner, a mat.Dense
	eigen.VectorsTo(&q)
	qf.Mul(q.T(), f)
	inner.Mul(&qf, qf.T())
	inner.Apply(func(i, j int, z float64) float64 {
		l := alpha * lambda[i] * lambda[j]
		v := l / (1 - l) * z
		if i == j {
			v += (1 - alpha) / (1 - l)
		}
		return v
	}, &inner)
	a.Product(&q, &inner, q.T())
	return &a
}

// TestGraphAgreesWithDense makes every figure again from dense matrices:
// A* by the eigenvectors of S, the whole A-step by dense products.
func TestGraphAgreesWithDense(t *testing.T) {
	const n, c, m = 150, 3, 5
	w, y := planted.Graph(t, n, c, 2, 3)
	for _, opt := range []adp.Options{
		{Select: adp.None, Rounds: 3},
		{Select: adp.None, Rounds: 2, TopK: -1, Anchor: -1},
		{Select: adp.None, Rounds: 1, Zeta: -1, GraphAlpha: 0.7},
		{Method: adp.ADP1, Select: adp.None, Rounds: 2, Harden: diffuse.Soft, TopK: 12},
	} {
		r, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Graph(context.Background(), w, r, opt, m, 4)
		if err != nil {
			t.Fatal(err)
		}
		full, _ := opt.WithDefaults(n)
		s := diffuse.Normalize(w, 1).S
		h := rootFactor(r.F, full)
		z := mat.NewDense(n, n, nil)
		z.Mul(h, h.T())
		star := closedA(t, denseOf(s), h, full.GraphAlpha)
		a := denseOf(r.Graph)
		v := mat.NewDense(n, m, nil)
		for i, random := 0, signs(n, m, 4); i < n; i++ {
			for j := range m {
				v.Set(i, j, float64(random.At(i, j)))
			}
		}
		var whole mat.Dense // α S (A + Z) S + (1−α) I
		whole.Add(a, z)
		whole.Product(denseOf(s), mat.DenseCopyOf(&whole), denseOf(s))
		whole.Scale(full.GraphAlpha, &whole)
		for i := range n {
			whole.Set(i, i, whole.At(i, i)+1-full.GraphAlpha)
		}
		truncated, err := diffuse.AStep(context.Background(), s, r.Graph, diffuse.NewFactor(r.F, full.Harden), diffuse.AffinityOptions{
			TopK: full.TopK, Alpha: full.GraphAlpha, Zeta: diffuse.NewFactor(r.F, full.Harden).Scale(full.Zeta, nil),
		})
		if err != nil {
			t.Fatal(err)
		}
		var scaled mat.Dense
		scaled.Scale(got.Scale, a)
		for _, figure := range []struct {
			name   string
			spread RelativeError
			x, y   *mat.Dense
		}{
			{"step", got.Step, denseOf(truncated), &whole},
			{"fixed point", got.FixedPoint, a, star},
			{"scaled", got.Scaled, &scaled, star},
			{"normalized", got.Normalized, normalized(a), normalized(star)},
		} {
			want := denseSpread(figure.x, figure.y, v)
			if math.Abs(figure.spread.Mean-want.Mean) > 1e-4*(1+want.Mean) || math.Abs(figure.spread.SD-want.SD) > 1e-4*(1+want.SD) || math.Abs(figure.spread.Frobenius-want.Frobenius) > 1e-4 {
				t.Errorf("%+v: %s %v, want %v", opt, figure.name, figure.spread, want)
			}
		}
		if !(got.Scaled.Frobenius <= got.FixedPoint.Frobenius) || !(got.Scaled.Frobenius > 0) {
			t.Errorf("%+v: scaled %v, not scaled %v", opt, got.Scaled, got.FixedPoint)
		}
		again, err := Graph(context.Background(), w, r, opt, m, 4)
		if err != nil || *again != *got {
			t.Errorf("%+v: a repeat gives %+v, before %+v (%v)", opt, again, got, err)
		}
	}
}

// TestGraphFixedPoint: a graph that is its own fixed point, S of one edge
// without labels, has no difference but the scale.
func TestGraphFixedPoint(t *testing.T) {
	w, _, err := csr.FromEdges(2, &csr.Edges{Src: []uint32{0}, Dst: []uint32{1}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// S swaps the two nodes, S² = I: A* = (1−α) Σ α^i I = I.
	eye := csr.NewRowBuffer(2, 2, 1)
	for i := range 2 {
		eye.Set(i, []uint32{uint32(i)}, []float32{4})
	}
	f := csr.NewDense(2, 1)
	r := &adp.Result{F: f, Graph: eye.Matrix(1), Rounds: []adp.Round{{Setting: adp.Setting{TopK: 1, GraphAlpha: 0.9}}}}
	d, err := Graph(context.Background(), w, r, adp.Options{TopK: 1}, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(d.FixedPoint.Mean-3) > 1e-5 || math.Abs(d.Scale-0.25) > 1e-6 || d.Scaled.Mean > 1e-5 || d.Normalized.Mean > 1e-5 {
		t.Errorf("4·I against A* = I: %+v", d)
	}
}

// TestGraphNeedsALearnedGraph: a diagnosis is of the methods that learn a sparse graph, and of right options.
func TestGraphNeedsALearnedGraph(t *testing.T) {
	w, y := planted.Graph(t, 60, 2, 2, 1)
	var r *adp.Result
	for _, m := range adp.Methods() {
		opt := adp.Options{Method: m, Select: adp.None, Rounds: 1}
		var err error
		if r, err = adp.Run(context.Background(), w, y, opt); err != nil {
			t.Fatal(err)
		}
		learns := m.Has(adp.LearnsSparse)
		if _, err := Graph(context.Background(), w, r, opt, 2, 1); (err == nil) != learns || !learns && !errors.Is(err, adp.ErrOptions) {
			t.Errorf("%v: error %v", m, err)
		}
		if bytes := Bytes(w, 2, opt, 2); bytes <= 0 {
			t.Errorf("%v: %d bytes", m, bytes)
		}
	}
	if _, err := Graph(context.Background(), w, r, adp.Options{Alpha: 2}, 2, 1); !errors.Is(err, adp.ErrOptions) || Bytes(w, 2, adp.Options{Alpha: 2}, 2) != 0 {
		t.Errorf("alpha 2: error %v", err)
	}
	if _, err := Graph(context.Background(), w, r, adp.Options{}, 0, 1); !errors.Is(err, adp.ErrOptions) {
		t.Errorf("no vectors: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Graph(ctx, w, r, adp.Options{}, 2, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: error %v", err)
	}
}

// rootFactor returns H√ζ' of F as the options say, by other means than
// package diffuse.
func rootFactor(f *csr.Dense, opt adp.Options) *mat.Dense {
	h := mat.NewDense(f.Rows, f.Cols, nil)
	sums := make([]float64, f.Cols)
	for i := range f.Rows {
		total, first, second, at := 0.0, 0.0, 0.0, 0
		for j, v := range f.Row(i) {
			total += float64(v)
			if float64(v) > first {
				second, first, at = first, float64(v), j
			} else {
				second = max(second, float64(v))
			}
		}
		if total == 0 {
			continue
		}
		for j, v := range f.Row(i) {
			if opt.Harden == diffuse.Soft {
				h.Set(i, j, float64(v)/total)
			} else if j == at {
				h.Set(i, j, math.Sqrt((first-second)/total))
			}
			sums[j] += h.At(i, j)
		}
	}
	rowSum := 0.0
	for _, s := range sums {
		rowSum += s * s / float64(f.Rows)
	}
	h.Scale(math.Sqrt(max(opt.Zeta, 0)/rowSum), h)
	return h
}

func denseOf(a *csr.Matrix) *mat.Dense {
	n, m := a.Dims()
	d := mat.NewDense(n, m, nil)
	for i := range n {
		cols, vals := a.Row(i)
		for k, j := range cols {
			d.Set(i, int(j), float64(vals[k]))
		}
	}
	return d
}

// denseSpread returns the mean and the deviation of ‖(X − Y)v‖/‖Yv‖.
func denseSpread(x, y, v *mat.Dense) (s RelativeError) {
	var minus, difference, yv mat.Dense
	minus.Sub(x, y)
	difference.Mul(&minus, v)
	yv.Mul(y, v)
	_, m := v.Dims()
	square := 0.0
	for j := range m {
		ratio := mat.Norm(difference.ColView(j), 2) / mat.Norm(yv.ColView(j), 2)
		s.Mean += ratio / float64(m)
		square += ratio * ratio / float64(m)
	}
	var xv mat.Dense
	xv.Mul(x, v)
	xv.Sub(&xv, &yv)
	s.Frobenius = mat.Norm(&xv, 2) / mat.Norm(&yv, 2)
	s.SD = math.Sqrt(max(square-s.Mean*s.Mean, 0) * float64(m) / float64(m-1))
	return s
}

// normalized returns D^-1/2 X D^-1/2.
func normalized(x *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Apply(func(i, j int, v float64) float64 {
		return v / math.Sqrt(mat.Sum(x.RowView(i))*mat.Sum(x.RowView(j)))
	}, x)
	return &out
}
