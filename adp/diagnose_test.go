package adp

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestDiagnoseAgreesWithDense makes every figure again from dense matrices:
// A* by the eigenvectors of S, the whole A-step by dense products.
func TestDiagnoseAgreesWithDense(t *testing.T) {
	const n, c, m = 150, 3, 5
	w, y := planted.Graph(t, n, c, 2, 3)
	for _, opt := range []Options{
		{Select: None, Rounds: 3},
		{Select: None, Rounds: 2, TopK: -1, Anchor: -1},
		{Select: None, Rounds: 1, Zeta: -1, GraphAlpha: 0.7},
		{Method: ADP1, Select: None, Rounds: 2, Harden: diffuse.Soft, TopK: 12},
	} {
		r, err := Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Diagnose(context.Background(), w, r, opt, m, 4)
		if err != nil {
			t.Fatal(err)
		}
		full, _ := opt.WithDefaults(n)
		s := diffuse.Normalize(w, 1).S
		h := rootFactor(r.F, full)
		z := mat.NewDense(n, n, nil)
		z.Mul(h, h.T())
		star, ok := (&Dense{S: s, A: mat.NewDense(n, n, nil), F: h, Alpha: full.GraphAlpha}).ClosedA()
		if !ok {
			t.Fatal("no eigenvectors")
		}
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
			TopK: full.TopK, Alpha: full.GraphAlpha, Zeta: full.labelScale(diffuse.NewFactor(r.F, full.Harden), nil),
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
			{"normalized", got.Normalized, normalizeDense(a, 1), normalizeDense(star, 1)},
		} {
			want := denseSpread(figure.x, figure.y, v)
			if math.Abs(figure.spread.Mean-want.Mean) > 1e-4*(1+want.Mean) || math.Abs(figure.spread.SD-want.SD) > 1e-4*(1+want.SD) || math.Abs(figure.spread.Frobenius-want.Frobenius) > 1e-4 {
				t.Errorf("%+v: %s %v, want %v", opt, figure.name, figure.spread, want)
			}
		}
		if !(got.Scaled.Frobenius <= got.FixedPoint.Frobenius) || !(got.Scaled.Frobenius > 0) {
			t.Errorf("%+v: scaled %v, not scaled %v", opt, got.Scaled, got.FixedPoint)
		}
		again, err := Diagnose(context.Background(), w, r, opt, m, 4)
		if err != nil || *again != *got {
			t.Errorf("%+v: a repeat gives %+v, before %+v (%v)", opt, again, got, err)
		}
	}
}

// TestDiagnoseFixedPoint: a graph that is its own fixed point, S of one edge
// without labels, has no difference but the scale.
func TestDiagnoseFixedPoint(t *testing.T) {
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
	r := &Result{F: f, Graph: eye.Matrix(1), Rounds: []Round{{Setting: Setting{TopK: 1, GraphAlpha: 0.9}}}}
	d, err := Diagnose(context.Background(), w, r, Options{TopK: 1}, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(d.FixedPoint.Mean-3) > 1e-5 || math.Abs(d.Scale-0.25) > 1e-6 || d.Scaled.Mean > 1e-5 || d.Normalized.Mean > 1e-5 {
		t.Errorf("4·I against A* = I: %+v", d)
	}
}

func TestDiagnoseNeedsALearnedGraph(t *testing.T) {
	w, y := planted.Graph(t, 60, 2, 2, 1)
	r, err := Run(context.Background(), w, y, Options{Method: LGC})
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{Method: LGC}, {Method: DenseADP}, {Alpha: 2}} {
		if _, err := Diagnose(context.Background(), w, r, opt, 2, 1); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: error %v", opt, err)
		}
	}
	if _, err := Diagnose(context.Background(), w, r, Options{}, 0, 1); !errors.Is(err, ErrOptions) {
		t.Errorf("no vectors: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Diagnose(ctx, w, r, Options{}, 2, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: error %v", err)
	}
}

// rootFactor returns H√ζ' of F as the options say, by other means than
// package diffuse.
func rootFactor(f *csr.Dense, opt Options) *mat.Dense {
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
