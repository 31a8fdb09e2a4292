package csr

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// TestLongRowsKeepDigits: the sum over a hub's row is off by no more than the
// rounding of one run (512 times half a unit, 1.5e-5 of the sum if all errors
// have one sign), where a plain float32 sum is off by 3e-3.
func TestLongRowsKeepDigits(t *testing.T) {
	const n, c = 300000, 5 // four columns at a time, and one
	indices := make([]uint32, n)
	data := make([]float32, n)
	x := NewDense(n, c)
	want := 0.0
	plain := float32(0)
	for k := range indices {
		indices[k] = uint32(k)
		data[k] = 0.1
		want += float64(data[k])
		plain += data[k]
	}
	for k := range x.Data {
		x.Data[k] = 1
	}
	m, err := New(1, n, []int64{0, n}, indices, data)
	if err != nil {
		t.Fatal(err)
	}
	dst := NewDense(1, c)
	MulDense(dst, m, x, 1)
	for j, got := range dst.Data {
		if e := math.Abs(float64(got)-want) / want; e > 1.5e-5 {
			t.Errorf("column %d: %v, want %v (off by %.1e; a plain sum by %.1e)", j, got, want, e, math.Abs(float64(plain)-want)/want)
		}
	}
}

// TestMulDenseOfHubs: rows of all lengths about the run of 512 between short
// ones, blocks of all widths: the same bits by the definition (float32 over runs,
// float64 over these), whatever the kernel, the threads and the rows asked for;
// guards around the result stay.
func TestMulDenseOfHubs(t *testing.T) {
	const n, m, guard = 1100, 3000, float32(12345)
	rng := rand.New(rand.NewPCG(5, 6))
	indptr := []int64{0}
	var indices []uint32
	var data []float32
	for i := range n {
		length := rng.IntN(20)
		if i%50 == 0 {
			length = []int{511, 512, 513, 1023, 1024, 1025, 2900}[i/50%7]
		}
		for _, j := range rng.Perm(m)[:length] {
			indices = append(indices, uint32(j))
			data = append(data, float32(rng.NormFloat64()))
		}
		slices.Sort(indices[indptr[i]:])
		indptr = append(indptr, int64(len(indices)))
	}
	a, err := New(n, m, indptr, indices, data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []int{1, 3, 4, 7, 10, 32, 64, 65, 150} {
		x := NewDense(m, c)
		for k := range x.Data {
			x.Data[k] = float32(rng.NormFloat64())
		}
		want := make([]float32, n*c)
		for i := range n {
			for j := range c {
				want[i*c+j] = byRuns(a, i, x, j)
			}
		}
		for _, name := range kernel.Names() {
			before := kernel.Select(name)
			t.Cleanup(func() { kernel.Select(before) })
			for _, threads := range []int{1, 3} {
				whole := slices.Repeat([]float32{guard}, n*c+6)
				dst := &Dense{Rows: n, Cols: c, Data: whole[3 : 3+n*c]}
				MulDense(dst, a, x, threads)
				if !slices.Equal(dst.Data, want) {
					t.Fatalf("%s, %d columns, %d threads: not as defined", name, c, threads)
				}
				if slices.ContainsFunc(append(slices.Clone(whole[:3]), whole[3+n*c:]...), func(v float32) bool { return v != guard }) {
					t.Fatalf("%s, %d columns: wrote outside", name, c)
				}
			}
			dst := &Dense{Rows: n, Cols: c, Data: slices.Repeat([]float32{guard}, n*c)}
			MulDenseRows(dst, a, x, 90, 160)
			if !slices.Equal(dst.Data[90*c:160*c], want[90*c:160*c]) || dst.Data[90*c-1] != guard || dst.Data[160*c] != guard {
				t.Fatalf("%s, %d columns: rows 90 to 159 are not as defined", name, c)
			}
		}
	}
}

// byRuns returns entry (i,j) of A·X as MulDense defines it.
func byRuns(a *Matrix, i int, x *Dense, j int) float32 {
	cols, vals := a.Row(i)
	total := 0.0
	for lo := 0; lo < len(cols); lo += longRow {
		part := float32(0)
		for k := lo; k < min(lo+longRow, len(cols)); k++ {
			part += float32(vals[k] * x.At(int(cols[k]), j))
		}
		total += float64(part)
	}
	return float32(total)
}
