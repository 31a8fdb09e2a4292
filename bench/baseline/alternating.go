package baseline

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
)

func alternating() []Method {
	const sparse = "the sparse process of this module with its defaults, not the paper's literal Algorithm 1, which collapses (package adp)"
	return []Method{
		{"ADP1", Alternating, "Li et al. 2019, joint variant", sparse, run(adp.Options{Method: adp.ADP1})},
		{"ADP", Alternating, "Li et al. 2019", sparse, ADP},
	}
}

// ADP labels as the program does: on W, or where the graph is open on the one that the labels choose
// ([fit.Run]).
func ADP(ctx context.Context, p *Problem) ([]int32, error) {
	if !p.Open {
		return run(adp.Options{})(ctx, p)
	}
	keep := func(start knn.Start, made func() (*csr.Matrix, error)) (*csr.Matrix, error) {
		return once(p.Data, "graph "+start.String(), made)
	}
	in := fit.Input{Dense: p.X, Seeds: p.Seeds}
	result, err := fit.Run(ctx, in, fit.Options{Graph: fit.GraphOptions{Keep: keep}, Run: adp.Options{Threads: p.Threads}})
	if err != nil {
		return nil, err
	}
	return result.Labels, nil
}

// run labels by [adp.Run].
func run(opt adp.Options) labeller {
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
