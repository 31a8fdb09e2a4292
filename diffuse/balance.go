package diffuse

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Balance is the weighting of the classes of Y against each other.
type Balance int

const (
	// Balanced scales the class columns of Y in each connected component of the graph, see
	// [Graph.Scale]. The top eigenvectors of S are D^1/2 on a component and 0 elsewhere. Without
	// the scaling, and with α near 1, the class whose seeds have the largest degrees takes all of
	// its component. (default)
	Balanced Balance = iota
	// Unbalanced leaves Y as it is, as in the paper.
	Unbalanced
)

// Scale returns the factor of each seed, in the order of [Seeds.List], that makes Y the Ỹ for the
// F-step on g. It reads the options Balance, Prior and Within. With Balanced, all seeds of class j
// in component C of the graph have the same factor, which makes
//
//	Σ_{i∈C} D_ii^1/2 Ỹ_ij   in proportion to   π_j t_Cj,
//
//	t_Cj = 1 − λ + λ u_C p_Cj,   p_Cj = (n_Cj/n_j) / Σ_l (n_Cl/n_l),
//
// with the class prior π, n_j seeds of class j, n_Cj of them in C, and u_C classes with seeds
// there. On a connected graph t is 1. Each of several components may have its own mix of classes,
// which its few seeds estimate badly. λ from 0 to 1 measures by how much their numbers differ among
// components beyond chance,
//
//	λ = max(0, 1 − ν/χ²),   χ² = Σ_C Σ_j (n_Cj − m_Cj)²/m_Cj,   ν = Σ_C (u_C − 1),
//
// over classes with seeds in C, where m_Cj are C's seeds divided in proportion to n_j. This is the
// positive-part estimator of James and Stein for p around equal shares.
//
// The prior is nil for equal classes, else c numbers above 0 with any sum. Factors are relative:
// their mean over a component's classes is 1. An isolated seed keeps the factor 1.
func (g *Graph) Scale(y *Seeds, opt Options) []float64 {
	return scaleOn(g, g.Degrees, y, opt, nil)
}

// scaleOn is [Graph.Scale] for any operator, whose degrees are those of the own rows of a
// partition, or of all rows.
func scaleOn(s Operator, degrees []float64, y *Seeds, opt Options, partition Partition) []float64 {
	lo, hi := 0, y.Nodes
	if partition != nil {
		lo, hi, _ = partition.Rows()
	}
	ofSeeds := func(row func(at int) float64) []float64 {
		values := make([]float64, len(y.list))
		add := func(values []float64) {
			for k, seed := range y.list {
				if i := int(seed.Node); lo <= i && i < hi {
					values[k] = row(i - lo)
				}
			}
		}
		if partition == nil {
			add(values)
		} else {
			partition.Fold(values, add)
		}
		return values
	}
	within := opt.Within
	if within == nil {
		within, _ = s.(Parted)
	}
	components := make([]float64, len(y.list))
	if within != nil && opt.Balance == Balanced {
		if of := within.Components(); of != nil {
			components = ofSeeds(func(at int) float64 { return float64(of[at]) })
		}
	}
	return y.scale(ofSeeds(func(at int) float64 { return degrees[at] }), components, opt.Balance, opt.Prior)
}

// scale is [Graph.Scale] for the degrees and the components of the seeds.
func (s *Seeds) scale(degrees, components []float64, balance Balance, prior []float64) []float64 {
	scale := make([]float64, len(s.list))
	if balance == Unbalanced {
		for k := range scale {
			scale[k] = 1
		}
		return scale
	}
	all := s.byComponent(degrees, components)
	count := s.PerClass()
	own := ownMix(all, count)
	for len(all) > 0 {
		component := nextComponent(&all)
		total, largest := 0.0, 0.0
		for _, h := range component {
			total += h.of(count)
			if prior != nil {
				largest = max(largest, prior[h.class])
			}
		}
		factor, sum, used := make([]float64, len(component)), 0.0, 0
		for k, h := range component {
			if h.mass > 0 {
				factor[k] = (1 - own + float64(own*float64(len(component))*h.of(count)/total)) / h.mass
				if prior != nil {
					factor[k] *= prior[h.class] / largest // any scale: normalised below
				}
				sum += factor[k]
				used++
			}
		}
		for k, h := range component {
			for _, seed := range h.seeds {
				scale[seed] = 1
				if h.mass > 0 {
					scale[seed] = factor[k] * (float64(used) / sum)
				}
			}
		}
	}
	return scale
}

// classSeeds holds the seeds of a class in a component.
type classSeeds struct {
	component float64
	class     uint32
	seeds     []int   // their places in the list
	mass      float64 // Σ D^1/2 Y
}

// of returns the fraction of its class's seeds that are in the component.
func (h classSeeds) of(count []int) float64 { return float64(len(h.seeds)) / float64(count[h.class]) }

// byComponent returns the seeds by component, then class.
func (s *Seeds) byComponent(degrees, components []float64) (list []classSeeds) {
	order := sorted(rows.InOrder[int](len(s.list)), s.Classes, func(k int) int { return int(s.list[k].Class) })
	if known := distinct(components); len(known) > 1 {
		number := make(map[float64]int, len(known))
		for at, component := range known {
			number[component] = at
		}
		order = sorted(order, len(known), func(k int) int { return number[components[k]] })
	}
	for from, k := range order {
		seed := s.list[k]
		last := len(list) - 1
		if last < 0 || list[last].component != components[k] || list[last].class != seed.Class {
			list = append(list, classSeeds{component: components[k], class: seed.Class, seeds: order[from:from]})
			last++
		}
		h := &list[last]
		h.seeds = h.seeds[:len(h.seeds)+1] // appends the next in order
		h.mass += float64(math.Sqrt(degrees[k]) * float64(seed.Weight))
	}
	return list
}

// sorted returns the items of list ordered by their keys, below n; equal ones keep their order.
func sorted(list []int, n int, key func(item int) int) []int {
	next := make([]int, n+1) // where the next item of each key goes
	for _, item := range list {
		next[key(item)+1]++
	}
	for k := range n {
		next[k+1] += next[k]
	}
	out := make([]int, len(list))
	for _, item := range list {
		at := &next[key(item)]
		out[*at] = item
		*at++
	}
	return out
}

// distinct returns the distinct values of a list, in order.
func distinct(list []float64) (values []float64) {
	seen := map[float64]bool{}
	last := math.NaN()
	for _, v := range list {
		if v != last && !seen[v] { // often the last one again
			seen[v] = true
			values = append(values, v)
		}
		last = v
	}
	slices.Sort(values)
	return values
}

// nextComponent removes the classes of the first component from a list, and returns them.
func nextComponent(list *[]classSeeds) []classSeeds {
	all := *list
	end := 1
	for end < len(all) && all[end].component == all[0].component {
		end++
	}
	*list = all[end:]
	return all[:end]
}

// ownMix returns λ, see [Graph.Scale].
func ownMix(all []classSeeds, count []int) float64 {
	chi, freedom := 0.0, 0
	for len(all) > 0 {
		component := nextComponent(&all)
		here, everywhere := 0, 0
		for _, h := range component {
			here += len(h.seeds)
			everywhere += count[h.class]
		}
		for _, h := range component {
			expected := float64(here) * float64(count[h.class]) / float64(everywhere)
			off := float64(len(h.seeds)) - expected
			chi += float64(off * off / expected)
		}
		freedom += len(component) - 1
	}
	if chi <= float64(freedom) {
		return 0
	}
	return 1 - float64(freedom)/chi
}
