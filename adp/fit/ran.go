package fit

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
)

// ran is a run of adp.Run on a graph, from all seeds.
type ran struct {
	w      *csr.Matrix
	chosen adp.Options // that repeat it on a fold
	result *adp.Result
}

func newRan(w *csr.Matrix, opt adp.Options, result *adp.Result) *ran {
	chosen := opt.Chosen(result).OnFold()
	if chosen.Method == adp.LGC {
		chosen.Alpha = result.Rounds[result.Chosen].Alpha
	}
	return &ran{w, chosen, result}
}

// spreads reports whether the run was label spreading as the pool has it.
func (r *ran) spreads(alpha float64) bool {
	return r.chosen.Method == adp.LGC && r.chosen.Alpha == alpha
}
