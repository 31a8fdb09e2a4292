// Package ids numbers nodes: it maps the names that users give their nodes,
// opaque UTF-8 strings, to rows 0 to n-1 and back.
//
// Memory depends on the number and the lengths of the names, not on the
// values of numeric ones: 19 to 30 bytes a node beside the text.
package ids

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// ErrTooMany is returned when more names come than nodes can be numbered.
var ErrTooMany = errors.New("ids: more than 4294967295 nodes")

// Table is a set of names, numbered from 0 in the order they were added.
// Make one with [NewTable], or with [Sequence] or [Integers], which take no
// further names.
type Table struct {
	text  []byte
	ends  []uint64 // name i is text[ends[i]:ends[i+1]]
	slots []uint64 // open addressing by hash: hash and number+1, 0 when free; length a power of 2
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
	return &Table{ends: make([]uint64, 1), slots: make([]uint64, 1024), seed: maphash.MakeSeed(), sequence: -1}
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
	return int64(cap(t.text)) + 8*int64(cap(t.ends)) + 8*int64(len(t.slots)) + 8*int64(len(t.values))
}

// SortBytes returns the memory that Sort takes beside.
func (t *Table) SortBytes() int64 { return int64(len(t.text)) + 28*int64(t.Len()) }

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
	i := uint32(t.slots[t.find(name, t.hash(name))])
	return i - 1, i != 0
}

// Hashes holds the hashes of names that [Table.Find] computed, to pass to [Table.AddHashed] of the same table.
type Hashes []uint32

// Find sets numbers[k] to the number of names[k], and appends k to missing where it
// is not in the table. Hashes becomes those of the names. Several goroutines may
// find at a time, while none adds. It is quick for a table that names are added to;
// in another it looks them up.
func (t *Table) Find(numbers []uint32, hashes *Hashes, missing []int, names [][]byte) []int {
	// Slots, places of text and text of some names are read in turn, so that the
	// waits for memory overlap.
	const group = 16
	var slots [group]uint64
	var texts [group][]byte
	*hashes = (*hashes)[:0]
	if t.slots == nil {
		return t.lookUp(numbers, hashes, missing, names)
	}
	mask := uint32(len(t.slots) - 1)
	for lo := 0; lo < len(names); lo += group {
		some := names[lo:min(lo+group, len(names))]
		for k, name := range some {
			h := t.hash(name)
			*hashes = append(*hashes, h)
			slots[k] = t.slots[h&mask]
		}
		own := (*hashes)[lo:]
		for k := range some {
			texts[k] = nil
			if slots[k] != 0 && uint32(slots[k]>>32) == own[k] {
				texts[k] = t.bytes(uint32(slots[k]) - 1)
			}
		}
		for k, name := range some {
			slot := slots[k]
			if slot != 0 && (texts[k] == nil || !bytes.Equal(texts[k], name)) {
				slot = t.slots[t.find(name, own[k])]
			}
			if slot == 0 {
				missing = append(missing, lo+k)
			}
			numbers[lo+k] = uint32(slot) - 1
		}
	}
	return missing
}

// lookUp is Find in a table without slots.
func (t *Table) lookUp(numbers []uint32, hashes *Hashes, missing []int, names [][]byte) []int {
	for k, name := range names {
		h := uint32(0) // of integers, which take no other name
		if t.sequence < 0 && t.values == nil {
			h = t.hash(name)
		}
		*hashes = append(*hashes, h)
		i, ok := t.Lookup(name)
		if numbers[k] = i; !ok {
			missing = append(missing, k)
		}
	}
	return missing
}

// Add returns the number of a name, a new one if it is not in the table. It takes any
// name, the empty one too; [FromText] and the writers of files refuse some, see [Fits]. A table of
// [Sequence] or [Integers] takes no new one: that is an error.
func (t *Table) Add(name []byte) (uint32, error) {
	if t.sequence >= 0 || t.values != nil {
		if i, ok := t.Lookup(name); ok {
			return i, nil
		}
		return 0, fmt.Errorf("ids: a table of %d integers takes no other name", t.Len())
	}
	if t.slots == nil {
		t.index()
	}
	return t.AddHashed(name, t.hash(name))
}

