//go:build amd64 && !purego

package kernel

// gather is [Gather] for at least one row, spread [Spread] for at least one entry. The
// calls are direct so that no argument escapes to the heap.
func (k *implementation) gather(v *[Width]float32, s Sparse, u []float32, b *Bound, from, to int) (row int, mask uint32) {
	switch {
	case len(s.Cols) == 0 || !k.vectors:
		return gatherPortable(v, s, u, b, from, to)
	case k.masked:
		return gatherAVX512(&v[0], &s.Indptr[0], &s.Cols[0], &s.Vals[0], &u[0], &b.Norms[0], &b.Norm[0], &b.Limit[0], from, to)
	default:
		return gatherAVX2(&v[0], &s.Indptr[0], &s.Cols[0], &s.Vals[0], &u[0], &b.Norms[0], &b.Norm[0], &b.Limit[0], from, to)
	}
}

func (k *implementation) spread(u []float32, cols []uint32, vals []float32, factor *[Width]float32) {
	switch {
	case k.masked:
		mustHave(u, spreadAVX512(&u[0], &cols[0], &vals[0], len(cols), &factor[0], len(u)/Width))
	case k.vectors:
		mustHave(u, spreadAVX2(&u[0], &cols[0], &vals[0], len(cols), &factor[0], len(u)/Width))
	default:
		spreadPortable(u, cols, vals, factor)
	}
}
