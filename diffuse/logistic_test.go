package diffuse

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// TestLogisticIsTheMinimum: at V the gradient X̃_LᵀW(p − Y) + λV is 0.
func TestLogisticIsTheMinimum(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(9) {
		lambda := []float64{1, 0.1, 5}[seed%3]
		r := newRidgeCase(t, seed, true)
		for name, form := range r.form {
			d, err := NewDual(ctx, form, r.y, true)
			if err != nil {
				t.Fatal(err)
			}
			v, stats, err := d.Logistic(ctx, lambda, 1e-9)
			if err != nil || !stats.Converged {
				t.Fatal(stats, err)
			}
			at := oracle.New(v.Rows, v.Cols)
			for k, value := range v.Data {
				at[k/v.Cols][k%v.Cols] = float64(value)
			}
			slope := oracle.Mul(r.x, at)
			for i, row := range slope {
				sum := 0.0
				for _, s := range row {
					sum += math.Exp(s)
				}
				for j, s := range row {
					row[j] = r.weights[i] * (math.Exp(s)/sum - r.shares[i][j])
				}
			}
			gradient := oracle.Add(1, oracle.Mul(oracle.Transpose(r.x), slope), lambda, at)
			if off := oracle.MaxAbsDiff(gradient, oracle.New(v.Rows, v.Cols)); !(off < 1e-5) {
				t.Errorf("case %d, %s: a gradient of %.1e (%+v)", seed, name, off, stats)
			}
		}
	}
	r := newRidgeCase(t, 1, true)
	d, err := NewDual(ctx, r.form["dense"], r.y, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Logistic(ctx, 0, 1e-6); !errors.Is(err, ErrOptions) {
		t.Error(err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := d.Logistic(stopped, 1, 1e-6); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
