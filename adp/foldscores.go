package adp

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// FoldScores are what the learned graphs say, on a fold of a trial, of the seeds that it leaves out:
// fold Fold of [crossval.Folds] in four, of the seed 2.
type FoldScores struct {
	Fold int `json:"fold"`
	// Rows are those of F of the seeds in their order, as shares less 1/c; 0 for unreached ones.
	Rows [][]float32 `json:"rows"`
	// Size is the root mean square of such numbers of all reached nodes, 1 where there are none.
	Size float64 `json:"size"`
}

// keepFold keeps what F says of the seeds that fold k left out, where that is asked for. It overwrites F.
func (r *run) keepFold(k int, f *csr.Dense, hidden []diffuse.Seed) {
	if !r.opt.KeepFolds || r.own != nil || !r.leavesOut() {
		return
	}
	stack.Shares(f, r.opt.Threads)
	stack.Centre(f, r.opt.Threads)
	kept := FoldScores{Fold: k, Size: stack.Size(f, r.opt.Threads)}
	for _, s := range hidden {
		kept.Rows = append(kept.Rows, slices.Clone(f.Row(int(s.Node))))
	}
	r.kept = append(r.kept, kept)
}
