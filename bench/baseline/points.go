package baseline

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// counts reports whether the features are counts, of words and the like: all sparse
// ones, and dense ones that are [knn.Words].
func (d *Data) counts() bool { return d.Sparse != nil || knn.Words(d.X) }

// points returns the features as linear models take them, n×d, made once: rows of counts
// at unit length, other features with their columns scaled ([knn.ScalingOf]).
func (d *Data) points() (*csr.Matrix, error) {
	return once(d, "points", func() (*csr.Matrix, error) { return d.prepare(euclidean) })
}

// shares is points with rows of counts that sum to 1 (of the absolute values), as the
// authors of SGC have them.
func (d *Data) shares() (*csr.Matrix, error) {
	return once(d, "shares", func() (*csr.Matrix, error) { return d.prepare(absolute) })
}

// prepare divides rows of counts by their length, and scales the columns of others.
func (d *Data) prepare(length func([]float32) float64) (*csr.Matrix, error) {
	switch {
	case d.Sparse != nil:
		return divideRows(d.Sparse, length), nil
	case d.counts():
		x, err := sparseRows(d.X)
		if err != nil {
			return nil, err
		}
		return divideRows(x, length), nil
	}
	scaling, err := knn.ScalingOf(d.X, d.Threads)
	if err != nil {
		return nil, err
	}
	return sparseRows(scaling.Apply(d.X, d.Threads))
}

// euclidean returns ‖v‖.
func euclidean(v []float32) float64 {
	square := 0.0
	for _, v := range v {
		square += float64(v) * float64(v) // of float32: exact, so that no order of rounding matters
	}
	return math.Sqrt(square)
}

// absolute returns ‖v‖₁.
func absolute(v []float32) (total float64) {
	for _, v := range v {
		total += math.Abs(float64(v))
	}
	return total
}

// divideRows returns m with each row divided by its length; rows of length 0 stay.
func divideRows(m *csr.Matrix, length func([]float32) float64) *csr.Matrix {
	indptr, _, data := m.Arrays()
	scaled := slices.Clone(data)
	for i := range len(indptr) - 1 {
		row := scaled[indptr[i]:indptr[i+1]]
		by := length(row)
		if by == 0 {
			continue
		}
		for k, v := range row {
			row[k] = float32(float64(v) / by)
		}
	}
	return m.WithData(scaled)
}

// sparseRows returns x without its zeros.
func sparseRows(x *csr.Dense) (*csr.Matrix, error) {
	s := stack{cols: x.Cols}
	cols, vals := make([]uint32, 0, x.Cols), make([]float32, 0, x.Cols)
	for i := range x.Rows {
		cols, vals = cols[:0], vals[:0]
		for j, v := range x.Row(i) {
			if v != 0 {
				cols, vals = append(cols, uint32(j)), append(vals, v)
			}
		}
		s.add(cols, vals)
	}
	return s.matrix()
}

// stack is a matrix that is made row by row.
type stack struct {
	cols    int
	indptr  []int64
	indices []uint32
	data    []float32
}

func (s *stack) add(cols []uint32, vals []float32) {
	s.indptr = append(s.indptr, int64(len(s.indices)))
	s.indices, s.data = append(s.indices, cols...), append(s.data, vals...)
}

func (s *stack) matrix() (*csr.Matrix, error) {
	n := len(s.indptr)
	return csr.New(n, s.cols, append(s.indptr, int64(len(s.indices))), s.indices, s.data)
}

// rowsOf returns the rows of m of some nodes.
func rowsOf(m *csr.Matrix, nodes []uint32) (*csr.Matrix, error) {
	_, d := m.Dims()
	s := stack{cols: d}
	for _, i := range nodes {
		s.add(m.Row(int(i)))
	}
	return s.matrix()
}

// looped returns S̃ = D̃^-1/2 (W + I) D̃^-1/2 with the degrees D̃ of W + I, made once.
//
// T. Kipf, M. Welling: Semi-Supervised Classification with Graph Convolutional Networks.
// ICLR 2017.
func (d *Data) looped() *diffuse.Graph {
	s, _ := once(d, "S̃", func() (*diffuse.Graph, error) {
		return diffuse.Normalize(csr.Add(d.W, 1, csr.Identity(d.N()), d.Threads), d.Threads), nil
	})
	return s
}

// hop returns S̃X. Time and memory are those of its entries, up to n·d.
func (d *Data) hop(ctx context.Context, x *csr.Matrix) (*csr.Matrix, error) {
	n, width := x.Dims()
	cols, vals := make([][]uint32, n), make([][]float32, n)
	err := csr.MulRows(ctx, d.looped().S, x, d.Threads, func(_, i int, row *csr.Accumulator) error {
		cols[i], vals[i] = slices.Clone(row.Columns()), slices.Clone(row.Values())
		csr.SortRow(cols[i], vals[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := stack{cols: width}
	for i := range n {
		s.add(cols[i], vals[i])
		cols[i], vals[i] = nil, nil
	}
	return s.matrix()
}

// spread returns F after some steps of F ← αSF + (1−α)H from F = H, n×c; with bounded
// each step ends in [0,1].
func (d *Data) spread(ctx context.Context, s *csr.Matrix, h *csr.Dense, alpha float64, steps int, bounded bool) (*csr.Dense, error) {
	f, next := h.Clone(), csr.NewDense(h.Rows, h.Cols)
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		csr.MulDense(next, s, f, d.Threads)
		for k, v := range next.Data {
			v := float64(alpha*float64(v)) + float64((1-alpha)*float64(h.Data[k]))
			if bounded {
				v = min(1, max(0, v))
			}
			next.Data[k] = float32(v)
		}
		f, next = next, f
	}
	return f, nil
}
