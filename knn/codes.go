package knn

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/hugepage"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// codes are points as bytes, for processors that multiply these faster than floats. The code of a
// point x' (scaled, or x/‖x‖ for Cosine) is origin + step·q for bytes q. It lies no farther from x'
// than away, so that the distance of two points lies within away_i + away_j of the distance of
// their codes, which is step·√‖q_i − q_j‖²: whole numbers, and exact. A pair is dropped only where
// this rules it out.
type codes struct {
	pts    *points
	origin []float64 // the smallest number in each coordinate
	step   float64
	share  float64 // rank / squared distance: 1, ½ for Cosine
	blur   float64 // error of a rank
	away   []float32
	square []int32 // ‖q‖²
	sum    []int32 // 256·Σq
}

// tiny is above the error of a number that float32 holds with few bits.
const tiny = 0x1p-140

const (
	codesDims = 16 // coordinates below which products are a small part of a search
	// codesMost is the largest number of coordinates: squared distances of codes are below farCodes.
	codesMost = 1 << 14
	farCodes  = 1 << 30

	codesSample = 2048 // other points, and queries, that the bounds are tried on
	codesAsked  = 32

	pairPrice = 100_000 // coordinates whose products by floats take as long as a pair in reach
)

// newCodes returns the points of f as codes; nil where these would not help: on processors without
// products of bytes, for inner products, and where too few pairs of a sample are ruled out. Memory:
// 12 bytes a point.
func (f *candidateLists) newCodes(ctx context.Context) (*codes, error) {
	if !f.pts.metric.mayUseCodes(f.pts.count(), f.pts.x.Cols) {
		return nil, nil
	}
	c, err := codesOf(ctx, f.pts)
	if c == nil || !c.help(f.k) {
		return nil, err
	}
	return c, nil
}

// hasCodes reports whether ranks follow from squared distances, which codes bound.
func (m Metric) hasCodes() bool { return m == L2 || m.IsCosine() }

// mayUseCodes reports whether codes are tried for n points of d coordinates.
func (m Metric) mayUseCodes(n, d int) bool {
	return m.hasCodes() && kernel.HasBytes() && d >= codesDims && d <= codesMost && n >= codesSample
}

