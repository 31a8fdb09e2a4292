package oracle

import "math"

// Hops returns P = (1−a) Σ_{t<T} aᵗ Tᵗ + a^T T^T with T = (D+½I)⁻¹(W+½I), n×n.
func Hops(w Mat, a float64, steps int) Mat {
	t := Add(1, w, 0.5, Identity(len(w)))
	for i, d := range Degrees(w) {
		scale(1/(d+0.5), t[i])
	}
	p, power := New(len(w), len(w)), Identity(len(w))
	for step := range steps {
		p = Add(1, p, (1-a)*math.Pow(a, float64(step)), power)
		power = Mul(power, t)
	}
	return Add(1, p, math.Pow(a, float64(steps)), power)
}

// Ridge returns V = (XᵀWX + λI)⁻¹ XᵀWT, d×c, W = diag(weights).
func Ridge(x, targets Mat, weights []float64, lambda float64) Mat {
	weighted := clone(x)
	for i, w := range weights {
		scale(w, weighted[i])
	}
	across := Transpose(weighted)
	_, d := x.Dims()
	return Mul(Inverse(Add(1, Mul(across, x), lambda, Identity(d))), Mul(across, targets))
}
