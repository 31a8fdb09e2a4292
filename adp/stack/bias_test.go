package stack

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// biasObjective is what FitBias maximises, where a bias of g is expected.
func biasObjective(p *csr.Dense, classes []uint32, b, g []float64, rho float64) (sum float64) {
	q := make([]float64, p.Cols)
	for k, class := range classes {
		if scaled(q, p.Row(k), exponentials(b)) {
			sum += math.Log(q[class])
		}
	}
	for j, v := range b {
		sum -= rho / 2 * (v - g[j]) * (v - g[j])
	}
	return sum
}

// TestFitBias: no bias near the one found has a larger objective; one that was put into probabilities is taken out of
// them; without seeds or skill there is none.
func TestFitBias(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const m, c = 3000, 3
	p, classes := csr.NewDense(m, c), make([]uint32, m)
	put := []float64{0.9, -0.3, -0.6}
	for k := range m {
		classes[k] = uint32(k % c)
		sum := 0.0
		row := make([]float64, c)
		for j := range row {
			row[j] = rng.NormFloat64()
			if j == k%c {
				row[j] += 1
			}
			row[j] = math.Exp(row[j] + put[j]) // the posterior of unit normals, with a bias
			sum += row[j]
		}
		for j, v := range row {
			p.Set(k, j, float32(v/sum))
		}
	}
	b := FitBias(p, classes, 0.6, nil)
	for j := range b {
		if math.Abs(b[j]+put[j]) > 0.1 {
			t.Errorf("bias %v, expected about the opposite of %v", b, put)
		}
	}
	rho := 4 / (0.4 * 0.4)
	for _, sizes := range [][]float64{nil, {0.02, 0.3, 0.68}} {
		b, expected := FitBias(p, classes, 0.6, sizes), make([]float64, c)
		for j, size := range sizes { // a = 0.4
			expected[j] = (1 - 1.5*0.4) * math.Log(3*size)
		}
		best := biasObjective(p, classes, b, expected, rho)
		for range 200 {
			other := append([]float64(nil), b...)
			for j := range other {
				other[j] += 0.05 * rng.NormFloat64()
			}
			if biasObjective(p, classes, other, expected, rho) > best+1e-9 {
				t.Fatalf("sizes %v: %v is better than %v", sizes, other, b)
			}
		}
	}
	before := rowsRight(p, classes)
	AddBias(p, b, 2)
	if after := rowsRight(p, classes); after < before+100 {
		t.Errorf("%d right before, %d after", before, after)
	}
	if FitBias(p, classes, 1.0/3, nil) != nil || FitBias(csr.NewDense(0, c), nil, 0.9, nil) != nil {
		t.Error("a bias without skill, or without seeds")
	}
	if b := FitBias(p, classes, 0.2, []float64{0.5, 0.25, 0.25}); math.Abs(b[0]-math.Log(1.5)) > 1e-12 || math.Abs(b[2]-math.Log(0.75)) > 1e-12 {
		t.Errorf("bias %v without skill, expected that of the sizes", b)
	}
}

// rowsRight returns how many rows are largest at their class.
func rowsRight(p *csr.Dense, classes []uint32) (count int) {
	for k, class := range classes {
		top := 0
		for j, v := range p.Row(k) {
			if v > p.Row(k)[top] {
				top = j
			}
		}
		if top == int(class) {
			count++
		}
	}
	return count
}

// TestMatchBias: with the bias the classes are as frequent as in the other probabilities, over the rows that both have.
func TestMatchBias(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p, f := csr.NewDense(500, 3), csr.NewDense(500, 3)
	without := make([]bool, 500)
	for i := range p.Rows {
		without[i] = i%5 == 0
		if i%7 == 0 || i%11 == 0 { // no features, or no answer
			copy(f.Row(i), []float32{float32(i % 7), 0, 1})
			continue
		}
		for j := range 3 {
			p.Row(i)[j] = float32(r.Float64() + 0.1)
			f.Row(i)[j] = float32(r.Float64()) * []float32{20, 1, 0.2}[j]
		}
		if without[i] {
			copy(f.Row(i), []float32{0, 0, 1})
		}
	}
	for _, threads := range []int{1, 3} {
		b := MatchBias(p, f, without, threads)
		q := p.Clone()
		AddBias(q, b, 1)
		var had, wanted [3]float64
		for i := range q.Rows {
			if without[i] || slices.Max(p.Row(i)) == 0 || slices.Max(f.Row(i)) == 0 {
				continue
			}
			total := f.Row(i)[0] + f.Row(i)[1] + f.Row(i)[2]
			for j := range 3 {
				had[j] += float64(q.Row(i)[j])
				wanted[j] += float64(f.Row(i)[j] / total)
			}
		}
		for j := range had {
			if math.Abs(had[j]-wanted[j]) > 0.01*wanted[j] {
				t.Errorf("class %d: %v, expected %v", j, had[j], wanted[j])
			}
		}
	}
	if b := MatchBias(csr.NewDense(2, 3), f, nil, 1); b != nil {
		t.Errorf("%v without a row, expected none", b)
	}
}
