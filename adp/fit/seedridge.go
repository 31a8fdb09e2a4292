package fit

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// ridgeOf returns the scores of the ridge from the seeds alone.
func (t *trainer) ridgeOf(ctx context.Context, x *diffuse.Diffused) (*csr.Dense, error) {
	v, err := t.bySeeds(ctx, x)
	if err != nil {
		return nil, err
	}
	out, err := applied(ctx, x, v)
	if err == nil {
		t.addPrior(out)
	}
	return out, err
}

// bySeeds returns V of the ridge from the seeds alone.
func (t *trainer) bySeeds(ctx context.Context, x *diffuse.Diffused) (*csr.Dense, error) {
	targets, weights := diffuse.SeedTargets(t.y)
	return regress(ctx, x, targets, weights, seedRidge)
}

// ridgeBy returns the scores of the ridge by a kernel.
func (t *trainer) ridgeBy(ctx context.Context, k *diffuse.Kernel) (*csr.Dense, error) {
	out, err := k.Scores(ctx, t.y, seedRidge)
	if err == nil {
		t.addPrior(out)
	}
	return out, err
}

// addPrior adds the class prior, which the targets are less, to rows that are not 0.
func (t *trainer) addPrior(scores *csr.Dense) {
	if t.prior == nil {
		return
	}
	for i := range scores.Rows {
		row := scores.Row(i)
		if !slices.ContainsFunc(row, func(v float32) bool { return v != 0 }) {
			continue // nothing is known of the node
		}
		for j, v := range t.prior {
			row[j] += float32(v)
		}
	}
}

// regress returns V of a weighted ridge.
func regress(ctx context.Context, x *diffuse.Diffused, targets *csr.Dense, weights []float32, lambda float64) (*csr.Dense, error) {
	v, _, err := diffuse.Ridge(ctx, x, targets, weights, diffuse.RidgeOptions{Lambda: lambda})
	return v, err
}

// applied returns ZV.
func applied(ctx context.Context, x diffuse.Columns, v *csr.Dense) (*csr.Dense, error) {
	n, _ := x.Dims()
	out := csr.NewDense(n, v.Cols)
	return out, x.Apply(ctx, out, v)
}
