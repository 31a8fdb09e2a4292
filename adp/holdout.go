package adp

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// HeldOut tells, for each left-out seed, whether a run that did not know it gave it its class.
type HeldOut []bool

// Accuracy returns the share p of the n seeds that is right, and its standard error √(max(p(1−p),
// 1/(4n))/n). Where none or all are right the error is half a seed, 1/(2n), not 0. Without seeds it
// returns 0 and 1.
func (h HeldOut) Accuracy() (share, deviation float64) {
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
func (h HeldOut) Beats(other HeldOut) (won, lost int) {
	if len(h) != len(other) {
		panic(fmt.Sprintf("adp: %d and %d left-out seeds, expected those of the same folds", len(h), len(other)))
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

// HoldOut runs each of the options on the same folds ([Folds]) of the seeds, dealt anew for each
// repetition, and returns the hits and misses of each. The folds depend on y, folds, repeats and
// seed alone: results on different graphs of the same nodes are comparable.
//
// Cost: folds·repeats runs of each of the options. Memory: one run. Errors: those of [Run]; fewer
// than 2 folds or 1 repetition are an [ErrOptions].
func HoldOut(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, options []Options, folds, repeats int, seed uint64) ([]HeldOut, error) {
	held := make([]HeldOut, len(options))
	for k, opt := range options {
		opt.Checkpoint, opt.Start, opt.KeepFirst = nil, nil, false // a start may know the hidden seeds
		var err error
		if held[k], err = HoldOutWith(y, folds, repeats, seed, func(train *diffuse.Seeds) ([]int32, error) {
			r, err := Run(ctx, w, train, opt)
			if err != nil {
				return nil, err
			}
			return r.Labels, r.Close()
		}); err != nil {
			return nil, err
		}
	}
	return held, nil
}

// HoldOutWith is [HoldOut] of any method: label returns the class of each node from some seeds.
func HoldOutWith(y *diffuse.Seeds, folds, repeats int, seed uint64, label func(train *diffuse.Seeds) ([]int32, error)) (held HeldOut, err error) {
	if err := checkFolds(folds); err != nil {
		return nil, err
	}
	if repeats < 1 {
		return nil, fmt.Errorf("%w: %d repetitions of the folds, expected at least 1", ErrOptions, repeats)
	}
	for repeat := range repeats {
		for train, hidden := range Folds(y, folds, seed+uint64(repeat)) {
			labels, err := label(train)
			if err != nil {
				return nil, err
			}
			for _, s := range hidden {
				held = append(held, labels[s.Node] == int32(s.Class))
			}
		}
	}
	return held, nil
}