// codesOf returns codes of the points, nil where there can be none.
func codesOf(ctx context.Context, pts *points) (*codes, error) {
	d, n := pts.x.Cols, pts.count()
	if d > codesMost || !pts.metric.hasCodes() || slices.Contains(pts.norm, 0) {
		return nil, nil
	}
	c := &codes{
		pts: pts, share: 1, origin: make([]float64, d),
		away: make([]float32, n), square: make([]int32, n), sum: make([]int32, n),
	}
	if pts.metric.IsCosine() {
		c.share, c.blur = 0.5, 1e-9
	}
	workers := rows.Workers(pts.threads)
	least, most := make([][]float64, workers), make([][]float64, workers)
	err := rows.Do(ctx, n, pts.threads, func(worker, lo, hi int) error {
		if least[worker] == nil {
			least[worker], most[worker] = slices.Repeat([]float64{math.Inf(1)}, d), slices.Repeat([]float64{math.Inf(-1)}, d)
		}
		low, high := least[worker][:d], most[worker][:d]
		for u := lo; u < hi; u++ {
			by := c.factor(uint32(u))
			for q, v := range pts.feature(uint32(u))[:d] {
				x := float64(v) * by
				low[q], high[q] = min(low[q], x), max(high[q], x)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	wide := 0.0
	for q := range c.origin {
		low, high := math.Inf(1), math.Inf(-1)
		for k := range least {
			if least[k] != nil {
				low, high = min(low, least[k][q]), max(high, most[k][q])
			}
		}
		c.origin[q], wide = low, max(wide, high-low)
	}
	c.step = wide / 255
	if !(c.step > 1e-30) {
		return nil, nil
	}
	return c, nil
}

// factor returns x'/x.
func (c *codes) factor(u uint32) float64 {
	if c.pts.norm != nil {
		return 1 / math.Sqrt(c.pts.norm[u])
	}
	return float64(c.pts.scale)
}

// encode writes the bytes of point u into a panel, as its vector r, and sets away, square and sum.
func (c *codes) encode(panel []byte, r int, u uint32) {
	by, inverse := c.factor(u), 1/c.step
	square, sum, err := int32(0), int32(0), 0.0
	origin := c.origin
	for p, v := range c.pts.feature(u)[:len(origin)] {
		x := float64(v)*by - origin[p]
		q := int32(min(max(x*inverse+0.5, 0), 255))
		e := x - float64(q)*c.step
		err += e * e
		square += q * q
		sum += q
		panel[(p/kernel.StepBytes*kernel.Rows+r)*kernel.StepBytes+p%kernel.StepBytes] = byte(q)
	}
	// The rest covers the rounding of the numbers above, and of x/‖x‖.
	c.away[u] = atLeast(math.Sqrt(err)*(1+1e-9) + 1e-9*c.step + 1e-3*c.blur)
	c.square[u], c.sum[u] = square, 256*sum
}

// width is the number of bytes of a vector in a panel.
func (c *codes) width() int {
	return (len(c.origin) + kernel.StepBytes - 1) / kernel.StepBytes * kernel.StepBytes
}

// pack writes the panels of points.
func (c *codes) pack(to []byte, ids []uint32) {
	size := c.width() * kernel.Rows
	for at, u := range ids {
		c.encode(to[at/kernel.Rows*size:][:size], at%kernel.Rows, u)
	}
}

// packAll packs the points of blocks, n·d bytes.
func (c *codes) packAll(ctx context.Context, blocks []*block) error {
	size, total := c.width()*kernel.Rows, 0
	for _, b := range blocks {
		total += panels(len(b.ids)) * size
	}
	all := make([]byte, total)
	hugepage.Fresh(all)
	for _, b := range blocks {
		own := panels(len(b.ids)) * size
		b.codes, all = all[:own], all[own:]
	}
	return rows.Tasks(ctx, len(blocks), c.pts.threads, func(_, k int) error {
		c.pack(blocks[k].codes, blocks[k].ids)
		return nil
	})
}

// low returns a bound from below of the rank of two points whose codes have the squared distance
// apart; away is the sum of their errors.
func (c *codes) low(apart int32, away float64) float32 {
	least := max(c.step*math.Sqrt(float64(apart))-away, 0)
	return float32(c.share*least*least*(1-1e-6) - c.blur*(1+1e-6)) // rounds by less than is taken off
}

// upper returns a bound from above for the low of a pair.
func (c *codes) upper(low float32, away float64) float32 {
	most := math.Sqrt(max(float64(low)+c.blur, 0)/c.share)*(1+1e-6) + 2*away
	return float32((c.share*most*most+c.blur)*(1+1e-6)) + tiny
}

// reach returns the largest squared distance of the codes of two points whose rank is at most tau.
func (c *codes) reach(tau float32, away float64) int32 {
	far := float64(tau) + c.blur
	if far < 0 {
		return -1
	}
	most := (math.Sqrt(far/c.share) + away) / c.step
	return int32(min(most*most*(1+1e-9)+1, farCodes-1))
}

// help reports whether codes pay: whether they rule out enough pairs. It tries a sample of points against a
// sample in which k-th neighbours are as frequent as among all.
func (c *codes) help(k int) bool {
	n := c.pts.count()
	rng := rand.New(rand.NewPCG(1, 0x636f_6465))
	ids := draw(rng, n, min(n, codesSample+codesAsked))
	asked, others := ids[:codesAsked], ids[codesAsked:]
	place := min(max(k*len(others)/n, 1), len(others))
	c.pack(make([]byte, panels(len(ids))*kernel.Rows*c.width()), ids) // for the errors
	within := 0
	ranks := make([]float64, len(others))
	for _, u := range asked {
		for at, v := range others {
			ranks[at] = c.pts.rank(u, v) * c.pts.units
		}
		sorted := slices.Sorted(slices.Values(ranks))
		limit := math.Sqrt(sorted[place-1] / c.share)
		for at, v := range others {
			// The distance of the codes is about that of the points.
			if math.Sqrt(ranks[at]/c.share) <= limit+2*float64(c.away[u]+c.away[v]) {
				within++
			}
		}
	}
	pairs := float64(len(asked) * len(others))
	return float64(within-len(asked)*place)/pairs <= float64(len(c.origin))/pairPrice
}

// codeScanner is the scratch memory of one worker that compares blocks by codes.
type codeScanner struct {
	f        *candidateLists
	scratch  rowScratch
	products []int32
	mask     []uint32
	low, tau []int32 // of the right block
}

func newCodeScanner(f *candidateLists) *codeScanner {
	return &codeScanner{
		f: f, products: make([]int32, blockRows*blockRows), mask: make([]uint32, blockRows/kernel.Rows),
		low: make([]int32, blockRows), tau: make([]int32, blockRows),
	}
}

// meet offers the points of two blocks to each other, from one product.
func (s *codeScanner) meet(a, b *block) {
	c := s.f.codes
	size, stride := c.width()*kernel.Rows, panels(len(b.ids))*kernel.Rows
	for q := range panels(len(b.ids)) {
		for p := range panels(len(a.ids)) {
			kernel.DotsBytes(s.products[p*kernel.Rows*stride+q*kernel.Rows:], stride, a.codes[p*size:], b.codes[q*size:], c.width())
		}
	}
	defer lockBoth(a, b)()
	s.sift(a, b)
}

// sift searches the products for pairs within the threshold of either point.
func (s *codeScanner) sift(a, b *block) {
	f, c, both := s.f, s.f.codes, a != b
	width := panels(len(b.ids))
	farA, farB := c.farthest(a.ids), c.farthest(b.ids)
	for at := range width * kernel.Rows {
		s.low[at], s.tau[at] = farCodes, -1
		if at < len(b.ids) {
			id := b.ids[at]
			if s.low[at] = c.square[id]; both {
				s.tau[at] = c.reach(f.tau[b.queries[at]], float64(c.away[id])+farA)
			}
		}
	}
	for r, id := range a.ids {
		product, query := s.products[r*width*kernel.Rows:][:width*kernel.Rows], a.queries[r]
		own, low := float64(c.away[id]), c.square[id]-c.sum[id]
		kernel.BelowWhole(s.mask[:width], product, s.low, s.tau, low, c.reach(f.tau[query], own+farB))
		for m, word := range s.mask[:width] {
			for ; word != 0; word &= word - 1 {
				at := m*kernel.Rows + bits.TrailingZeros32(word)
				other := b.ids[at]
				away := own + float64(c.away[other])
				bound := c.low(low+s.low[at]-2*product[at], away)
				f.offer(query, other, bound, &s.scratch)
				if !both {
					continue
				}
				back := b.queries[at]
				before := f.tau[back]
				f.offer(back, id, bound, &s.scratch)
				if tau := f.tau[back]; tau < before {
					s.tau[at] = c.reach(tau, float64(c.away[other])+farA)
				}
			}
		}
	}
}

// farthest returns the largest error of some points.
func (c *codes) farthest(ids []uint32) float64 {
	most := float32(0)
	for _, u := range ids {
		most = max(most, c.away[u])
	}
	return float64(most)
}
