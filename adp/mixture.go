package adp

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// mixture is the mean of the F of many rounds, each row of F as shares of 1,
// weighted by
//
//	w_r = (gain_r / largest gain)^power,  gain_r = cut_r − cut_0 > 0,
//
// with the cuts of the labels on W. The rounds with the best cuts make nearly
// all of it, however large or small their gain is; where they disagree, they
// vote. One n×c block, whatever the number of rounds: when a larger gain
// comes, what is there is scaled down.
type mixture struct {
	sum        *csr.Dense // n×c, nil while no round has gained
	top, total float64    // the largest gain; Σ w_r
	power      float64
}

func (m *mixture) weight(gain float64) float64 {
	if gain <= 0 {
		return 0
	}
	return math.Pow(gain/m.top, m.power)
}

// add adds the F of a round.
func (m *mixture) add(f *csr.Dense, gain float64, threads int) {
	if gain <= 0 {
		return
	}
	if m.sum == nil {
		m.sum = csr.NewDense(f.Rows, f.Cols)
	}
	shrink := 1.0
	if gain > m.top {
		shrink = math.Pow(m.top/gain, m.power)
		m.top = gain
	}
	w := m.weight(gain)
	m.total = m.total*shrink + w
	rows.Each(f.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, to := f.Row(i), m.sum.Row(i)
			all := 0.0
			for _, v := range row {
				all += float64(v)
			}
			scale := float32(0)
			if all > 0 {
				scale = float32(w / all)
			}
			for j, v := range row {
				to[j] = to[j]*float32(shrink) + scale*v
			}
		}
	})
}

// mean returns the mixture, rows of sum 1 (0 for unreached nodes), and ends
// it: the block is the caller's.
func (m *mixture) mean() *csr.Dense {
	scale := float32(1 / m.total)
	for k := range m.sum.Data {
		m.sum.Data[k] *= scale
	}
	return m.sum
}
