package trees

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// table returns l rows of d normal columns, and one class of c a row by the sign of the first columns.
func table(l, d, c int) (*csr.Dense, [][]float64, []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, t, w := csr.NewDense(l, d), make([][]float64, l), make([]float64, l)
	for i := range l {
		class := 0
		for j := range d {
			v := rng.NormFloat64()
			x.Set(i, j, float32(v))
			if j < 3 && v > 0 {
				class += 1 << j
			}
		}
		t[i], w[i] = make([]float64, c), 0.5+rng.Float64()
		t[i][class%c] = 1
	}
	return x, t, w
}

func grow(t *testing.T, x *csr.Dense, shares [][]float64, w []float64, threads int) *Forest {
	t.Helper()
	f, err := Grow(t.Context(), x, shares, w, threads)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestLeavesByHand: each row ends in the leaf whose path its values satisfy, every sample is in one leaf of its own classes, and f is
// the weighted mean over leaves that are found by comparing all samples with the path.
func TestLeavesByHand(t *testing.T) {
	x, shares, w := table(60, 4, 3)
	shares[7] = []float64{0.25, 0, 0.75}
	copy(x.Row(8), x.Row(9)) // rows that no column splits
	shares[8], shares[9] = []float64{1, 0, 0}, []float64{0, 1, 0}
	f := grow(t, x, shares, w, 1)
	query, _, _ := table(20, 4, 3)
	for i := range query.Rows {
		row := query.Row(i)
		want, weights := make([]float64, 3), make([]float64, 60)
		for k := range f.trees {
			in := func(l int) bool { // the path of row i, followed by sample l
				nodes := f.trees[k].nodes
				for at := 0; nodes[at].column >= 0; {
					n := nodes[at]
					right := row[n.column] > n.threshold
					if right != (x.At(l, int(n.column)) > n.threshold) {
						return false
					}
					if at++; right {
						at = int(n.right)
					}
				}
				return true
			}
			total := 0.0
			for l := range 60 {
				if in(l) {
					total += w[l]
				}
			}
			if total == 0 {
				t.Fatalf("tree %d: an empty leaf", k)
			}
			for l := range 60 {
				if in(l) {
					weights[l] += w[l] / total / Count
					for j, share := range shares[l] {
						want[j] += w[l] * share / total
					}
				}
			}
		}
		got := make([]float32, 3)
		f.add(got, row)
		for j := range want {
			if math.Abs(float64(got[j])-want[j]) > 1e-4 {
				t.Errorf("row %d: %v, expected %v", i, got, want)
			}
		}
		for l, v := range f.Weights(row) {
			if math.Abs(v-weights[l]) > 1e-12 {
				t.Errorf("row %d: sample %d has weight %v, expected %v", i, l, v, weights[l])
			}
		}
	}
	for l := range 60 { // trees of one-class leaves know their samples
		got := make([]float32, 3)
		f.add(got, x.Row(l))
		if l != 8 && l != 9 && math.Abs(float64(got[slices.Index(shares[l], slices.Max(shares[l]))])/Count-slices.Max(shares[l])) > 1e-5 {
			t.Errorf("sample %d of %v is told %v", l, shares[l], got)
		}
	}
}

// TestInteractions: the class is a product of signs, which no straight line and no single column tells.
func TestInteractions(t *testing.T) {
	x, shares, w := table(2000, 5, 2)
	for i := range shares {
		class := 0
		if (x.At(i, 0) > 0) != (x.At(i, 1) > 0) {
			class = 1
		}
		shares[i] = []float64{float64(1 - class), float64(class)}
	}
	f := grow(t, &csr.Dense{Rows: 400, Cols: 5, Data: x.Data[:2000]}, shares[:400], w[:400], 2)
	right := 0
	for i := 400; i < 2000; i++ {
		got := make([]float32, 2)
		f.add(got, x.Row(i))
		if (got[1] > got[0]) == (shares[i][1] == 1) {
			right++
		}
	}
	if share := float64(right) / 1600; share < 0.85 {
		t.Errorf("%.3f are right, expected at least .85", share)
	}
}

// TestLogarithms: columns and their exponentials have the same answers, but for values between the same two samples.
func TestLogarithms(t *testing.T) {
	x, shares, w := table(300, 6, 3)
	e := x.Clone()
	for k, v := range e.Data {
		e.Data[k] = float32(math.Exp(3 * float64(v)))
	}
	part := func(x *csr.Dense) *csr.Dense { return &csr.Dense{Rows: 100, Cols: 6, Data: x.Data[:600]} }
	a, b := grow(t, part(x), shares[:100], w[:100], 1), grow(t, part(e), shares[:100], w[:100], 1)
	same := 0
	for i := range 300 {
		p, q := make([]float32, 3), make([]float32, 3)
		a.add(p, x.Row(i))
		b.add(q, e.Row(i))
		if i < 100 && !slices.Equal(p, q) {
			t.Errorf("sample %d: %v, and %v of exponentials", i, p, q)
		}
		if slices.Index(p, slices.Max(p)) == slices.Index(q, slices.Max(q)) {
			same++
		}
	}
	if same < 270 {
		t.Errorf("%d of 300 labels are the same, expected nearly all", same)
	}
}

// TestSameBitsOfTrees: for any number of threads.
func TestSameBitsOfTrees(t *testing.T) {
	x, shares, w := table(200, 8, 4)
	var want []float32
	for _, threads := range []int{1, 2, 3, 8} {
		f, got := grow(t, x, shares, w, threads), make([]float32, 200*4)
		f.add(got, x.Data)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d threads: other bits", threads)
		}
	}
}

