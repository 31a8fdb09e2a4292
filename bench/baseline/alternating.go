package baseline

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
)

func alternating() []Method {
	const sparse = "the sparse process of this module with its defaults, not the paper's literal Algorithm 1, which collapses (package adp)"
	return []Method{
		{"ADP1", Alternating, "Li et al. 2019, joint variant", sparse, run(adp.Options{Method: adp.ADP1})},
		{"ADP", Alternating, "Li et al. 2019", sparse, run(adp.Options{})},
	}
}

// run labels by [adp.Run].
func run(opt adp.Options) func(context.Context, *Problem) ([]int32, error) {
	return func(ctx context.Context, p *Problem) ([]int32, error) {
		opt := opt
		opt.Threads = p.Threads
		result, err := adp.Run(ctx, p.W, p.Seeds, opt)
		if err != nil {
			return nil, err
		}
		return result.Labels, nil
	}
}
