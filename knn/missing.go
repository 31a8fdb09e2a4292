package knn

import (
	"maps"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
)

// MissingCode is a number that seems to say that a value is missing, as surveys and statistics programs write it.
type MissingCode struct {
	Column  int     `json:"column"`  // the first that has one, from 1
	Code    float32 `json:"code"`    // its most frequent one
	Points  int     `json:"points"`  // with a code in that column, of up to 10,000
	Least   float32 `json:"least"`   // other value of that column
	Most    float32 `json:"most"`    // other value of that column
	Columns int     `json:"columns"` // with codes
}

// The codes, whole numbers below 0 and numbers above. Those below 0 may be measured values, too: only signs are sure that
// programs write on their own. The others are steps of one scale (refused, does not know).
var (
	codesBelow = []float32{-7, -8, -9, -77, -88, -97, -98, -99, -999, -9999}
	sureBelow  = []float32{-9, -99, -999, -9999}
	codesAbove = []float32{77, 88, 97, 98, 99, 99.99, 777, 888, 997, 998, 999, 999.9, 9999, 9999.9}
)

// In order: the least number of points with a code, and their least share; the least ratio of a code above 0 to the other values.
const (
	leastCodes     = 2
	leastCodeShare = 0.01
	farCode        = 5
)

// MissingCodes returns the codes for missing values among the features x (n×d), or nil if there seem to be none. A column has codes below 0
// where all else is 0 or above, and codes above 0 where all else is at most a fifth of them in size. At least two points and 1 %
// have one, and the others have two values or more. Cost: one pass over up to 10,000 points, evenly spaced.
func MissingCodes(x *csr.Dense) *MissingCode {
	step, sample := max(1, x.Rows/scaleRows), 0
	columns := make([]coded, x.Cols)
	for i := 0; i < x.Rows; i += step {
		sample++
		for j, v := range x.Row(i) {
			columns[j].add(v)
		}
	}
	var found *MissingCode
	for j := range columns {
		c := &columns[j]
		code, points := c.missing()
		if points < leastCodes || float64(points) < leastCodeShare*float64(sample) {
			continue
		}
		if found == nil {
			found = &MissingCode{Column: j + 1, Code: code, Points: points, Least: c.least, Most: c.most}
		}
		found.Columns++
	}
	return found
}

// coded is what has been seen of a column: numbers of codes, and the range of the other values.
type coded struct {
	count       map[float32]int
	seen        bool    // another value
	least, most float32 // others
}

// add counts a value.
func (c *coded) add(v float32) {
	if (v >= 77 || v <= -7) && (slices.Contains(codesAbove, v) || slices.Contains(codesBelow, v)) {
		if c.count == nil {
			c.count = map[float32]int{}
		}
		c.count[v]++
		return
	}
	if !c.seen {
		c.seen, c.least, c.most = true, v, v
	}
	c.least, c.most = min(c.least, v), max(c.most, v)
}

// missing returns the most frequent code of a column, and the number of points with one; 0 if it seems to have none. Numbers
// as codes that are like the others become others.
func (c *coded) missing() (code float32, points int) {
	sure, most := 0, 0
	for _, v := range slices.Sorted(maps.Keys(c.count)) {
		n := c.count[v]
		switch {
		case v < 0 && slices.Contains(sureBelow, v):
			sure += n
		case v > 0 && v < farCode*max(c.most, -c.least):
			c.most = max(c.most, v)
			continue
		}
		points += n
		if n > most {
			code, most = v, n
		}
	}
	below := len(c.count) > 0 && slices.Min(slices.Collect(maps.Keys(c.count))) < 0
	if c.least == c.most || below && (c.least < 0 || sure < leastCodes) {
		return 0, 0
	}
	return code, points
}
