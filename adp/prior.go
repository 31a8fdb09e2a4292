package adp

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// PriorTrial is what left-out seeds say of class sizes as the seeds have them
// ([SeedPrior]), beside equal ones.
type PriorTrial struct {
	LeftOut int `json:"left_out_seeds"`
	// Equal and Seeds are the shares of LeftOut that LGC gives their class, with equal
	// classes and with sizes as the seeds have them.
	Equal float64 `json:"equal_accuracy"`
	Seeds float64 `json:"seeds_accuracy"`
	// Won, Lost and Lead are of the sizes of the seeds over equal ones, see [Trial].
	Won    int     `json:"won"`
	Lost   int     `json:"lost"`
	Lead   float64 `json:"lead"`
	Chosen bool    `json:"chosen"` // the sizes of the seeds
}

// priorLead is the lead that the sizes of the seeds need, of priorSeeds left-out seeds in all
// folds: how many seeds a class has says nothing of its size where somebody chose them
// (docs/decisions/0012-class-sizes.md).
const (
	priorLead  = 2
	priorSeeds = 20
)

// SeedPrior returns class sizes as the numbers of seeds tell them, c numbers above 0
// whose sum is 1,
//
//	π_j = (1−λ)/c + λ n_j/n,   λ = max(0, 1 − (c−1)/χ²),   χ² = Σ_j (n_j − n/c)²/(n/c),
//
// with n_j of n seeds in class j: the positive-part estimator of James and Stein around
// equal classes, in which λ is how much more the numbers differ than chance makes them.
// It is nil where λ is 0, as it is with as many seeds of each class.
func SeedPrior(y *diffuse.Seeds) []float64 {
	count := y.PerClass()
	n := 0
	for _, k := range count {
		n += k
	}
	equal, chi := float64(n)/float64(len(count)), 0.0
	for _, k := range count {
		off := float64(k) - equal
		chi += float64(off * off / equal)
	}
	if chi <= float64(len(count)-1) {
		return nil
	}
	own := 1 - float64(len(count)-1)/chi
	prior := make([]float64, len(count))
	for j, k := range count {
		prior[j] = float64((1-own)/float64(len(count))) + float64(own*float64(k)/float64(n))
	}
	return prior
}

// ChoosePrior returns the class prior with which LGC does better on left-out seeds:
// [SeedPrior] if its lead over equal classes is 2 or more, else nil, for equal classes. The folds
// are those of the [Trial] that [Run] makes with these options. Nothing is tried, and the trial is
// nil, where opt has a Prior, which is returned, or does not balance classes, where the numbers
// of seeds do not differ by more than chance, and where fewer than 20 can be left out (by all
// folds) or four won. With [None] there is no trial of anything.
//
// Cost: an F-step or two a fold. Memory: that of LGC. Errors: those of [Run].
func ChoosePrior(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, opt Options) ([]float64, *PriorTrial, error) {
	prior := SeedPrior(y)
	if opt.Prior != nil || opt.Balance != diffuse.Balanced || prior == nil {
		return opt.Prior, nil, nil
	}
	n, _ := w.Dims()
	resolved, err := opt.WithDefaults(n)
	if err != nil {
		return nil, nil, err
	}
	opt.Method = LGC
	opt.Observer, opt.Progress, opt.Checkpoint, opt.Start, opt.KeepFirst = nil, nil, nil, nil, false
	folds, all := min(resolved.trials(), trialFolds), 0
	for _, hidden := range Folds(y, trialFolds, trialSeed) {
		all += len(hidden)
	}
	if folds == 0 || resolved.Select == None || all < priorSeeds {
		return nil, nil, nil
	}
	equal, err := leftOutRanks(ctx, w, y, opt, folds)
	if err != nil || equal.wrong() < priorLead*priorLead { // a lead is at most the root of what can be won
		return nil, nil, err
	}
	opt.Prior = prior
	seeds, err := leftOutRanks(ctx, w, y, opt, folds)
	if err != nil {
		return nil, nil, err
	}
	t := &PriorTrial{LeftOut: len(equal), Equal: equal.accuracy(), Seeds: seeds.accuracy()}
	t.Won, t.Lost, t.Lead = seeds.against(equal)
	const rounding = 1e-9
	if t.Chosen = t.Lead >= priorLead-rounding; !t.Chosen {
		prior = nil
	}
	return prior, t, nil
}
