package crossval

import (
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Hits tell, for each left-out seed, whether a run that did not know it gave it its class.
type Hits []bool

// Accuracy returns the share p of the n seeds that is right, and its standard error √(max(p(1−p),
// 1/(4n))/n). Where none or all are right the error is half a seed, 1/(2n), not 0. Without seeds it
// returns 0 and 1.
func (h Hits) Accuracy() (share, deviation float64) {
	if len(h) == 0 {
		return 0, 1
	}
	n := float64(len(h))
	for _, right := range h {
		if right {
			share += 1 / n
		}
	}
	return share, math.Sqrt(max(share*(1-share), 0.25/n) / n)
}

// Beats counts the seeds that h alone and that other alone gets right. Both must be of the same
// folds; unequal lengths panic.
func (h Hits) Beats(other Hits) (won, lost int) {
	if len(h) != len(other) {
		panic(fmt.Sprintf("crossval: %d and %d left-out seeds, expected those of the same folds", len(h), len(other)))
	}
	for k := range h {
		if h[k] && !other[k] {
			won++
		}
		if other[k] && !h[k] {
			lost++
		}
	}
	return won, lost
}

// HoldOut returns the hits of a method on the folds of the seeds ([Folds]), dealt anew for each
// repetition. label returns the class of each node from some seeds, by adp.Run or by any other method.
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
				held = append(held, labels[s.Node] == int32(s.Class))
			}
		}
	}
	return held, nil
}
