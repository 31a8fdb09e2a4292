package kernel

// distanceStep is the number of floats that a pass of the vector loop takes.
const distanceStep = 32

// DistanceError is a bound on the relative error of [SquaredDistance] for vectors
// of d numbers: each difference, square and sum is rounded, and none is negative.
// It does not hold for results past float32 or below its normal numbers.
func DistanceError(d int) float64 { return float64(d+8) * 0x1p-24 }

// SquaredDistance returns Σ(x_q−y_q)² in float32, within [DistanceError]; len(y) is
// len(x) at least. The last bits depend on the version.
func SquaredDistance(x, y []float32) float32 {
	y = y[:len(x)]
	whole := len(x) / distanceStep * distanceStep
	sum := float32(0)
	if whole > 0 {
		sum = active.distance(x[:whole], y[:whole])
	}
	for q := whole; q < len(x); q++ {
		d := x[q] - y[q]
		sum += d * d
	}
	return sum
}

// distancePortable is [SquaredDistance] of whole steps.
func distancePortable(x, y []float32) float32 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float32
	for q := 0; q+4 <= len(x); q += 4 {
		d0, d1, d2, d3 := x[q]-y[q], x[q+1]-y[q+1], x[q+2]-y[q+2], x[q+3]-y[q+3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	return (s0 + s1) + (s2 + s3)
}
