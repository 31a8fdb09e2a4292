package diffuse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// samples returns l rows of d columns, some of them 0, and shares of three classes: whole ones, and halves.
func samples(t *testing.T, l, d int) (x *csr.Matrix, targets [][]float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	rows := csr.NewDense(l, d)
	for i := range l {
		for j := range d {
			if rng.IntN(4) > 0 {
				rows.Set(i, j, float32(rng.NormFloat64()+float64((i+j)%3)))
			}
		}
		shares := make([]float64, 3)
		shares[i%3] = 1
		if i%5 == 0 {
			shares[i%3], shares[(i+1)%3] = 0.5, 0.5
		}
		targets = append(targets, shares)
	}
	x, err := csr.FromDense(rows)
	if err != nil {
		t.Fatal(err)
	}
	return x, targets
}

// TestSoftmax: the gradient is that of finite differences, and so is the curvature.
func TestSoftmax(t *testing.T) {
	const l, d = 30, 3
	x, targets := samples(t, l, d)
	weights := make([]float64, l)
	for i := range weights {
		weights[i] = 1 + float64(i%4)
	}
	s := newSoftmax(x, targets, weights, 0.3)
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() []float64 {
		v := make([]float64, 3*(d+1))
		for k := range v {
			v[k] = rng.NormFloat64()
		}
		return v
	}
	at, v := random(), random()
	moved := func(by float64) []float64 {
		to := slices.Clone(at)
		addScaled(to, by, v)
		return to
	}
	const h = 1e-5
	gradient, ahead, behind, bent := make([]float64, len(v)), make([]float64, len(v)), make([]float64, len(v)), make([]float64, len(v))
	up, down := s.evaluate(ahead, moved(h)), s.evaluate(behind, moved(-h))
	s.evaluate(gradient, at)
	if got, want := dot(gradient, v), (up-down)/(2*h); math.Abs(got-want) > 1e-8 {
		t.Errorf("slope %v, expected %v", got, want)
	}
	s.curvature(bent, v)
	for k := range bent {
		if want := (ahead[k] - behind[k]) / (2 * h); math.Abs(bent[k]-want) > 1e-8 {
			t.Errorf("entry %d of the curvature is %v, expected %v", k, bent[k], want)
		}
	}
}

// TestLogistic: a weight of 2 is a row given twice, half a class is a row of each with half the weight, nothing can be moved at
// the minimum without raising the loss, and a context ends the work.
func TestLogistic(t *testing.T) {
	const l, d = 40, 4
	x, targets := samples(t, l, d)
	ctx := context.Background()
	weights := make([]float64, l)
	var rows []uint32
	var twice []float64
	var whole [][]float64
	for i := range l {
		weights[i] = 1 + float64(i%2)
		for k, share := range targets[i] {
			if share > 0 {
				class := make([]float64, 3)
				class[k] = 1
				rows, twice, whole = append(rows, uint32(i)), append(twice, share*weights[i]), append(whole, class)
			}
		}
	}
	fit, err := Logistic(ctx, x, targets, weights, 0.05)
	if err != nil || !fit.Converged {
		t.Fatal(fit, err)
	}
	dense := csr.NewDense(len(rows), d)
	for r, i := range rows {
		cols, vals := x.Row(int(i))
		for k, j := range cols {
			dense.Set(r, int(j), vals[k])
		}
	}
	again, err := csr.FromDense(dense)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Logistic(ctx, again, whole, twice, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range fit.Theta {
		if math.Abs(v-other.Theta[k]) > 1e-6 {
			t.Errorf("Θ is %v, of single rows of one class %v", fit.Theta, other.Theta)
			break
		}
	}
	s := newSoftmax(x, targets, weights, 0.05)
	at := append(slices.Clone(fit.Theta), fit.Bias...)
	gradient := make([]float64, len(at))
	least := s.evaluate(gradient, at)
	for k := range at {
		for _, by := range []float64{-0.01, 0.01} {
			moved := slices.Clone(at)
			moved[k] += by
			if loss := s.evaluate(gradient, moved); loss < least {
				t.Errorf("parameter %d moved by %v has the loss %v, below %v", k, by, loss, least)
			}
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := Logistic(stopped, x, targets, nil, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected that of the context", err)
	}
}
