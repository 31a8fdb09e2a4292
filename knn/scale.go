package knn

import (
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// scaleRows is the number of points, evenly spaced, that [Widest] and [ScalingOf] read, rankedRows
// the number of points whose values ScalingOf sorts.
const (
	scaleRows  = 10_000
	rankedRows = 2_000
)

// Scaling brings columns of different units to one scale: value v of column j becomes (v −
// Middle_j)/Spread_j, and at most Limit in size.
type Scaling struct {
	Middle []float32 `json:"middle"` // of each column: the mean
	// Spread is the range of nine tenths of the values, divided by that of a normal column of
	// deviation 1 (3.29). It is the deviation if that range is 0, and 1 if the column is constant.
	// Outliers, which dominate a deviation, do not count. A column of two values has half their
	// difference: a category that is rare would otherwise be far from all others.
	Spread []float32 `json:"spread"`
	// Limit is the largest size of a scaled value, so that outliers are not far from all points; 0
	// for none.
	Limit float32 `json:"limit,omitempty"`
	// Ratio is the largest spread over the median one (of an even number the lower), of the columns
	// that vary; 0 if none does.
	Ratio float64 `json:"ratio"`
	// Centred reports that half of these columns have a mean within a twentieth of their deviation
	// from 0: axes of a projection, or columns that somebody has prepared.
	Centred bool `json:"centred,omitempty"`
	// Coarse is the first column, from 1, that float32 represents too coarsely; 0 for none. Its
	// values differ by so little of their size that its spread has fewer than 64 steps of float32,
	// or that float32 has merged numbers of 2²⁴ or more. With an offset subtracted before rounding,
	// as from time stamps, such columns keep their information.
	Coarse int `json:"-"`
}

// In order: nine tenths of a normal column of deviation 1; the least ratio of spreads that
// indicates different units; the largest mean, relative to the deviation, of a centred column; the
// largest size of a scaled value, and without a limit; the least number of float32's steps in a spread.
const (
	normalSpread  = 3.29
	leastRatio    = 10
	centredMean   = 0.05
	scaledLimit   = 3
	largestScaled = 1e15
	leastSteps    = 64
)

// ScalingOf returns the scaling of the columns of x (n×d), from up to 10,000 points, evenly spaced.
// It fails as [Search] does if x is empty or a value is not finite. Cost: one pass over x, and d
// sorts of 2,000 numbers.
func ScalingOf(x *csr.Dense, threads int) (*Scaling, error) {
	if _, err := checkFeatures(x, threads); err != nil {
		return nil, err
	}
	mean, square, seen := moments(x)
	s := &Scaling{Middle: make([]float32, x.Cols), Spread: make([]float32, x.Cols), Limit: scaledLimit}
	halves := make([]float32, x.Cols) // of the difference of two values; 0 for a column of more
	step := (x.Rows + rankedRows - 1) / rankedRows
	rows.Each(x.Cols, threads, func(lo, hi int) {
		ranked := make([]float32, 0, rankedRows)
		for j := lo; j < hi; j++ {
			ranked = ranked[:0]
			for i := 0; i < x.Rows; i += step {
				ranked = append(ranked, x.At(i, j))
			}
			slices.Sort(ranked)
			end := (len(ranked) - 1) / 20
			spread := (float64(ranked[len(ranked)-1-end]) - float64(ranked[end])) / normalSpread
			if spread == 0 {
				spread = math.Sqrt(square[j] / seen)
			}
			s.Middle[j], s.Spread[j] = float32(mean[j]), float32(min(spread, math.MaxFloat32))
			if values := slices.Compact(ranked); len(values) == 2 {
				halves[j] = values[1]/2 - values[0]/2
			}
		}
	})
	varying, centred := make([]float32, 0, x.Cols), 0
	for j, spread := range s.Spread {
		if s.Coarse == 0 && coarse(s.Middle[j], spread) {
			s.Coarse = j + 1
		}
		if spread == 0 {
			s.Spread[j] = 1
			continue
		}
		varying = append(varying, spread)
		if math.Abs(mean[j]) <= centredMean*math.Sqrt(square[j]/seen) {
			centred++
		}
	}
	if len(varying) > 0 {
		slices.Sort(varying)
		s.Ratio = float64(varying[len(varying)-1]) / float64(varying[(len(varying)-1)/2])
		s.Centred = 2*centred >= len(varying)
	}
	for j, half := range halves { // of units the range of nine tenths is the better sign
		if half > 0 {
			s.Spread[j] = half
		}
	}
	return s, nil
}

// coarse reports whether float32 rounds away the information of a column with this middle and
// spread.
func coarse(middle, spread float32) bool {
	size := float32(math.Abs(float64(middle)))
	if spread == 0 {
		return size >= 1<<24
	}
	step := math.Nextafter32(size, math.MaxFloat32) - size
	return float64(spread) < leastSteps*float64(step)
}

// Check returns an error unless s is a valid scaling of d columns.
func (s *Scaling) Check(d int) error {
	if len(s.Middle) != d || len(s.Spread) != d {
		return fmt.Errorf("%w: scaling of %d and %d columns, expected %d", ErrFeatures, len(s.Middle), len(s.Spread), d)
	}
	if !(s.Limit >= 0) || s.Limit-s.Limit != 0 {
		return fmt.Errorf("%w: scaled values of at most %v, expected a finite number of at least 0", ErrFeatures, s.Limit)
	}
	for j, spread := range s.Spread {
		if m := s.Middle[j]; !(spread > 0) || spread-spread != 0 || m-m != 0 {
			return fmt.Errorf("%w: column %d is scaled about %v by %v, expected finite numbers, the second above 0", ErrFeatures, j, m, spread)
		}
	}
	return nil
}

// Unlike reports whether the columns have different units, so that without the scaling a few of
// them would determine the distances: whether the largest spread is ten times the median or more.
// Axes of a projection, which are centred, have spreads that are their importance.
func (s *Scaling) Unlike() bool { return s.Ratio >= leastRatio && !s.Centred }

// Apply returns x with its columns scaled, n×d new numbers of at most Limit in size, 10^15 where that is 0; values that
// are not finite stay so. It panics unless x has n·d numbers, and as many columns as s.
func (s *Scaling) Apply(x *csr.Dense, threads int) *csr.Dense {
	checkShape(x)
	if len(s.Middle) != x.Cols || len(s.Spread) != x.Cols {
		panic(fmt.Sprintf("knn: scaling of %d and %d columns for features of %d", len(s.Middle), len(s.Spread), x.Cols))
	}
	out := csr.NewDense(x.Rows, x.Cols)
	middle, spread, limit := s.Middle, s.Spread, largestScaled
	if s.Limit > 0 {
		limit = float64(s.Limit)
	}
	rows.Each(x.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := out.Row(i)
			for j, v := range x.Row(i) {
				if to[j] = v; v-v == 0 {
					scaled := (float64(v) - float64(middle[j])) / float64(spread[j])
					to[j] = float32(max(-limit, min(limit, scaled)))
				}
			}
		}
	})
	return out
}

