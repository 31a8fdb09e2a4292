package stack

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// gaussians returns the probabilities of two classes of equal sizes for points of two normal
// distributions a distance apart, of which a share is in the first.
func gaussians(n int, share, apart float64, seed uint64) (p *csr.Dense, class []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	p = csr.NewDense(n, 2)
	for i := range n {
		k := 0
		if rng.Float64() >= share {
			k = 1
		}
		x := rng.NormFloat64() + apart*float64(k)
		q := 1 / (1 + math.Exp(apart*(x-apart/2)))
		p.Set(i, 0, float32(q))
		p.Set(i, 1, float32(1-q))
		class = append(class, k)
	}
	return p, class
}

// TestClassSizes: with the true likelihoods and many seeds the estimate is the share that was drawn; few seeds, or
// probabilities that say little, leave the base; the decision gains.
func TestClassSizes(t *testing.T) {
	half := []float64{0.5, 0.5}
	for _, share := range []float64{0.05, 0.3, 0.5, 0.9} {
		p, class := gaussians(60_000, share, 2, uint64(100*share))
		none := make([]bool, p.Rows)
		got := ClassSizes(p, none, half, 1_000_000, 0.84, 2)
		if math.Abs(got[0]-share) > 0.01 || math.Abs(got[0]+got[1]-1) > 1e-9 {
			t.Errorf("share %v: sizes %v", share, got)
		}
		if few := ClassSizes(p, none, half, 1, 0.6, 1); math.Abs(few[0]-0.5) > 0.01 {
			t.Errorf("share %v: sizes %v by one seed", share, few)
		}
		before := right(p, class)
		Reweigh(p, half, got, 1)
		after := right(p, class)
		if math.Abs(share-0.5) > 0.3 && after < before+0.02 || after < before-0.005 {
			t.Errorf("share %v: right %v before, %v after", share, before, after)
		}
	}
	p, _ := gaussians(100, 0.3, 2, 1)
	none := make([]bool, 100)
	for _, test := range []struct {
		leftOut  int
		accuracy float64
	}{{0, 0}, {10, 0.5}, {10, 0.3}} {
		if got := ClassSizes(p, none, half, test.leftOut, test.accuracy, 1); got != nil {
			t.Errorf("%d seeds of accuracy %v: sizes %v", test.leftOut, test.accuracy, got)
		}
	}
}

// TestSizesOfManyClasses: classes of equal sizes stay about so where probabilities prefer some of
// them and a few seeds a class were left out, as of 26 letters.
func TestSizesOfManyClasses(t *testing.T) {
	const n, c = 5200, 26
	rng := rand.New(rand.NewPCG(9, 1))
	p, base := csr.NewDense(n, c), make([]float64, c)
	for j := range base {
		base[j] = 1.0 / c
	}
	for i := range n {
		sum := 0.0
		q := make([]float64, c)
		for j := range q {
			preferred := math.Exp(float64(j%3-1) / 2)
			q[j] = preferred * math.Exp(1.5*rng.NormFloat64())
			if j == i%c {
				q[j] *= math.Exp(3)
			}
			sum += q[j]
		}
		for j, v := range q {
			p.Set(i, j, float32(v/sum))
		}
	}
	for j, size := range ClassSizes(p, make([]bool, n), base, 130, 0.6, 1) {
		if size < 0.85/c || size > 1.15/c {
			t.Errorf("class %d has a size of %.2f of the mean", j, size*c)
		}
	}
}

func right(p *csr.Dense, class []int) float64 {
	count := 0
	for i, k := range class {
		if p.Row(i)[k] > p.Row(i)[1-k] {
			count++
		}
	}
	return float64(count) / float64(len(class))
}

// TestSizesOfTheOthers: rows that are left out, and rows of zeros, say nothing.
func TestSizesOfTheOthers(t *testing.T) {
	p, class := gaussians(2000, 0.3, 3, 7)
	without, base := make([]bool, 2000), []float64{0.4, 0.6}
	kept := csr.NewDense(0, 2)
	for i := range 2000 {
		switch {
		case i%3 == 0:
			without[i] = true
		case i%7 == 0:
			clear(p.Row(i))
		default:
			kept.Data = append(kept.Data, p.Row(i)...)
			kept.Rows++
		}
	}
	a := ClassSizes(p, without, base, 50, 0.9, 1)
	b := ClassSizes(kept, make([]bool, kept.Rows), base, 50, 0.9, 1)
	if math.Abs(a[0]-b[0]) > 1e-12 {
		t.Errorf("sizes %v, of the same rows alone %v", a, b)
	}
	Reweigh(p, base, a, 1)
	for i := range class {
		if i%3 != 0 && i%7 == 0 && (p.Row(i)[0] != 0 || p.Row(i)[1] != 0) {
			t.Fatalf("row %d of zeros became %v", i, p.Row(i))
		}
	}
}

// TestSizesSameBits: any number of threads.
func TestSizesSameBits(t *testing.T) {
	p, _ := gaussians(50_000, 0.2, 1, 3)
	none, half := make([]bool, p.Rows), []float64{0.5, 0.5}
	want := ClassSizes(p, none, half, 40, 0.7, 1)
	for _, threads := range []int{2, 3, 8} {
		if got := ClassSizes(p, none, half, 40, 0.7, threads); got[0] != want[0] {
			t.Errorf("%d threads: %v, expected %v", threads, got, want)
		}
	}
}

// TestClassSizesOfMany: where classes follow each other in turn, the rows that speak for all are of each.
func TestClassSizesOfMany(t *testing.T) {
	const c, n = 5, 5 * sizeRows
	p, base := csr.NewDense(n, c), []float64{0.2, 0.2, 0.2, 0.2, 0.2}
	for i := range n {
		for j := range c {
			p.Set(i, j, 0.01)
		}
		p.Set(i, i%c, 0.96)
	}
	sizes := ClassSizes(p, make([]bool, n), base, 100, 1, 2)
	for j, size := range sizes {
		if math.Abs(size-0.2) > 0.02 {
			t.Errorf("class %d: size %v, expected 0.2", j, size)
		}
	}
}
