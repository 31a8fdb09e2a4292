package model

import (
	"math"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Ranges tells new points on another scale than the points of a run: grams beside kilograms, pixels up to 1 beside pixels up to 255. It
// has the range of the run's values in each of d columns, and of the lengths of the points, and counts the new values far from them.
// Values of 0 are not counted: no scale changes them.
//
// A value is far from a range [a, b] that is not a point where it lies outside by more than max(b − a, |a|/2, |b|/2), or where its size
// is below a tenth of the least size in the run. A column is off where half of its new values or more are far, these are a tenth of the
// new points or more, and chance does not explain them. It is also off where half of the new points or more lie outside by 100 times
// as much, and ten points or more of the run have a value. Lengths are judged in the same way, and one below a hundredth of the least
// of the run counts as outside by 100 times as much.
//
// Of m values drawn alike with n others, k or more lie beyond the largest of the n with the probability Π_{i<k} (m−i)/(n+m−i), whatever
// the distribution is. Chance does not explain k values at one end where that is below 10⁻⁶/(2(d+1)). So one or two points are told
// only by the rule of 100.
//
// In a model that goes by the angles between points alone, all points have length 1 first, and lengths are not judged.
//
// Memory: 104 bytes a column.
type Ranges struct {
	byAngle       bool
	nodes, points int
	spans         []span // of the columns, then of the lengths
}

// In order: the part of the largest size that is far; the part of the least size that is; the least share of the new points that are;
// how much farther few points have to be; the part of the least length that is as far; the least number of the run's values for that; the
// probability of chance; the least number of columns with values outside the range.
const (
	farPart    = 0.5
	nearPart   = 0.1
	leastShare = 0.1
	farther    = 100
	shortPart  = 0.01
	leastKnown = 10
	chance     = 1e-6
	leastWide  = 3
)

// span is the range of the values of a column, and counts new ones.
type span struct {
	low, high, least float64 // of the run; the least is the smallest size but 0
	known, asked     int     // values but 0, of the run and of new points
	first, last      float64 // the range of new ones
	under, over      int     // of them below low, above high
	below, above     int     // far below, far above
	near             int     // far on the side of 0
	farther          int
}

// Ranges returns the ranges of the features of the run, n×d, as they were given to it. Cost: a pass over the features, and one over
// the new ones.
func (m *Model) Ranges(x diffuse.Features) *Ranges {
	n, d := x.Dims()
	r := &Ranges{byAngle: m.byAngle(), nodes: n, spans: make([]span, d+1)}
	for j := range r.spans {
		r.spans[j] = span{low: math.Inf(1), high: math.Inf(-1), least: math.Inf(1), first: math.Inf(1), last: math.Inf(-1)}
	}
	r.visit(x, func(s *span, v float64) {
		s.low, s.high, s.least = min(s.low, v), max(s.high, v), min(s.least, math.Abs(v))
		s.known++
	})
	for j := range r.spans {
		if s := &r.spans[j]; s.known < n {
			s.low, s.high = min(s.low, 0), max(s.high, 0)
		}
	}
	return r
}

// byAngle reports whether new points get their labels by their angles to others alone, whatever their lengths are.
func (m *Model) byAngle() bool {
	return m.Joins != nil && m.Joins.Metric.IsCosine() && m.Features.Scaling == nil && m.Trees == 0 && (m.Guess == nil || m.Guess.Standard == nil)
}

// Add counts new points, m×d. Their order, and how they are divided, makes no difference.
func (r *Ranges) Add(x diffuse.Features) {
	m, _ := x.Dims()
	r.points += m
	lengths := r.lengths()
	r.visit(x, func(s *span, v float64) { s.add(v, s == lengths) })
}

func (r *Ranges) lengths() *span { return &r.spans[len(r.spans)-1] }

// visit yields the finite values of points that are not 0, and their lengths unless all have length 1.
func (r *Ranges) visit(x diffuse.Features, yield func(s *span, v float64)) {
	n, _ := x.Dims()
	for i := range n {
		var columns []uint32 // nil for all
		var values []float32
		if x.Sparse != nil {
			columns, values = x.Sparse.Row(i)
		} else {
			values = x.Dense.Row(i)
		}
		square := 0.0
		for _, v := range values {
			if v-v == 0 {
				square += float64(float64(v) * float64(v))
			}
		}
		length, unit := math.Sqrt(square), 1.0
		switch {
		case length == 0:
			continue
		case r.byAngle:
			unit = length
		default:
			yield(r.lengths(), length)
		}
		for j, v := range values {
			if columns != nil {
				j = int(columns[j])
			}
			if v != 0 && v-v == 0 {
				yield(&r.spans[j], float64(v)/unit)
			}
		}
	}
}

func (s *span) add(v float64, isLength bool) {
	s.asked++
	s.first, s.last = min(s.first, v), max(s.last, v)
	switch {
	case v < s.low:
		s.under++
	case v > s.high:
		s.over++
	}
	size, far := math.Abs(v), max(s.high-s.low, farPart*math.Abs(s.low), farPart*math.Abs(s.high))
	switch {
	case s.low-v > far:
		s.below++
	case v-s.high > far:
		s.above++
	case size < nearPart*s.least:
		s.near++
	}
	if max(s.low-v, v-s.high) > farther*far || isLength && size < shortPart*s.least {
		s.farther++
	}
}

// Far says that new points are on another scale than those of the run.
type Far struct {
	// Points of Asked new points are far from the values of Nodes points of the run: in Column, from 0, or by their lengths, -1.
	Points, Asked, Nodes, Column int
	// New and Run are the least and the largest value of both, without zeros among the new ones. UnitLength: all points have length 1.
	New, Run   [2]float64
	UnitLength bool
	// Columns of those that vary in the run, Varying, are like this one. Slight: they are outside the range, but not far.
	Columns, Varying int
	Slight           bool
}

// Far returns the column that is off whose size grew most, or the lengths where no column is. Else, where half of the columns that vary
// or more, three at least, have a third of the new points or more outside their range at one end, more than chance explains, it returns
// the one with the most. It returns nil where new points are like those of the run.
func (r *Ranges) Far() *Far {
	off, outside := group{}, group{}
	varying := 0
	for j := range r.spans[:len(r.spans)-1] {
		s := &r.spans[j]
		if !s.varies() {
			continue
		}
		varying++
		if r.isOff(s) {
			off.add(j, s.growth())
		}
		if r.isOutside(s) {
			outside.add(j, float64(s.outside()))
		}
	}
	f := &Far{Asked: r.points, Nodes: r.nodes, Varying: varying, UnitLength: r.byAngle}
	s := r.lengths()
	switch {
	case off.columns > 0:
		s = &r.spans[off.first]
		f.Column, f.Columns, f.Points = off.first, off.columns, s.far()
	case s.varies() && r.isOff(s):
		f.Column, f.Points = -1, s.far()
	case outside.columns >= leastWide && 2*outside.columns >= varying:
		s = &r.spans[outside.first]
		f.Column, f.Columns, f.Points, f.Slight = outside.first, outside.columns, s.outside(), true
	default:
		return nil
	}
	f.New, f.Run = [2]float64{s.first, s.last}, [2]float64{s.low, s.high}
	return f
}

// group counts columns, and keeps the first of those that come first by a figure above 0.
type group struct {
	columns, first int
	figure         float64
}

func (g *group) add(column int, figure float64) {
	if g.columns++; figure > g.figure {
		g.first, g.figure = column, figure
	}
}

// varies reports whether the run has different values; a single one tells no scale.
func (s *span) varies() bool { return s.low < s.high }

func (s *span) far() int { return s.below + s.above + s.near }

// outside is the number of new values beyond the end that has more of them.
func (s *span) outside() int { return max(s.under, s.over) }

// growth is the largest new size over the largest of the run.
func (s *span) growth() float64 {
	return max(math.Abs(s.first), math.Abs(s.last)) / max(math.Abs(s.low), math.Abs(s.high))
}

func (r *Ranges) isOff(s *span) bool {
	if s.farther > 0 && 2*s.farther >= r.points && s.known >= leastKnown {
		return true
	}
	return 2*s.far() >= s.asked && float64(s.far()) >= leastShare*float64(r.points) && r.noChance(max(s.below, s.above, s.near), s.asked, s.known)
}

func (r *Ranges) isOutside(s *span) bool {
	return 3*s.outside() >= r.points && r.noChance(s.outside(), r.points, r.nodes)
}

// noChance reports whether chance does not explain k of m new values beyond one end of n others.
func (r *Ranges) noChance(k, m, n int) bool {
	p, least := 1.0, chance/float64(2*len(r.spans))
	for i := 0; i < k && p >= least; i++ {
		p *= float64(m-i) / float64(n+m-i)
	}
	return p < least
}
