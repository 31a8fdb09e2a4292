package adp

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// mixture is the weighted mean of the F of many rounds. Rows of F are first scaled to shares that
// sum to 1. Round r has the weight
//
//	w_r = (gain_r / largest gain)^power,  gain_r = association_r − association_0 > 0,
//
// with the association of the labels on W. The best rounds make nearly all of the mean, however
// large or small their gain is; where they disagree, they vote. It takes one n×c block for any
// number of rounds: when a larger gain comes, the sum so far is scaled down.
type mixture struct {
	Sum   *csr.Dense `json:"-"`     // n×c, Σ w_r F_r; nil while no round has gained
	Top   float64    `json:"top"`   // the largest gain
	Total float64    `json:"total"` // Σ w_r
	power float64
}

func (m *mixture) weight(gain float64) float64 {
	if gain <= 0 {
		return 0
	}
	return exact.Pow(gain/m.Top, m.power)
}

// add adds the F of a round.
func (m *mixture) add(f *csr.Dense, gain float64, threads int) {
	if gain <= 0 {
		return
	}
	if m.Sum == nil {
		m.Sum = csr.NewDense(f.Rows, f.Cols)
	}
	shrink := 1.0
	if gain > m.Top {
		shrink = exact.Pow(m.Top/gain, m.power)
		m.Top = gain
	}
	w := m.weight(gain)
	m.Total = float64(m.Total*shrink) + w
	rows.Each(f.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, to := f.Row(i), m.Sum.Row(i)
			all := 0.0
			for _, v := range row {
				all += float64(v)
			}
			scale := 0.0
			if all > 0 {
				scale = w / all
			}
			if scale > math.MaxFloat32 { // a row of the smallest numbers
				for j, v := range row {
					to[j] = float32(to[j]*float32(shrink)) + float32(scale*float64(v))
				}
				continue
			}
			for j, v := range row {
				to[j] = float32(to[j]*float32(shrink)) + float32(float32(scale)*v)
			}
		}
	})
}

// mean returns the mean and ends the mixture: the block is the caller's. Rows sum to 1, less where
// some rounds had none (0 for unreached nodes).
func (m *mixture) mean() *csr.Dense {
	scale := float32(1 / m.Total)
	for k := range m.Sum.Data {
		m.Sum.Data[k] *= scale
	}
	return m.Sum
}

// makeShares scales the rows of a mean to sum 1. Two kinds do not: rows that some rounds lacked,
// which sum to less, and rows filled from neighbours, whose factors can sum to more.
func makeShares(f *csr.Dense, threads int) {
	rows.Each(f.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, all := f.Row(i), 0.0
			for _, v := range row {
				all += float64(v)
			}
			if all > 0 && math.Abs(all-1) > 0x1p-10 {
				for j, v := range row {
					row[j] = float32(float64(v) / all)
				}
			}
		}
	})
}
