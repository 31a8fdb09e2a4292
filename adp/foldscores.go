package adp

import (
	"math"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
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

// keepFold keeps the scores of a run that is a fold of seeds, where they are asked for.
func (r *run) keepFold() {
	if r.main == nil || !r.main.opt.KeepFolds || r.own != nil || !r.main.leavesOut() {
		return
	}
	f, c := r.First, r.y.Classes
	if r.Best > 0 {
		f = r.Mix.Sum
	}
	centred := func(to, row []float32) (square float64) {
		sum := 0.0
		for _, v := range row {
			sum += float64(v)
		}
		if !(sum > 0) {
			clear(to)
			return 0
		}
		for j, v := range row {
			to[j] = float32(float64(v)/sum - 1/float64(c))
			square += float64(to[j]) * float64(to[j])
		}
		return square
	}
	sums := rows.NewReducer(f.Rows, 2).Sum(r.opt.Threads, func(lo, hi int, sum []float64) {
		to := make([]float32, c)
		for i := lo; i < hi; i++ {
			if square := centred(to, f.Row(i)); square > 0 {
				sum[0] += square
				sum[1] += float64(c)
			}
		}
	})
	kept := FoldScores{Fold: r.main.contest.Folds, Size: 1}
	if sums[0] > 0 {
		kept.Size = math.Sqrt(sums[0] / sums[1])
	}
	for _, s := range r.main.hiddenIn(kept.Fold) {
		row := make([]float32, c)
		centred(row, f.Row(int(s.Node)))
		kept.Rows = append(kept.Rows, row)
	}
	r.main.kept = append(r.main.kept, kept)
}

// hiddenIn returns the seeds that a fold of the trial leaves out.
func (r *run) hiddenIn(fold int) []diffuse.Seed {
	k := 0
	for _, hidden := range r.folds(max(r.opt.trials(), crossval.ChoiceFolds)) {
		if k == fold {
			return hidden
		}
		k++
	}
	return nil
}
