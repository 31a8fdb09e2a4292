package kernel

// Rotate turns two rows of equal length in their plane: x ← c·x − s·y and
// y ← s·x + c·y. Versions differ in the last bits: assembly fuses.
func Rotate(x, y []float64, c, s float64) {
	y = y[:len(x)]
	whole := active.rotate(x, y, c, s)
	for k := whole; k < len(x); k++ {
		p, q := x[k], y[k]
		x[k], y[k] = c*p-s*q, s*p+c*q
	}
}
