//go:build amd64 && !purego

package kernel

// addRows is [Sum.AddRows] for at least one row of a matrix with entries.
func (k *implementation) addRows(s *Sum, rows []uint32, scale []float32, indptr []int64, cols []uint32, vals []float32) {
	if !k.vectors {
		addRowsPortable(s, rows, scale, indptr, cols, vals)
		return
	}
	next, column := addRows(&s.Place[0], &s.Cols[0], &s.Vals[0], s.Base, s.Base+uint32(s.Count), &rows[0], &scale[0], len(rows), &indptr[0], &cols[0], &vals[0], len(cols), len(s.Place))
	_ = s.Place[column] // panics where it has none
	s.Count = int(next - s.Base)
}
