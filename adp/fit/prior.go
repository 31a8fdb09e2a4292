package fit

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// Prior says which sizes the classes are expected to have.
type Prior int

// The priors.
const (
	// AutoPrior is EqualPrior for a mixture of methods, which is corrected for the sizes that seeds and nodes suggest
	// ([Combination]). For nodes with several labels it is SeedPrior for a mixture,
	// and for one method the sum of the weights of the seeds of each class. Else it is EqualPrior, but for ADP SeedPrior where LGC does
	// clearly better with it on left-out seeds ([choice.Prior]). (default)
	AutoPrior Prior = iota
	EqualPrior
	SeedPrior // as the numbers of seeds tell, [choice.SeedPrior]
)

// seedWeights returns the sum of the weights of the seeds of each class, and for a class without one the least of them.
func seedWeights(y *diffuse.Seeds) []float64 {
	prior, least := make([]float64, y.Classes), math.Inf(1)
	for _, s := range y.List() {
		prior[s.Class] += float64(s.Weight)
	}
	for _, v := range prior {
		if v > 0 {
			least = min(least, v)
		}
	}
	for j, v := range prior {
		if v == 0 {
			prior[j] = least
		}
	}
	return prior
}

// choosesPrior reports whether left-out seeds may choose the prior.
func (o *Options) choosesPrior() bool {
	return o.Prior == AutoPrior && o.Run.Prior == nil && o.Run.Method.Has(adp.Tries)
}

// ChoosePrior returns the class prior of a run, c numbers above 0 or nil for equal classes, and
// what left-out seeds said of it, nil where they were not asked. Without seeds or a graph it returns an [ErrInput].
func ChoosePrior(ctx context.Context, w *csr.Matrix, seeds *diffuse.Seeds, opt Options) ([]float64, *choice.PriorTrial, error) {
	if err := checkSeeds(seeds); err != nil {
		return nil, nil, err
	}
	switch {
	case w == nil:
		return nil, nil, errNoGraph
	case opt.Run.Prior != nil:
		return opt.Run.Prior, nil, nil
	case opt.Several && opt.Prior == AutoPrior:
		return seedWeights(seeds), nil, nil
	case opt.Prior == SeedPrior:
		return choice.SeedPrior(seeds), nil, nil
	case opt.choosesPrior() && choice.SeedPrior(seeds) != nil: // else there is no other to choose, and no need to read the graph
		defer clock.Part(ctx, clock.Folds)()
		return choice.Prior(ctx, w, seeds, opt.Run)
	}
	return nil, nil, nil
}
