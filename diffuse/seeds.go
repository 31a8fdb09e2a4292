package diffuse

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/adp-sparse/adp-sparse/csr"
)

// ErrSeeds is wrapped by the errors of [NewSeeds] and [Seeds.Check].
var ErrSeeds = errors.New("diffuse: invalid seeds")

// Seed assigns a node to a class with a weight above 0: 1 for a plain label, less for soft ones. A
// node may have seeds in several classes.
type Seed struct {
	Node   uint32
	Class  uint32
	Weight float32
}

// Seeds is the sparse label matrix Y, n×c, in order of node, then class.
type Seeds struct {
	Nodes, Classes int
	// Sets says that each seed of a node is a label that it has. Else seeds of a node are one label that is in doubt.
	Sets bool
	list []Seed
}

// NewSeeds returns the seeds of n nodes and c classes. list may be in any order, and is copied.
// Errors are: two seeds of the same node and class, a node or class out of range, a weight that is
// not positive and finite, an empty list, and more than 2^31−1 classes. Only ratios of weights
// count: if the largest is below 2^-60 or above 2^60, all are multiplied by the power of 2 that
// brings it near 1.
func NewSeeds(n, c int, list []Seed) (*Seeds, error) {
	list = slices.Clone(list) // the caller's, or the list of other seeds
	slices.SortFunc(list, func(a, b Seed) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Class, b.Class))
	})
	s := &Seeds{Nodes: n, Classes: c, list: list}
	if err := s.Check(); err != nil {
		return nil, err
	}
	scaleSeeds(list)
	return s, nil
}

// Check returns the error that [NewSeeds] gives for the nodes, the classes and the list of s: they may have been set to others.
func (s *Seeds) Check() error {
	switch c := s.Classes; {
	case len(s.list) == 0 || c < 1:
		return fmt.Errorf("%w: %d seeds in %d classes, expected at least one", ErrSeeds, len(s.list), c)
	case c > math.MaxInt32:
		return fmt.Errorf("%w: %d classes, expected at most %d", ErrSeeds, c, math.MaxInt32)
	}
	for k, seed := range s.list {
		switch w := float64(seed.Weight); {
		case int64(seed.Node) >= int64(s.Nodes):
			return fmt.Errorf("%w: node %d, expected below %d", ErrSeeds, seed.Node, s.Nodes)
		case int64(seed.Class) >= int64(s.Classes):
			return fmt.Errorf("%w: node %d: class %d, expected below %d", ErrSeeds, seed.Node, seed.Class, s.Classes)
		case !(w > 0) || math.IsInf(w, 0):
			return fmt.Errorf("%w: node %d: weight %v, expected a finite number above 0", ErrSeeds, seed.Node, w)
		case k > 0 && s.list[k-1].Node == seed.Node && s.list[k-1].Class == seed.Class:
			return fmt.Errorf("%w: node %d: class %d given twice", ErrSeeds, seed.Node, seed.Class)
		}
	}
	return nil
}

// scaleSeeds multiplies the weights by a power of 2 if the largest is far from 1.
func scaleSeeds(list []Seed) {
	if exponent := largestExponent(list); exponent <= -60 || exponent >= 60 {
		scaleBy(list, exponent)
	}
}

// near1 returns the seeds with weights multiplied by the power of 2 by which the largest is at least 1 and below 2.
func (s *Seeds) near1() *Seeds {
	exponent := largestExponent(s.list) - 1
	if exponent == 0 {
		return s
	}
	near := *s
	near.list = slices.Clone(s.list)
	scaleBy(near.list, exponent)
	return &near
}

// largestExponent returns the binary exponent of the largest weight, 1 for a weight of 1.
func largestExponent(list []Seed) int {
	largest := float32(0)
	for _, s := range list {
		largest = max(largest, s.Weight)
	}
	_, exponent := math.Frexp(float64(largest))
	return exponent
}

// scaleBy multiplies the weights by 2^-exponent; none becomes 0.
func scaleBy(list []Seed, exponent int) {
	for k := range list {
		w := float32(math.Ldexp(float64(list[k].Weight), -exponent))
		list[k].Weight = max(w, math.SmallestNonzeroFloat32)
	}
}

// HardSeeds returns plain labels as seeds: labels[i] is the class of node i, or negative if it has
// none, as in the Labels of a result. The number of classes is one more than the largest label.
func HardSeeds[T ~int | ~int8 | ~int16 | ~int32 | ~int64](labels []T) (*Seeds, error) {
	var list []Seed
	c := 0
	for i, label := range labels {
		y := int64(label)
		if y >= math.MaxInt32 {
			return nil, fmt.Errorf("%w: node %d: class %d, expected below %d", ErrSeeds, i, y, math.MaxInt32)
		}
		if y >= 0 {
			list = append(list, Seed{Node: uint32(i), Class: uint32(y), Weight: 1})
			c = max(c, int(y)+1)
		}
	}
	return NewSeeds(len(labels), c, list)
}

