package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestLapRLS: without the Laplacian it is kernel ridge regression on the
// labelled points alone; with it the gradient of the objective in f = Ka,
//
//	J(f − Y) + γ_A a + γ_I Lf  with a = K^-1 f, is 0.
func TestLapRLS(t *testing.T) {
	p, _ := blobs(t, 40, 3, 0.5)
	f, err := p.expansion(t.Context(), p.mask(), p.oneHot(), ambient, 0)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := p.gaussian(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list := p.Seeds.List()
	ridge, y, cross := oracle.New(len(list), len(list)), oracle.New(len(list), 3), oracle.New(40, len(list))
	for a, s := range list {
		y[a][s.Class] = 1
		for b, o := range list {
			ridge[a][b] = kernel.At(int(s.Node), int(o.Node))
		}
		ridge[a][a] += ambient
		for i := range 40 {
			cross[i][a] = kernel.At(i, int(s.Node))
		}
	}
	near(t, "kernel ridge regression", f, oracle.Mul(cross, oracle.Mul(oracle.Inverse(ridge), y)), 1e-8)

	if f, err = p.expansion(t.Context(), p.mask(), p.oneHot(), ambient, intrinsic); err != nil {
		t.Fatal(err)
	}
	w := slow(dense(p.W))
	l := oracle.Scale(-1, w)
	for i, d := range oracle.Degrees(w) {
		l[i][i] += d
	}
	a := oracle.Mul(oracle.Inverse(slow(kernel)), slow(f))
	gradient := oracle.Add(ambient, a, intrinsic, oracle.Mul(l, slow(f)))
	for _, s := range list {
		for j := range 3 {
			gradient[s.Node][j] += f.At(int(s.Node), j)
		}
		gradient[s.Node][s.Class]--
	}
	if d := oracle.MaxAbsDiff(gradient, oracle.New(40, 3)); d > 1e-6 {
		t.Errorf("gradient %g", d)
	}
}

// TestGaussian: the kernel by its definition.
func TestGaussian(t *testing.T) {
	p, _ := blobs(t, 35, 3, 0.5)
	kernel, err := p.gaussian(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	nb, err := p.neighbours(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sigma := 0.0
	for _, d := range nb.Dist {
		sigma += float64(d) / float64(35*27)
	}
	want := oracle.New(35, 35)
	for i := range want {
		for j := range want {
			sum := 0.0
			for k, v := range p.X.Row(i) {
				sum += math.Pow(float64(v)-float64(p.X.At(j, k)), 2)
			}
			want[i][j] = math.Exp(-sum / (2 * sigma * sigma))
		}
	}
	near(t, "K", kernel, want, 1e-9)
}

// TestGD: without imitation it is LapRLS; with imitation alone it is
// LapRLS's system with the teacher's labels everywhere; the teacher reads the
// privileged features.
func TestGD(t *testing.T) {
	p, truth := blobs(t, 40, 3, 0.5)
	soft, err := p.teach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	weight, target := p.imitate(soft, 0)
	alone, err := p.expansion(t.Context(), weight, target, ambient, intrinsic)
	if err != nil {
		t.Fatal(err)
	}
	learner, err := p.expansion(t.Context(), p.mask(), p.oneHot(), ambient, intrinsic)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ρ = 0", alone, slow(learner), 0)
	weight, target = p.imitate(soft, 1)
	for i, w := range weight {
		if math.Abs(w-6.0/40) > 1e-12 { // 6 labels, 40 points
			t.Errorf("weight %v of point %d, whom the teacher labels", w, i)
		}
		for j := range 3 {
			if math.Abs(target.At(i, j)-w*float64(soft.At(i, j))) > 1e-12 {
				t.Errorf("target of point %d is not the teacher's", i)
			}
		}
	}

	// A teacher who sees the classes themselves is right.
	q := &Problem{Data: &Data{X: p.X, W: p.W, Threads: 1, Privileged: csr.NewDense(40, 3)}, Seeds: p.Seeds}
	for i, y := range truth {
		q.Privileged.Set(i, int(y), 1)
	}
	if soft, err = q.teach(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, y := range labels(soft) {
		if y != truth[i] {
			t.Errorf("the teacher says %d of point %d, which is %d", y, i, truth[i])
		}
	}
}

// TestDLSR: each step lowers the objective or leaves it; labels are the best
// of random ones; W is at a point where finite differences of the objective
// with fixed targets are 0; and where all is given and met, nothing is
// adjusted.
func TestDLSR(t *testing.T) {
	racing.LongSum(t)
	p, _ := blobs(t, 45, 3, 0.8)
	d, err := newDragging(p)
	if err != nil {
		t.Fatal(err)
	}
	// Only points on the wrong side of the margin count.
	copy(d.f.RawRowView(0), []float64{2, -3, -0.5})
	for k, want := range []float64{0.25, 9 + 16 + 0.25, 9 + 1.5*1.5} {
		if got := misfit(d, 0, k); math.Abs(got-want) > 1e-12 {
			t.Errorf("misfit %v for class %d, want %v", got, k, want)
		}
	}
	if err := d.regress(); err != nil {
		t.Fatal(err)
	}
	d.adjust()
	value := d.objective()
	for range 20 {
		if err := d.regress(); err != nil {
			t.Fatal(err)
		}
		after := d.objective()
		if after > value*(1+1e-9) {
			t.Errorf("regression: %v after %v", after, value)
		}
		d.adjust()
		if value = d.objective(); value > after*(1+1e-9) {
			t.Errorf("labels: %v after %v", value, after)
		}
	}
	for i, given := range d.given {
		if given {
			continue
		}
		row, sum := d.y.RawRowView(i), 0.0
		for _, v := range row {
			sum += v
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("labels of point %d sum to %v", i, sum)
		}
		// Moving mass between two classes raises the objective.
		for k := range row {
			moved := append([]float64(nil), row...)
			step := min(1e-3, moved[k])
			moved[k], moved[(k+1)%3] = moved[k]-step, moved[(k+1)%3]+step
			before, after := 0.0, 0.0
			for c := range row {
				before += row[c] * row[c] * misfit(d, i, c)
				after += moved[c] * moved[c] * misfit(d, i, c)
			}
			if after < before*(1-1e-9)-1e-12 {
				t.Errorf("point %d: other labels have %v, below %v", i, after, before)
			}
		}
	}
	// At convergence the gradient in W is that of a minimum.
	for range 2000 {
		if err := d.regress(); err != nil {
			t.Fatal(err)
		}
	}
	r, c := d.w.Dims()
	base := d.objective()
	for a := range r {
		for b := range c {
			const h = 1e-4
			old := d.w.At(a, b)
			slope := 0.0
			for _, sign := range []float64{1, -1} {
				d.w.Set(a, b, old+sign*h)
				d.f.Mul(d.x, d.w)
				slope += sign * d.objective() / (2 * h)
			}
			d.w.Set(a, b, old)
			if math.Abs(slope) > 1e-3*base {
				t.Errorf("slope %v in W[%d][%d] at %v", slope, a, b, base)
			}
		}
	}
	d.f.Mul(d.x, d.w)
	if f := mat.Norm(d.f, 2); !(f > 0) {
		t.Error("F is 0")
	}
}

// misfit returns e_ik.
func misfit(d *dragging, i, k int) float64 {
	_, c := d.y.Dims()
	e := make([]float64, c)
	d.misfits(i, e)
	return e[k]
}
