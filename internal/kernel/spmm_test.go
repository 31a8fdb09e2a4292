package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sparseRows draws rows of 0 to most entries over n columns, with some rows empty
// and the first and last columns taken.
func sparseRows(rng *rand.Rand, rows, most, n int) (bounds []int64, cols []uint32, vals []float32) {
	bounds = []int64{0}
	for i := range rows {
		length := rng.IntN(most + 1)
		if i%7 == 3 {
			length = 0
		}
		for range length {
			cols = append(cols, uint32(rng.IntN(n)))
			vals = append(vals, float32(rng.NormFloat64()))
		}
		bounds = append(bounds, int64(len(cols)))
	}
	if len(cols) > 1 {
		cols[0], cols[len(cols)-1] = uint32(n-1), uint32(n-1)
	}
	return bounds, slices.Clip(cols), slices.Clip(vals)
}

// TestMulRows: every version gives the bits of the portable one, which is
// within rounding of float64, for all widths about those of the routines, for
// parts of wider blocks, and for parts of the rows; nothing is written outside.
func TestMulRows(t *testing.T) {
	const n, count = 90, 41
	for width := 1; width <= 140; width++ {
		rng := rand.New(rand.NewPCG(11, uint64(width)))
		for _, more := range []int{0, 3} {
			stride := width + more
			_, x := fenced(n*stride-more, 3, func() float32 { return float32(rng.NormFloat64()) })
			bounds, cols, vals := sparseRows(rng, count, 1+width%40, n)
			for _, rows := range [][2]int{{0, count}, {0, 1}, {5, 5}, {11, 30}, {count - 3, count}} {
				part := bounds[rows[0] : rows[1]+1]
				want := oracleRows(t, stride, x, width, part, cols, vals)
				for _, name := range Names() {
					use(t, name)
					whole, dst := fenced(len(want), 5, func() float32 { return guard })
					MulRows(dst, stride, x, stride, width, part, cols, vals)
					for k, v := range dst {
						if math.Float32bits(v) != math.Float32bits(want[k]) {
							t.Fatalf("%s, width %d, stride %d, rows %v: number %d is %v, portable %v", name, width, stride, rows, k, v, want[k])
						}
					}
					checkFence(t, whole, 5)
				}
			}
		}
	}
}

// oracleRows returns the portable result, after comparing it with float64.
// Numbers between the rows are guards.
func oracleRows(t *testing.T, stride int, x []float32, width int, bounds []int64, cols []uint32, vals []float32) []float32 {
	t.Helper()
	n := len(bounds) - 1
	dst := slices.Repeat([]float32{guard}, max(0, n*stride-(stride-width)))
	mulRowsPortable(dst, stride, x, stride, width, bounds, cols, vals)
	for i := range n {
		for j := range width {
			sum, size := 0.0, 0.0
			for k := bounds[i]; k < bounds[i+1]; k++ {
				p := float64(vals[k]) * float64(x[int(cols[k])*stride+j])
				sum, size = sum+p, size+math.Abs(p)
			}
			if e := math.Abs(float64(dst[i*stride+j]) - sum); e > 1e-5*size {
				t.Fatalf("row %d, column %d: %v, float64 gives %v", i, j, dst[i*stride+j], sum)
			}
		}
	}
	return dst
}

func TestMulRowsOfNothing(t *testing.T) {
	for _, name := range Names() {
		use(t, name)
		MulRows(nil, 4, nil, 4, 4, nil, nil, nil)
		MulRows(nil, 4, nil, 4, 4, []int64{0}, nil, nil)
		dst := []float32{guard, guard, guard, guard}
		MulRows(dst[:3], 2, nil, 2, 1, []int64{0, 0, 0}, nil, nil)
		if !slices.Equal(dst, []float32{0, guard, 0, guard}) {
			t.Errorf("%s: two empty rows give %v", name, dst)
		}
	}
}

// BenchmarkMulRows: rows of 20 entries over a block of 2^18 rows.
func BenchmarkMulRows(b *testing.B) {
	const n, degree = 1 << 18, 20
	rng := rand.New(rand.NewPCG(1, 1))
	bounds := make([]int64, n+1)
	cols, vals := make([]uint32, n*degree), make([]float32, n*degree)
	for _, spread := range []int{1000, n} {
		for i := range n {
			bounds[i+1] = int64((i + 1) * degree)
			for k := i * degree; k < (i+1)*degree; k++ {
				cols[k] = uint32((i + rng.IntN(spread)) % n)
				vals[k] = rng.Float32()
			}
		}
		for _, c := range []int{4, 10, 32} {
			x, dst := make([]float32, n*c), make([]float32, n*c)
			for k := range x {
				x[k] = rng.Float32()
			}
			for _, name := range Names() {
				b.Run(fmt.Sprintf("spread%d/%d/%s", spread, c, name), func(b *testing.B) {
					use(b, name)
					for b.Loop() {
						MulRows(dst, c, x, c, c, bounds, cols, vals)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(cols)), "ns/entry")
				})
			}
		}
	}
}
