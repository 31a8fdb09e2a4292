// Package ids numbers nodes: it maps the names that users give their nodes,
// opaque UTF-8 strings, to rows 0 to n-1 and back.
//
// Memory depends on the number and the lengths of the names, not on the
// values of numeric ones: about 16 bytes a node beside the text.
package ids

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
)

// ErrTooMany is returned when more names come than nodes can be numbered.
var ErrTooMany = errors.New("ids: more than 4294967295 nodes")

// Table is a set of names, numbered from 0 in the order they were added.
// Make one with [NewTable], or with [Sequence] or [Integers], which take no
// further names.
type Table struct {
	text  []byte
	ends  []uint64 // name i is text[ends[i]:ends[i+1]]
	slots []uint32 // open addressing: number+1, 0 when free; length a power of 2
	seed  maphash.Seed
	// A table from [FromText] whose names are sorted has no slots until a
	// name is added; numeric is by which order.
	numeric bool
	// sequence is the number of nodes named "0", "1", … when the table holds
	// no text, else -1.
	sequence int
	values   []int64 // of the names of [Integers], which hold no text
}

// NewTable returns an empty table.
func NewTable() *Table {
	return &Table{ends: make([]uint64, 1), slots: make([]uint32, 1024), seed: maphash.MakeSeed(), sequence: -1}
}

// Sequence returns the table of the names "0" to "n-1", in O(1) memory: the
// rows of a feature file.
func Sequence(n int) *Table { return &Table{sequence: n} }

// Len returns the number of names.
func (t *Table) Len() int {
	if t.sequence >= 0 {
		return t.sequence
	}
	if t.values != nil {
		return len(t.values)
	}
	return len(t.ends) - 1
}

// Bytes returns the memory that the table holds.
func (t *Table) Bytes() int64 {
	return int64(cap(t.text)) + 8*int64(cap(t.ends)) + 4*int64(len(t.slots)) + 8*int64(len(t.values))
}

// Name returns the name of node i.
func (t *Table) Name(i int) string { return string(t.AppendName(nil, i)) }

// AppendName appends the name of node i to dst.
func (t *Table) AppendName(dst []byte, i int) []byte {
	if t.sequence >= 0 {
		return strconv.AppendInt(dst, int64(i), 10)
	}
	if t.values != nil {
		return strconv.AppendInt(dst, t.values[i], 10)
	}
	return append(dst, t.bytes(uint32(i))...)
}

func (t *Table) bytes(i uint32) []byte { return t.text[t.ends[i]:t.ends[i+1]] }

// Lookup returns the number of a name.
func (t *Table) Lookup(name []byte) (uint32, bool) {
	if t.sequence >= 0 {
		i, err := strconv.ParseUint(string(name), 10, 32)
		ok := err == nil && i < uint64(t.sequence) && string(strconv.AppendUint(nil, i, 10)) == string(name)
		return uint32(i), ok
	}
	if t.values != nil {
		return t.searchInteger(name)
	}
	if t.slots == nil {
		return t.search(name)
	}
	i := t.slots[t.find(name)]
	return i - 1, i != 0
}

// Add returns the number of a name, a new one if it is not in the table.
func (t *Table) Add(name []byte) (uint32, error) {
	if t.sequence >= 0 || t.values != nil {
		return 0, fmt.Errorf("ids: a table of %d integers takes no other name", t.Len())
	}
	if t.slots == nil {
		t.rehash(slotsFor(t.Len()))
	}
	at := t.find(name)
	if i := t.slots[at]; i != 0 {
		return i - 1, nil
	}
	i := uint32(t.Len())
	if i == ^uint32(0) {
		return 0, ErrTooMany
	}
	t.text = append(t.text, name...)
	t.ends = append(t.ends, uint64(len(t.text)))
	t.slots[at] = i + 1
	if 4*t.Len() > 3*len(t.slots) {
		t.rehash(2 * len(t.slots))
	}
	return i, nil
}

// find returns the slot that holds a name or where it belongs.
func (t *Table) find(name []byte) uint64 {
	mask := uint64(len(t.slots) - 1)
	at := maphash.Bytes(t.seed, name) & mask
	for t.slots[at] != 0 && !bytes.Equal(t.bytes(t.slots[at]-1), name) {
		at = (at + 1) & mask
	}
	return at
}

func (t *Table) rehash(size int) {
	t.slots = make([]uint32, size)
	mask := uint64(size - 1)
	for i := range t.Len() {
		at := maphash.Bytes(t.seed, t.bytes(uint32(i))) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(i) + 1
	}
}

// Sort renumbers the names in sorted order and returns the new number of
// each old one. Names are compared as integers if all of them are integers
// (equal values, such as 7 and 07, as text), else as bytes. Cost: O(n log n).
func (t *Table) Sort() (newOf []uint32) {
	n := t.Len()
	newOf = make([]uint32, n)
	if t.sequence >= 0 || t.values != nil {
		for i := range newOf {
			newOf[i] = uint32(i)
		}
		return newOf
	}
	order := make([]uint32, n)
	numeric := true
	for i := range order {
		order[i] = uint32(i)
		numeric = numeric && IsInteger(t.bytes(uint32(i)))
	}
	compare := bytes.Compare
	if numeric {
		compare = compareIntegers
	}
	slices.SortFunc(order, func(a, b uint32) int { return compare(t.bytes(a), t.bytes(b)) })
	text := make([]byte, 0, len(t.text))
	ends := make([]uint64, 1, n+1)
	for rank, i := range order {
		newOf[i] = uint32(rank)
		text = append(text, t.bytes(i)...)
		ends = append(ends, uint64(len(text)))
	}
	t.text, t.ends = text, ends
	t.rehash(slotsFor(n))
	return newOf
}

// IsInteger reports whether name is a decimal integer of any size: digits,
// after a minus sign or not.
func IsInteger(name []byte) bool {
	digits := bytes.TrimPrefix(name, []byte("-"))
	for _, b := range digits {
		if b < '0' || b > '9' {
			return false
		}
	}
	return len(digits) > 0
}

// compareIntegers orders integers by value, equal values by their text.
func compareIntegers(a, b []byte) int {
	am, an := magnitude(a)
	bm, bn := magnitude(b)
	order := len(am) - len(bm)
	if order == 0 {
		order = bytes.Compare(am, bm)
	}
	switch {
	case an != bn && an:
		return -1
	case an != bn:
		return 1
	case an:
		order = -order
	}
	if order == 0 {
		order = bytes.Compare(a, b)
	}
	return order
}

// magnitude returns the digits without leading zeros and whether the value
// is below 0.
func magnitude(name []byte) (digits []byte, negative bool) {
	digits = bytes.TrimLeft(bytes.TrimPrefix(name, []byte("-")), "0")
	return digits, name[0] == '-' && len(digits) > 0
}
