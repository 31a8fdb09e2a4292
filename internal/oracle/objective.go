package oracle

import "math"

// Objective returns J(A), the function that the affinity minimises (paper Eq. optimization), as the
// sum over four nodes that the paper starts from, O(n⁴). With M = A + Z and D the degrees of W,
//
//	J(A) = ½ Σ_ijkl W_ij W_kl ( M_ki/√(D_ii D_kk) − M_lj/√(D_jj D_ll) )²
//	       − 2 Σ_ki A_ki Z_ki + μ Σ_ki (A_ki − I_ki)².
//
// α = 1/(μ+1). Every node has an edge: J divides by the degrees.
func Objective(w, a, z Mat, mu float64) float64 {
	d, m := Degrees(w), Add(1, a, 1, z)
	j := 0.0
	for i := range w {
		for k := range w {
			from := m[k][i] / math.Sqrt(d[i]*d[k])
			for jj, wij := range w[i] {
				for l, wkl := range w[k] {
					gap := from - m[l][jj]/math.Sqrt(d[jj]*d[l])
					j += wij * wkl * gap * gap / 2
				}
			}
			away := a[k][i]
			if i == k {
				away--
			}
			j += mu*away*away - 2*a[k][i]*z[k][i]
		}
	}
	return j
}

// ObjectiveGradient returns ∂J/∂A, n×n (paper Eq. derivative), for S = D^-1/2 W D^-1/2:
//
//	2(M − S M Sᵀ) − 2Z + 2μ(A − I),  M = A + Z.
func ObjectiveGradient(s, a, z Mat, mu float64) Mat {
	m := Add(1, a, 1, z)
	smooth := Add(2, m, -2, Mul(Mul(s, m), Transpose(s)))
	return Add(1, Add(1, smooth, -2, z), 2*mu, Add(1, a, -1, Identity(len(s))))
}

// Similarity returns the label similarity Z = ζ'HHᵀ, n×n, of the factor H (n×c), with the ζ' for
// which the mean row sum of Z is zeta.
func Similarity(h Mat, zeta float64) Mat {
	z, sum := Mul(h, Transpose(h)), 0.0
	for _, row := range z {
		for _, v := range row {
			sum += v
		}
	}
	if sum == 0 {
		return z
	}
	return Scale(zeta*float64(len(z))/sum, z)
}

// Margins returns H (n×c) of a classification F: of each row the largest class, the first of equal
// ones, with the square root of the margin between the two largest shares. A row of zeros stays.
func Margins(f Mat) Mat {
	h := Shares(f)
	for _, row := range h {
		first, largest, second := 0, 0.0, 0.0
		for j, v := range row {
			if v > largest {
				first, largest, second = j, v, largest
			} else {
				second = max(second, v)
			}
			row[j] = 0
		}
		row[first] = math.Sqrt(largest - second)
	}
	return h
}

// Shares returns the rows of F (n×c) divided by their sums. A row of zeros stays.
func Shares(f Mat) Mat {
	h := clone(f)
	for _, row := range h {
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		for j := range row {
			if sum > 0 {
				row[j] /= sum
			}
		}
	}
	return h
}

// Joint returns F (n×c) and A (n×n) after rounds of ADP1, the joint variant of the paper, from F =
// Y and A = S. Z makes the label similarity of F, and first is S_A of the first step of F:
//
//	F ← α S_A F + (1−α) Y,  A ← α_A S (A + Z(F)) Sᵀ + (1−α_A) I,  S_A ← D_A^-1/2 A D_A^-1/2.
//
// After the last round comes one more step of F.
func Joint(s, first, y Mat, alpha, graphAlpha float64, rounds int, z func(f Mat) Mat) (f, a Mat) {
	f, a = y, s
	for sa := first; ; sa = NormalizeSym(a) {
		f = Add(alpha, Mul(sa, f), 1-alpha, y)
		if rounds--; rounds < 0 {
			return f, a
		}
		a = AStep(s, a, z(f), graphAlpha)
	}
}
