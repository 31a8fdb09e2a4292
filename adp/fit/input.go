package fit

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Input holds the edges, features and known labels of n nodes. Edges, features or neighbours must
// be there.
type Input struct {
	// Edges is the affinity of a graph of the nodes, n×n, as [adp.Run] takes it; stored zeros are no edges.
	Edges *csr.Matrix
	// Dense or Sparse holds the features, a row a node; one of them at most. Beside Edges
	// they may have fewer rows than nodes: the last nodes are without features.
	Dense  *csr.Dense
	Sparse *csr.Matrix
	// Neighbors are nearest neighbours that were found elsewhere; features are then needed, dense, for [LLE] and
	// [knn.GraphOptions.Connect], and for a mixture of methods. Without them there is none: Options.Pool, Guess and Explain
	// have no effect.
	Neighbors *knn.Neighbors
	// Seeds are the known labels. Nil for none: no graph is chosen by them.
	Seeds *diffuse.Seeds
}

// featured reports whether a graph is made of features or neighbours.
func (in *Input) featured() bool { return in.hasVectors() || in.Neighbors != nil }

// hasVectors reports whether the features themselves are there.
func (in *Input) hasVectors() bool { return in.Dense != nil || in.Sparse != nil }

// points returns the number of points that have features or neighbours.
func (in *Input) points() int {
	switch {
	case in.Neighbors != nil:
		return in.Neighbors.N
	case in.Dense != nil:
		return in.Dense.Rows
	case in.Sparse != nil:
		n, _ := in.Sparse.Dims()
		return n
	}
	return 0
}

// dims returns the number of dimensions of the features; 0 where there are none.
func (in *Input) dims() int {
	switch {
	case in.Dense != nil:
		return in.Dense.Cols
	case in.Sparse != nil:
		_, d := in.Sparse.Dims()
		return d
	}
	return 0
}

// Nodes returns n.
func (in *Input) Nodes() int {
	if in.Edges != nil {
		n, _ := in.Edges.Dims()
		return n
	}
	return in.points()
}

// dropZeros leaves the stored zeros of the edges out: they are no edges. It checks the edges before.
func (in *Input) dropZeros(threads int) error {
	if in.Edges == nil {
		return nil
	}
	if err := csr.CheckAffinity(in.Edges, threads); err != nil {
		return fmt.Errorf("%w: %w", adp.ErrGraph, err)
	}
	in.Edges, _ = csr.WithoutZeros(in.Edges)
	return nil
}

func (in *Input) check() error {
	n, points := in.Nodes(), in.points()
	switch {
	case in.Edges == nil && !in.featured():
		return fmt.Errorf("%w: no edges, features or neighbours", ErrInput)
	case in.Dense != nil && in.Sparse != nil:
		return fmt.Errorf("%w: dense and sparse features, expected one of them", ErrInput)
	case points > n:
		return fmt.Errorf("%w: %d rows of features for %d nodes, expected at most one a node", ErrInput, points, n)
	case in.Dense != nil && in.Dense.Rows != points:
		return fmt.Errorf("%w: neighbours of %d points and %d rows of features", ErrInput, points, in.Dense.Rows)
	case in.Seeds != nil && in.Seeds.Nodes != n:
		return fmt.Errorf("%w: seeds of %d nodes and %d nodes", ErrInput, in.Seeds.Nodes, n)
	case in.Seeds != nil:
		if err := checkSeeds(in.Seeds); err != nil {
			return err
		}
	}
	if x := in.Dense; x != nil && len(x.Data) != x.Rows*x.Cols {
		return fmt.Errorf("%w: %d numbers, expected %d×%d", knn.ErrFeatures, len(x.Data), x.Rows, x.Cols)
	}
	if in.Neighbors != nil {
		if err := in.Neighbors.Check(); err != nil {
			return err
		}
	}
	if in.Sparse != nil {
		if rows, _ := in.Sparse.Dims(); rows != points {
			return fmt.Errorf("%w: neighbours of %d points and %d rows of features", ErrInput, points, rows)
		}
	}
	return nil
}

// checkSeeds checks that there are seeds, and that they are as [diffuse.NewSeeds] makes them.
func checkSeeds(y *diffuse.Seeds) error {
	if y == nil {
		return errNoSeeds
	}
	if err := y.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	return nil
}

// checkGraph checks that a graph has what [NewGraph] makes of the input.
func (in *Input) checkGraph(g *Graph) error {
	if rows, cols := g.W.Dims(); rows != in.Nodes() || cols != rows {
		return fmt.Errorf("%w: a graph of %d×%d for %d nodes", ErrInput, rows, cols, in.Nodes())
	}
	if in.Edges != nil && in.featured() {
		if g.OfFeatures == nil {
			return fmt.Errorf("%w: a graph without that of the features alone, expected one made of the edges and features", ErrInput)
		}
		if rows, cols := g.OfFeatures.Dims(); rows != in.Nodes() || cols != rows {
			return fmt.Errorf("%w: a graph of the features of %d×%d for %d nodes", ErrInput, rows, cols, in.Nodes())
		}
	}
	if g.Scaling != nil && in.Dense != nil {
		return g.Scaling.Check(in.Dense.Cols)
	}
	return nil
}
