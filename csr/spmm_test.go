package csr

import (
	"math"
	"testing"
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
