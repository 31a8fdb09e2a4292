package ids

import (
	"math"
	"slices"
)

// Integers returns the table of the nodes that are called like the values,
// which increase: [Sequence] where they are 0 to n-1, else a table of 8 bytes a
// node, without text, that keeps them.
func Integers(values []int64) *Table {
	if n := len(values); n == 0 || values[0] == 0 && values[n-1] == int64(n-1) {
		return Sequence(n)
	}
	return &Table{values: values, sequence: -1}
}

// Counts reports whether the names are whole numbers in a row, in any order: the least of them, and whether
// each is one more than the name before it. Cost: O(n) at most.
func (t *Table) Counts() (first int64, ordered, ok bool) {
	n := t.Len()
	if t.sequence >= 0 || n == 0 {
		return 0, true, n > 0
	}
	var name []byte
	first, last, before := int64(math.MaxInt64), int64(math.MinInt64), int64(0)
	ordered = true
	for i := range n {
		name = t.AppendName(name[:0], i)
		v, ok := Plain(name)
		if !ok {
			return 0, false, false
		}
		ordered = ordered && (i == 0 || v == before+1)
		first, last, before = min(first, v), max(last, v), v
	}
	return first, ordered, last-first == int64(n)-1
}

// searchInteger looks a name up among the values.
func (t *Table) searchInteger(name []byte) (uint32, bool) {
	v, ok := Plain(name)
	if !ok {
		return 0, false
	}
	i, found := slices.BinarySearch(t.values, v)
	return uint32(i), found
}

// Plain returns the value of a name that is an integer within int64, written
// as strconv writes it: without zeros before it and without a plus.
func Plain(name []byte) (v int64, ok bool) {
	digits := name
	if len(name) > 0 && name[0] == '-' {
		digits = name[1:]
	}
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' && len(name) > 1 {
		return 0, false
	}
	for _, b := range digits {
		if b < '0' || b > '9' {
			return 0, false
		}
		v = 10*v + int64(b-'0')
	}
	if len(digits) < len(name) {
		v = -v
	}
	return v, true
}
