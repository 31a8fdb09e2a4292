package kernel

import "math"

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

// exactStep is the number of floats that a pass of the vector loop of [SumSquares],
// [SumProducts] and [SumDifferences] takes: one of each of their four lanes.
const exactStep = 4

// SumSquares returns Σ(x_q−y_q)² in float64, in four lanes, in fixed order: lane
// q mod 4 takes number q, but lane 0 those past the last whole four, and the sum is
// (s0+s1)+(s2+s3). len(y) is len(x) at least.
func SumSquares(x, y []float32) float64 {
	whole := len(x) / exactStep * exactStep
	y = y[:len(x)]
	var s [exactStep]float64
	if whole > 0 {
		active.sumSquares(&s, x[:whole], y[:whole])
	}
	for q := whole; q < len(x); q++ {
		d := float64(x[q]) - float64(y[q])
		s[0] += float64(d * d)
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// SumProducts returns Σ x_q·y_q in float64, in the order of [SumSquares].
func SumProducts(x, y []float32) float64 {
	whole := len(x) / exactStep * exactStep
	y = y[:len(x)]
	var s [exactStep]float64
	if whole > 0 {
		active.sumProducts(&s, x[:whole], y[:whole])
	}
	for q := whole; q < len(x); q++ {
		s[0] += float64(float64(x[q]) * float64(y[q]))
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// SumDifferences returns Σ|x_q−y_q| in float64, in the order of [SumSquares].
func SumDifferences(x, y []float32) float64 {
	whole := len(x) / exactStep * exactStep
	y = y[:len(x)]
	var s [exactStep]float64
	if whole > 0 {
		active.sumDifferences(&s, x[:whole], y[:whole])
	}
	for q := whole; q < len(x); q++ {
		s[0] += math.Abs(float64(x[q]) - float64(y[q]))
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func sumSquaresPortable(s *[exactStep]float64, x, y []float32) {
	var s0, s1, s2, s3 float64
	for len(x) >= exactStep && len(y) >= exactStep {
		d0 := float64(x[0]) - float64(y[0])
		d1 := float64(x[1]) - float64(y[1])
		d2 := float64(x[2]) - float64(y[2])
		d3 := float64(x[3]) - float64(y[3])
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		x, y = x[exactStep:], y[exactStep:]
	}
	s[0], s[1], s[2], s[3] = s0, s1, s2, s3
}

func sumProductsPortable(s *[exactStep]float64, x, y []float32) {
	var s0, s1, s2, s3 float64
	for len(x) >= exactStep && len(y) >= exactStep {
		s0 += float64(float64(x[0]) * float64(y[0]))
		s1 += float64(float64(x[1]) * float64(y[1]))
		s2 += float64(float64(x[2]) * float64(y[2]))
		s3 += float64(float64(x[3]) * float64(y[3]))
		x, y = x[exactStep:], y[exactStep:]
	}
	s[0], s[1], s[2], s[3] = s0, s1, s2, s3
}

func sumDifferencesPortable(s *[exactStep]float64, x, y []float32) {
	var s0, s1, s2, s3 float64
	for len(x) >= exactStep && len(y) >= exactStep {
		s0 += math.Abs(float64(x[0]) - float64(y[0]))
		s1 += math.Abs(float64(x[1]) - float64(y[1]))
		s2 += math.Abs(float64(x[2]) - float64(y[2]))
		s3 += math.Abs(float64(x[3]) - float64(y[3]))
		x, y = x[exactStep:], y[exactStep:]
	}
	s[0], s[1], s[2], s[3] = s0, s1, s2, s3
}
