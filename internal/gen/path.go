package gen

// Path returns the path 0–1–…–(n−1) with weights of 1.
func Path(n int) (src, dst []uint32, weight []float32) {
	l := newList(0, 0)
	for i := 1; i < n; i++ {
		l.add(i-1, i)
	}
	return l.src, l.dst, l.weight
}
