package htmlreport

import (
	"cmp"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/picture"
)

// spread is how a number is distributed: degrees, or weights.
type spread struct {
	Min, Mean, Max float64
	Count          int
	bins           map[int]int // by the number of the bin
}

func (s *spread) add(v float64, bin int) {
	if s.Count == 0 {
		s.Min, s.Max, s.bins = v, v, map[int]int{}
	}
	s.Min, s.Max = min(s.Min, v), max(s.Max, v)
	s.Count++
	s.Mean += (v - s.Mean) / float64(s.Count)
	s.bins[bin]++
}

// degrees returns the distribution of the numbers of neighbours. Up to 16 each
// number has a bin of its own, then there are four to each power of 2.
func degrees(m *csr.Matrix) (s spread) {
	n, _ := m.Dims()
	for i := range n {
		cols, _ := m.Row(i)
		degree := len(cols)
		if _, on := slices.BinarySearch(cols, uint32(i)); on {
			degree--
		}
		s.add(float64(degree), degreeBin(degree))
	}
	return s
}

const plainDegrees = 16

func degreeBin(degree int) int {
	if degree < plainDegrees {
		return degree
	}
	return plainDegrees + int(math.Floor(4*math.Log2(float64(degree)/plainDegrees)+1e-9))
}

// degreeOf returns the middle of a bin and how many degrees fall in it.
func degreeOf(bin int) (middle, width float64) {
	if bin < plainDegrees {
		return float64(bin), 1
	}
	low := math.Ceil(plainDegrees*math.Exp2(float64(bin-plainDegrees)/4) - 1e-9)
	high := math.Ceil(plainDegrees*math.Exp2(float64(bin+1-plainDegrees)/4) - 1e-9)
	return (low + high - 1) / 2, high - low
}

// weights returns the distribution of the weights of edges, with two bins to
// each power of 2 of their multiples of the mean.
func weights(m *csr.Matrix) (s spread) {
	n, _ := m.Dims()
	each := func(visit func(v float64)) {
		for i := range n {
			cols, vals := m.Row(i)
			for k, j := range cols {
				if int(j) > i {
					visit(float64(vals[k]))
				}
			}
		}
	}
	sum, count := 0.0, 0
	each(func(v float64) { sum += v; count++ })
	mean := sum / float64(count)
	each(func(v float64) {
		bin := math.Inf(-1)
		if v > 0 {
			bin = math.Floor(2*math.Log2(v/mean) + 0.5)
		}
		s.add(v, int(max(bin, -lowestWeight)))
	})
	return s
}

// lowestWeight is the number of half powers of 2 below the mean that have a bin
// of their own; smaller ones are in the last.
const lowestWeight = 30

// twin are the distributions before and after.
type twin struct{ Before, After spread }

// inks of before and after.
const (
	inkBefore, inkAfter   = picture.Ink(0), picture.Ink(1)
	formBefore, formAfter = picture.Circle, picture.Square
)

// shares returns the share of all that is in each bin, at its place, from the left.
func (s *spread) shares(place func(bin int) float64) (points []picture.Point) {
	for bin, count := range s.bins {
		points = append(points, picture.Point{X: place(bin), Y: float64(count) / float64(s.Count)})
	}
	slices.SortFunc(points, func(a, b picture.Point) int { return cmp.Compare(a.X, b.X) })
	return points
}

// chart shows both distributions as shares; place gives that of a bin.
func (t *twin) chart(title string, x picture.Axis, label string, place func(bin int) float64, learned bool) *picture.Chart {
	type series struct {
		spread
		name string
		ink  picture.Ink
		form picture.Form
	}
	all := []series{{t.Before, "original", inkBefore, formBefore}}
	if learned {
		all = append(all, series{t.After, "learned", inkAfter, formAfter})
	}
	x.Low, x.High = math.Inf(1), math.Inf(-1)
	top := 0.0
	lines := make([][]picture.Point, len(all))
	for k, s := range all {
		lines[k] = s.shares(place)
		for _, p := range lines[k] {
			x.Low, x.High, top = min(x.Low, p.X), max(x.High, p.X), max(top, p.Y)
		}
	}
	switch {
	case top == 0: // no nodes, or no edges
		x.Low, x.High, top = 1, 2, 1
	case x.Log:
		x.Low, x.High = x.Low/1.3, x.High*1.3
	default:
		x.Low, x.High = x.Low-0.5, x.High+0.5
	}
	c := picture.NewChart(title, x, picture.Axis{Label: label, High: top})
	for k, s := range all {
		c.Path(lines[k], s.ink, false)
		for _, p := range lines[k] {
			c.Dot(p, 2.6, s.ink, s.form, "")
		}
		c.Entry(s.name, s.ink, s.form)
	}
	return c
}

// manyDegrees is the degree above which their axis is logarithmic.
const manyDegrees = 60

func (t *twin) degreeChart(learned bool) *picture.Chart {
	x := picture.Axis{Label: "neighbours of a node", Log: max(t.Before.Max, t.After.Max) > manyDegrees}
	return t.chart("Degrees before and after", x, "share of nodes", func(bin int) float64 {
		at, _ := degreeOf(bin)
		if x.Log {
			at = max(at, 0.5) // a logarithm has no 0
		}
		return at
	}, learned)
}

func (t *twin) weightChart(learned bool) *picture.Chart {
	x := picture.Axis{Label: "weight of an edge / mean weight", Log: true}
	return t.chart("Weights before and after", x, "share of edges", func(bin int) float64 {
		return math.Exp2(float64(bin) / 2)
	}, learned)
}
