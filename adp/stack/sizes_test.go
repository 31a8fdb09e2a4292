package stack

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
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

// TestClassSizes: with the true likelihoods and many seeds the estimate is the share that was drawn; of few seeds, or
// probabilities that say little, there is none; the decision gains.
func TestClassSizes(t *testing.T) {
	racing.LongSum(t)
	for _, share := range []float64{0.05, 0.3, 0.5, 0.9} {
		p, class := gaussians(60_000, share, 2, uint64(100*share))
		none := make([]bool, p.Rows)
		sizes := ClassSizes(p, none, 1_000_000, 0.84, 2)
		got := []float64{0.5, 0.5}
		if sizes != nil {
			got = sizes.Sizes
		}
		if math.Abs(got[0]-share) > 0.01 || math.Abs(got[0]+got[1]-1) > 1e-9 {
			t.Errorf("share %v: sizes %v", share, got)
		}
		if few := ClassSizes(p, none, 1, 0.6, 1); few != nil {
			t.Errorf("share %v: sizes %v by one seed", share, few)
		}
		before := right(p, class)
		if sizes != nil {
			sizes.Reweigh(p, 1)
		}
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
		if got := ClassSizes(p, none, test.leftOut, test.accuracy, 1); got != nil {
			t.Errorf("%d seeds of accuracy %v: sizes %v", test.leftOut, test.accuracy, got)
		}
	}
}

// TestSizesOfManyClasses: classes of equal sizes gain nothing by sizes, and lose less than 2 in 1,000 where probabilities
// prefer some of them and are too dull, as of 26 letters, once the bias and the power that 130 left-out seeds show are taken out.
func TestSizesOfManyClasses(t *testing.T) {
	racing.LongSum(t)
	const n, c = 5200, 26
	without, raw, dull, both := 0, 0, 0, 0
	for draw := range uint64(10) {
		rng := rand.New(rand.NewPCG(9, draw))
		left, classes := preferring(rng, 5*c, c)
		p, truth := preferring(rng, n, c)
		resized := func(p *csr.Dense) int {
			if sizes := ClassSizes(p, make([]bool, n), left.Rows, 0.6, 2); sizes != nil {
				sizes.Reweigh(p, 2)
			}
			return rowsRight(p, truth)
		}
		without += rowsRight(p, truth)
		raw += resized(p.Clone())
		bias := FitBias(left, classes, 0.6, nil)
		AddBias(left, bias, 2)
		AddBias(p, bias, 2)
		dull += resized(p.Clone())
		Sharpen(p, FitSharpness(left, classes, 2), 2)
		both += resized(p)
	}
	if both < without-10*n/500 || dull >= both || raw >= without-10*n/100 { // decision 12's rule had 25383
		t.Errorf("%d right, %d with sizes alone, %d with bias and sizes, %d sharpened before the sizes", without, raw, dull, both)
	}
}

