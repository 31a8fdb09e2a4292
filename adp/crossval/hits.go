package crossval

import (
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Hits are, for each left-out seed, the share of the repetitions in which a run that did not know it gave it its class.
type Hits []float64

// Accuracy returns the mean p of the n seeds' shares h, and its standard error √(max(Σh²/n − p², 1/(4n))/n). Seeds
// are independent, and repetitions of one are not: more of them take nothing off the error. Where none or
// all are right it is half a seed, 1/(2n), not 0. Without seeds it returns 0 and 1.
func (h Hits) Accuracy() (share, deviation float64) {
	if len(h) == 0 {
		return 0, 1
	}
	n, squares := float64(len(h)), 0.0
	for _, right := range h {
		share += right / n
		squares += float64(right*right) / n
	}
	return share, math.Sqrt(max(squares-float64(share*share), 0.25/n) / n)
}

// Beats counts the seeds that h gets right more often than other, and less often, and returns the lead of h in
// standard deviations: Σd/√(Σd²) over the seeds, d = h − other. Both must be of the same folds; unequal
// lengths panic.
func (h Hits) Beats(other Hits) (won, lost int, lead float64) {
	if len(h) != len(other) {
		panic(fmt.Sprintf("crossval: %d and %d left-out seeds, expected those of the same folds", len(h), len(other)))
	}
	var sum, squares float64
	for k := range h {
		d := h[k] - other[k]
		if d > 0 {
			won++
		}
		if d < 0 {
			lost++
		}
		sum += d
		squares += float64(d * d)
	}
	return won, lost, LeadOf(sum, squares)
}

// HoldOut returns the hits of a method on the folds of the seeds ([Folds]), dealt anew for each
// repetition, in the order of the first. label returns the class of each node from some seeds, by adp.Run or by any other method.
// The folds depend on y, folds, repeats and seed alone: results of other methods and on other graphs of
// the same nodes are comparable.
//
// Cost: folds·repeats calls of label. Fewer than 2 folds or 1 repetition, and a label that does not
// return a class for each node, are a [diffuse.ErrOptions].
func HoldOut(y *diffuse.Seeds, folds, repeats int, seed uint64, label func(train *diffuse.Seeds) ([]int32, error)) (held Hits, err error) {
	if err := Check(folds); err != nil {
		return nil, err
	}
	if repeats < 1 {
		return nil, fmt.Errorf("%w: %d repetitions of the folds, expected at least 1", diffuse.ErrOptions, repeats)
	}
	place := map[uint32]int{} // a node with a hidden seed has no other
	for repeat := range repeats {
		for train, hidden := range Folds(y, folds, seed+uint64(repeat)) {
			labels, err := label(train)
			if err != nil {
				return nil, err
			}
			if len(labels) != y.Nodes {
				return nil, fmt.Errorf("%w: %d labels from label, expected one for each of %d nodes", diffuse.ErrOptions, len(labels), y.Nodes)
			}
			for _, s := range hidden {
				k, known := place[s.Node]
				if !known {
					k = len(held)
					place[s.Node], held = k, append(held, 0)
				}
				if labels[s.Node] == int32(s.Class) {
					held[k] += 1 / float64(repeats)
				}
			}
		}
	}
	return held, nil
}
