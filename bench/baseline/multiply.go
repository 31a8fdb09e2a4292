package baseline

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The parts of a product that stay in the caches: depth products of a sum, a
// block of the left matrix, and a block of the right one.
const (
	mulDepth = 256
	mulRows  = 24 * kernel.TileRows
	mulCols  = 84 * kernel.TileCols
)

// mul computes dst ← A B for dense matrices or their transposes, n·m·k
// multiply-adds, with as many threads as GOMAXPROCS, by [kernel.Tile]: gonum's
// own product takes several times as long. dst may be a or b.
func mul(dst *mat.Dense, a, b mat.Matrix) {
	n, k := a.Dims()
	_, m := b.Dims()
	left, right := newOperand(a), newOperand(b)
	into := dst
	if raw := dst.RawMatrix(); sameStart(raw, left.raw) || sameStart(raw, right.raw) {
		into = mat.NewDense(n, m, nil)
	}
	into.Zero()
	out := into.RawMatrix()
	scratch := make([]mulScratch, rows.Workers(0))
	strips := make([]float64, min(k, mulDepth)*(min(m, mulCols)+kernel.TileCols))
	for p := 0; p < k; p += mulDepth {
		depth := min(mulDepth, k-p)
		for j := 0; j < m; j += mulCols {
			width := min(mulCols, m-j)
			right.packCols(strips, p, depth, j, width)
			// Nothing ends the work early, and no task fails.
			_ = rows.Tasks(context.Background(), (n+mulRows-1)/mulRows, 0, func(worker, block int) error {
				i := block * mulRows
				scratch[worker].block(out, left, strips, p, depth, i, min(mulRows, n-i), j, width)
				return nil
			})
		}
	}
	if into != dst {
		dst.Copy(into)
	}
}

// cross returns AᵀA for a given as A, or as Aᵀ's transpose.
func cross(a mat.Matrix) *mat.SymDense {
	_, m := a.Dims()
	product := mat.NewDense(m, m, nil)
	mul(product, a.T(), a)
	return mat.NewSymDense(m, product.RawMatrix().Data)
}

// operand is a matrix or its transpose.
type operand struct {
	raw   blas64.General
	trans bool
}

func newOperand(m mat.Matrix) operand {
	switch m := m.(type) {
	case *mat.Dense:
		return operand{raw: m.RawMatrix()}
	case mat.Transpose:
		o := newOperand(m.Matrix)
		o.trans = !o.trans
		return o
	}
	return operand{raw: mat.DenseCopyOf(m).RawMatrix()}
}

func sameStart(a, b blas64.General) bool {
	return len(a.Data) > 0 && len(b.Data) > 0 && &a.Data[0] == &b.Data[0]
}

// packCols puts rows p to p+depth−1 of columns j to j+width−1 into strips of
// TileCols columns, the last filled with zeros.
func (o operand) packCols(strips []float64, p, depth, j, width int) {
	for s := 0; s < width; s += kernel.TileCols {
		o.pack(strips[s*depth:], kernel.TileCols, min(kernel.TileCols, width-s), p, depth, j+s, o.trans)
	}
}

// packRows puts columns p to p+depth−1 of rows i to i+height−1 into strips of
// TileRows rows, the last filled with zeros.
func (o operand) packRows(strips []float64, i, height, p, depth int) {
	for r := 0; r < height; r += kernel.TileRows {
		o.pack(strips[r*depth:], kernel.TileRows, min(kernel.TileRows, height-r), p, depth, i+r, !o.trans)
	}
}

// pack puts count lines from first on, depth numbers from p on each, into a
// strip of the given width: the lines are rows of the stored matrix, or its
// columns.
func (o operand) pack(strip []float64, width, count, p, depth, first int, areRows bool) {
	if !areRows {
		for q := range depth {
			to := strip[q*width : (q+1)*width]
			clear(to[copy(to, o.raw.Data[(p+q)*o.raw.Stride+first:][:count]):])
		}
		return
	}
	for line := range width {
		if line >= count {
			for q := range depth {
				strip[q*width+line] = 0
			}
			continue
		}
		for q, v := range o.raw.Data[(first+line)*o.raw.Stride+p:][:depth] {
			strip[q*width+line] = v
		}
	}
}

// mulScratch is what a worker packs its block of the left matrix into.
type mulScratch struct {
	strips []float64
	edge   [kernel.TileRows * kernel.TileCols]float64
}

// block adds the products of a block of the left matrix with packed columns.
func (s *mulScratch) block(out blas64.General, left operand, cols []float64, p, depth, i, height, j, width int) {
	if s.strips == nil {
		s.strips = make([]float64, mulDepth*mulRows)
	}
	left.packRows(s.strips, i, height, p, depth)
	for c := 0; c < width; c += kernel.TileCols {
		for r := 0; r < height; r += kernel.TileRows {
			at := out.Data[(i+r)*out.Stride+j+c:]
			if r+kernel.TileRows <= height && c+kernel.TileCols <= width {
				kernel.Tile(at, out.Stride, s.strips[r*depth:], cols[c*depth:], depth)
				continue
			}
			clear(s.edge[:])
			kernel.Tile(s.edge[:], kernel.TileCols, s.strips[r*depth:], cols[c*depth:], depth)
			for y := range min(kernel.TileRows, height-r) {
				for x := range min(kernel.TileCols, width-c) {
					at[y*out.Stride+x] += s.edge[y*kernel.TileCols+x]
				}
			}
		}
	}
}