// Widest returns the column of x (n×d) with the largest variance, and its share of the variance of
// all columns. The share is near 1 if columns have different units, and one of them determines
// Euclidean distances. It reads 10,000 points at most, and takes 2·d sums of float64. The share is
// 0 if no column varies. An x of other than n·d numbers panics.
func Widest(x *csr.Dense) (column int, share float64) {
	checkShape(x)
	_, square, _ := moments(x)
	return largest(square)
}

// WidestSparse is [Widest] of points in sparse rows. Its memory is that of the columns that these have.
func WidestSparse(x *csr.Matrix) (column int, share float64) {
	n, _ := x.Dims()
	var used []int // columns, in the order in which rows have them
	var count, mean, square []float64
	place, seen := map[uint32]int{}, 0.0
	for i := 0; i < n; i += max(1, n/scaleRows) {
		seen++
		columns, values := x.Row(i)
		for k, j := range columns {
			at, known := place[j]
			if !known {
				at = len(used)
				place[j], used, count, mean, square = at, append(used, int(j)), append(count, 0), append(mean, 0), append(square, 0)
			}
			count[at]++
			d := float64(values[k]) - mean[at] // as in moments
			mean[at] += d / count[at]
			square[at] += float64(d * (float64(values[k]) - mean[at]))
		}
	}
	for at, m := range mean { // and the zeros
		square[at] += float64(m*m) * float64(count[at]*(seen-count[at])) / seen
	}
	at, share := largest(square)
	if share > 0 {
		column = used[at]
	}
	return column, share
}

