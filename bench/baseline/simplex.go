package baseline

import "slices"

// simplex projects x onto {x ≥ 0, Σx = 1}, in place; entry except, if not
// negative, is set to 0 and left out. O(m log m): the projection is
// max(x − θ, 0), with θ from the sorted entries.
//
// J. Duchi et al.: Efficient Projections onto the ℓ1-Ball. ICML 2008.
func simplex(x []float64, except int) {
	sorted := slices.Clone(x)
	if except >= 0 {
		sorted = slices.Delete(sorted, except, except+1)
	}
	slices.Sort(sorted)
	slices.Reverse(sorted)
	sum, theta := 0.0, 0.0
	for k, v := range sorted {
		sum += v
		if t := (sum - 1) / float64(k+1); v > t {
			theta = t
		} else {
			break
		}
	}
	for k, v := range x {
		x[k] = max(v-theta, 0)
	}
	if except >= 0 {
		x[except] = 0
	}
}
