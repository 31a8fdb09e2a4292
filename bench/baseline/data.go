package baseline

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Neighbours are the numbers of the paper's setup: k edges a point, and the
// 27 nearest for bandwidths.
const (
	Neighbours          = 10
	bandwidthNeighbours = 27
)

// Data is a set of n points, and what methods make of it whatever the labels
// are: each such thing is made once, by the first method that asks. It
// belongs to one goroutine.
type Data struct {
	X          *csr.Dense  // n×d features
	Sparse     *csr.Matrix // n×d features of [Peers], where X is nil; nil else
	Privileged *csr.Dense  // n×d', what only a teacher sees (GD); nil for none
	W          *csr.Matrix // n×n affinity: symmetric, not negative, empty diagonal
	Threads    int
	Open       bool // W is one graph of several: ADP chooses its own, as a user of the program has it

	kept map[string]any
}

// once returns what make makes, made at most once for a key.
func once[T any](d *Data, key string, make func() (T, error)) (T, error) {
	if v, ok := d.kept[key]; ok {
		return v.(T), nil
	}
	v, err := make()
	if err == nil {
		if d.kept == nil {
			d.kept = map[string]any{}
		}
		d.kept[key] = v
	}
	return v, err
}

// N returns the number of points.
func (d *Data) N() int {
	n, _ := d.W.Dims()
	return n
}

// normalized returns S = D^-1/2 W D^-1/2 with the degrees of W.
func (d *Data) normalized() *diffuse.Graph {
	s, _ := once(d, "S", func() (*diffuse.Graph, error) { return diffuse.Normalize(d.W, d.Threads), nil })
	return s
}

// neighbours returns the 27 nearest points of each.
func (d *Data) neighbours(ctx context.Context) (*knn.Neighbors, error) {
	return once(d, "neighbours", func() (*knn.Neighbors, error) { return d.search(ctx, d.X) })
}

func (d *Data) search(ctx context.Context, x *csr.Dense) (*knn.Neighbors, error) {
	nb, _, err := knn.Search(ctx, x, knn.Options{K: min(bandwidthNeighbours, x.Rows-1), Method: knn.Exact, Threads: d.Threads})
	return nb, err
}

// adaptive returns the paper's graph of points: adaptive Gaussian weights,
// exp(−d²/2σ_i²) with σ_i the mean distance of the 27 nearest, of the k
// nearest neighbours, W ← (W + Wᵀ)/2.
func (d *Data) adaptive(ctx context.Context, x *csr.Dense, k int) (*csr.Matrix, error) {
	nb, err := d.search(ctx, x)
	if err != nil {
		return nil, err
	}
	w, err := knn.Weights(nb, knn.WeightOptions{K: min(k, nb.K), Weighting: knn.Adaptive, Threads: d.Threads})
	if err != nil {
		return nil, err
	}
	return csr.Symmetrize(w, csr.Mean, d.Threads), nil
}

// gram is the spectral form of the Gram matrix of the points at unit length,
//
//	XᵀX = V diag(g) Vᵀ,  V n×r, VᵀV = I,
//
// from which every self-expressive method works: X may be turned to
// diag(√g) Vᵀ (r×n) without changing any distance.
type gram struct {
	v    *mat.Dense
	g    []float64
	root []float64 // √g
}

// energy is the share of ‖X‖_F² that gram keeps.
const energy = 0.995

// gram returns the Gram matrix of the points at unit length, by its largest
// eigenvalues that sum to 99.5 % of n: a smaller r makes the dense iterations
// affordable. O(n d min(n,d) + min(n,d)³).
func (d *Data) gram() (*gram, error) {
	return once(d, "gram", func() (*gram, error) { return newGram(unitRows(d.X), energy) })
}

// unitRows returns the rows of x at unit length, in float64; zero rows stay.
func unitRows(x *csr.Dense) *mat.Dense {
	u := mat.NewDense(x.Rows, x.Cols, nil)
	for i := range x.Rows {
		row, norm := u.RawRowView(i), 0.0
		for j, v := range x.Row(i) {
			row[j] = float64(v)
			norm += row[j] * row[j]
		}
		if norm > 0 {
			scale(1/math.Sqrt(norm), row)
		}
	}
	return u
}

func newGram(u *mat.Dense, energy float64) (*gram, error) {
	n, dims := u.Dims()
	side := min(n, dims)
	var sym *mat.SymDense
	if n <= dims {
		sym = cross(u.T())
	} else {
		sym = cross(u)
	}
	values, vectors, ok := eigen(sym)
	if !ok {
		return nil, fmt.Errorf("eigenvalues of the Gram matrix of %d points did not converge", n)
	}
	total := 0.0
	for _, g := range values {
		total += max(g, 0)
	}
	sum, r := 0.0, 0
	for r < side && sum < energy*total && values[side-1-r] > 1e-10*values[side-1] {
		sum += values[side-1-r]
		r++
	}
	out := &gram{v: mat.NewDense(n, max(r, 1), nil), g: make([]float64, max(r, 1)), root: make([]float64, max(r, 1))}
	top := mat.NewDense(side, max(r, 1), nil)
	for k := range r {
		out.g[k] = values[side-1-k]
		out.root[k] = math.Sqrt(out.g[k])
		top.SetCol(k, vectors.RawRowView(side-1-k))
	}
	if n <= dims {
		out.v.Copy(top)
		return out, nil
	}
	mul(out.v, u, top) // left singular vectors times √g
	for i := range n {
		row := out.v.RawRowView(i)
		for k, root := range out.root {
			if root > 0 {
				row[k] /= root
			}
		}
	}
	return out, nil
}

// points returns the points as rows: V diag(√g), n×r.
func (g *gram) points() *mat.Dense {
	n, r := g.v.Dims()
	x := mat.NewDense(n, r, nil)
	for i := range n {
		row := x.RawRowView(i)
		for k, v := range g.v.RawRowView(i) {
			row[k] = v * g.root[k]
		}
	}
	return x
}

// matrix returns XᵀX itself, n×n.
func (g *gram) matrix() *mat.Dense {
	x := g.points()
	n, _ := x.Dims()
	m := mat.NewDense(n, n, nil)
	mul(m, x, x.T())
	return m
}

func scale(by float64, x []float64) {
	for k := range x {
		x[k] *= by
	}
}
