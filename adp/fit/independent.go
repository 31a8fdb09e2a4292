package fit

import (
	"math"
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Between these z-scores, of [dependence] or of [likeness], edges and features go from independent to not
// (docs/decisions/0041-features-that-say-nothing.md).
const leastDependence, mostDependence = 1.5, 3

// What the edges have of the prior where edges and features are independent, and where the edges have no structure either.
const evenShare, idleShare = 0.5, 0.3

// mostEntries of S are looked at for [likeness]; they tell enough.
const mostEntries = 1 << 18

// independence says how far edges and features seem to be independent, from 0 to 1: joined nodes have features no more and no less alike
// than others, and the labels that spread over the features' graph are those of the ends of edges by chance.
//
// Cost: up to 2·2¹⁸ products of rows of features, on one thread.
func (p *pool) independence(x *prepared, ofFeatures []int32) float64 {
	s := p.graphs[onEdges].S
	z := max(dependence(s, ofFeatures, p.whole.y.Classes), math.Abs(likeness(s, x.x)))
	return 1 - ramp(z, leastDependence, mostDependence)
}

// strongerShare is what the pools of edges alone and of features alone have of the prior where no seed can be left out and one graph has
// the stronger structure. Below leastShare, with many seeds, they are not worth their runs.
const strongerShare, leastShare = 0.5, 0.15

// alone returns what the pools of edges alone and of features alone have of the prior, and the part of the edges in it. Where edges and
// features are independent, either may be the one that tells. Else classes are those of the stronger structure, the less
// surely, the more seeds can say so.
func (v *views) alone(trust float64) (edges, share float64) {
	edges, share = evenShare, v.independent*(1+trust)/2
	if v.idle {
		edges = idleShare
	}
	if stronger := trust * strongerShare; v.lead != nil && stronger > share {
		edges, share = *v.lead, stronger
	}
	return edges, share
}

// likeness returns how far nodes that edges join have more similar features than others: the difference of the mean cosines of both, in
// standard errors. The others are the ends of the same edges, joined at random, so that nodes of many edges have as many. Of more than
// [mostEntries] entries it takes evenly spaced ones.
func likeness(s *csr.Matrix, x diffuse.Features) float64 {
	var from, to []int
	n, _ := s.Dims()
	stride, entry := s.NNZ()/mostEntries+1, 0
	for i := range n {
		cols, _ := s.Row(i)
		for _, j := range cols {
			if entry++; entry%stride == 0 && int(j) != i {
				from, to = append(from, i), append(to, int(j))
			}
		}
	}
	lengths := make([]float64, n)
	for i := range lengths {
		lengths[i] = math.Sqrt(product(x, i, i))
	}
	moments := func(to []int) (mean, variance float64) {
		for e, i := range from {
			cosine := 0.0
			if l := lengths[i] * lengths[to[e]]; l > 0 {
				cosine = product(x, i, to[e]) / l
			}
			mean += cosine
			variance += float64(cosine * cosine)
		}
		mean /= float64(len(from))
		return mean, variance/float64(len(from)) - float64(mean*mean)
	}
	own, _ := moments(to)
	rand.New(rand.NewPCG(uint64(n), 0x6c696b65)).Shuffle(len(to), func(a, b int) { to[a], to[b] = to[b], to[a] })
	other, variance := moments(to)
	if !(variance > 0) {
		return 0
	}
	edges := float64(len(from)) / 2 // an edge has two entries
	return (own - other) / math.Sqrt(1.5*variance/edges)
}

// product returns ⟨x_i, x_j⟩.
func product(x diffuse.Features, i, j int) (sum float64) {
	if x.Dense != nil {
		other := x.Dense.Row(j)
		for k, v := range x.Dense.Row(i) {
			sum += float64(v) * float64(other[k])
		}
		return sum
	}
	cols, values := x.Sparse.Row(i)
	others, more := x.Sparse.Row(j)
	csr.EachShared(cols, values, others, more, func(_ uint32, v, w float32) { sum += float64(v) * float64(w) })
	return sum
}

// dependence returns how far the labels at one end of the edges of S depend on those at the other: (χ² − f)/√(2f), with Pearson's χ²
// of the numbers of edges between classes and f degrees of freedom, c(c−1)/2 of c classes that have edges. Independent labels have a mean
// of 0 and a deviation of 1. Nodes without a label, of −1, and weights do not count.
func dependence(s *csr.Matrix, labels []int32, classes int) float64 {
	between, ends, total := make([]float64, classes*classes), make([]float64, classes), 0.0
	for i, a := range labels {
		cols, _ := s.Row(i)
		for _, j := range cols {
			if b := labels[j]; int(j) != i && a >= 0 && b >= 0 {
				between[int(a)*classes+int(b)]++
				ends[a]++
				total++
			}
		}
	}
	square, held := 0.0, 0.0
	for a, of := range ends {
		if of > 0 {
			held++
		}
		for b, other := range ends {
			if expected := of * other / total; expected > 0 {
				d := between[a*classes+b] - expected
				square += d * d / expected / 2 // an edge has two entries
			}
		}
	}
	free := held * (held - 1) / 2
	if free == 0 {
		return 0
	}
	return (square - free) / math.Sqrt(2*free)
}
