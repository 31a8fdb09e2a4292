package fit

import (
	"context"

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
	// ([Combination]). For nodes with several labels it is SeedPrior. Else it is EqualPrior, but for ADP SeedPrior where LGC does clearly better
	// with it on left-out seeds ([choice.Prior]). (default)
	AutoPrior Prior = iota
	EqualPrior
	SeedPrior // as the numbers of seeds tell, [choice.SeedPrior]
)

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
	case opt.Prior == SeedPrior || opt.Several && opt.Prior == AutoPrior:
		return choice.SeedPrior(seeds), nil, nil
	case opt.choosesPrior() && choice.SeedPrior(seeds) != nil: // else there is no other to choose, and no need to read the graph
		defer clock.Part(ctx, clock.Folds)()
		return choice.Prior(ctx, w, seeds, opt.Run)
	}
	return nil, nil, nil
}
