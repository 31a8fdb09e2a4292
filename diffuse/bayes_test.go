package diffuse

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// TestBayesIsThatOfScikitLearn: feature_log_prob_ of ComplementNB(alpha=0.25), scikit-learn 1.2.1, of each row once for each class, with its
// share as the weight, less the mean over the classes.
func TestBayesIsThatOfScikitLearn(t *testing.T) {
	x := csr.NewDense(5, 4)
	copy(x.Data, []float32{2, 0, 1, 0, 0, 3, 1, 0, 1, 1, 0, 2, 0, 0, 4, 1, 1, 0, 0, 3})
	p := csr.NewDense(5, 3)
	copy(p.Data, []float32{1, 0, 0, 0.25, 0.5, 0.25, 0, 1, 0, 0, 0.125, 0.875, 0.5, 0, 0.5})
	want := oracle.Mat{
		{0.5066276, -0.1549712, -0.3516563},
		{-0.1848146, 0.465773, -0.2809584},
		{-0.1685512, -0.259901, 0.4284521},
		{-0.068658, 0.029861, 0.0387971},
	}
	sparse, err := csr.FromDense(x)
	if err != nil {
		t.Fatal(err)
	}
	for name, features := range map[string]Features{"dense": {Dense: x}, "sparse": {Sparse: sparse}} {
		got, err := Bayes(t.Context(), mustDiffuse(t, features, nil, Hops{}, 1), p, 0.25)
		if err != nil {
			t.Fatal(err)
		}
		if off := worstDifference(got, want); off > 1e-6 {
			t.Errorf("%s: V is off by %.1e", name, off)
		}
	}
}

// TestBayesBits: V is the same for any number of threads.
func TestBayesBits(t *testing.T) {
	dense, sparse, _ := drawFeatures(t, 700, 40, 1)
	for k, v := range dense.Dense.Data {
		dense.Dense.Data[k] = float32(math.Abs(float64(v)))
	}
	_, _, values := sparse.Sparse.Arrays()
	for k, v := range values {
		values[k] = float32(math.Abs(float64(v)))
	}
	p, _ := drawBlock(700, 5, 2)
	for k, v := range p.Data {
		p.Data[k] = float32(math.Abs(float64(v)))
	}
	for _, features := range []Features{dense, sparse} {
		var first []float32
		for _, threads := range []int{1, 2, 3, 8} {
			v, err := Bayes(t.Context(), mustDiffuse(t, features, nil, Hops{}, threads), p, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = v.Data
			} else if !slices.Equal(v.Data, first) {
				t.Errorf("%d threads have other bits than one", threads)
			}
		}
	}
}

// TestBayesRefuses: counts below 0, and a count in addition that is not above 0.
func TestBayesRefuses(t *testing.T) {
	x, p := csr.NewDense(2, 1), csr.NewDense(2, 2)
	copy(p.Data, []float32{1, 0, 0, 1})
	copy(x.Data, []float32{1, -1})
	d := mustDiffuse(t, Features{Dense: x}, nil, Hops{}, 1)
	if _, err := Bayes(t.Context(), d, p, 1); !errors.Is(err, ErrFeatures) {
		t.Errorf("a count of -1: %v", err)
	}
	for _, a := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := Bayes(t.Context(), d, p, a); !errors.Is(err, ErrOptions) {
			t.Errorf("%v in addition: %v", a, err)
		}
	}
}
