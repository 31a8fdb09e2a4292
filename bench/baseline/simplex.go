package baseline

import "math"

// simplex projects x onto {x ≥ 0, Σx = 1}, in place; entry except, if not
// negative, is set to 0 and left out. The projection is max(x − θ, 0), where θ
// is (Σ − 1)/m of the m entries above it: they are found from all entries on,
// in passes that leave out the entries below the θ of the pass before, about ten
// of len(x) each.
//
// C. Michelot: A Finite Algorithm for Finding the Projection of a Point onto
// the Canonical Simplex. J. Optimization Theory and Applications 50(1), 1986.
func simplex(x []float64, except int) {
	if except >= 0 {
		x[except] = math.Inf(-1)
	}
	theta, left := math.Inf(-1), len(x)+1
	for {
		sum, above := -1.0, 0
		for _, v := range x {
			if v > theta {
				sum += v
				above++
			}
		}
		if above == left || above == 0 {
			break
		}
		theta, left = sum/float64(above), above
	}
	if math.IsInf(theta, -1) { // nothing but the exception
		theta = 0
	}
	for k, v := range x {
		x[k] = max(v-theta, 0)
	}
}
