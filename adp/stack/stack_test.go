package stack

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// draw returns likelihoods of m seeds by methods that are right with some probability.
func draw(rng *rand.Rand, m int, right ...float64) [][]float64 {
	out := make([][]float64, len(right))
	for r, p := range right {
		for range m {
			v := 0.1
			if rng.Float64() < p {
				v = 0.8
			}
			out[r] = append(out[r], v)
		}
	}
	return out
}

// objective is what Weigh maximises.
func objective(w, pi []float64, likelihoods [][]float64) (sum float64) {
	for k := range likelihoods[0] {
		all := 0.0
		for r, p := range likelihoods {
			all += w[r] * p[k]
		}
		sum += math.Log(all)
	}
	for r, v := range w {
		sum += Strength * pi[r] * math.Log(v)
	}
	return sum
}

// TestWeighIsTheMaximum: no weights of a fine grid of the simplex have a larger objective.
func TestWeighIsTheMaximum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pi := []float64{0.5, 0.3, 0.2}
	for range 20 {
		l := draw(rng, 1+rng.IntN(60), rng.Float64(), rng.Float64(), rng.Float64())
		w := Weigh(l, []float64{5, 3, 2})
		best := objective(w, pi, l)
		const steps = 60
		for a := 1; a < steps; a++ {
			for b := 1; a+b < steps; b++ {
				grid := []float64{float64(a) / steps, float64(b) / steps, float64(steps-a-b) / steps}
				if objective(grid, pi, l) > best+1e-9 {
					t.Fatalf("weights %v have %v, %v have %v", w, best, grid, objective(grid, pi, l))
				}
			}
		}
	}
}

