package kernel

import "fmt"

// distance is the number of entries that rows of x are asked for before their
// use. On graphs in a fair order the rows ahead are mostly in a cache, and the
// few that are not need to be asked for early.
const distance = 64

// MulRows computes rows of the product of a sparse matrix with a dense block,
//
//	dst_i ← Σ_k vals_k·x_j, j = cols_k, k = bounds[i] to bounds[i+1]−1,
//
// for i = 0 to len(bounds)−2, in float32 and in the order of k; each product
// is rounded before it is added. Row i of dst is dst[i*dstStride:][:width],
// row j of x is x[j*xStride:][:width]; they do not overlap. The bits are the
// same in every version.
//
// bounds do not decrease and end at most at len(cols) = len(vals), and columns
// are below the rows of x, as in a csr.Matrix: neither is checked. Entries of
// cols past the last bound may be read, but none past its length.
func MulRows(dst []float32, dstStride int, x []float32, xStride, width int, bounds []int64, cols []uint32, vals []float32) {
	n := len(bounds) - 1
	if n <= 0 || width <= 0 {
		return
	}
	if len(dst) < (n-1)*dstStride+width || len(vals) != len(cols) {
		panic(fmt.Sprintf("kernel: %d numbers for %d rows of %d, stride %d; %d columns, %d values", len(dst), n, width, dstStride, len(cols), len(vals)))
	}
	entries := int(bounds[n] - bounds[0])
	if entries == 0 {
		for i := range n {
			clear(dst[i*dstStride:][:width])
		}
		return
	}
	ahead := min(distance, len(cols)-int(bounds[n]))
	parts := (width + active.columns - 1) / active.columns
	part := ((width+parts-1)/parts + 7) / 8 * 8
	for at := 0; at < width; at += part {
		active.mulRows(dst[at:], dstStride, x[at:], xStride, min(part, width-at), bounds, cols, vals, ahead)
	}
}

// mulRowsPortable holds four columns at a time in registers over a row.
func mulRowsPortable(dst []float32, dstStride int, x []float32, xStride, width int, bounds []int64, cols []uint32, vals []float32) {
	for i := range len(bounds) - 1 {
		lo, hi := bounds[i], bounds[i+1]
		c, v := cols[lo:hi], vals[lo:hi]
		row := dst[i*dstStride:][:width]
		at := 0
		for ; at+4 <= width; at += 4 {
			row[at], row[at+1], row[at+2], row[at+3] = sumFour(c, v, x[at:], xStride)
		}
		for ; at < width; at++ {
			row[at] = sumOne(c, v, x[at:], xStride)
		}
	}
}

// sumFour returns Σ_k vals_k x_j for the first four columns of x. The
// conversions forbid to fuse a product with its sum.
func sumFour(cols []uint32, vals, x []float32, stride int) (s0, s1, s2, s3 float32) {
	vals = vals[:len(cols)]
	for k, j := range cols {
		v := vals[k]
		row := (*[4]float32)(x[int(j)*stride:])
		s0 += float32(v * row[0])
		s1 += float32(v * row[1])
		s2 += float32(v * row[2])
		s3 += float32(v * row[3])
	}
	return s0, s1, s2, s3
}

func sumOne(cols []uint32, vals, x []float32, stride int) (s float32) {
	vals = vals[:len(cols)]
	for k, j := range cols {
		s += float32(vals[k] * x[int(j)*stride])
	}
	return s
}
