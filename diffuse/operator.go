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

// RowOperator is an Operator that computes rows separately. The solvers then do the rest of their
// work on a block of rows while it is in the cache.
type RowOperator interface {
	Operator
	// ApplyRows computes rows lo to hi−1 of dst ← S·X. Calls for several blocks
	// of rows may run at a time.
	ApplyRows(dst, x *csr.Dense, lo, hi int)
}

// ApartOperator is a RowOperator that takes an X whose rows begin stride numbers apart.
type ApartOperator interface {
	RowOperator
	ApplyApartRows(dst *csr.Dense, x []float32, stride, lo, hi int)
}

// SharedOperator is a RowOperator that holds some of the rows, and gets the rest of X from other
// processes.
type SharedOperator interface {
	RowOperator
	// Begin sends the rows of x that others need, and receives those needed here. Meanwhile it
	// computes the rows of dst that need no other process. ApplyRows then computes the rest, until
	// the next Begin.
	Begin(dst, x *csr.Dense)
}

// Filler is an Operator with its own [FillReached].
type Filler interface {
	FillReached(f *csr.Dense, alpha float64)
}

// Parted is a graph that knows its connected components.
type Parted interface {
	// Components returns the component of each own row; nil if the graph is connected. Over several
	// processes all call it together.
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

// ComponentOf returns the component of a row of a graph.
func ComponentOf(g Parted, row int) uint32 {
	if of := g.Components(); of != nil {
		return of[row]
	}
	return 0
}

// Partition describes a graph whose rows lie in several processes. This process holds the rows lo
// to hi−1 of n, where lo is a multiple of the 512 rows of a block of sums. All processes make the
// same calls in the same order.
type Partition interface {
	Rows() (lo, hi, n int)
	// Fold calls add once in each process, in the order of their rows. Each gets sum as the process
	// before left it. At the end all processes have the sum that the last one left.
	Fold(sum []float64, add func(sum []float64))
}

// Graph is a normalised graph in memory, with the degrees by which it was normalised. It is a
// [RowOperator], a [Filler] and a [Parted], and must not be copied.
type Graph struct {
	S       *csr.Matrix
	Degrees []float64 // of the matrix that S was made from
	Threads int

	find  sync.Once
	parts Parts
}

// Normalize returns S = D^-1/2 W D^-1/2 with the degrees of W; see [csr.NormalizeSym]. It shares
// the pattern of w, and adds 4 bytes an entry and 8 a node.
//
// W must pass [csr.CheckAffinity], or [csr.CheckWeights] for a learned graph. Neither Normalize nor
// the users of the Graph check this; for any other W results have no meaning.
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

// ApplyApartRows is ApplyRows for an X whose rows begin stride numbers apart ([csr.Stride]).
func (g *Graph) ApplyApartRows(dst *csr.Dense, x []float32, stride, lo, hi int) {
	csr.MulApartRows(dst, g.S, x, stride, lo, hi)
}

// Components returns the connected component of each node, see [csr.Components], nil if there is
// only one. The first call finds it, in O(n + nnz), and keeps 4 bytes a node; it must not be
// changed.
func (g *Graph) Components() []uint32 {
	g.find.Do(func() { g.parts = PartsOf(g.S, g.Threads) })
	return g.parts
}

// FillReached is the function [FillReached] for this graph.
func (g *Graph) FillReached(f *csr.Dense, alpha float64) {
	FillReached(f, 0, g.S, alpha, g.Threads, nil)
}
