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

// Likelihood returns the log density of y, m×c, whose columns are drawn from a normal
// distribution of mean 0 and covariance k, m×m.
func Likelihood(k, y Mat) float64 {
	m, c := y.Dims()
	fit := Mul(Transpose(y), Mul(Inverse(k), y))
	sum := 0.0
	for j := range c {
		sum += fit[j][j]
	}
	return -sum/2 - float64(c)/2*(logDet(k)+float64(m)*math.Log(2*math.Pi))
}

// logDet returns log det k by elimination, for a positive definite k.
func logDet(k Mat) float64 {
	k = clone(k)
	sum := 0.0
	for p := range k {
		sum += math.Log(k[p][p])
		for i := p + 1; i < len(k); i++ {
			subtract(k[i], k[i][p]/k[p][p], k[p])
		}
	}
	return sum
}
