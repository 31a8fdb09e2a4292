package stack

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestSharpness: of probabilities that are a power of the true ones, the sharpness is the inverse of that power, and sharpening
// gives the true ones back. No other power has a larger objective. The prior holds it where there is one seed, which alone would have it at an end.
func TestSharpness(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 1))
	const m, c = 20_000, 4
	for _, power := range []float64{0.5, 1, 1.6} {
		truth, p, classes := csr.NewDense(m, c), csr.NewDense(m, c), make([]uint32, m)
		for k := range m {
			row, sum, dull := make([]float64, c), 0.0, 0.0
			for j := range row {
				row[j] = math.Exp(2 * rng.NormFloat64())
				sum += row[j]
				dull += math.Pow(row[j], power)
			}
			u := rng.Float64() * sum
			for j, v := range row {
				if u >= 0 {
					classes[k] = uint32(j)
				}
				u -= v
				truth.Set(k, j, float32(v/sum))
				p.Set(k, j, float32(math.Pow(v, power)/dull))
			}
		}
		beta := FitSharpness(p, classes, 2)
		if math.Abs(beta*power-1) > 0.03 {
			t.Errorf("power %g: sharpness %.3f, expected about %.3f", power, beta, 1/power)
		}
		objective := func(beta float64) (sum float64) {
			q := csr.NewDense(m, c)
			copy(q.Data, p.Data)
			Sharpen(q, beta, 2)
			for k, class := range classes {
				sum += math.Log(float64(q.At(k, int(class))))
			}
			return sum - 5*math.Log(beta)*math.Log(beta)
		}
		best := objective(beta)
		for _, other := range []float64{0.25, 0.95 * beta, 1.05 * beta, 4} {
			if objective(other) > best {
				t.Errorf("power %g: sharpness %.4f has %.3f, and %.4f has %.3f", power, beta, best, other, objective(other))
			}
		}
		one := csr.NewDense(1, c)
		copy(one.Data, p.Data)
		if beta := FitSharpness(one, classes[:1], 2); beta < 0.5 || beta > 2 {
			t.Errorf("one seed: sharpness %.3f, expected nearer to 1", beta)
		}
		Sharpen(p, 1/power, 3)
		for k, v := range p.Data {
			if math.Abs(float64(v-truth.Data[k])) > 1e-5 {
				t.Fatalf("sharpened to %g, expected %g", v, truth.Data[k])
			}
		}
	}
}

// TestSharpnessOfEdges: rows of zeros stay, as does the order of a row, with zeros and the least numbers in it; a class
// of probability 0 does not make anything infinite.
func TestSharpnessOfEdges(t *testing.T) {
	p := csr.NewDense(3, 3)
	copy(p.Data, []float32{0, 0, 0, 0, 1, 0, 0.2, math.SmallestNonzeroFloat32, 0.8})
	if beta := FitSharpness(p, []uint32{0, 0, 1}, 2); !(beta >= 0.25 && beta < 1) {
		t.Errorf("all wrong: sharpness %g, expected below 1", beta)
	}
	if beta := FitSharpness(csr.NewDense(0, 3), nil, 2); beta != 1 {
		t.Errorf("no seeds: sharpness %g, expected 1", beta)
	}
	for _, beta := range []float64{0.25, 4} {
		q := csr.NewDense(3, 3)
		copy(q.Data, p.Data)
		Sharpen(q, beta, 1)
		for i, want := range [][]float64{{0, 0, 0}, {0, 1, 0}, {math.Pow(0.25, beta) / (1 + math.Pow(0.25, beta)), 0, 1 / (1 + math.Pow(0.25, beta))}} {
			for j, v := range q.Row(i) {
				if math.Abs(float64(v)-want[j]) > 1e-6 {
					t.Errorf("sharpness %g, row %d: %v, expected %v", beta, i, q.Row(i), want)
				}
			}
		}
	}
}
