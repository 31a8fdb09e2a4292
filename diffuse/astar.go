package diffuse

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

// AStar returns A*·V for the fixed point of the untruncated graph diffusion,
//
//	A* = Σ_{i≥1} α^i S^i Z S^i + (1−α) Σ_{i≥0} α^i S^2i,  Z = ζ'HHᵀ
//
// (the paper's Eq. solution1 as a series), by sparse products alone and
// without forming A* or Z, for any n. V is n×m. Writing V_i = S^i V, the
// products a_i = A* V_i satisfy a_i = α S (a_{i+1} + Z V_{i+1}) + (1−α) V_i,
// which is run backwards from the first i with α^i below tolerance.
//
// Cost: 2T products of S with an n×m block and T with H, T =
// ln(tolerance)/ln(α). Memory: (T+3) blocks of 4·n·m bytes.
func AStar(s *csr.Matrix, h *csr.Dense, zeta, alpha, tolerance float64, v *csr.Dense, threads int) *csr.Dense {
	terms := int(math.Ceil(math.Log(tolerance) / math.Log(alpha)))
	powers := make([]*csr.Dense, terms+1)
	powers[0] = v
	for i := 1; i <= terms; i++ {
		powers[i] = csr.NewDense(v.Rows, v.Cols)
		csr.MulDense(powers[i], s, powers[i-1], threads)
	}
	a := csr.NewDense(v.Rows, v.Cols)
	next := csr.NewDense(v.Rows, v.Cols)
	for i := terms - 1; i >= 0; i-- {
		addLabelProduct(a, h, zeta, powers[i+1])
		csr.MulDense(next, s, a, threads)
		axpby(next, alpha, powers[i], 1-alpha, threads)
		a, next = next, a
	}
	return a
}

// addLabelProduct computes dst += ζ'H(HᵀV), with the c×m product in float64.
func addLabelProduct(dst, h *csr.Dense, zeta float64, v *csr.Dense) {
	product := make([]float64, h.Cols*v.Cols)
	for i := range h.Rows {
		vr := v.Row(i)
		for k, x := range h.Row(i) {
			for m, y := range vr {
				product[k*v.Cols+m] += float64(x) * float64(y)
			}
		}
	}
	for i := range h.Rows {
		row := dst.Row(i)
		for m := range row {
			sum := 0.0
			for k, x := range h.Row(i) {
				sum += float64(x) * product[k*v.Cols+m]
			}
			row[m] += float32(zeta * sum)
		}
	}
}
