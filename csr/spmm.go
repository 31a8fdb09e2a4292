package csr

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/internal/cache"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// MulDense computes dst ← A·X for a sparse A (n×m) and a dense X (m×c); dst is n×c and must not
// overlap X. Row i is Σ_j a_ij X_j, added in the order of the columns, in float32 over runs of 512
// entries and in float64 over the runs, for any number of threads and any processor. Cost: nnz·c
// multiply-adds and as many gathered floats; no allocation grows with A or X.
func MulDense(dst *Dense, a *Matrix, x *Dense, threads int) {
	mustMultiply(dst, a, x)
	rows.Each(a.rows, threads, func(lo, hi int) { mulRows(dst, a, x.Data, x.Cols, lo, hi) })
}

// MulDenseRows computes rows lo to hi−1 of dst ← A·X as [MulDense] does, in the calling goroutine;
// it allocates nothing.
func MulDenseRows(dst *Dense, a *Matrix, x *Dense, lo, hi int) {
	mustMultiply(dst, a, x)
	mulRows(dst, a, x.Data, x.Cols, lo, hi)
}

// MulApartRows is [MulDenseRows] for an X whose rows begin stride numbers apart, at least as many as dst has columns
// ([Stride]). The bits are the same.
func MulApartRows(dst *Dense, a *Matrix, x []float32, stride, lo, hi int) {
	if dst.Rows != a.rows || stride < dst.Cols || len(dst.Data) < dst.Rows*dst.Cols || len(x) < a.cols*stride {
		panic(fmt.Sprintf("csr: %d×%d ← %d×%d · %d numbers, rows %d apart", dst.Rows, dst.Cols, a.rows, a.cols, len(x), stride))
	}
	mulRows(dst, a, x, stride, lo, hi)
}

// Stride returns how many numbers apart the rows of an n×c block lie best for products that take rows from all over it: c, or where
// the block is larger than the last cache and a row of it mostly lies on two lines of the cache, the next
// whole line, or half of one. A product then has one miss a row in the place of one and a half or two.
func Stride(n, c int) int {
	const line = 16 // numbers of a line
	if c < line/2-1 || 4*int64(n)*int64(c) < cache.Last()*3/4 {
		return c
	}
	if c <= line/2 {
		return line / 2
	}
	return (c + line - 1) / line * line
}

func mustMultiply(dst *Dense, a *Matrix, x *Dense) {
	if dst.Rows != a.rows || x.Rows != a.cols || dst.Cols != x.Cols {
		panic(fmt.Sprintf("csr: %d×%d ← %d×%d · %d×%d", dst.Rows, dst.Cols, a.rows, a.cols, x.Rows, x.Cols))
	}
	if len(dst.Data) < dst.Rows*dst.Cols || len(x.Data) < x.Rows*x.Cols { // the kernels do not check
		panic(fmt.Sprintf("csr: %d numbers of %d×%d, %d of %d×%d", len(dst.Data), dst.Rows, dst.Cols, len(x.Data), x.Rows, x.Cols))
	}
}

// longRow is the number of entries added in float32 before the sum goes to float64: otherwise the
// rows of hubs would lose digits.
const longRow = 512

// mulRows computes rows lo to hi−1 of dst ← A·X, of rows stride apart: runs of short rows at once, long rows one by one.
func mulRows(dst *Dense, a *Matrix, x []float32, stride, lo, hi int) {
	c := dst.Cols
	for lo < hi {
		end := lo
		for end < hi && a.indptr[end+1]-a.indptr[end] <= longRow {
			end++
		}
		kernel.MulRows(dst.Data[lo*c:end*c], c, x, stride, c, a.indptr[lo:end+1], a.indices, a.data)
		if end < hi {
			mulLongRow(dst.Row(end), a, end, x, stride)
			end++
		}
		lo = end
	}
}

// mulLongRow computes dst ← Σ_j a_ij X_j, 64 columns at a time.
func mulLongRow(dst []float32, a *Matrix, i int, x []float32, stride int) {
	const most = 64
	for at := 0; at < len(dst); at += most {
		width := min(most, len(dst)-at)
		var sum [most]float64
		var part [most]float32
		for k := a.indptr[i]; k < a.indptr[i+1]; k += longRow {
			run := [2]int64{k, min(k+longRow, a.indptr[i+1])}
			kernel.MulRows(part[:width], width, x[at:], stride, width, run[:], a.indices, a.data)
			for j, v := range part[:width] {
				sum[j] += float64(v)
			}
		}
		for j := range width {
			dst[at+j] = float32(sum[j])
		}
	}
}
