package fit

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/knn"
)

// prepared are the features as the feature step takes them, n×d: of words roots in rows of unit length ([diffuse.Features.UnitRoots]), of
// other sparse ones rows of unit length, else the columns of the graph, scaled
// or as they were, standardised over √d. Nodes without features have rows of zeros.
type prepared struct {
	x diffuse.Features
	// standard is the change of the columns of the graph; nil where rows have unit length.
	standard *diffuse.Standard
	words    bool
}

// metric is the one by which rows are near.
func (p *prepared) metric() knn.Metric {
	if p.standard != nil {
		return knn.L2
	}
	return knn.Cosine
}

// words reports whether the features are as the words of texts.
func (in *Input) words() bool {
	if in.Sparse != nil {
		return knn.WordsSparse(in.Sparse)
	}
	return knn.Words(in.Dense)
}

func prepare(in *Input, scaling *knn.Scaling, threads int) (*prepared, error) {
	n, words := in.Nodes(), in.words()
	if in.Dense != nil && !words {
		if err := (diffuse.Features{Dense: in.Dense}).Check(threads); err != nil {
			return nil, err
		}
		x, standard, err := standardised(in.Dense, scaling, threads)
		if err != nil {
			return nil, err
		}
		if in.Dense.Rows < n {
			x.Dense.Rows, x.Dense.Data = n, append(x.Dense.Data, make([]float32, (n-in.Dense.Rows)*in.Dense.Cols)...)
		}
		return &prepared{x: x, standard: standard}, x.Check(threads)
	}
	sparse := in.Sparse
	if sparse == nil {
		var err error
		if sparse, err = csr.FromDense(in.Dense); err != nil {
			return nil, fmt.Errorf("%w: %w", diffuse.ErrFeatures, err)
		}
	}
	x := diffuse.Features{Sparse: csr.WithRows(sparse, n)}
	if err := x.Check(threads); err != nil {
		return nil, err
	}
	return &prepared{x: x.Unit(words, threads).Across(threads), words: words}, nil
}

// standardised returns the columns, scaled where a scaling is given, standardised over √d, and this second change.
func standardised(x *csr.Dense, scaling *knn.Scaling, threads int) (diffuse.Features, *diffuse.Standard, error) {
	f := diffuse.Features{Dense: x}
	if scaling != nil {
		f.Dense = scaling.Apply(x, threads)
	}
	standard, err := f.Standardize(threads)
	switch {
	case err != nil:
	case scaling != nil:
		standard.ApplyTo(f.Dense, f.Dense, threads)
	default:
		f, err = standard.Apply(f, threads)
	}
	return f, standard, err
}

// homophily returns that of labels on a graph, adjusted for the sizes of classes: 1 where all
// edges are inside classes, 0 where labels are as if drawn by degree,
//
//	(e − Σ_j q_j²)/(1 − Σ_j q_j²),
//
// with e the share of weight between nodes of one class and q_j that of the degrees of class j.
// Nodes without a label take no part; 0 where there is no weight or one class.
//
// O. Platonov et al.: Characterizing Graph Datasets for Node Classification, NeurIPS 2023.
func homophily(w *csr.Matrix, labels []int32, classes, threads int) float64 {
	n, _ := w.Dims()
	sums := rows.NewReducer(n, classes+2).Sum(threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			cols, values := w.Row(i)
			for k, j := range cols {
				if labels[i] < 0 || labels[j] < 0 {
					continue
				}
				v := float64(values[k])
				sum[labels[i]] += v
				sum[classes] += v
				if labels[i] == labels[j] {
					sum[classes+1] += v
				}
			}
		}
	})
	all := sums[classes]
	if all == 0 {
		return 0
	}
	chance := 0.0
	for _, degree := range sums[:classes] {
		q := degree / all
		chance += float64(q * q)
	}
	if chance >= 1 {
		return 0
	}
	return (sums[classes+1]/all - chance) / (1 - chance)
}

// lowRank returns the diffused features on a graph, n×k, and Q ([diffuse.Diffused.LowRank]).
func (p *prepared) lowRank(ctx context.Context, g *diffuse.Graph, threads int) (z, q *csr.Dense, err error) {
	x, err := diffuse.NewDiffused(p.x, g, diffuse.TenHops, threads)
	if err != nil {
		return nil, nil, err
	}
	return x.LowRank(ctx, diffuse.Rank)
}
