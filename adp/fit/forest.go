package fit

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/adp/internal/trees"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// leastColumns is the least number of columns of trees and of logistic regression without edges: points of a plane or of space lie along
// curves, which a graph follows, and straight lines and cuts along the axes do not (docs/decisions/0032-tables.md).
const leastColumns = 4

// The most seeds and columns of trees, and the most columns and entries of X with edges: texts gain nothing, and the features of neighbours
// are formed (docs/decisions/0032-tables.md, 0040-trees-on-edges.md).
const (
	mostTreeSeeds   = 20_000
	mostTreeColumns = 2_000
	mostEdgeColumns = 500
	mostEdgeEntries = 10_000_000
)

// treesPay reports whether trees take part: not with one seed a class, where nothing tells a good split from a bad one.
func (in *Input) treesPay() bool {
	return treesPay(in.Nodes(), in.dims(), in.Seeds, in.Edges != nil)
}

func treesPay(n, d int, y *diffuse.Seeds, edges bool) bool {
	seeds := len(y.List())
	if edges && (d > mostEdgeColumns || n*d > mostEdgeEntries) || !edges && d < leastColumns {
		return false
	}
	return d <= mostTreeColumns && seeds <= mostTreeSeeds && seeds >= 2*y.Classes
}

// surroundings returns what trees see of a node and its edges, n×(3d+3): x, Tx, T²x with T = D^-1W, and z_0 to z_2 of [degreeMeans].
// Memory: 4·n·(5d+3) bytes, of which 4·n·(3d+3) are kept.
func surroundings(ctx context.Context, x *prepared, g *diffuse.Graph, threads int) (*csr.Dense, error) {
	n, d := x.x.Dims()
	degrees, err := degreeMeans(ctx, g, threads)
	if err != nil {
		return nil, err
	}
	of := csr.NewDense(n, d)
	for i := range n {
		x.fill(of.Row(i), i)
	}
	out := csr.NewDense(n, 3*d+3)
	for hop := range 3 {
		if hop > 0 {
			if of, err = neighbourMeans(ctx, g, of, threads); err != nil {
				return nil, err
			}
		}
		for i := range n {
			copy(out.Row(i)[hop*d:], of.Row(i))
		}
	}
	for i := range n {
		copy(out.Row(i)[3*d:], degrees.Row(i))
	}
	return out, nil
}

// neighbourMeans returns TX = D^-1WX; rows of nodes without edges are 0. X is overwritten.
func neighbourMeans(ctx context.Context, g *diffuse.Graph, x *csr.Dense, threads int) (*csr.Dense, error) {
	n, to := g.Dim(), csr.NewDense(x.Rows, x.Cols)
	scale := func(row []float32, factor float64) {
		for j, v := range row {
			row[j] = float32(float64(v) * factor)
		}
	}
	// Σ_j W_ij x_j / d_i is Σ_j S_ij √d_j x_j / √d_i.
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			scale(x.Row(i), math.Sqrt(g.Degrees[i]))
		}
	})
	err := rows.Do(ctx, n, threads, func(_, lo, hi int) error {
		g.ApplyRows(to, x, lo, hi)
		for i := lo; i < hi; i++ {
			if g.Degrees[i] > 0 {
				scale(to.Row(i), 1/math.Sqrt(g.Degrees[i]))
			}
		}
		return nil
	})
	return to, err
}

// fill sets dst, which is 0, to row i, and reports whether the node has features.
func (p *prepared) fill(dst []float32, i int) (known bool) {
	p.each(i, func(j int, v float32) {
		dst[j] = v
		known = known || v != 0
	})
	return known
}

// seen returns the number of columns that trees see of a graph, and a function that sets dst, which is 0, to those of node i and reports
// whether anything is known of it.
func (t *trainer) seen(graph int) (d int, fill func(dst []float32, i int) (known bool)) {
	if graph == onEdges {
		return t.around.Cols, func(dst []float32, i int) bool {
			known := t.features.fill(dst, i) // x comes first
			copy(dst, t.around.Row(i))
			return known || t.graphs[onEdges].Degrees[i] > 0
		}
	}
	_, d = t.features.x.Dims()
	return d, t.features.fill
}

// grown returns the forest of the seeds, in which each class counts as much, whatever the number of its seeds.
func (t *trainer) grown(ctx context.Context, graph int) (*trees.Forest, error) {
	nodes, shares, weights := t.y.Shares()
	d, fill := t.seen(graph)
	x := csr.NewDense(len(nodes), d)
	for l, node := range nodes {
		fill(x.Row(l), int(node))
	}
	return trees.Grow(ctx, x, shares, evened(shares, weights), t.opt.Threads)
}

// byForest returns the mean classes of the leaves of the nodes, n×c; rows of nodes of which nothing is known are 0.
func (t *trainer) byForest(ctx context.Context, graph int) (*csr.Dense, error) {
	f, err := t.grown(ctx, graph)
	if err != nil {
		return nil, err
	}
	_, fill := t.seen(graph)
	out, err := f.Of(ctx, t.y.Nodes, t.opt.Threads, fill)
	if err == nil {
		t.addPrior(out)
	}
	return out, err
}

// forestReasons are the known labels in the same leaves.
func (t *trainer) forestReasons(ctx context.Context, graph int) (reason, error) {
	f, err := t.grown(ctx, graph)
	nodes, shares, _ := t.y.Shares()
	d, fill := t.seen(graph)
	return func(_ context.Context, why *Why, to *Voice) error {
		x := make([]float32, d)
		fill(x, why.Node) // the member knows the node
		amounts := make([]float64, t.y.Nodes)
		for l, weight := range f.Weights(x) {
			amounts[nodes[l]] += float64(weight * (shares[l][why.Label] - shares[l][why.RunnerUp]))
		}
		to.Nodes, to.Prior = sumOf(amounts), t.priorLead(why)
		return nil
	}, err
}