// TestWeigh: without seeds the weights are the prior; equals share it as the prior has it; one
// that is right where the other is wrong takes nearly all.
func TestWeigh(t *testing.T) {
	near := func(got, want []float64, by float64) bool {
		for r := range got {
			if math.Abs(got[r]-want[r]) > by {
				return false
			}
		}
		return true
	}
	same := []float64{0.9, 0.2, 0.4}
	for _, c := range []struct {
		likelihoods [][]float64
		prior, want []float64
		by          float64
	}{
		{[][]float64{{}, {}}, []float64{1, 3}, []float64{0.25, 0.75}, 0},
		{[][]float64{same, same}, []float64{1, 3}, []float64{0.25, 0.75}, 1e-12},
		{draw(rand.New(rand.NewPCG(1, 1)), 400, 1, 0), []float64{1, 1}, []float64{1, 0}, 0.02},
	} {
		if got := Weigh(c.likelihoods, c.prior); !near(got, c.want, c.by) {
			t.Errorf("weights %v, expected %v", got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a prior of zeros does not panic")
		}
	}()
	Weigh([][]float64{{}, {}}, []float64{0, 0})
}

// TestTemperature: scores that know nothing get a small τ, scores that are always right a large one; none
// the usual one.
func TestTemperature(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const m, c = 200, 4
	noise, sure, sizes, classes := csr.NewDense(m, c), csr.NewDense(m, c), make([]float64, m), make([]uint32, m)
	for k := range m {
		classes[k], sizes[k] = uint32(rng.IntN(c)), 1
		for j := range c {
			noise.Set(k, j, float32(rng.NormFloat64()))
		}
		sure.Set(k, int(classes[k]), 1)
	}
	Centre(noise, 1)
	Centre(sure, 1)
	if s := FitScale(noise, sizes, classes, true, 2); s.Temperature > 0.22 {
		t.Errorf("noise: %+v", s)
	}
	if s := FitScale(sure, sizes, classes, true, 2); s.Temperature < 4 {
		t.Errorf("scores that are right: %+v", s)
	}
	if s := FitScale(csr.NewDense(0, c), nil, nil, true, 2); s != Usual {
		t.Errorf("none: %+v", s)
	}
}

// TestEven: scores that are right as often, however large they are, get γ = 1, and those that are right
// where they are large γ = 0.
func TestEven(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const m, c = 400, 4
	alike, surer, sizes, classes := csr.NewDense(m, c), csr.NewDense(m, c), make([]float64, m), make([]uint32, m)
	for k := range m {
		classes[k] = uint32(rng.IntN(c))
		size := math.Exp(3 * rng.NormFloat64())
		guess := func(right float64) int {
			if rng.Float64() < right {
				return int(classes[k])
			}
			return rng.IntN(c)
		}
		alike.Set(k, guess(0.6), float32(size))
		surer.Set(k, guess(size/(1+size)), float32(min(size, 4)))
	}
	for name, scores := range map[string]*csr.Dense{"alike": alike, "surer": surer} {
		Centre(scores, 1)
		for k := range sizes {
			sizes[k] = Size(scores, 1)
		}
		if s := FitScale(scores, sizes, classes, false, 2); s.Even != 0 {
			t.Errorf("%s, one size: %+v", name, s)
		}
		if s := FitScale(scores, sizes, classes, true, 2); (s.Even == 1) != (name == "alike") {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestProbabilities: they sum to 1, follow the softmax, and stay numbers whatever the scores.
func TestProbabilities(t *testing.T) {
	p := make([]float64, 3)
	for _, z := range [][]float32{{0, 0, 0}, {1, 0, -1}, {3e38, -3e38, 0}, {1e-38, 0, 0}} {
		for _, s := range []Scale{{0.1, 0}, {8, 0}, {0.1, 0.5}, {8, 1}} {
			s.Probabilities(p, z, 1)
			sum := 0.0
			for j, v := range p {
				if !(v >= floor/3-1e-15 && v <= 1) {
					t.Errorf("%v: %v of class %d", z, v, j)
				}
				sum += v
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%v: sum %v", z, sum)
			}
		}
	}
	rms := math.Sqrt(2. / 3)
	for even, size := range map[float64]float64{0: 2, 0.5: math.Sqrt(2 * rms), 1: rms} {
		Scale{3, even}.Probabilities(p, []float32{1, 0, -1}, 2)
		e := []float64{math.Exp(3 / size), 1, math.Exp(-3 / size)}
		for j := range p {
			if want := 0.98*e[j]/(e[0]+e[1]+e[2]) + 0.02/3; math.Abs(p[j]-want) > 1e-12 {
				t.Errorf("γ = %v, class %d: %v, expected %v", even, j, p[j], want)
			}
		}
	}
}

// TestScores: shares, centres and sizes by hand; rows of zeros say nothing.
func TestScores(t *testing.T) {
	f := &csr.Dense{Rows: 3, Cols: 2, Data: []float32{3, 1, 0, 0, 1, 1}}
	Shares(f, 2)
	Centre(f, 2)
	want := []float32{0.25, -0.25, 0, 0, 0, 0}
	for k, v := range f.Data {
		if v != want[k] {
			t.Fatalf("%v, expected %v", f.Data, want)
		}
	}
	if got := Size(f, 2); got != 0.25 {
		t.Errorf("size %v, expected 0.25", got)
	}
	if got := Size(csr.NewDense(5, 2), 1); got != 1 {
		t.Errorf("size of zeros %v", got)
	}
}

// TestWeighOfNoChance: a seed whose class no method gives changes nothing.
func TestWeighOfNoChance(t *testing.T) {
	want := Weigh([][]float64{{0.9, 0.2}, {0.1, 0.3}}, []float64{0.5, 0.5})
	if got := Weigh([][]float64{{0.9, 0, 0.2}, {0.1, 0, 0.3}}, []float64{0.5, 0.5}); !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	if got := Weigh([][]float64{{0, 0}, {0, 0}}, []float64{1, 3}); !slices.Equal(got, []float64{0.25, 0.75}) {
		t.Errorf("%v, expected the prior", got)
	}
}

// TestFitThreads: what is fitted to more rows than one task has is the same for any number of threads.
func TestFitThreads(t *testing.T) {
	const m, c = 3000, 4
	rng := rand.New(rand.NewPCG(11, 12))
	scores, p := csr.NewDense(m, c), csr.NewDense(m, c)
	classes, sizes := make([]uint32, m), make([]float64, m)
	for k := range m {
		classes[k], sizes[k] = uint32(rng.IntN(c)), 1
		all := float32(0)
		for j := range c {
			scores.Set(k, j, float32(rng.NormFloat64()))
			p.Set(k, j, rng.Float32()+0.01)
			if uint32(j) == classes[k] {
				scores.Set(k, j, scores.At(k, j)+1)
				p.Set(k, j, p.At(k, j)+0.3)
			}
			all += p.At(k, j)
		}
		for j := range c {
			p.Set(k, j, p.At(k, j)/all)
		}
	}
	Centre(scores, 1)
	scale, sharpness := FitScale(scores, sizes, classes, true, 1), FitSharpness(p, classes, 1)
	likely := scale.Likelihoods(scores, sizes, classes, 1)
	for k, class := range classes {
		own := make([]float64, c)
		if scale.Probabilities(own, scores.Row(k), 1); likely[k] != own[class] {
			t.Fatalf("row %d: %v, expected %v", k, likely[k], own[class])
		}
	}
	for threads := 2; threads <= 3; threads++ {
		if s := FitScale(scores, sizes, classes, true, threads); s != scale {
			t.Errorf("%d threads: %+v, expected %+v", threads, s, scale)
		}
		if eta := FitSharpness(p, classes, threads); eta != sharpness {
			t.Errorf("%d threads: sharpness %v, expected %v", threads, eta, sharpness)
		}
		if !slices.Equal(scale.Likelihoods(scores, sizes, classes, threads), likely) {
			t.Errorf("%d threads: other likelihoods", threads)
		}
	}
}
