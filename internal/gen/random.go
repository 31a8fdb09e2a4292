package gen

import "fmt"

// Options adds difficulties to a RandomGraph. The zero value adds none.
type Options struct {
	// Isolated is the number of nodes, the last ones, that get no edge to
	// another node. 0: none is made so, but chance may.
	Isolated int
	// TwoComponents forbids edges between the even and the odd nodes.
	TwoComponents bool
	// SelfLoops is the probability that a node, isolated or not, has an edge
	// to itself. 0: never.
	SelfLoops float64
	// WeightSpread makes weights log-uniform between 1/WeightSpread and
	// WeightSpread. 0: all weights are 1. Else at least 1.
	WeightSpread float64
}

// RandomGraph returns a graph of n nodes in which each pair is an edge with
// probability p, changed by options.
func RandomGraph(n int, p float64, seed uint64, options Options) (src, dst []uint32, weight []float32) {
	checkProbability("p", p)
	checkProbability("SelfLoops", options.SelfLoops)
	if options.Isolated < 0 || options.Isolated > n {
		panic(fmt.Sprintf("gen: %d isolated nodes of %d", options.Isolated, n))
	}
	if s := options.WeightSpread; s != 0 && !(s >= 1) {
		panic(fmt.Sprintf("gen: WeightSpread is %v, not 0 or at least 1", s))
	}
	l := newList(seed, options.WeightSpread)
	for i := range n {
		if l.happens(options.SelfLoops) {
			l.add(i, i)
		}
		for j := i + 1; j < n-options.Isolated; j++ {
			if options.TwoComponents && (j-i)%2 == 1 {
				continue
			}
			if l.happens(p) {
				l.add(i, j)
			}
		}
	}
	return l.src, l.dst, l.weight
}
