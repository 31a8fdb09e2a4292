//go:build amd64 && !purego

package kernel

// sortRows is [SortRows] for at least one row and column.
func (k *implementation) sortRows(cols []uint32, ends, counts []int) int {
	if !k.vectors {
		return sortRowsPortable(cols, ends, counts)
	}
	at := 0
	for at < len(ends) {
		at += sortRows(&cols[0], &ends[at], &counts[at], len(ends)-at)
		if at == len(ends) || sortRowsPortable(cols, ends[at:at+1], counts[at:at+1]) == 0 {
			break
		}
		at++ // a longer row, in order
	}
	return at
}
