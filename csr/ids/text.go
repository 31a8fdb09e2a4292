package ids

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// FromText returns the table whose name i is text[ends[i]:ends[i+1]]. It
// keeps both arrays and never writes to them, so they may be read-only
// memory. Names in increasing order, as [Table.Sort] leaves them, need no
// index beside: they are looked up by binary search.
//
// The arrays are checked: offsets that start at 0, never decrease and end at
// len(text); names that are not empty, are UTF-8 without control characters,
// and differ.
func FromText(text []byte, ends []uint64) (*Table, error) {
	t := &Table{text: slices.Clip(text), ends: slices.Clip(ends), seed: maphash.MakeSeed(), sequence: -1}
	if len(ends) == 0 || ends[0] != 0 || ends[len(ends)-1] != uint64(len(text)) {
		return nil, fmt.Errorf("ids: offsets of names do not go from 0 to %d", len(text))
	}
	t.numeric = true
	for i := range t.Len() {
		if ends[i+1] <= ends[i] || ends[i+1] > uint64(len(text)) {
			return nil, fmt.Errorf("ids: name %d goes from byte %d to %d of %d, expected offsets to increase", i, ends[i], ends[i+1], len(text))
		}
		name := t.bytes(uint32(i))
		if !Fits(name) {
			return nil, fmt.Errorf("ids: name %d is %.60q, expected UTF-8 without control characters", i, name)
		}
		t.numeric = t.numeric && IsInteger(name)
	}
	if t.isSorted() {
		return t, nil
	}
	return t.indexed()
}

// Fits reports whether [FromText] takes a name.
func Fits(name []byte) bool {
	return len(name) > 0 && utf8.Valid(name) && !bytes.ContainsFunc(name, lines.IsControl)
}

// isSorted reports whether the names increase in the order of [Table.Sort].
func (t *Table) isSorted() bool {
	compare := t.order()
	for i := 1; i < t.Len(); i++ {
		if compare(t.bytes(uint32(i-1)), t.bytes(uint32(i))) >= 0 {
			return false
		}
	}
	return true
}

// order returns the comparison by which names are sorted.
func (t *Table) order() func(a, b []byte) int {
	if t.numeric {
		return compareIntegers
	}
	return bytes.Compare
}

// indexed adds the slots to a table without, and refuses equal names.
func (t *Table) indexed() (*Table, error) {
	t.slots = make([]uint64, slotsFor(t.Len()))
	for i := range t.Len() {
		name := t.bytes(uint32(i))
		hash := t.hash(name)
		at := t.find(name, hash)
		if first := uint32(t.slots[at]); first != 0 {
			return nil, fmt.Errorf("ids: names %d and %d are both %.60q", first-1, i, name)
		}
		t.slots[at] = slotOf(hash, uint32(i))
	}
	return t, nil
}

// slotsFor returns the number of slots for n names and one more.
func slotsFor(n int) int {
	size := 1024
	for 4*(n+1) > 3*size {
		size *= 2
	}
	return size
}

// search looks a name up in a sorted table.
func (t *Table) search(name []byte) (uint32, bool) {
	if t.numeric && !IsInteger(name) {
		return 0, false
	}
	compare := t.order()
	lo, hi := 0, t.Len()
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if compare(t.bytes(uint32(mid)), name) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return uint32(lo), lo < t.Len() && bytes.Equal(t.bytes(uint32(lo)), name)
}

// IsSequence reports whether the table is a [Sequence], which holds no text.
func (t *Table) IsSequence() bool { return t.sequence >= 0 }
