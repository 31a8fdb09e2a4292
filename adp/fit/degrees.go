package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// degreeHops is the number of hops that degrees are averaged over.
const degreeHops = 2

// degreeColumns returns the place of each node in its graph, n×9: z_t for t = 0, 1, 2 of [degreeMeans] and the products
// of any two, standardised, products too, and then with rows of unit length. Rows of nodes without edges are 0.
//
// Cost: two products of the graph with a column. Memory: 100·n bytes, 36·n of them kept.
func degreeColumns(ctx context.Context, g *diffuse.Graph, threads int) (*diffuse.Diffused, error) {
	n := g.Dim()
	means, err := degreeMeans(ctx, g, threads)
	if err != nil {
		return nil, err
	}
	first, _, err := standardised(means, nil, threads)
	if err != nil {
		return nil, err
	}
	z := first.Dense
	all := csr.NewDense(n, z.Cols+z.Cols*(z.Cols+1)/2)
	for i := range n {
		row, at := z.Row(i), copy(all.Row(i), z.Row(i))
		for a, v := range row {
			for _, w := range row[a:] {
				all.Set(i, at, v*w)
				at++
			}
		}
	}
	second, _, err := standardised(all, nil, threads)
	if err != nil {
		return nil, err
	}
	for i, d := range g.Degrees {
		if d == 0 {
			clear(second.Dense.Row(i))
		}
	}
	x, err := diffuse.NewDiffused(second, nil, diffuse.Hops{}, threads)
	if err != nil {
		return nil, err
	}
	return x.Unit(ctx)
}

// degreeMeans returns z_0 to z_2, n×3, for edges of weights W and degrees d in units of the mean weight:
//
//	z_0,i = log(1 + d_i),   z_{t+1},i = Σ_j W_ij z_t,j / d_i.
func degreeMeans(ctx context.Context, g *diffuse.Graph, threads int) (*csr.Dense, error) {
	n := g.Dim()
	means := csr.NewDense(n, degreeHops+1)
	for i, d := range g.Degrees {
		means.Set(i, 0, float32(exact.Log(1+d)))
	}
	z := csr.NewDense(n, 1)
	for i := range n {
		z.Set(i, 0, means.At(i, 0))
	}
	for t := range degreeHops {
		var err error
		if z, err = neighbourMeans(ctx, g, z, threads); err != nil {
			return nil, err
		}
		for i := range n {
			means.Set(i, t+1, z.At(i, 0))
		}
	}
	return means, nil
}

// degreeReasons are the degrees of a node and about it.
func (t *trainer) degreeReasons(ctx context.Context, g *diffuse.Graph) (reason, error) {
	means, err := degreeMeans(ctx, g, t.opt.Threads)
	return func(_ context.Context, why *Why, to *Voice) error {
		for _, z := range means.Row(why.Node) {
			to.Degrees = append(to.Degrees, exact.Exp(float64(z))-1)
		}
		return nil
	}, err
}
