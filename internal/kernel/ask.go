package kernel

// Ask asks the memory for rows of an n×c block whose rows begin stride numbers apart, so that they are in the cache
// when they are read. It changes nothing. Rows that are not there are nobody's fault.
func Ask(x []float32, stride, c int, rows []uint32) {
	if len(x) > 0 && len(rows) > 0 && c > 0 {
		askFor(x, stride, c, rows)
	}
}