// TestFarValues: thresholds lie between their two values, of any size.
func TestFarValues(t *testing.T) {
	next := math.Nextafter32(1, 2)
	for _, pair := range [][2]float32{{-math.MaxFloat32, math.MaxFloat32}, {1, next}, {0, math.SmallestNonzeroFloat32}, {-1, 1}} {
		x := &csr.Dense{Rows: 2, Cols: 1, Data: []float32{pair[0], pair[1]}}
		f := grow(t, x, [][]float64{{1, 0}, {0, 1}}, []float64{1, 1}, 1)
		got := make([]float32, 4)
		f.add(got, x.Data)
		if !slices.Equal(got, []float32{Count, 0, 0, Count}) {
			t.Errorf("%v: %v", pair, got)
		}
	}
}

func BenchmarkGrow(b *testing.B) {
	for _, l := range []int{200, 4096} {
		x, shares, w := table(l, 16, 8)
		b.Run(fmt.Sprint(l), func(b *testing.B) {
			for b.Loop() {
				if _, err := Grow(b.Context(), x, shares, w, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestPurest compares the best threshold of a column with that of all thresholds, whose sides are summed anew.
func TestPurest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 50 {
		l := 2 + rng.IntN(40)
		x, shares, w := table(l, 1, 4)
		for i := range l { // few values, and soft classes
			x.Set(i, 0, float32(rng.IntN(6)))
			shares[i] = make([]float64, 4)
			soft := rng.Float64()
			shares[i][rng.IntN(4)] += soft
			shares[i][rng.IntN(4)] += 1 - soft
		}
		f := grow(t, x, shares, w, 1)
		g := &grower{samples: f.samples, sides: [2][]float64{make([]float64, 4), make([]float64, 4)}}
		part := make([]int32, l)
		for i := range part {
			part[i] = int32(i)
		}
		at, purity, ok := g.purest(part, g.column(0))
		most := math.Inf(-1)
		for _, threshold := range x.Data {
			if threshold < slices.Max(x.Data) {
				most = max(most, g.purity(part, x.Data, threshold))
			}
		}
		if ok != !math.IsInf(most, -1) || ok && (math.Abs(purity-most) > 1e-9 || math.Abs(g.purity(part, x.Data, at)-most) > 1e-9) {
			t.Errorf("trial %d: threshold %v, purity %v, %v, expected purity %v", trial, at, purity, ok, most)
		}
	}
}

// TestFewThatTell: among columns that say nothing, one tells two classes, but for the rare one only past its 95 %. Best thresholds find it.
func TestFewThatTell(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const l, d = 400, 12
	draw := func() (*csr.Dense, [][]float64, []float64) {
		x, shares, w := csr.NewDense(l, d), make([][]float64, l), make([]float64, l)
		for i := range l {
			for j := range d {
				x.Set(i, j, float32(rng.Float64()))
			}
			class := 0
			if x.At(i, 0) > 0.95 {
				class = 1
			}
			shares[i], w[i] = make([]float64, 2), 1
			shares[i][class] = 1
		}
		return x, shares, w
	}
	x, shares, w := draw()
	f := grow(t, x, shares, w, 2)
	query, truth, _ := draw()
	var rare, other [2]float64 // the mean part of class 1 by trees of both kinds
	for k := range f.trees {
		count := [2]float64{}
		sums := [2]float64{}
		for i := range l {
			leaf := f.trees[k].leaf(query.Row(i))
			count[int(truth[i][1])]++
			sums[int(truth[i][1])] += float64(leaf.class)
		}
		rare[k%2] += sums[1] / count[1] / (Count / 2)
		other[k%2] += sums[0] / count[0] / (Count / 2)
	}
	if !(rare[1] > rare[0]+0.15 && rare[1] > 0.8 && other[1] < 0.05) {
		t.Errorf("random thresholds find %.3f of the rare class, best ones %.3f; %.3f and %.3f of the other are taken for it", rare[0], rare[1], other[0], other[1])
	}
}
