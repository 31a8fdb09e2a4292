//go:build amd64 && !purego

package kernel

// mulRows is [MulRows] for at most k.columns columns and at least one entry;
// ahead is the number of entries that rows of x are asked for before their use.
// Calls of the routines (gen/spmm.go) are direct, and not through a table, so
// that no argument escapes to the heap.
func (k *implementation) mulRows(dst []float32, dstStride int, x []float32, xStride, width int, bounds []int64, cols []uint32, vals []float32, ahead int) {
	if !k.vectors {
		mulRowsPortable(dst, dstStride, x, xStride, width, bounds, cols, vals)
		return
	}
	d, c, a, v := &dst[0], &cols[0], &cols[ahead], &vals[0]
	p, b, n := &x[0], &bounds[0], len(bounds)-1
	dstStep, xStep, size := 4*uintptr(dstStride), 4*uintptr(xStride), 4*uintptr(width)
	packed := xStride == width
	if k.masked && width > 8 {
		switch vectors := (width + 15) / 16; {
		case packed && width == 16:
			mulRows16x1Packed(d, dstStep, p, xStep, size, b, n, c, a, v)
		case packed && width == 32:
			mulRows16x2Packed(d, dstStep, p, xStep, size, b, n, c, a, v)
		case vectors == 1:
			mulRows16x1(d, dstStep, p, xStep, size, b, n, c, a, v)
		case vectors == 2:
			mulRows16x2(d, dstStep, p, xStep, size, b, n, c, a, v)
		case vectors == 3:
			mulRows16x3(d, dstStep, p, xStep, size, b, n, c, a, v)
		case vectors == 4:
			mulRows16x4(d, dstStep, p, xStep, size, b, n, c, a, v)
		}
		return
	}
	switch {
	case width == 1:
		mulRows1x1(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width == 2:
		mulRows2x1(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width == 3:
		mulRows2x2(d, dstStep, p, xStep, size, b, n, c, a, v)
	case packed && width == 4:
		mulRows4x1Packed(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width < 8:
		mulRows4x2(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width == 8:
		mulRows8x1(d, dstStep, p, xStep, size, b, n, c, a, v)
	case packed && width == 16:
		mulRows8x2Packed(d, dstStep, p, xStep, size, b, n, c, a, v)
	case packed && width == 32:
		mulRows8x4Packed(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width <= 16:
		mulRows8x2(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width <= 24:
		mulRows8x3(d, dstStep, p, xStep, size, b, n, c, a, v)
	default:
		mulRows8x4(d, dstStep, p, xStep, size, b, n, c, a, v)
	}
}
