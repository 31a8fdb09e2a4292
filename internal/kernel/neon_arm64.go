//go:build arm64 && !purego

package kernel

//go:generate sh -c "cd gen && go run ./neon -out ../kernel_arm64.s -stubs ../stubs_arm64.go"

// neon is the version for arm64: all its processors have these vectors.
var neon = implementation{
	name: "neon",
	dots: func(dst []float32, stride int, a, b []float32, n int, add bool) {
		dotsNEON(&dst[0], stride, &a[0], &b[0], n, add)
	},
	differences: func(dst []float32, stride int, a, b []float32, n int, add bool) {
		differencesNEON(&dst[0], stride, &a[0], &b[0], n, add)
	},
	below: func(mask []uint32, p, low, tau []float32, rowLow, rowTau, w float32) {
		belowNEON(&mask[0], &p[0], &low[0], &tau[0], len(mask), rowLow, rowTau, w)
	},
	columns: 32, vectors: true,
}

func vectorized() []implementation { return []implementation{neon} }

// mulRows is [MulRows] for at most 32 columns and at least one entry; ahead is the
// number of entries that rows of x are asked for before their use. This call and
// those below are direct, and not through a table, so that no argument escapes to
// the heap.
func (k *implementation) mulRows(dst []float32, dstStride int, x []float32, xStride, width int, bounds []int64, cols []uint32, vals []float32, ahead int) {
	if !k.vectors {
		mulRowsPortable(dst, dstStride, x, xStride, width, bounds, cols, vals)
		return
	}
	d, c, a, v := &dst[0], &cols[0], &cols[ahead], &vals[0]
	p, b, n := &x[0], &bounds[0], len(bounds)-1
	dstStep, xStep, size := 4*uintptr(dstStride), 4*uintptr(xStride), 4*uintptr(width)
	switch {
	case width == 1:
		mulRows1x1(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width == 2:
		mulRows2x1(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width == 3:
		mulRows2x2(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width == 4:
		mulRows4x1(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width <= 8:
		mulRows4x2(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width <= 12:
		mulRows4x3(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width <= 16:
		mulRows4x4(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width <= 20:
		mulRows4x5(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width <= 24:
		mulRows4x6(d, dstStep, p, xStep, size, b, n, c, a, v)
	case width <= 28:
		mulRows4x7(d, dstStep, p, xStep, size, b, n, c, a, v)
	default:
		mulRows4x8(d, dstStep, p, xStep, size, b, n, c, a, v)
	}
}

// gather is [Gather] for at least one row.
func (k *implementation) gather(v *[Width]float32, s Sparse, u []float32, b *Bound, from, to int) (row int, mask uint32) {
	if len(s.Cols) == 0 || !k.vectors {
		return gatherPortable(v, s, u, b, from, to)
	}
	return gatherNEON(&v[0], &s.Indptr[0], &s.Cols[0], &s.Vals[0], &u[0], &b.Norms[0], &b.Norm[0], &b.Limit[0], from, to)
}

// spread is [Spread] for at least one entry.
func (k *implementation) spread(u []float32, cols []uint32, vals []float32, factor *[Width]float32) {
	if k.vectors {
		mustHave(u, spreadNEON(&u[0], &cols[0], &vals[0], len(cols), &factor[0], len(u)/Width))
		return
	}
	spreadPortable(u, cols, vals, factor)
}

// atLeast is [AtLeast] for whole words, at least one.
func (k *implementation) atLeast(mask []uint32, vals []float32, floor float32) {
	if k.vectors {
		atLeastNEON(&mask[0], &vals[0], len(mask), floor)
		return
	}
	atLeastPortable(mask, vals, floor)
}
