package knn

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// points prepares a set of points for ranking by float32 products.
//
// A point x becomes x̃: scaled by a power of two so that no square overflows, and for L2 and Manhattan moved to
// the mean, since the cancellation in ‖x‖² + ‖y‖² − 2x·y grows with the norms; for Cosine, x/‖x‖.
// With n_i = ‖x̃_i‖² (for Cosine: 1) and w = 2 for L2, 1 else, the rank of a pair, in scaled units,
// lies between
//
//	low_i + low_j − w·x̃_i·x̃_j   and that value + 2(slack_i + slack_j),
//	slack_i = (γ + 12u)·n_i,  u = 2^-24,
//
// where low_i = (n_i, ½ or 0 for L2, Cosine, InnerProduct) − slack_i. γ covers the product
// ([kernel.ErrorFactor]; 2‖x‖‖y‖ ≤ ‖x‖² + ‖y‖²), 4.02u the rounding of x̃ (twice that for Cosine,
// where both halves of slack hold it), the rest the norms and the sum of the three terms.
//
// For Manhattan Σ|x̃_i − x̃_j| stands in the place of the product, w = −1, n_i = Σ_q |x̃_iq| and low_i = −slack_i.
type points struct {
	x       *csr.Dense
	roots   *roots // that x was changed by, nil for none
	metric  Metric
	row     []uint32 // point u is row[u] of x
	scale   float32
	centre  []float32 // scaled
	norm    []float64 // squared norms for Cosine, else nil
	weight  float32   // w
	units   float64   // scaled rank / rank
	low     []float32
	slack   []float32
	asked   *csr.Dense // new points, from len(row) on, see with; nil for none
	threads int

	// Of sparse rows x holds the common columns alone, ranks are those of the rows, and common has the
	// column of x of each column of the rows, −1 for none. Point u is row rowOf[u] of the rows.
	sparse *sparsePoints
	rowOf  []uint32
	common []int32
}

// newPoints prepares the given rows of x, whose largest absolute value is largest. Memory: 8 bytes
// a point, 16 for cosines, and by Hellinger a copy of x.
func newPoints(x *csr.Dense, row []uint32, metric Metric, largest float32, threads int) *points {
	p := &points{
		x: x, metric: metric, row: row, scale: 1, weight: 1, units: 1, threads: threads,
		centre: make([]float32, x.Cols), low: make([]float32, len(row)), slack: make([]float32, len(row)),
	}
	if p.roots = rootsOf(x, metric); p.roots != nil {
		p.x = p.roots.dense(x, threads)
	}
	if metric.IsCosine() {
		p.norm = make([]float64, len(row))
	} else {
		p.scale = scaleOf(largest)
		p.units = float64(p.scale) * float64(p.scale)
	}
	switch metric {
	case L2:
		p.weight = 2
		p.findCentre()
	case Manhattan:
		p.weight, p.units = -1, float64(p.scale)
		p.findCentre()
	}
	p.bound(0, len(row))
	return p
}

// scaleOf returns the power of 2 that brings the largest value near 1; 1 for 0.
func scaleOf(largest float32) float32 {
	_, exponent := math.Frexp(float64(largest))
	return float32(math.Ldexp(1, min(-exponent, 127))) // float32 cannot hold the scale of the smallest values
}

// with returns the points of p followed by those in the rows of asked, which p's scale and centre
// rank. Memory: that of p without x.
func (p *points) with(asked *csr.Dense) *points {
	q := *p
	if q.asked = asked; p.roots != nil {
		q.asked = p.roots.dense(asked, p.threads)
	}
	more := make([]float32, asked.Rows)
	q.low = slices.Concat(p.low, more)
	q.slack = slices.Concat(p.slack, more)
	if p.norm != nil {
		q.norm = slices.Concat(p.norm, make([]float64, asked.Rows))
	}
	q.bound(p.count(), p.count()+asked.Rows)
	return &q
}

func (p *points) count() int { return len(p.row) }

// feature returns the original features of point u.
func (p *points) feature(u uint32) []float32 {
	if at := int(u) - len(p.row); at >= 0 {
		return p.asked.Row(at)
	}
	return p.x.Row(int(p.row[u]))
}

// findCentre sets centre to the mean of the scaled points.
func (p *points) findCentre() {
	d := p.x.Cols
	sums := rows.NewReducer(p.count(), d).Sum(p.threads, func(lo, hi int, partial []float64) {
		for u := lo; u < hi; u++ {
			for q, v := range p.feature(uint32(u)) {
				partial[q] += float64(v)
			}
		}
	})
	for q, s := range sums {
		p.centre[q] = float32(s / float64(p.count()) * float64(p.scale))
	}
}

// bound sets low and slack, and for Cosine norm, of points from to to−1.
func (p *points) bound(from, to int) {
	const u = 1.0 / (1 << 24)
	relative := kernel.ErrorFactor(p.x.Cols) + 12*u
	// Products below the smallest numbers vanish.
	lost := float64(p.x.Cols) * 0x1p-140
	rows.Each(to-from, p.threads, func(lo, hi int) {
		moved, origin := make([]float32, p.x.Cols), make([]float32, p.x.Cols)
		for i := from + lo; i < from+hi; i++ {
			if p.norm != nil {
				p.norm[i] = kernel.SumProducts(p.feature(uint32(i)), p.feature(uint32(i)))
			}
			p.transform(moved, uint32(i))
			n, base := kernel.SumProducts(moved, moved), 0.0
			switch p.metric {
			case L2:
				base = n
			case Cosine, Hellinger, HellingerIDF:
				n, base = 1, 0.5
			case Manhattan:
				n = kernel.SumDifferences(moved, origin)
			}
			slack := relative*n + lost
			p.low[i] = float32(base - slack)
			p.slack[i] = atLeast(slack)
		}
	})
}

