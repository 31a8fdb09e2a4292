package diffuse

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Harden is the way in which the label factor H is made from the classification F.
type Harden int

const (
	// SqrtMargin sets row i of H to 0 but for its largest class. That gets the square root of the
	// margin between the two largest shares of the row, so Z_ij is the geometric mean of two
	// margins. (default)
	SqrtMargin Harden = iota
	// Hard sets the largest class to 1.
	Hard
	// Soft takes the rows of F, scaled to sum 1: the paper's Z = FFᵀ up to the scale of rows.
	Soft
)

// Factor is the label factor H, n×c, of the label similarity Z = ζ'HHᵀ, which is never formed. A
// hardened factor is one class and one weight a node; a soft one is a dense block.
type Factor struct {
	classes int
	class   []int32 // of each node, -1 for a zero row; nil when soft
	weight  []float32
	soft    *csr.Dense
}

// NewFactor makes H from F (n×c), which it does not keep.
func NewFactor(f *csr.Dense, how Harden) *Factor {
	h := &Factor{classes: f.Cols}
	if how == Soft {
		h.soft = f.Clone()
		for i := range f.Rows {
			normalizeRow(h.soft.Row(i))
		}
		return h
	}
	h.class = make([]int32, f.Rows)
	h.weight = make([]float32, f.Rows)
	for i := range f.Rows {
		top := TopOf(f.Row(i))
		h.class[i] = top.Class
		h.weight[i] = 1
		if how == SqrtMargin {
			h.weight[i] = sqrt32(top.Margin)
		}
	}
	return h
}

// FixedFactor takes H, n×c, as it is.
func FixedFactor(h *csr.Dense) *Factor { return &Factor{classes: h.Cols, soft: h} }

// rows returns the number of rows of H.
func (h *Factor) rows() int {
	if h.soft != nil {
		return h.soft.Rows
	}
	return len(h.class)
}

// MeanRowSum returns the mean row sum of HHᵀ: Σ_j (Σ_i H_ij)² / n. With a partition, h has its own
// rows; nil means that h has all rows.
func (h *Factor) MeanRowSum(partition Partition) float64 {
	n := h.rows()
	sums := rows.NewReducer(n, h.classes)
	if partition != nil {
		_, _, n = partition.Rows()
		sums.Across(partition)
	}
	total := 0.0
	for _, s := range sums.Sum(1, h.addRows) {
		total += float64(s * s)
	}
	return total / float64(max(n, 1))
}

// Scale returns ζ', for which Z = ζ'HHᵀ has the mean row sum zeta; 0 where that is not above 0 or H is 0.
// The partition is that of [Factor.MeanRowSum].
func (h *Factor) Scale(zeta float64, partition Partition) float64 {
	sum := h.MeanRowSum(partition)
	if sum <= 0 {
		return 0
	}
	return max(zeta, 0) / sum
}

// addRows adds rows lo to hi−1 to the sums of the columns.
func (h *Factor) addRows(lo, hi int, sums []float64) {
	for i := lo; i < hi; i++ {
		if h.soft == nil {
			if j := h.class[i]; j >= 0 {
				sums[j] += float64(h.weight[i])
			}
			continue
		}
		for j, v := range h.soft.Row(i) {
			sums[j] += float64(v)
		}
	}
}

// Exchange returns the factor with other rows. exchange gets a block with a row of h a node, and
// returns a block of the same width with the rows of other nodes.
func (h *Factor) Exchange(exchange func(own *csr.Dense) *csr.Dense) *Factor {
	if h.soft != nil {
		return &Factor{classes: h.classes, soft: exchange(h.soft)}
	}
	packed := csr.NewDense(len(h.class), 2)
	for i, class := range h.class {
		packed.Set(i, 0, math.Float32frombits(uint32(class+1))) // bits, which are only copied
		packed.Set(i, 1, h.weight[i])
	}
	packed = exchange(packed)
	to := &Factor{classes: h.classes, class: make([]int32, packed.Rows), weight: make([]float32, packed.Rows)}
	for i := range to.class {
		to.class[i] = int32(math.Float32bits(packed.At(i, 0))) - 1
		to.weight[i] = packed.At(i, 1)
	}
	return to
}

// Times returns G = S·H, with a row for each row of S.
func (h *Factor) Times(s *csr.Matrix, threads int) *csr.Dense {
	n, _ := s.Dims()
	g := csr.NewDense(n, h.classes)
	if h.soft != nil {
		csr.MulDense(g, s, h.soft, threads)
		return g
	}
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := g.Row(i)
			cols, vals := s.Row(i)
			for k, j := range cols {
				if c := h.class[j]; c >= 0 {
					row[c] += float32(vals[k] * h.weight[j])
				}
			}
		}
	})
	return g
}
