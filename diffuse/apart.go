package diffuse

import (
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// P with its rows apart: a product with S takes rows of P from all over it, and every other pass takes them one after the
// other. So P alone has rows apart. The other passes copy some rows together, to memory in the cache, and have the
// same bits as on P as it is.

// togetherRows is the number of rows that are copied together, a multiple of eight: sums over them use the places of
// [kernel.Period] as sums over all rows do. Blocks of up to mostApart columns have rows apart.
const (
	togetherRows = 32
	mostApart    = 64
)

// scratch holds togetherRows rows, and what copies of whole vectors write behind the last.
type scratch [togetherRows*mostApart + 16]float32

// stride returns how many numbers apart the rows of P are; 0 where it is as the other blocks are.
func (w *Workspace) stride() int {
	if w.apart == nil {
		return 0
	}
	if _, ok := w.m.s.(ApartOperator); !ok {
		return 0
	}
	return len(w.apart) / w.p.Rows
}

// begin sets P ← R.
func (w *Workspace) begin() {
	stride := w.stride()
	if stride == 0 {
		w.p.CopyFrom(w.r)
		return
	}
	c := w.r.Cols
	rows.Each(w.r.Rows, w.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(w.apart[i*stride:], w.r.Data[i*c:(i+1)*c])
		}
	})
}

// productApart is product.
func (w *Workspace) productApart(stride, lo, hi int, sum []float64) {
	s := w.m.s.(ApartOperator)
	var p scratch
	w.m.free.each(lo, hi, func(lo, hi int) {
		s.ApplyApartRows(w.q, w.apart, stride, lo, hi)
		w.m.free.clearOthers(w.q, lo, hi)
		for ; lo < hi; lo += togetherRows {
			end := min(lo+togetherRows, hi)
			kernel.MinusDot(block(w.q, lo, end), w.gather(&p, stride, lo, end), float32(w.m.alpha), sum)
		}
	})
}

// advanceApart is advance.
func (w *Workspace) advanceApart(stride, lo, hi int) {
	var p scratch
	w.m.free.each(lo, hi, func(lo, hi int) {
		for ; lo < hi; lo += togetherRows {
			end := min(lo+togetherRows, hi)
			kernel.Advance(block(w.x, lo, end), w.gather(&p, stride, lo, end), block(w.r, lo, end), w.a, w.b)
			w.spread(&p, stride, lo, end)
		}
	})
}

// gather copies rows lo to hi−1 of P together.
func (w *Workspace) gather(p *scratch, stride, lo, hi int) []float32 {
	c := w.p.Cols
	copyRows(p[:], c, w.apart[lo*stride:hi*stride], stride, stride, hi-lo)
	return p[:(hi-lo)*c]
}

// spread copies rows lo to hi−1 of P back to where they are.
func (w *Workspace) spread(p *scratch, stride, lo, hi int) {
	copyRows(w.apart[lo*stride:hi*stride], stride, p[:], w.p.Cols, stride, hi-lo)
}

// copyRows copies n rows that are from apart to where they are to apart, in vectors of eight or sixteen numbers, width in all. What is
// behind a row goes along: the next row, which comes after it, or nothing that counts.
func copyRows(dst []float32, to int, src []float32, from, width, n int) {
	if width%16 != 0 {
		for i := range n {
			v := *(*[8]float32)(src[i*from:])
			*(*[8]float32)(dst[i*to:]) = v
		}
		return
	}
	for i := range n {
		for at := 0; at < width; at += 16 {
			v := *(*[16]float32)(src[i*from+at:])
			*(*[16]float32)(dst[i*to+at:]) = v
		}
	}
}