// AddHashed is [Table.Add] of a name that [Table.Find] has told the hash of.
func (t *Table) AddHashed(name []byte, hash uint32) (uint32, error) {
	if t.slots == nil {
		return t.Add(name)
	}
	at := t.find(name, hash)
	if i := uint32(t.slots[at]); i != 0 {
		return i - 1, nil
	}
	i := uint32(t.Len())
	if i == ^uint32(0) {
		return 0, ErrTooMany
	}
	t.text = append(t.text, name...)
	t.ends = append(t.ends, uint64(len(t.text)))
	t.slots[at] = slotOf(hash, i)
	if 4*t.Len() > 3*len(t.slots) {
		t.grow()
	}
	return i, nil
}

// hash returns the hash that a name is filed under. It has 32 bits, which a table
// past 2^31 names would fill unevenly.
func (t *Table) hash(name []byte) uint32 { return uint32(maphash.Bytes(t.seed, name)) }

func slotOf(hash, i uint32) uint64 { return uint64(hash)<<32 | uint64(i+1) }

// find returns the slot that holds a name or where it belongs.
func (t *Table) find(name []byte, hash uint32) uint32 {
	mask := uint32(len(t.slots) - 1)
	at := hash & mask
	for slot := t.slots[at]; slot != 0; slot = t.slots[at] {
		if uint32(slot>>32) == hash && bytes.Equal(t.bytes(uint32(slot)-1), name) {
			break
		}
		at = (at + 1) & mask
	}
	return at
}

// grow doubles the slots.
func (t *Table) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	for _, slot := range old {
		if slot != 0 {
			t.put(slot)
		}
	}
}

// index makes the slots of a table without.
func (t *Table) index() {
	t.slots = make([]uint64, slotsFor(t.Len()))
	for i := range t.Len() {
		t.put(slotOf(t.hash(t.bytes(uint32(i))), uint32(i)))
	}
}

// put fills a free slot, for a name that has none.
func (t *Table) put(slot uint64) {
	mask := uint32(len(t.slots) - 1)
	at := uint32(slot>>32) & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = slot
}

// Sort renumbers the names in sorted order and returns the new number of
// each old one. Names are compared as integers if all of them are integers
// (equal values, such as 7 and 07, as text), else as bytes. Cost: O(n log n).
func (t *Table) Sort() (newOf []uint32) {
	n := t.Len()
	if t.sequence >= 0 || t.values != nil {
		return rows.InOrder[uint32](n)
	}
	newOf = make([]uint32, n)
	text := make([]byte, 0, len(t.text))
	ends := make([]uint64, 1, n+1)
	for rank, e := range t.sorted() {
		newOf[e.i] = uint32(rank)
		text = append(text, t.bytes(e.i)...)
		ends = append(ends, uint64(len(text)))
	}
	t.text, t.ends = text, ends
	if t.slots == nil {
		t.index()
	}
	for at, slot := range t.slots {
		if slot != 0 {
			t.slots[at] = slotOf(uint32(slot>>32), newOf[uint32(slot)-1])
		}
	}
	return newOf
}

// entry is a name as [Table.Sort] sees it: of most names the first bytes that not
// all have decide, and these are the key.
type entry struct {
	key uint64
	i   uint32
}

// sorted returns the names in the order of Sort.
func (t *Table) sorted() []entry {
	n := t.Len()
	numeric := true
	for i := 0; i < n && numeric; i++ {
		numeric = IsInteger(t.bytes(uint32(i)))
	}
	order := make([]entry, n)
	compare := func(a, b entry) int { return compareIntegers(t.bytes(a.i), t.bytes(b.i)) }
	if !numeric {
		common := t.common()
		for i := range order {
			var head [8]byte
			copy(head[:], t.bytes(uint32(i))[common:])
			order[i].key = binary.BigEndian.Uint64(head[:])
		}
		compare = func(a, b entry) int {
			if a.key != b.key {
				return cmp.Compare(a.key, b.key)
			}
			return bytes.Compare(t.bytes(a.i), t.bytes(b.i))
		}
	}
	for i := range order {
		order[i].i = uint32(i)
	}
	slices.SortFunc(order, compare)
	return order
}

// common returns how many bytes all names begin with in common.
func (t *Table) common() int {
	if t.Len() == 0 {
		return 0
	}
	first := t.bytes(0)
	n := len(first)
	for i := 1; i < t.Len() && n > 0; i++ {
		name := t.bytes(uint32(i))
		n = min(n, len(name))
		for !bytes.Equal(name[:n], first[:n]) {
			n--
		}
	}
	return n
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
