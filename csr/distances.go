package csr

import "math"

// In order: the least share of rows with as many entries as the longest; the least number of rows that tell, and how many times as
// many must speak for distances as against; the largest difference of two values of a pair, relative to them.
const (
	fullRows     = 0.9
	tellingRows  = 10
	timesAgainst = 3
	samePair     = 1e-4
)

// AreDistances reports whether the values of a matrix seem to be distances from each row to its nearest ones. Nine tenths of
// the rows have the same number of entries, and none has more. Pairs that have each other have the same value. And in most rows
// these values are smaller than those of pairs where one alone has the other: a near neighbour is mutual more often than a far one.
// Of similarities they are larger. Columns past the rows are of points whose own rows are not known, and tell nothing; a matrix
// of more rows than columns has no distances. Cost: O(nnz · log of a row's entries).
func AreDistances(m *Matrix) bool {
	if m.rows > m.cols {
		return false
	}
	k, full := 0, 0
	for i := range m.rows {
		cols, _ := m.Row(i)
		k = max(k, len(cols))
	}
	smaller, larger := 0, 0
	for i := range m.rows {
		cols, vals := m.Row(i)
		if len(cols) == k {
			full++
		}
		mutual, alone, both, one := 0.0, 0.0, 0, 0
		for at, j := range cols {
			if int(j) >= m.rows {
				break
			}
			v := float64(vals[at])
			mirrored := float64(m.value(int(j), uint32(i)))
			switch {
			case mirrored == 0:
				alone += v
				one++
			case math.Abs(v-mirrored) > samePair*math.Abs(v):
				return false
			default:
				mutual += v
				both++
			}
		}
		if both == 0 || one == 0 {
			continue
		}
		switch mutual, alone = mutual/float64(both), alone/float64(one); {
		case mutual < alone:
			smaller++
		case mutual > alone:
			larger++
		}
	}
	return float64(full) >= fullRows*float64(m.rows) && smaller >= tellingRows && smaller >= timesAgainst*larger
}