// transform sets dst to x̃ of point u.
func (p *points) transform(dst []float32, u uint32) {
	x := p.feature(u)
	if p.metric.IsCosine() {
		inverse := 0.0
		if p.norm[u] > 0 {
			inverse = 1 / math.Sqrt(p.norm[u])
		}
		for q, v := range x {
			dst[q] = float32(float64(v) * inverse)
		}
		return
	}
	scale, centre := p.scale, p.centre[:len(x)]
	dst = dst[:len(x)]
	for q, v := range x {
		dst[q] = v*scale - centre[q]
	}
}

// rank returns the exact rank of the pair, in float64.
func (p *points) rank(u, v uint32) float64 {
	if p.sparse != nil {
		return p.sparse.rank(p.rowOf[u], p.rowOf[v])
	}
	if p.norm != nil {
		return p.metric.rank(p.feature(u), p.feature(v), p.norm[u], p.norm[v])
	}
	return p.metric.rank(p.feature(u), p.feature(v), 0, 0)
}

// nearestOf appends at least the k nearest of some candidates to u by exact rank, unordered. By L2
// it does not measure a candidate whose float32 distance shows that k others are nearer; the nearer
// ones should come first.
func (p *points) nearestOf(to []candidate, u uint32, list []bounded, k int) []candidate {
	limit, slack := float32(math.Inf(1)), 1+2*kernel.DistanceError(p.x.Cols)
	for at, c := range list {
		if p.metric == L2 && at >= k {
			if away := kernel.SquaredDistance(p.feature(u), p.feature(c.id)); away > limit && away <= math.MaxFloat32 {
				continue
			}
		}
		to = append(to, candidate{p.rank(u, c.id), c.id})
		if at == k-1 {
			limit = atLeast(slices.MaxFunc(to[len(to)-k:], candidate.compare).rank * slack)
		}
	}
	return to
}

// pack writes x̃ of the given points as panels for the kernel; scratch holds
// eight points.
func (p *points) pack(dst []float32, ids []uint32, scratch []float32) {
	packRows(dst, len(ids), p.x.Cols, scratch, func(to []float32, r int) { p.transform(to, ids[r]) })
}

// packRows writes n vectors of d numbers, which read copies one at a time, as
// panels filled up with zeros; scratch holds eight vectors.
func packRows(dst []float32, n, d int, scratch []float32, read func(to []float32, r int)) {
	for at := 0; at < panels(n)*kernel.Rows; at += 8 {
		for r := range 8 {
			row := scratch[r*d : (r+1)*d]
			if at+r < n {
				read(row, at+r)
			} else {
				clear(row)
			}
		}
		interleave(dst[at/kernel.Rows*kernel.Rows*d+at%kernel.Rows:], scratch, d)
	}
}

// compare computes the products of na by nb packed points, or for Manhattan the sums of their differences, and returns the
// stride of the rows of dst.
func (p *points) compare(dst, a []float32, na int, b []float32, nb int) (stride int) {
	if p.metric == Manhattan {
		return ofPanels(kernel.Differences, dst, a, na, b, nb, p.x.Cols)
	}
	return multiply(dst, a, na, b, nb, p.x.Cols)
}

// multiply computes the products of na by nb packed vectors of d numbers, and returns the stride of
// the rows of dst.
func multiply(dst, a []float32, na int, b []float32, nb, d int) (stride int) {
	return ofPanels(kernel.Dots, dst, a, na, b, nb, d)
}

// ofPanels is multiply for another function of two panels than [kernel.Dots].
func ofPanels(function func(dst []float32, stride int, a, b []float32, d int), dst, a []float32, na int, b []float32, nb, d int) (stride int) {
	stride = panels(nb) * kernel.Rows
	for q := range panels(nb) {
		for p := range panels(na) {
			function(dst[p*kernel.Rows*stride+q*kernel.Rows:], stride, a[p*kernel.Rows*d:], b[q*kernel.Rows*d:], d)
		}
	}
	return stride
}

// interleave writes eight rows of d numbers as eight columns of a panel.
func interleave(dst, src []float32, d int) {
	r0, r1, r2, r3 := src[:d], src[d:][:d], src[2*d:][:d], src[3*d:][:d]
	r4, r5, r6, r7 := src[4*d:][:d], src[5*d:][:d], src[6*d:][:d], src[7*d:][:d]
	for q := range d {
		out := dst[q*kernel.Rows : q*kernel.Rows+8 : q*kernel.Rows+8]
		out[0], out[1], out[2], out[3] = r0[q], r1[q], r2[q], r3[q]
		out[4], out[5], out[6], out[7] = r4[q], r5[q], r6[q], r7[q]
	}
}

// panels returns the number of panels that n vectors fill.
func panels(n int) int { return (n + kernel.Rows - 1) / kernel.Rows }

// atLeast rounds up to float32.
func atLeast(v float64) float32 {
	f := float32(v)
	if float64(f) < v {
		f = math.Nextafter32(f, float32(math.Inf(1)))
	}
	return f
}