// preferring returns probabilities, n×c, that prefer some classes, and the classes of the rows.
func preferring(rng *rand.Rand, n, c int) (*csr.Dense, []uint32) {
	p, classes := csr.NewDense(n, c), make([]uint32, n)
	for i := range n {
		sum := 0.0
		q := make([]float64, c)
		classes[i] = uint32(i % c)
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
	return p, classes
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

// TestShrink: sizes come nearer to the base by the part that chance explains.
func TestShrink(t *testing.T) {
	half := []float64{0.5, 0.5} // at a distance of .2²/.5 + .2²/.5 = .16 from .7 and .3
	if got := shrink([]float64{0.7, 0.3}, half, 0.04); math.Abs(got[0]-0.65) > 1e-12 || math.Abs(got[1]-0.35) > 1e-12 {
		t.Errorf("%v, expected three quarters of the way", got)
	}
	if got := shrink([]float64{0.7, 0.3}, half, 0.17); got != nil {
		t.Errorf("%v, which chance explains", got)
	}
}

// TestSizesOfTheOthers: rows that are left out, and rows of zeros, say nothing.
func TestSizesOfTheOthers(t *testing.T) {
	p, class := gaussians(2000, 0.3, 3, 7)
	without := make([]bool, 2000)
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
	a := ClassSizes(p, without, 50, 0.9, 1)
	b := ClassSizes(kept, make([]bool, kept.Rows), 50, 0.9, 1)
	if math.Abs(a.Sizes[0]-b.Sizes[0]) > 1e-12 {
		t.Errorf("sizes %v, of the same rows alone %v", a.Sizes, b.Sizes)
	}
	a.Reweigh(p, 1)
	for i := range class {
		if i%3 != 0 && i%7 == 0 && (p.Row(i)[0] != 0 || p.Row(i)[1] != 0) {
			t.Fatalf("row %d of zeros became %v", i, p.Row(i))
		}
	}
}

// TestSizesSameBits: any number of threads.
func TestSizesSameBits(t *testing.T) {
	p, _ := gaussians(50_000, 0.2, 1, 3)
	none := make([]bool, p.Rows)
	left, _ := gaussians(40, 0.5, 1, 4)
	want, shifted := ClassSizes(p, none, 40, 0.7, 1), ShiftedSizes(p, none, left, 0.7, 1)
	for _, threads := range []int{2, 3, 8} {
		if got := ClassSizes(p, none, 40, 0.7, threads); got.Sizes[0] != want.Sizes[0] {
			t.Errorf("%d threads: %v, expected %v", threads, got, want)
		}
		if got := ShiftedSizes(p, none, left, 0.7, threads); got.Sizes[0] != shifted.Sizes[0] {
			t.Errorf("%d threads: shifted %v, expected %v", threads, got, shifted)
		}
	}
}

// TestClassSizesOfMany: where classes follow each other in turn, the rows that speak for all are of each.
func TestClassSizesOfMany(t *testing.T) {
	const c, n = 5, 5 * sizeRows
	p := csr.NewDense(n, c)
	for i := range n {
		for j := range c {
			p.Set(i, j, 0.01)
		}
		p.Set(i, i%c, 0.96)
	}
	if sizes := ClassSizes(p, make([]bool, n), 100, 1, 2); sizes != nil { // else they are equal
		for j, size := range sizes.Sizes {
			if math.Abs(size-0.2) > 0.02 {
				t.Errorf("class %d: size %v, expected 0.2", j, size)
			}
		}
	}
}

// TestShiftedSizes: seeds that are a sample of the rows change nothing, whatever the classes' sizes; where seeds have
// other sizes than the rows, the estimate comes near those of the rows, and the decision gains.
func TestShiftedSizes(t *testing.T) {
	none := make([]bool, 20_000)
	kept := 0
	for draw := range uint64(20) {
		p, _ := gaussians(20_000, 0.1, 2, 100+draw)
		left, _ := gaussians(60, 0.1, 2, 200+draw)
		if ShiftedSizes(p, none, left, 0.9, 2) == nil {
			kept++
		}
	}
	if kept < 12 { // χ² of one degree is below 1 in 68 of 100
		t.Errorf("in %d of 20 draws a sample changes nothing", kept)
	}
	for _, share := range []float64{0.2, 0.8} {
		p, class := gaussians(20_000, share, 2, 7)
		left, of := gaussians(400, 1-share, 2, 8)
		classes := make([]uint32, len(of))
		for k, j := range of {
			classes[k] = uint32(j)
		}
		bias := FitBias(left, classes, 0.88, nil)
		AddBias(left, bias, 1)
		AddBias(p, bias, 1)
		before := right(p, class)
		sizes := ShiftedSizes(p, none, left, 0.88, 2)
		gaps := csr.NewDense(900, 2) // nobody knows anything of some left-out seeds
		copy(gaps.Data[600:], left.Data)
		if got := ShiftedSizes(p, none, gaps, 0.88, 2); math.Abs(got.Sizes[0]-sizes.Sizes[0]) > 1e-12 || math.Abs(got.Base[0]-sizes.Base[0]) > 1e-12 {
			t.Errorf("share %v: sizes %v with rows of zeros, expected %v", share, got, sizes)
		}
		if sizes == nil || math.Abs(sizes.Sizes[0]-share) > 0.06 {
			t.Fatalf("share %v: sizes %v", share, sizes)
		}
		if sizes.Reweigh(p, 2); right(p, class) < before+0.02 {
			t.Errorf("share %v: right %v before, %v after", share, before, right(p, class))
		}
	}
	p, _ := gaussians(20_000, 0.3, 2, 1)
	if ShiftedSizes(p, none, csr.NewDense(0, 2), 0.9, 1) != nil || ShiftedSizes(p, none, p, 0.5, 1) != nil {
		t.Error("sizes without left-out seeds, or without skill")
	}
	clear(p.Data)
	left, _ := gaussians(50, 0.3, 2, 1)
	if got := ShiftedSizes(p, none, left, 0.9, 1); got != nil {
		t.Errorf("rows of zeros: %v", got)
	}
}

// TestShiftedSizesOfAnEmptyClass: a class that no probability is of gets no size, and no NaN.
func TestShiftedSizesOfAnEmptyClass(t *testing.T) {
	widen := func(n int, share float64) *csr.Dense {
		two, _ := gaussians(n, share, 2, 5)
		p := csr.NewDense(n, 3)
		for i := range n {
			copy(p.Row(i), two.Row(i))
		}
		return p
	}
	p := widen(1000, 0.2)
	sizes := ShiftedSizes(p, make([]bool, p.Rows), widen(200, 0.8), 0.9, 1)
	sizes.Reweigh(p, 1)
	for i := range p.Rows {
		if row := p.Row(i); row[2] != 0 || math.Abs(float64(row[0])+float64(row[1])-1) > 1e-6 {
			t.Fatalf("row %d is %v with sizes %v", i, row, sizes.Sizes)
		}
	}
}

// TestSizesOfFewRows: two rows of one class among many seeds do not make it the only one, whatever the numbers of seeds are.
func TestSizesOfFewRows(t *testing.T) {
	p, left := csr.NewDense(40, 2), csr.NewDense(1000, 2)
	without := make([]bool, p.Rows)
	for i := range p.Rows {
		copy(p.Row(i), []float32{0.95, 0.05})
		without[i] = i > 1
	}
	for k := range left.Rows {
		copy(left.Row(k), []float32{float32(k%10) / 10, 1 - float32(k%10)/10})
	}
	if sizes := ClassSizes(p, without, 1000, 0.95, 1); sizes != nil && sizes.Sizes[0] > 0.8 {
		t.Errorf("by two rows: sizes %v", sizes.Sizes)
	}
	if sizes := ShiftedSizes(p, without, left, 0.95, 1); sizes != nil && sizes.Sizes[0] > 0.8 {
		t.Errorf("by two rows, seeds unlike: sizes %v", sizes.Sizes)
	}
	for i := range without {
		without[i] = true
	}
	if a, b := ClassSizes(p, without, 1000, 0.95, 1), ShiftedSizes(p, without, left, 0.95, 1); a != nil || b != nil {
		t.Errorf("without rows: sizes %v, %v", a, b)
	}
	for i := range without {
		without[i] = false
	}
	all, shifted := ClassSizes(p, without, 1000, 0.95, 1), ShiftedSizes(p, without, left, 0.95, 1)
	if all == nil || all.Shift != 0 || shifted == nil || !(shifted.Shift > 0.5) {
		t.Errorf("by forty rows: %+v, %+v", all, shifted)
	}
}
