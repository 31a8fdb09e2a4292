package adp

import "github.com/adp-sparse/adp-sparse/csr"

// Process is the state of the alternation at the end of a round, for n nodes
// and c classes: with W, the seeds and the options, all that the rounds to
// come and the result depend on. Labels follow from F, and F of the round
// before is F itself by then.
//
// Rows are in the order that the run works in: row i of F, First, A, BestGraph and the
// Mix is the caller's node order[i], with order from [Options.NodeOrder] of the run's
// options and W, and node i itself where that is nil. Over ranks, see [RunRanks], it
// is the node in that row of the partitioned graph.
type Process struct {
	// Setting is the index of the setting under way, or the number of settings
	// when all are done; Step is the number of its A-steps that were made.
	Setting int `json:"setting"`
	Step    int `json:"step"`

	Rounds    []Round `json:"rounds"`
	Converged bool    `json:"converged"` // the rounds of the setting stopped by themselves
	Solved    bool    `json:"solved"`    // every F-step converged

	F     *csr.Dense  `json:"-"` // n×c, of the last round; nil where it is of no more use
	First *csr.Dense  `json:"-"` // F of round 0; nil where no setting starts from it again
	A     *csr.Matrix `json:"-"` // the learned graph; nil stands for S, while Step is 0

	Mix Mixture `json:"mix"` // of the rounds with a better cut
	// Best is the round with the best cut, the last one for [None]; BestGraph
	// is what its F was solved on, nil for S.
	Best      int         `json:"best"`
	BestGraph *csr.Matrix `json:"-"`
}
