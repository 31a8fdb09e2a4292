package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestColumns: each loop does what its definition says, in every version with
// the same bits, for blocks that are no whole number of periods too, and writes
// nothing outside.
func TestColumns(t *testing.T) {
	for _, c := range []int{1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 33} {
		for _, rows := range []int{0, 1, 3, 7, 8, 9, 64, 101} {
			rng := rand.New(rand.NewPCG(uint64(c), uint64(rows)))
			normal := func() float32 { return float32(rng.NormFloat64()) }
			draw := func(n int) []float32 {
				s := make([]float32, n)
				for k := range s {
					s[k] = normal()
				}
				return s
			}
			x, y, z := draw(rows*c), draw(rows*c), draw(rows*c)
			a, b := make([]float32, Period(c)), make([]float32, Period(c))
			for k := range a {
				a[k], b[k] = x1(k%c), x1(k%c+1)
			}
			for _, name := range Names() {
				use(t, name)
				checkColumns(t, name, c, x, y, z, a, b)
			}
		}
	}
}

func x1(k int) float32 { return float32(math.Sin(float64(k + 1))) }

func checkColumns(t *testing.T, name string, c int, x, y, z, a, b []float32) {
	t.Helper()
	copied := func(s []float32) (whole, part []float32) {
		k := -1
		return fenced(len(s), 3, func() float32 { k++; return s[k] })
	}
	sums := func() []float64 { return slices.Repeat([]float64{0}, len(a)) }
	fold := func(sum []float64) []float64 {
		s := make([]float64, c)
		Fold(s, sum)
		return s
	}
	wantSum, rows := make([]float64, c), len(x)/c
	same := func(what string, whole, got []float32, want func(i, k, j int) float32) {
		t.Helper()
		for i := range rows {
			for j := range c {
				k := i*c + j
				if w := want(i, k, j); got[k] != w {
					t.Fatalf("%s, %s, %d columns: row %d, column %d is %v, want %v", name, what, c, i, j, got[k], w)
				}
			}
		}
		checkFence(t, whole, 3)
	}
	sameSum := func(what string, sum []float64) {
		t.Helper()
		for j, v := range fold(sum) {
			if math.Abs(v-wantSum[j]) > 1e-12*float64(1+rows) {
				t.Fatalf("%s, %s, %d columns: sum %d is %v, want %v", name, what, c, j, v, wantSum[j])
			}
		}
		clear(wantSum)
	}
	bits := func(what string, run func(sum []float64)) []float64 {
		t.Helper()
		sum, portable := sums(), sums()
		run(sum)
		Select("portable")
		run(portable)
		Select(name)
		if !slices.Equal(sum, portable) {
			t.Fatalf("%s, %s, %d columns: sums %v, portable %v", name, what, c, sum, portable)
		}
		return sum
	}

	var whole, got []float32
	sum := bits("MinusDot", func(sum []float64) {
		whole, got = copied(x)
		MinusDot(got, y, a[0], sum)
	})
	same("MinusDot", whole, got, func(_, k, j int) float32 {
		v := y[k] - float32(a[0]*x[k])
		wantSum[j] += float64(v) * float64(y[k])
		return v
	})
	sameSum("MinusDot", sum)

	sum = bits("Descend", func(sum []float64) {
		whole, got = copied(x)
		Descend(got, y, a, sum)
	})
	same("Descend", whole, got, func(_, k, j int) float32 {
		v := x[k] - float32(a[j]*y[k])
		wantSum[j] += float64(v) * float64(v)
		return v
	})
	sameSum("Descend", sum)

	wholeX, gotX := copied(x)
	wholeP, gotP := copied(y)
	Advance(gotX, gotP, z, a, b)
	same("Advance, x", wholeX, gotX, func(_, k, j int) float32 { return x[k] + float32(a[j]*y[k]) })
	same("Advance, p", wholeP, gotP, func(_, k, j int) float32 { return z[k] + float32(b[j]*y[k]) })
}
