package adp

import "github.com/adp-sparse/adp-sparse/csr"

// process is the state of the alternation at the end of a round, for n nodes and c classes.
// Together with W, the seeds and the options it determines all later rounds and the result. Labels
// follow from F, and F of the round before is F itself by then.
//
// Rows are in the working order of the run: row i of F, First, A, BestGraph and the Mix is the
// caller's node order[i], with order from [Options.NodeOrder] of the run's options and W, or node i
// itself where that is nil. Over ranks, see package adp/ranks, it is the node in that row of the
// partitioned graph.
type process struct {
	// Setting is the index of the current setting, or the number of settings when all are done.
	// Step counts its A-steps so far.
	Setting int `json:"setting"`
	Step    int `json:"step"`

	Rounds    []Round `json:"rounds"`
	Converged bool    `json:"converged"` // the rounds of the setting stopped by themselves
	Solved    bool    `json:"solved"`    // every F-step converged

	F     *csr.Dense  `json:"-"` // n×c, of the last round; nil where it is no longer needed
	First *csr.Dense  `json:"-"` // F of round 0; nil where no further setting starts from it
	A     *csr.Matrix `json:"-"` // the learned graph; nil stands for S, while Step is 0

	Mix mixture `json:"mix"` // of the rounds with a larger association
	// Best is the round with the largest association, the last one for [None]. BestGraph is the
	// graph that its F was solved on, nil for S.
	Best      int         `json:"best"`
	BestGraph *csr.Matrix `json:"-"`
}
