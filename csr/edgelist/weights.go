package edgelist

import "math"

// weights collects the weights of edges in the smallest form that holds
// them: nothing while all are 1, float32 while they are within 2^±64, and
// float64 past that, for scaling at the end.
type weights struct {
	narrow []float32
	wide   []float64
}

// scaledTop is the binary exponent of the largest weight after scaling: sums
// of 2^64 such weights still fit float32.
const scaledTop = 63

// add appends the weight of edge number count (from 1).
func (w *weights) add(weight float64, count int) {
	if w.wide == nil && w.narrow == nil {
		if weight == 1 {
			return
		}
		w.narrow = make([]float32, count-1, max(2*count, 1024))
		for k := range w.narrow {
			w.narrow[k] = 1
		}
	}
	if w.wide == nil && weight != 0 && (weight > 0x1p64 || weight < 0x1p-64) {
		w.wide = make([]float64, len(w.narrow), 2*len(w.narrow)+1)
		for k, v := range w.narrow {
			w.wide[k] = float64(v)
		}
		w.narrow = nil
	}
	if w.wide != nil {
		w.wide = append(w.wide, weight)
	} else {
		w.narrow = append(w.narrow, float32(weight))
	}
}

// finish returns the weights as float32 (nil when all are 1), the exponent
// of the power of 2 that they were multiplied by, and how many were raised
// to the smallest normal float32 because they are too far below the largest.
func (w *weights) finish() (scaled []float32, exponent, raised int) {
	if w.wide == nil {
		return w.narrow, 0, 0
	}
	exponent = math.MaxInt
	for _, v := range w.wide {
		if _, e := split(v); v > 0 {
			exponent = min(exponent, scaledTop-e)
		}
	}
	scaled = make([]float32, len(w.wide))
	for k, v := range w.wide {
		fraction, e := split(v)
		s := math.Ldexp(fraction, e+exponent)
		if v > 0 && s < 0x1p-126 {
			s = 0x1p-126
			raised++
		}
		scaled[k] = float32(s)
	}
	w.wide = nil
	return scaled, exponent, raised
}

// split returns v rounded to the precision of float32 as fraction·2^e with a
// fraction of at least 1/2 and below 1, or 0. Some weights were float32 before
// they became float64: rounding all makes the order of the lines irrelevant.
func split(v float64) (fraction float64, e int) {
	fraction, e = math.Frexp(v)
	fraction = float64(float32(fraction))
	if fraction == 1 {
		return 0.5, e + 1
	}
	return fraction, e
}
