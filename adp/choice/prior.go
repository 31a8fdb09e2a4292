package choice

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// PriorTrial compares two class priors on left-out seeds: class sizes as in the seeds
// ([SeedPrior]), and equal classes.
type PriorTrial struct {
	LeftOut int `json:"left_out_seeds"`
	// Equal and Seeds are the shares of LeftOut to which LGC gives their class, with equal classes
	// and with the sizes of the seeds.
	Equal float64 `json:"equal_accuracy"`
	Seeds float64 `json:"seeds_accuracy"`
	// Won, Lost and Lead compare the sizes of the seeds with equal ones, see [adp.Trial].
	Won    int     `json:"won"`
	Lost   int     `json:"lost"`
	Lead   float64 `json:"lead"`
	Chosen bool    `json:"chosen"` // the sizes of the seeds were chosen
}

// priorLead is the lead that the sizes of the seeds need, with at least priorSeeds left-out seeds
// in all folds. Seeds that somebody chose tell nothing about the sizes of classes
// (docs/decisions/0012-class-sizes.md).
const (
	priorLead  = 2
	priorSeeds = 20
)

// SeedPrior estimates class sizes from the numbers of seeds, c numbers above 0 whose sum is 1,
//
//	π_j = (1−λ)/c + λ n_j/n,
//
// with n_j of n seeds in class j and λ of [crossval.Told]. It is nil where λ is 0, as with equally
// many seeds of each class.
func SeedPrior(y *diffuse.Seeds) []float64 {
	count := y.PerClass()
	told := crossval.Told(count)
	if told == 0 {
		return nil
	}
	n := 0
	for _, k := range count {
		n += k
	}
	prior := make([]float64, len(count))
	for j, k := range count {
		prior[j] = float64((1-told)/float64(len(count))) + float64(told*float64(k)/float64(n))
	}
	return prior
}

// Prior returns the class prior with which LGC does better on left-out seeds: [SeedPrior] if
// its lead over equal classes is 2 or more, else nil, for equal classes. It uses the folds of the
// [adp.Trial] that [adp.Run] makes with these options. It tries nothing, and returns no trial, if opt has a
// Prior, which it returns; if opt does not balance classes; if the numbers of seeds differ by no
// more than chance; or if fewer than 20 seeds can be left out (by all folds) or four won. With
// [adp.None] there is no trial at all.
//
// Cost: one or two F-steps a fold. Memory: that of LGC. Errors: those of [adp.Run], also where
// nothing is tried.
func Prior(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, opt adp.Options) ([]float64, *PriorTrial, error) {
	if err := adp.Check(w, y, opt); err != nil {
		return nil, nil, err
	}
	prior := SeedPrior(y)
	if opt.Prior != nil || opt.Balance != diffuse.Balanced || prior == nil {
		return opt.Prior, nil, nil
	}
	n, _ := w.Dims()
	runs, err := opt.TrialRuns(n)
	if err != nil {
		return nil, nil, err
	}
	opt = opt.OnFold()
	opt.Method = adp.LGC
	folds, all := min(runs, crossval.ChoiceFolds), 0
	for _, hidden := range crossval.Folds(y, crossval.ChoiceFolds, crossval.ChoiceSeed) {
		all += len(hidden)
	}
	if folds == 0 || all < priorSeeds {
		return nil, nil, nil
	}
	equal, err := adp.LeftOutRanks(ctx, w, y, opt, folds)
	if err != nil || equal.Wrong() < priorLead*priorLead { // a lead is at most the root of the seeds that can be won
		return nil, nil, err
	}
	opt.Prior = prior
	seeds, err := adp.LeftOutRanks(ctx, w, y, opt, folds)
	if err != nil {
		return nil, nil, err
	}
	t := &PriorTrial{LeftOut: len(equal), Equal: equal.Accuracy(), Seeds: seeds.Accuracy()}
	t.Won, t.Lost, t.Lead = seeds.Against(equal)
	const rounding = 1e-9
	if t.Chosen = t.Lead >= priorLead-rounding; !t.Chosen {
		prior = nil
	}
	return prior, t, nil
}
