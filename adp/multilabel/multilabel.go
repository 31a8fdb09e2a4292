// Package multilabel gives nodes sets of labels, of any size, from the soft classification F of
// seeds with several labels.
//
// With p_ij = F_ij / Σ_l F_il the share of class j in row i, and m_j the mean of p_ij over the
// nodes that a seed reaches, the excess of a class is
//
//	e_ij = p_ij − m_j
//
// and the labels of node i are
//
//	L_i = { j : e_ij > 0 and e_ij ≥ θ · max_l e_il },  0 < θ ≤ 1.
//
// The mean is subtracted because F tends to it as α tends to 1: on a connected graph all rows of F
// then have nearly the same direction, and nodes differ by their excess over it. A bare threshold
// on p_ij gives every node the large classes (docs/decisions/0005-multilabel.md).
//
// A mixture of methods knows more: nodes that it has left out tell how probable a label is at a share ([Odds]).
package multilabel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// DefaultThreshold is the default of θ.
const DefaultThreshold = 0.7

// Label is a class of a node.
type Label struct {
	Class int32
	// Share is p_ij, Excess e_ij, Margin e_ij − θ·max_l e_il. By odds Share is q_ij, the others q_ij − t_j.
	Share, Excess, Margin float64
}

// Rule says how labels are read off a row of F: by the Odds, or where these are nil by θ and the m_j. New nodes
// get their labels by the rule of the run that they join.
type Rule struct {
	Odds      *Odds     `json:"odds,omitempty"`
	Threshold float64   `json:"threshold,omitempty"` // θ
	Mean      []float64 `json:"mean,omitempty"`      // m_j
}

// Check returns an error unless the rule is of c classes and all its numbers are in range.
func (r *Rule) Check(c int) error {
	if r.Odds == nil {
		if !(r.Threshold > 0 && r.Threshold <= 1) {
			return fmt.Errorf("multilabel: threshold %v, expected above 0 and at most 1", r.Threshold)
		}
		return checkNumbers("means", r.Mean, c, 0, 1)
	}
	if !(math.Abs(r.Odds.Slope) <= math.MaxFloat64) {
		return fmt.Errorf("multilabel: slope %v, expected a finite number", r.Odds.Slope)
	}
	return cmp.Or(checkNumbers("offsets", r.Odds.Offsets, c, -math.MaxFloat64, math.MaxFloat64), checkNumbers("least probabilities", r.Odds.Least, c, 0, 1))
}

func checkNumbers(name string, values []float64, c int, least, most float64) error {
	if len(values) != c {
		return fmt.Errorf("multilabel: %d %s for %d classes", len(values), name, c)
	}
	for j, v := range values {
		if !(v >= least && v <= most) {
			return fmt.Errorf("multilabel: %v among the %s, that of class %d, expected %v to %v", v, name, j, least, most)
		}
	}
	return nil
}

// Of returns the label sets of the rows of f by the rule, which must be of as many classes as f has columns.
func (r *Rule) Of(f *csr.Dense) *Sets {
	if err := r.Check(f.Cols); err != nil {
		panic(err)
	}
	return &Sets{f, *r}
}

// Sets holds the labels of the n rows of F. It keeps F, which must not change, and its rule.
// Several goroutines may use it at the same time.
type Sets struct {
	f    *csr.Dense
	rule Rule
}

// Rule returns the rule of the sets.
func (s *Sets) Rule() *Rule { return &s.rule }

// ByOdds returns the label sets of the probabilities f, n×c, by their odds. Odds of another number of classes panic.
func ByOdds(f *csr.Dense, odds *Odds) *Sets { return (&Rule{Odds: odds}).Of(f) }

// New returns the label sets of F, n×c with values of at least 0; the rows of nodes that no seed
// reaches are 0. A threshold θ that is not above 0 and at most 1 is an error. O(nc).
func New(f *csr.Dense, threshold float64) (*Sets, error) {
	rule := &Rule{Threshold: threshold, Mean: make([]float64, f.Cols)}
	if err := rule.Check(f.Cols); err != nil {
		return nil, err
	}
	reached := 0
	for i := range f.Rows {
		row := f.Row(i)
		sum := total(row)
		if sum == 0 {
			continue
		}
		reached++
		for j, v := range row {
			rule.Mean[j] += float64(v) / sum
		}
	}
	for j := range rule.Mean {
		rule.Mean[j] = min(rule.Mean[j]/float64(max(reached, 1)), 1)
	}
	return rule.Of(f), nil
}

func total(row []float32) (sum float64) {
	for _, v := range row {
		sum += float64(v)
	}
	return sum
}

// Of returns the labels of node i, the largest excess first, by odds the most probable, smaller classes first among equals;
// none if no seed reaches it. A node whose row is the mean itself has the class of the largest
// share. Memory: as [Sets.All].
func (s *Sets) Of(i int) []Label {
	all, best := s.All(i)
	labels := all[:0] // never past the read part of all
	for _, l := range all {
		if (s.rule.Odds != nil || l.Excess > 0) && l.Margin >= 0 || int(l.Class) == best {
			labels = append(labels, l)
		}
	}
	if s.rule.Odds != nil {
		slices.SortStableFunc(labels, func(a, b Label) int { return cmp.Compare(b.Share, a.Share) })
		return labels
	}
	slices.SortStableFunc(labels, func(a, b Label) int { return cmp.Compare(b.Excess, a.Excess) })
	return labels
}

// All returns all classes of node i in their order, and the class of the largest excess, by odds the most probable; none and
// -1 if no seed reaches it. Memory: 32 bytes a class.
func (s *Sets) All(i int) (all []Label, best int) {
	row := s.f.Row(i)
	sum := total(row)
	if sum == 0 {
		return nil, -1
	}
	all = make([]Label, len(row))
	if s.rule.Odds != nil {
		for j, v := range row {
			q := exact.Logistic(s.rule.Odds.logOdds(j, v, sum))
			if all[j] = (Label{Class: int32(j), Share: q, Excess: q - s.rule.Odds.Least[j], Margin: q - s.rule.Odds.Least[j]}); q > all[best].Share {
				best = j
			}
		}
		return all, best
	}
	for j, v := range row {
		share := float64(v) / sum
		all[j] = Label{Class: int32(j), Share: share, Excess: share - s.rule.Mean[j]}
		if all[j].Excess > all[best].Excess || all[j].Excess == all[best].Excess && share > all[best].Share {
			best = j
		}
	}
	for j := range all {
		all[j].Margin = all[j].Excess - float64(s.rule.Threshold*all[best].Excess)
	}
	return all, best
}
