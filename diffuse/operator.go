package diffuse

import (
	"sync"

	"github.com/adp-sparse/adp-sparse/csr"
)

// Operator applies a symmetric n×n matrix with spectrum in [-1,1].
type Operator interface {
	// Dim returns n.
	Dim() int
	// Apply computes dst ← S·X; dst and x are n×c and do not overlap.
	Apply(dst, x *csr.Dense)
}

// RowOperator is an Operator that makes rows by themselves. The solvers then do
// the rest of their work on a block of rows while it is in the cache.
type RowOperator interface {
	Operator
	// ApplyRows computes rows lo to hi−1 of dst ← S·X. Calls for several blocks
	// of rows may run at a time.
	ApplyRows(dst, x *csr.Dense, lo, hi int)
}

// SharedOperator is a RowOperator that holds a part of the rows and has the rest
// of X from other processes.
type SharedOperator interface {
	RowOperator
	// Begin sends the rows of x that others need, and takes those that are needed
	// here; meanwhile it computes what rows of dst it can. ApplyRows then makes
	// the others, until the next Begin.
	Begin(dst, x *csr.Dense)
}

// Filler is an Operator that can do what [FillReached] does.
type Filler interface {
	FillReached(f *csr.Dense, alpha float64)
}

// Parted is a graph that knows its connected components.
type Parted interface {
	// Components says which component each of the rows that are here is in; nil
	// where the graph is connected. Across processes all call it together.
	Components() []uint32
}

// Parts are known components, nil for one.
type Parts []uint32

// PartsOf returns the connected components of the graph with the symmetric matrix m,
// see [csr.Components].
func PartsOf(m *csr.Matrix, threads int) Parts {
	of, sizes := csr.Components(m, threads)
	if len(sizes) <= 1 {
		return nil
	}
	return of
}

// Components returns them.
func (p Parts) Components() []uint32 { return p }

// ComponentOf returns the component that a row of a graph is in.
func ComponentOf(g Parted, row int) uint32 {
	if of := g.Components(); of != nil {
		return of[row]
	}
	return 0
}

// Partition says which rows a process holds of a graph whose rows lie in several:
// lo to hi−1 of n, where lo is a multiple of the 512 rows that sums are made
// over. All processes make the same calls in the same order.
type Partition interface {
	Rows() (lo, hi, n int)
	// Fold has add called once in each process, in the order of their rows, with
	// sum as the process before left it; at the end sum is in all of them what
	// the last one left.
	Fold(sum []float64, add func(sum []float64))
}

// Graph is a normalised graph in memory, with the degrees it was normalised
// by. It is a [RowOperator], a [Filler] and a [Parted], and must not be copied.
type Graph struct {
	S       *csr.Matrix
	Degrees []float64 // of the matrix that S was made from
	Threads int

	find  sync.Once
	parts Parts
}

// Normalize returns S = D^-1/2 W D^-1/2 with the degrees of W; see
// [csr.NormalizeSym]. The pattern is shared with w: 4 bytes an entry and 8 a
// node are added.
//
// W must be as [csr.CheckAffinity] asks, or [csr.CheckWeights] for a learned graph: this
// is not checked here, nor by what takes the Graph, and another W gives results without
// a meaning.
func Normalize(w *csr.Matrix, threads int) *Graph {
	g, _ := NormalizeIn(nil, w, threads)
	return g
}

// NormalizeIn is Normalize with the values of S in a space.
func NormalizeIn(space *csr.Space, w *csr.Matrix, threads int) (*Graph, error) {
	s, degrees, err := space.NormalizeSym(w, threads)
	return &Graph{S: s, Degrees: degrees, Threads: threads}, err
}

// Dim returns the number of nodes.
func (g *Graph) Dim() int {
	n, _ := g.S.Dims()
	return n
}

// Apply computes dst ← S·X.
func (g *Graph) Apply(dst, x *csr.Dense) { csr.MulDense(dst, g.S, x, g.Threads) }

// ApplyRows computes rows lo to hi−1 of dst ← S·X.
func (g *Graph) ApplyRows(dst, x *csr.Dense, lo, hi int) { csr.MulDenseRows(dst, g.S, x, lo, hi) }

// Components returns which connected component each node is in, see
// [csr.Components], nil where there is one. It is found in the first call, in
// O(n + nnz), and keeps 4 bytes a node; it must not be changed.
func (g *Graph) Components() []uint32 {
	g.find.Do(func() { g.parts = PartsOf(g.S, g.Threads) })
	return g.parts
}

// FillReached is the function [FillReached] for this graph.
func (g *Graph) FillReached(f *csr.Dense, alpha float64) {
	FillReached(f, 0, g.S, alpha, g.Threads, nil)
}
