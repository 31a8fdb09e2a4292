package edgelist

import "math"

// scaling brings weights outside the range of float32, past 2^±64, into it: all are multiplied by
// the same power of 2.
type scaling struct {
	needed bool    // a weight is outside the range
	most   float64 // the largest weight
}

// scaledTop is the binary exponent of the largest weight after scaling: sums of 2^64 such weights
// still fit float32.
const scaledTop = 63

// exponent returns the exponent of the power of 2.
func (s scaling) exponent() int {
	if !s.needed {
		return 0
	}
	_, e := split(s.most)
	return scaledTop - e
}

// apply returns the scaled weights of a chunk, and the number of weights that it raised to the
// smallest normal float32 because they are too far below the largest.
func (s scaling) apply(c *chunk) (scaled []float32, raised int) {
	scaled = make([]float32, c.count)
	exponent := s.exponent()
	for k := range scaled {
		v := 1.0
		switch {
		case c.wide != nil:
			v = c.wide[k]
		case c.narrow != nil:
			v = float64(c.narrow[k])
		}
		fraction, e := split(v)
		w := math.Ldexp(fraction, e+exponent)
		if v > 0 && w < 0x1p-126 {
			w = 0x1p-126
			raised++
		}
		scaled[k] = float32(w)
	}
	return scaled, raised
}

// split returns v rounded to the precision of float32 as fraction·2^e, with a fraction of at least
// 1/2 and below 1, or 0. Some weights were stored as float32 before a wider one came: rounding all
// makes the result independent of the order of the lines.
func split(v float64) (fraction float64, e int) {
	fraction, e = math.Frexp(v)
	fraction = float64(float32(fraction))
	if fraction == 1 {
		return 0.5, e + 1
	}
	return fraction, e
}
