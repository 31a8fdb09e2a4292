package adp

import (
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// heldNodes are enough nodes to choose shares by, and heldPart the part of all nodes that is held back at a time: a fifth.
const (
	heldNodes = 2_000
	heldPart  = 5
)

// HoldBack returns the nodes of n that are held back in a turn, evenly spaced, and the others: a fifth, and 2,000 at most. Each turn, from 0 on, has
// other nodes. There are none left once 2,000 or all have been held back.
func HoldBack(n, turn int) (held, seen []int) {
	count := min(heldNodes, max(n/heldPart, 1))
	step := max((n+count-1)/count, 1)
	if turn >= step || turn*count >= heldNodes {
		return nil, nil
	}
	for i := range n {
		if i%step == turn {
			held = append(held, i)
		} else {
			seen = append(seen, i)
		}
	}
	return held, seen
}

// heldShares are what shares are chosen from.
var heldShares = []float64{0, 0.25, 0.5, 0.75, 1}

// ShareOf returns the t and u with which
//
//	(1−t) F_x + t ((1−u) H_x + u N_x)
//
// foresees best what a run said of the nodes held back: those of 0, ¼, ½, ¾ and 1 by which the largest class is the label of most of them, of
// equals the least u, then the least t. F_x is a step over w, n×n, from the neighbours in F, n×c. H_x, row k of own for node held[k], and N_x, of near,
// know nothing of these nodes' labels. A row of 0 leaves its part to the other one. Without near u is 0.
func ShareOf(held []int, own, near, f *csr.Dense, w *csr.Matrix, threads int) (t, u float64) {
	step := csr.NewDense(len(held), f.Cols)
	for k, i := range held {
		cols, values := w.Row(i)
		for at, j := range cols {
			for class, v := range f.Row(int(j)) {
				step.Row(k)[class] += float32(values[at] * v)
			}
		}
	}
	stack.Shares(step, threads)
	blends, most := heldShares, -1
	if near == nil {
		near, blends = own, []float64{0}
	}
	row, guess := make([]float32, f.Cols), make([]float32, f.Cols)
	for _, blend := range blends {
		for _, share := range heldShares {
			same := 0
			for k, i := range held {
				blended(guess, own.Row(k), near.Row(k), blend)
				blended(row, step.Row(k), guess, share)
				if label := diffuse.TopOf(f.Row(i)).Class; label >= 0 && diffuse.TopOf(row).Class == label {
					same++
				}
			}
			if same > most {
				t, u, most = share, blend, same
			}
		}
	}
	return t, u
}

// blended writes (1−t) a + t b to dst, or the one that is not 0. The three may be the same.
func blended(dst, a, b []float32, t float64) {
	switch {
	case !positive(b):
		copy(dst, a)
	case !positive(a):
		copy(dst, b)
	default:
		for j, v := range a {
			dst[j] = float32(float64((1-t)*float64(v)) + float64(t*float64(b[j])))
		}
	}
}
