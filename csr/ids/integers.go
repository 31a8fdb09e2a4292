package ids

import "slices"

// Integers returns the table of the nodes that are called like the values,
// which increase: [Sequence] where they are 0 to n-1, else a table of 8 bytes a
// node, without text, that keeps them.
func Integers(values []int64) *Table {
	if n := len(values); n == 0 || values[0] == 0 && values[n-1] == int64(n-1) {
		return Sequence(n)
	}
	return &Table{values: values, sequence: -1}
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