// largest returns the place of the largest number, and its share of the sum; 0 where that is 0.
func largest(square []float64) (column int, share float64) {
	total := 0.0
	for j, v := range square {
		total += v
		if v > square[column] {
			column = j
		}
	}
	if total == 0 {
		return 0, 0
	}
	return column, square[column] / total
}

// moments returns the means of the columns, the sums of squared deviations from them, and the
// number of points, evenly spaced.
func moments(x *csr.Dense) (mean, square []float64, seen float64) {
	mean, square = make([]float64, x.Cols), make([]float64, x.Cols)
	step := max(1, x.Rows/scaleRows)
	for i := 0; i < x.Rows; i += step { // Welford's sums do not cancel
		seen++
		for j, v := range x.Row(i) {
			d := float64(v) - mean[j]
			mean[j] += d / seen
			square[j] += float64(d * (float64(v) - mean[j]))
		}
	}
	return mean, square, seen
}

// leastCounted is the least number of different values at which a counting column is no coincidence.
const leastCounted = 10

// Counting returns the first column of x (n×d) that counts the points by ones, from any number on:
// an id left among the features. It is -1 if none does, and for fewer than 10 points. Where float32 merges numbers,
// a column of fewer than 10 different ones says nothing: so do a constant and time stamps. O(d), and O(n) for each
// column that begins so.
func Counting(x *csr.Dense) int {
	if x.Rows < leastCounted {
		return -1
	}
	for j := range x.Cols {
		first, i, different := float64(x.At(0, j)), 1, 1
		for i < x.Rows && x.At(i, j) == float32(first+float64(i)) {
			if x.At(i, j) != x.At(i-1, j) {
				different++
			}
			i++
		}
		if i == x.Rows && different >= leastCounted {
			return j
		}
	}
	return -1
}

// leastShuffled is the least number of points at which whole numbers of a range in another order are no
// coincidence.
const leastShuffled = 20

// Shuffled returns the first column of x (n×d) that has n whole numbers of a range, from any at least 0
// on, once each and in another order: ids of rows in another order, left among the features. It is -1 if none does,
// for fewer than 20 points, and for more than 2²⁴, where float32 merges numbers. A column is read up to the
// first number that cannot be; O(n·d) at most, and n/8 bytes.
func Shuffled(x *csr.Dense) int {
	n := x.Rows
	if n < leastShuffled || n > mostWhole {
		return -1
	}
	var seen []uint64 // a bit for each remainder by n
	for j := range x.Cols {
		if !isWholeNumber(x.At(0, j)) || !isWholeNumber(x.At(1, j)) { // most columns end here
			continue
		}
		if seen == nil {
			seen = make([]uint64, n/64+1)
		}
		if permutes(x, j, seen) {
			return j
		}
		clear(seen)
	}
	return -1
}

// mostWhole is the number up to which float32 has all whole ones.
const mostWhole = 1 << 24

// isWholeNumber reports whether v is a whole number that float32 merges with no other.
func isWholeNumber(v float32) bool {
	return v >= 0 && v <= mostWhole && v == float32(int(v))
}

// permutes reports whether column j has n whole numbers in a range of n, once each and not in order. Such
// leave other remainders by n. The bits of seen are 0; afterwards those of the remainders that were met are 1.
func permutes(x *csr.Dense, j int, seen []uint64) bool {
	n, ordered := x.Rows, true
	first := int(x.At(0, j))
	least, most := first, first
	for i := range n {
		v := x.At(i, j)
		if !isWholeNumber(v) {
			return false
		}
		at := int(v) % n
		if seen[at/64]&(1<<(at%64)) != 0 {
			return false
		}
		seen[at/64] |= 1 << (at % 64)
		least, most = min(least, int(v)), max(most, int(v))
		ordered = ordered && int(v) == first+i
	}
	return !ordered && most-least < n
}
