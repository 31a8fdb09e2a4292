package knn

import (
	"math"
	"sort"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// EdgeTrial says which cosine of words suits edges of the same points: by which of [Cosine] and [CosineIDF] the two ends of an edge are nearer.
type EdgeTrial struct {
	Edges  int `json:"edges"`  // that were looked at
	Points int `json:"points"` // that each end was compared with
	// Cosine and Weighted are the geometric mean place of one end of an edge among those points, by how near they are to the other end: 1 is
	// the first.
	Cosine   float64 `json:"cosine"`
	Weighted float64 `json:"cosine_idf"`
	// Lead is how much nearer ends are by Cosine, in standard errors.
	Lead float64 `json:"lead"`
}

// Metric is Cosine where it leads by more than chance, else CosineIDF.
func (t *EdgeTrial) Metric() Metric {
	if t != nil && t.Lead > sureLead {
		return Cosine
	}
	return CosineIDF
}

// The largest numbers of edges and points of a trial, and the lead that chance hardly gives (docs/decisions/0053-words-by-edges.md).
const (
	triedEdges  = 8192
	triedPoints = 512
	sureLead    = 2
)

// TryEdges tries both cosines on the edges of a symmetric graph whose first nodes are the points in the rows of x. For edges (i, j), evenly
// spaced among all entries, and points p, evenly spaced among all,
//
//	r_ij = 1 + #{p : cos(i, p) > cos(i, j)} + ½ #{p : cos(i, p) = cos(i, j)},
//
// and the lead is the mean of ln r by CosineIDF less that by Cosine, over its standard error. No label is looked at, and the result is the
// same for any number of threads. It is nil where no edge joins two points that are not 0.
//
// Cost: the products of up to 8,192 points with 512, and a pass over x.
func TryEdges(x *csr.Dense, edges *csr.Matrix, threads int) *EdgeTrial {
	row := func(i int) (cols []uint32, vals []float32) {
		for q, v := range x.Row(i) {
			if v != 0 {
				cols, vals = append(cols, uint32(q)), append(vals, v)
			}
		}
		return cols, vals
	}
	return tryEdges(x.Rows, row, idfOf(x), edges, threads)
}

// TryEdgesSparse is [TryEdges] of points in sparse rows.
func TryEdgesSparse(x *csr.Matrix, edges *csr.Matrix, threads int) *EdgeTrial {
	n, _ := x.Dims()
	return tryEdges(n, x.Row, sparseIDFOf(x), edges, threads)
}

// judge compares points by both cosines.
type judge struct {
	row     func(i int) ([]uint32, []float32)
	weights *idf
	points  []int               // that are compared with
	norms   [2][]float64        // of those, by each metric
	words   map[uint32][]posted // of those
}

// posted is a point and its value in a column.
type posted struct {
	point int32
	value float64
}

// square is idf_q, the square of a weight.
func (g *judge) square(q uint32) float64 {
	if at := g.weights.place(q); at >= 0 {
		return float64(g.weights.weights[at]) * float64(g.weights.weights[at])
	}
	return 0
}

// product returns Σ_q x_q y_q and Σ_q idf_q x_q y_q of two sparse rows.
func (g *judge) product(xCols []uint32, x []float32, yCols []uint32, y []float32) (by [2]float64) {
	csr.EachShared(xCols, x, yCols, y, func(q uint32, v, w float32) {
		both := float64(v) * float64(w)
		by[0] += both
		by[1] += float64(both * g.square(q))
	})
	return by
}

// norm returns the norms of a row by each metric.
func (g *judge) norm(cols []uint32, vals []float32) (by [2]float64) {
	by = g.product(cols, vals, cols, vals)
	return [2]float64{math.Sqrt(by[0]), math.Sqrt(by[1])}
}

// places returns the logarithm of the place of point j, beside others, by how near it is to point i; ok is false where one of both is 0. near is
// for the products with the others.
func (g *judge) places(i, j int, near *[2][]float64) (by [2]float64, ok bool) {
	cols, vals := g.row(i)
	endCols, end := g.row(j)
	norm, length := g.norm(endCols, end), g.norm(cols, vals)
	if norm[1] == 0 || length[1] == 0 {
		return by, false
	}
	clear(near[0])
	clear(near[1])
	for k, q := range cols {
		v := float64(vals[k])
		weighted := float64(v * g.square(q))
		for _, p := range g.words[q] {
			near[0][p.point] += float64(v * p.value)
			near[1][p.point] += float64(weighted * p.value)
		}
	}
	own := g.product(cols, vals, endCols, end)
	for m := range by {
		place := 1.0
		for k, p := range g.points {
			if p == i || p == j || g.norms[m][k] == 0 {
				continue
			}
			switch of := near[m][k] / g.norms[m][k]; {
			case of > own[m]/norm[m]:
				place++
			case of == own[m]/norm[m]:
				place += 0.5
			}
		}
		by[m] = exact.Log(place)
	}
	return by, true
}

func tryEdges(n int, row func(i int) ([]uint32, []float32), weights *idf, edges *csr.Matrix, threads int) *EdgeTrial {
	g := &judge{row: row, weights: weights, words: map[uint32][]posted{}}
	for k := range min(n, triedPoints) {
		i := k * n / min(n, triedPoints)
		cols, vals := row(i)
		norm := g.norm(cols, vals)
		for at, q := range cols {
			g.words[q] = append(g.words[q], posted{int32(k), float64(vals[at])})
		}
		g.points = append(g.points, i)
		for m := range norm {
			g.norms[m] = append(g.norms[m], norm[m])
		}
	}
	indptr, ends, values := edges.Arrays()
	tried := min(len(ends), triedEdges)
	places, ok := make([][2]float64, tried), make([]bool, tried)
	rows.Each(tried, threads, func(lo, hi int) {
		var near [2][]float64
		near[0], near[1] = make([]float64, len(g.points)), make([]float64, len(g.points))
		for k := lo; k < hi; k++ {
			e := k * len(ends) / tried
			i, j := sort.Search(len(indptr)-1, func(i int) bool { return indptr[i+1] > int64(e) }), int(ends[e])
			if i < n && j < n && i != j && values[e] > 0 {
				places[k], ok[k] = g.places(i, j, &near)
			}
		}
	})
	t := &EdgeTrial{Points: len(g.points)}
	lead, squares := 0.0, 0.0
	for k, by := range places {
		if !ok[k] {
			continue
		}
		t.Edges++
		t.Cosine, t.Weighted = t.Cosine+by[0], t.Weighted+by[1]
		lead += by[1] - by[0]
		squares += float64((by[1] - by[0]) * (by[1] - by[0]))
	}
	if t.Edges == 0 {
		return nil
	}
	t.Cosine, t.Weighted = exact.Exp(t.Cosine/float64(t.Edges)), exact.Exp(t.Weighted/float64(t.Edges))
	if squares > 0 {
		t.Lead = lead / math.Sqrt(squares)
	}
	return t
}
