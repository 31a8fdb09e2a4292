package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp/internal/trees"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// grown returns the forest of the seeds, in which each class counts as much, whatever the number of its seeds.
func (t *trainer) grown(ctx context.Context) (*trees.Forest, error) {
	nodes, shares, weights := t.y.Shares()
	_, d := t.features.x.Dims()
	x := csr.NewDense(len(nodes), d)
	for l, node := range nodes {
		t.features.fill(x.Row(l), int(node))
	}
	return trees.Grow(ctx, x, shares, evened(shares, weights), t.opt.Threads)
}

// fill sets dst, which is 0, to the columns of node i as they came, or to its row of unit length, and reports whether it has features.
// Columns as they came tell values apart that are the same once a value of 10⁹ has widened the unit.
func (p *prepared) fill(dst []float32, i int) (known bool) {
	p.each(i, func(j int, v float32) {
		dst[j] = v
		known = known || v != 0
	})
	if p.raw != nil && i < p.raw.Rows {
		copy(dst, p.raw.Row(i))
	}
	return known
}

// leafRows is the number of rows that go through a tree one after the other.
const leafRows = 64

// byForest returns the mean classes of the leaves of the nodes, n×c; rows of nodes without features are 0.
// Cost: n·[trees.Count] paths from the root to a leaf.
func (t *trainer) byForest(ctx context.Context) (*csr.Dense, error) {
	f, err := t.grown(ctx)
	if err != nil {
		return nil, err
	}
	_, d := t.features.x.Dims()
	out := csr.NewDense(t.y.Nodes, t.y.Classes)
	err = rows.Do(ctx, out.Rows, t.opt.Threads, func(_, lo, hi int) error {
		x, known := make([]float32, leafRows*d), make([]bool, leafRows)
		for ; lo < hi; lo += leafRows {
			count := min(leafRows, hi-lo)
			clear(x)
			for i := range count {
				known[i] = t.features.fill(x[i*d:(i+1)*d], lo+i)
			}
			f.Add(out.Data[lo*out.Cols:(lo+count)*out.Cols], x[:count*d])
			for i := range count {
				row := out.Row(lo + i)
				for j := range row {
					row[j] /= trees.Count
				}
				if !known[i] {
					clear(row)
				}
			}
		}
		return nil
	})
	t.addPrior(out)
	return out, err
}

// forestReasons are the known labels in the same leaves.
func (t *trainer) forestReasons(ctx context.Context) (reason, error) {
	f, err := t.grown(ctx)
	nodes, shares, _ := t.y.Shares()
	_, d := t.features.x.Dims()
	return func(_ context.Context, why *Why, to *Voice) error {
		x := make([]float32, d)
		t.features.fill(x, why.Node) // the member knows the node
		amounts := make([]float64, t.y.Nodes)
		for l, weight := range f.Weights(x) {
			amounts[nodes[l]] += float64(weight * (shares[l][why.Label] - shares[l][why.RunnerUp]))
		}
		to.Nodes, to.Prior = sumOf(amounts), t.priorLead(why)
		return nil
	}, err
}
