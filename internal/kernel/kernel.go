// Package kernel holds inner loops: of nearest-neighbour search the product
// of two panels of vectors ([Dots]), their sums of differences ([Differences]) and the test of one row of either against
// thresholds ([Below]); of graph learning the product of sparse rows with a
// dense block of 16 columns ([Gather]) and what fills it ([Spread]), the sum of scaled sparse rows ([Sum]) and
// the search for what reaches a floor ([AtLeast]); of building a matrix the sort of short rows ([SortRows]); of propagation the product of sparse rows
// with a dense block ([MulRows]) and the updates of blocks of class columns
// ([MinusDot], [Descend], [Advance]); of dense matrices of float64 a part of a
// product ([Tile]) and a plane rotation ([Rotate]).
//
// A panel is 32 vectors of d float32 numbers stored by coordinate: number p
// of vector r is panel[p*Rows+r], 128·d bytes. Vectors that are missing from
// the last panel are zeros.
//
// Each loop exists in portable Go, on amd64 for AVX2 with FMA and for AVX-512, and
// on arm64, but for SortRows and Sum, for NEON. The best that the processor has is
// chosen once, at start. The build tag purego leaves the assembly out; the environment
// variable ADPSPARSE_KERNEL=portable|avx2|avx512|neon asks for one, and is ignored where
// the processor cannot run it. [Name] says which one runs.
//
// All but Dots, Below, Tile and Rotate give the same bits in every version. The versions of
// Dots add in the same order, but a fused multiply-add rounds once where the
// portable loop rounds twice, so results agree only within the bound that [ErrorFactor] gives for each of them. Callers that need the same
// bits from every version must decide by exact values within that bound, as
// package knn does.
package kernel

import (
	"math"
	"os"
)

// Rows is the number of vectors in a panel.
const Rows = 32

// depth is the number of coordinates added up before the sum is added to
// the result: two panels of this depth stay in the first-level cache, and
// short sums lose fewer bits.
const depth = 128

// implementation is one version of the loops.
type implementation struct {
	name string
	// dots computes dst[r*stride+s] ← Σ_p a[p*Rows+r]·b[p*Rows+s] over n ≤ depth
	// coordinates, or adds it to dst where add is true.
	dots func(dst []float32, stride int, a, b []float32, n int, add bool)
	// differences is dots for Σ_p |a[p*Rows+r] − b[p*Rows+s]|.
	differences func(dst []float32, stride int, a, b []float32, n int, add bool)
	// below is [Below].
	below func(mask []uint32, p, low, tau []float32, rowLow, rowTau, w float32)
	// dotsBytes and belowWhole are [DotsBytes] of n steps and [BelowWhole], nil where
	// there is only the portable loop.
	dotsBytes  func(dst []int32, stride int, a, b []byte, n int, add bool)
	belowWhole func(mask []uint32, p, low, tau []int32, rowLow, rowTau int32)
	// columns is how many of a dense block MulRows makes at once, vectors
	// whether in assembly, masked whether with AVX-512's masks.
	columns         int
	vectors, masked bool
}

var portable = implementation{
	name: "portable", dots: dotsPortable, differences: differencesPortable, below: belowPortable, columns: 1 << 16,
}

var active = choose(os.Getenv("ADPSPARSE_KERNEL"))

// choose returns the version of the given name where it can run here, else
// the best one.
func choose(name string) implementation {
	can := append(vectorized(), portable)
	for _, k := range can {
		if k.name == name {
			return k
		}
	}
	return can[0]
}

// Name returns the name of the version in use: portable, avx2, avx512 or neon.
func Name() string { return active.name }

// Names returns the versions that this processor can run, best first.
func Names() []string {
	var names []string
	for _, k := range append(vectorized(), portable) {
		names = append(names, k.name)
	}
	return names
}

// Select makes the version of the given name the one in use, as
// ADPSPARSE_KERNEL does, and returns the name of the one before. It must not
// run beside other calls of this package.
func Select(name string) (previous string) {
	previous = active.name
	active = choose(name)
	return previous
}

// Dots computes the 32×32 products of two panels of d coordinates each,
//
//	dst[r*stride+s] ← Σ_p a[p*Rows+r]·b[p*Rows+s],
//
// in 1024·d multiply-adds. Sums run over blocks of 128 coordinates in
// ascending order; block sums are added in ascending order.
func Dots(dst []float32, stride int, a, b []float32, d int) {
	_, _, _ = dst[31*stride+31], a[d*Rows-1], b[d*Rows-1]
	for lo := 0; lo < d; lo += depth {
		active.dots(dst, stride, a[lo*Rows:], b[lo*Rows:], min(depth, d-lo), lo > 0)
	}
}

// Differences computes the 32×32 sums of absolute differences of two panels of d coordinates each,
//
//	dst[r*stride+s] ← Σ_p |a[p*Rows+r] − b[p*Rows+s]|,
//
// in the order of [Dots]. Each is within [ErrorFactor] of the true sum, relative to it.
func Differences(dst []float32, stride int, a, b []float32, d int) {
	_, _, _ = dst[31*stride+31], a[d*Rows-1], b[d*Rows-1]
	for lo := 0; lo < d; lo += depth {
		active.differences(dst, stride, a[lo*Rows:], b[lo*Rows:], min(depth, d-lo), lo > 0)
	}
}

// Below computes for each column s of a row of products p the value
//
//	v_s = rowLow + low_s − w·p_s
//
// and sets bit s%32 of mask[s/32] where v_s ≤ max(rowTau, tau_s). The lengths
// of p, low and tau are 32 times that of mask.
func Below(mask []uint32, p, low, tau []float32, rowLow, rowTau, w float32) {
	n := len(mask) * Rows
	if n == 0 {
		return
	}
	active.below(mask, p[:n], low[:n], tau[:n], rowLow, rowTau, w)
}

// ErrorFactor returns γ such that every version of [Dots] gives a product
// within γ·‖x‖·‖y‖ of the true one for vectors of d coordinates, as long as
// nothing underflows: one rounding for each addition that a term passes
// through and one for the term itself, with u = 2^-24 (N. J. Higham, Accuracy
// and Stability of Numerical Algorithms, section 3.1).
func ErrorFactor(d int) float64 {
	const u = 1.0 / (1 << 24)
	steps := float64(min(d, depth) + (d+depth-1)/depth + 1)
	return math.Min(1, steps*u/(1-steps*u))
}
