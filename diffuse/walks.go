package diffuse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// Walks returns Ẑ, n×ℓ: where random walks from each node end, by cells of the graph. For T = D⁻¹W and walks of up to t = steps
// edges,
//
//	M_ig = vol/vol_g · 1/t Σ_{s=1..t} (Tˢ1_g)_i,   z_i = log(1 + M_i),   ẑ_i = (z_i − z̄)/‖z_i − z̄‖₂,
//
// where 1_g marks the nodes of cell g, vol_g is the sum of their degrees, vol that of all, and z̄ the mean of the rows
// of the nodes that a centre reaches. M_ig is 1 where a walk forgets where it began, and above 1 where it stays near cell g: it is the matrix of DeepWalk (J. Qiu and others, "Network
// embedding as matrix factorization", WSDM 2018) with cells in the place of single nodes.
//
// The cells are those of the nearest of ℓ centres, by number of edges; the centres are drawn from the nodes with edges, with a
// fixed seed. With no more than ℓ of these nodes each is a cell. Rows of nodes that no centre reaches are 0, as are rows of which
// centring leaves no more than rounding.
//
// Cost: t·nnz(W)·ℓ multiply-adds, in blocks of 32 columns, and n·ℓ logarithms. Memory: 4·n·ℓ bytes and [WalkBytes].
//
// It returns an [ErrOptions] for less than one cell or step, and ctx.Err().
func Walks(ctx context.Context, g *Graph, cells, steps, threads int) (*csr.Dense, error) {
	if cells < 1 || steps < 1 {
		return nil, fmt.Errorf("%w: walks of %d steps to %d cells, expected at least 1 of each", ErrOptions, steps, cells)
	}
	w := newWalking(g, cells)
	z := csr.NewDense(g.Dim(), len(w.centres))
	for lo := 0; lo < z.Cols; lo += formedColumns {
		if err := w.block(ctx, z, lo, min(lo+formedColumns, z.Cols), steps, threads); err != nil {
			return nil, err
		}
	}
	w.standardise(z, threads)
	return z, nil
}

// WalkBytes returns the memory that [Walks] takes for n nodes beside the graph and Ẑ.
func WalkBytes(n int64) int64 { return (2*4*formedColumns + 12) * n }

// walking is a graph that is cut into cells.
type walking struct {
	*Graph
	centres []uint32
	cell    []int32   // of each node; -1 for none
	volume  []float64 // of each cell, as a share of all
	most    float64   // the largest degree
}

func newWalking(g *Graph, cells int) *walking {
	n := g.Dim()
	w := &walking{Graph: g, cell: make([]int32, n)}
	joined, all := make([]uint32, 0, n), 0.0
	for i, d := range g.Degrees {
		w.cell[i] = -1
		if all += d; d > 0 {
			joined = append(joined, uint32(i))
			w.most = max(w.most, d)
		}
	}
	count := min(cells, len(joined))
	for k := range count { // a shuffle that ends early
		at := k + int(splitmix.Number(uint64(k))%uint64(len(joined)-k))
		joined[k], joined[at] = joined[at], joined[k]
		w.cell[joined[k]] = int32(k)
	}
	// Breadth first: joined becomes the queue, which holds no node twice.
	joined = joined[:count]
	w.centres, w.volume = slices.Clone(joined), make([]float64, count)
	for at := 0; at < len(joined); at++ {
		i := joined[at]
		cell := w.cell[i]
		w.volume[cell] += g.Degrees[i] / all
		cols, _ := g.S.Row(int(i))
		for _, j := range cols {
			if w.cell[j] < 0 {
				w.cell[j] = cell
				joined = append(joined, j)
			}
		}
	}
	return w
}

// root returns √(d_i/d) of the largest degree d, between 0 and 1.
func (w *walking) root(i int) float64 { return math.Sqrt(w.Degrees[i] / w.most) }

// block writes log(1 + M) of some cells. Tˢ1_g is D^-½ Sˢ D^½1_g, and the sum of S, S² … of X is S(X + S(X + …)).
func (w *walking) block(ctx context.Context, z *csr.Dense, lo, hi, steps, threads int) error {
	sum, next := csr.NewDense(z.Rows, hi-lo), csr.NewDense(z.Rows, hi-lo)
	for range steps {
		rows.Each(z.Rows, threads, func(first, end int) {
			for i := first; i < end; i++ {
				if c := int(w.cell[i]); c >= lo && c < hi {
					sum.Row(i)[c-lo] += float32(w.root(i))
				}
			}
		})
		if err := rows.Do(ctx, z.Rows, threads, func(_, first, end int) error {
			w.ApplyRows(next, sum, first, end)
			return nil
		}); err != nil {
			return err
		}
		sum, next = next, sum
	}
	rows.Each(z.Rows, threads, func(first, end int) {
		for i := first; i < end; i++ {
			if w.cell[i] < 0 {
				continue
			}
			scale := 1 / float64(float64(steps)*w.root(i))
			to := z.Row(i)[lo:hi]
			for j, v := range sum.Row(i) {
				to[j] = float32(exact.Log(1 + float64(float64(v)*scale)/w.volume[lo+j]))
			}
		}
	})
	return nil
}

// standardise takes the mean row off each that has a cell, and makes these rows of unit length.
func (w *walking) standardise(z *csr.Dense, threads int) {
	reached := 0.0
	for _, cell := range w.cell {
		if cell >= 0 {
			reached++
		}
	}
	sums := columnSums(z, threads)
	rows.Each(z.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if w.cell[i] < 0 {
				continue
			}
			row, before, square := z.Row(i), squares(z.Row(i)), 0.0
			for j, v := range row {
				off := float64(v) - sums[j]/reached
				row[j] = float32(off)
				square += float64(off * off)
			}
			if square <= leastRest*leastRest*before {
				clear(row)
				continue
			}
			times(row, 1/math.Sqrt(square))
		}
	})
}
