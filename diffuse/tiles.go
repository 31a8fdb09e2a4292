package diffuse

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Products of dense blocks of float32 with sums in float64, by [kernel.Tile]. A product
// of two float32 is exact in float64, so that whether a version of the kernel fuses it
// with its sum changes no bit.

// strips are the columns of a block, a few together: number (k,j) lies at
// [j/width][k*width+j%width]. What is in missing columns goes into no result.
type strips struct {
	rows, cols, width int
	data              []float64
}

func newStrips(rows, cols, width int) *strips {
	count := (cols + width - 1) / width
	return &strips{rows: rows, cols: cols, width: width, data: make([]float64, count*rows*width)}
}

// strip returns columns from at on, at being a multiple of the width.
func (s *strips) strip(at int) []float64 { return s.data[at*s.rows : (at+s.width)*s.rows] }

// set makes the strips those of rows lo to hi−1 of x, columns from at on; row i times
// scale[i] where there is one.
func (s *strips) set(x *csr.Dense, lo, hi, at int, scale []float32) {
	s.rows = hi - lo
	for i := lo; i < hi; i++ {
		row, factor := x.Row(i)[at:at+s.cols], float32(1)
		if scale != nil {
			factor = scale[i]
		}
		for from := 0; from < len(row); from += s.width {
			to := s.strip(from)[(i-lo)*s.width:]
			for j, v := range row[from:min(from+s.width, len(row))] {
				to[j] = float64(float32(factor * v))
			}
		}
	}
}

// setAcross makes the strips those of the transpose of rows lo to hi−1 of x.
func (s *strips) setAcross(x *csr.Dense, lo, hi int) {
	for from := lo; from < hi; from += s.width {
		to, end := s.strip(from-lo), min(from+s.width, hi)
		if s.width == 4 && end-from == 4 { // writes go on in memory
			interleave4(to, x.Row(from), x.Row(from+1), x.Row(from+2), x.Row(from+3))
			continue
		}
		for i := from; i < end; i++ {
			for k, v := range x.Row(i) {
				to[k*s.width+i-from] = float64(v)
			}
		}
	}
}

// interleave4 writes a_0, b_0, c_0, d_0, a_1, ….
func interleave4(to []float64, a, b, c, d []float32) {
	to, b, c, d = to[:4*len(a)], b[:len(a)], c[:len(a)], d[:len(a)]
	for k, v := range a {
		four := to[4*k : 4*k+4 : 4*k+4]
		four[0], four[1], four[2], four[3] = float64(v), float64(b[k]), float64(c[k]), float64(d[k])
	}
}

// tile is a part of a product, made from 0, so that all versions add in one order.
type tile [kernel.TileRows * kernel.TileCols]float64

func (t *tile) multiply(a, b []float64, n int) {
	clear(t[:])
	kernel.Tile(t[:], kernel.TileCols, a, b, n)
}

// TimesDense calls put with the rows of X·V, n×d by d×c: row i in float64, until it
// returns. Calls for different rows run at a time. Sums are in the order of the columns of X, with the same bits on every processor.
func TimesDense(ctx context.Context, x, v *csr.Dense, threads int, put func(i int, row []float64)) error {
	b := newStrips(v.Rows, v.Cols, kernel.TileCols)
	b.set(v, 0, v.Rows, 0, nil)
	return timesStrips(ctx, x, b, threads, put)
}

func timesStrips(ctx context.Context, x *csr.Dense, b *strips, threads int, put func(i int, row []float64)) error {
	return rows.Do(ctx, x.Rows, threads, func(_, lo, hi int) error {
		a, part := newStrips(x.Cols, kernel.TileRows, kernel.TileRows), new(tile)
		out := make([]float64, kernel.TileRows*b.cols)
		for ; lo < hi; lo += kernel.TileRows {
			end := min(lo+kernel.TileRows, hi)
			a.setAcross(x, lo, end)
			for at := 0; at < b.cols; at += kernel.TileCols {
				part.multiply(a.data, b.strip(at), x.Cols)
				for r := range end - lo {
					copy(out[r*b.cols+at:(r+1)*b.cols], part[r*kernel.TileCols:(r+1)*kernel.TileCols])
				}
			}
			for r := range end - lo {
				put(lo+r, out[r*b.cols:(r+1)*b.cols])
			}
		}
		return nil
	})
}

// cross returns (sA)ᵀ(sB), p×q, for A n×p, B n×q and a factor s of each row; nil for 1.
// Blocks of rows are summed in their order. Where B is A only the numbers up to the
// diagonal are right. Memory: 16·p·q bytes a worker.
func cross(ctx context.Context, a, b *csr.Dense, scale []float32, threads int) ([]float64, error) {
	size := a.Cols * b.Cols
	sum := make([]float64, size)
	blocks := (a.Rows + rows.BlockSize - 1) / rows.BlockSize
	batch := min(blocks, 2*rows.Workers(threads))
	parts := make([]float64, batch*size)
	workers := make([]*crossing, rows.Workers(threads))
	for first := 0; first < blocks; first += batch {
		count := min(batch, blocks-first)
		err := rows.Tasks(ctx, count, threads, func(worker, t int) error {
			if workers[worker] == nil {
				workers[worker] = newCrossing(a, b)
			}
			lo := (first + t) * rows.BlockSize
			workers[worker].block(parts[t*size:(t+1)*size], a, b, lo, min(lo+rows.BlockSize, a.Rows), scale)
			return nil
		})
		if err != nil {
			return nil, err
		}
		for at := range count {
			for k, v := range parts[at*size : (at+1)*size] {
				sum[k] += v
			}
		}
	}
	return sum, nil
}

// crossing is the scratch memory of one worker of cross.
type crossing struct {
	a, b *strips
	part tile
}

func newCrossing(a, b *csr.Dense) *crossing {
	most := min(rows.BlockSize, a.Rows)
	return &crossing{a: newStrips(most, kernel.TileRows, kernel.TileRows), b: newStrips(most, b.Cols, kernel.TileCols)}
}

// block sets dst to the part of rows lo to hi−1.
func (c *crossing) block(dst []float64, a, b *csr.Dense, lo, hi int, scale []float32) {
	c.b.set(b, lo, hi, 0, scale)
	for i := 0; i < a.Cols; i += kernel.TileRows {
		c.a.cols = min(kernel.TileRows, a.Cols-i)
		c.a.set(a, lo, hi, i, scale)
		for j := 0; j < b.Cols && (a != b || j < i+kernel.TileRows); j += kernel.TileCols {
			c.part.multiply(c.a.data, c.b.strip(j), hi-lo)
			for r := range c.a.cols {
				copy(dst[(i+r)*b.Cols+j:(i+r+1)*b.Cols], c.part[r*kernel.TileCols:(r+1)*kernel.TileCols])
			}
		}
	}
}