// Of returns the same seeds of another number of classes, at least as many.
func (s *Seeds) Of(classes int) *Seeds {
	return &Seeds{Nodes: s.Nodes, Classes: classes, Sets: s.Sets, list: s.list}
}

// AsSets returns the same seeds as labels that nodes may have several of.
func (s *Seeds) AsSets() *Seeds {
	sets := *s
	sets.Sets = true
	return &sets
}

// List returns the seeds in order of node, then class. They must not be changed, but others may be
// appended.
func (s *Seeds) List() []Seed { return slices.Clip(s.list) }

// Labelled returns the number of nodes with a seed.
func (s *Seeds) Labelled() (nodes int) {
	for k, seed := range s.list {
		if k == 0 || s.list[k-1].Node != seed.Node {
			nodes++
		}
	}
	return nodes
}

// IsSoft reports whether the node of list[k] has more than one seed; list is sorted as by [Seeds.List].
func IsSoft(list []Seed, k int) bool {
	return k > 0 && list[k-1].Node == list[k].Node || k+1 < len(list) && list[k+1].Node == list[k].Node
}

// Shares returns the m nodes of the seeds, increasing, their shares of the classes, m rows of c that add up to 1, and the weights of
// their seeds together.
func (s *Seeds) Shares() (nodes []uint32, shares [][]float64, weights []float64) {
	for k, seed := range s.list {
		if k == 0 || s.list[k-1].Node != seed.Node {
			nodes, weights = append(nodes, seed.Node), append(weights, 0)
			shares = append(shares, make([]float64, s.Classes))
		}
		at := len(nodes) - 1
		weights[at] += float64(seed.Weight)
		shares[at][seed.Class] += float64(seed.Weight)
	}
	for i, w := range weights {
		for j := range shares[i] {
			shares[i][j] /= w
		}
	}
	return nodes, shares, weights
}

// Within returns the seeds of nodes lo to hi−1, a subslice of List.
func (s *Seeds) Within(lo, hi int) []Seed {
	from, to := s.span(lo, hi)
	return s.list[from:to:to]
}

// span returns the range of the seeds of nodes lo to hi−1.
func (s *Seeds) span(lo, hi int) (from, to int) {
	below := func(node int) int {
		return sort.Search(len(s.list), func(k int) bool { return int(s.list[k].Node) >= node })
	}
	return below(lo), below(hi)
}

// PerClass returns the number of seeds of each class.
func (s *Seeds) PerClass() []int {
	count := make([]int, s.Classes)
	for _, seed := range s.list {
		count[seed.Class]++
	}
	return count
}

// Mask reports for each node whether it is a seed.
func (s *Seeds) Mask() []bool {
	mask := make([]bool, s.Nodes)
	for _, seed := range s.list {
		mask[seed.Node] = true
	}
	return mask
}

// addTo adds factor·scale_s·Y to x, whose first row is that of node first, and whose first column
// that of class lo; scale is the scale of each seed.
func (s *Seeds) addTo(x *csr.Dense, first, lo int, factor float64, scale []float64) {
	from, to := s.span(first, first+x.Rows)
	for k, seed := range s.list[from:to] {
		j := int(seed.Class) - lo
		if j < 0 || j >= x.Cols {
			continue
		}
		x.Row(int(seed.Node) - first)[j] += float32(seed.scaled(factor * scale[from+k]))
	}
}

// addScaled adds factor·scale_s·Y to b, n×c.
func (s *Seeds) addScaled(b []float64, factor float64, scale []float64) {
	for k, seed := range s.list {
		b[int(seed.Node)*s.Classes+int(seed.Class)] += seed.scaled(factor * scale[k])
	}
}

// fillSeeds fills the rows of seeds that are 0 with the term of [Seeds.addTo]; the solution is no
// smaller. If a solver has lost all rows of a component to its error, the others are filled from
// these.
func (s *Seeds) fillSeeds(f *csr.Dense, first int, factor float64, scale []float64) {
	from, to := s.span(first, first+f.Rows)
	for k := from; k < to; {
		row := f.Row(int(s.list[k].Node) - first)
		empty := isZero(row)
		for node := s.list[k].Node; k < to && s.list[k].Node == node; k++ {
			if empty {
				row[s.list[k].Class] = float32(s.list[k].scaled(factor * scale[k]))
			}
		}
	}
}

// scaled returns factor·Y_ij, but no less than least: a seed must not become 0.
func (s Seed) scaled(factor float64) float64 {
	return max(factor*float64(s.Weight), least)
}
