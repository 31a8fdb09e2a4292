package edgelist

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"sync"

	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// nodes gives the nodes of a file numbers as they come, in the least memory
// that the ids seen so far allow, and at the end their numbers by sorted id.
//
//   - While ids are whole numbers that lie close together, an id is its own
//     first number, and a bit of a set.
//   - Integers that are far apart are numbered by a hash table.
//   - When an id is something else, all become names.
//
// Several goroutines may mark ids; all other methods are for one at a time.
type nodes struct {
	mu      sync.RWMutex // for reading while the set is added to, for writing when it is replaced or ended
	set     bitset
	keys    []int64    // of the numbers 0, 1, …; the ids of the set come first
	slots   []uint32   // open addressing: number+1, 0 when free; length a power of 2
	table   *ids.Table // of names, once there are any
	newOf   []uint32   // the number by sorted id of each first number, once sorted; nil: the same
	hashing bool       // ids are no longer their own first numbers
}

// setAside is the memory that the set may take whatever the number of nodes,
// bytesNode what it may take for each.
const (
	setAside  = 16 << 20
	bytesNode = 8
)

// mark adds ids to the set. It returns false where they are to be numbered in
// another way.
func (n *nodes) mark(src, dst []uint32) bool {
	for at := 0; ; {
		n.mu.RLock()
		if n.hashing {
			n.mu.RUnlock()
			return false
		}
		at += n.set.add(src[at:], dst[at:])
		n.mu.RUnlock()
		if at == len(src) {
			return true
		}
		if !n.reach(max(slices.Max(src[at:]), slices.Max(dst[at:]))) {
			return false
		}
	}
}

// reach makes room in the set for an id, if the memory that the set may take
// allows.
func (n *nodes) reach(id uint32) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	most := min(8*(setAside+bytesNode*uint64(n.set.len())), math.MaxUint32)
	if n.hashing || uint64(id) >= most {
		return false
	}
	n.set.grow(id)
	return true
}

// small makes first numbers of ids below 2^32, in their place. Own says whether
// these are the ids themselves.
func (n *nodes) small(src, dst []uint32) (own bool, err error) {
	if n.mark(src, dst) {
		return true, nil
	}
	n.startHashing()
	for _, numbers := range [2][]uint32{src, dst} {
		for k, id := range numbers {
			if numbers[k], err = n.number(int64(id)); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// integers sets the first numbers of ids: of those of src and dst in turn.
func (n *nodes) integers(src, dst []uint32, values []int64) (err error) {
	n.startHashing()
	for k := range src {
		if src[k], err = n.number(values[2*k]); err != nil {
			return err
		}
		if dst[k], err = n.number(values[2*k+1]); err != nil {
			return err
		}
	}
	return nil
}

// number returns the number of an integer.
func (n *nodes) number(v int64) (uint32, error) {
	if n.table == nil {
		return n.hash(v)
	}
	var digits [20]byte
	return n.table.Add(strconv.AppendInt(digits[:0], v, 10))
}

// named sets the first numbers of names.
func (n *nodes) named(src, dst []uint32, names [][]byte) (err error) {
	if n.table == nil {
		if err := n.startNaming(); err != nil {
			return err
		}
	}
	for k := range src {
		if src[k], err = n.table.Add(names[2*k]); err != nil {
			return err
		}
		if dst[k], err = n.table.Add(names[2*k+1]); err != nil {
			return err
		}
	}
	return nil
}

// startHashing numbers the ids of the set in their order; edges that have come
// keep their ids, and find the numbers by rank.
func (n *nodes) startHashing() {
	if n.hashing {
		return
	}
	n.mu.Lock()
	n.hashing = true
	n.mu.Unlock()
	n.set.freeze()
	n.keys = make([]int64, 0, n.set.len()+n.set.len()/4)
	n.set.each(func(id uint32) { n.keys = append(n.keys, int64(id)) })
	n.rehash()
}

// startNaming turns integers into names with the same numbers.
func (n *nodes) startNaming() error {
	n.startHashing()
	n.table = ids.NewTable()
	var name []byte
	for _, v := range n.keys {
		name = strconv.AppendInt(name[:0], v, 10)
		if _, err := n.table.Add(name); err != nil {
			return err
		}
	}
	n.keys, n.slots = nil, nil
	return nil
}

// hash returns the number of an integer, a new one if it has none.
func (n *nodes) hash(v int64) (uint32, error) {
	at := n.slot(v)
	if number := n.slots[at]; number != 0 {
		return number - 1, nil
	}
	if len(n.keys) >= math.MaxUint32 {
		return 0, ids.ErrTooMany
	}
	n.keys = append(n.keys, v)
	n.slots[at] = uint32(len(n.keys))
	if 4*len(n.keys) > 3*len(n.slots) {
		n.rehash()
	}
	return uint32(len(n.keys) - 1), nil
}

// slot returns the slot that holds v or where it belongs.
func (n *nodes) slot(v int64) uint64 {
	mask := uint64(len(n.slots) - 1)
	at := mix(uint64(v)) & mask
	for n.slots[at] != 0 && n.keys[n.slots[at]-1] != v {
		at = (at + 1) & mask
	}
	return at
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood, 2014).
func mix(v uint64) uint64 {
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

func (n *nodes) rehash() {
	n.slots = make([]uint32, max(1024, 1<<bits.Len(uint(2*len(n.keys)))))
	for k, v := range n.keys {
		n.slots[n.slot(v)] = uint32(k) + 1
	}
}

// len returns the number of nodes.
func (n *nodes) len() int {
	switch {
	case n.table != nil:
		return n.table.Len()
	case n.hashing:
		return len(n.keys)
	}
	return n.set.len()
}

// bytes returns about what the numbering takes at its peak.
func (n *nodes) bytes() int64 {
	n.mu.RLock()
	defer n.mu.RUnlock()
	size := n.set.bytes() * 3 / 2
	switch {
	case n.table != nil:
		return size + n.table.Bytes() + 8*int64(n.table.Len())
	case n.hashing:
		return size + 32*int64(len(n.keys))
	}
	return size + 8*int64(n.set.len())
}

// sort numbers the nodes by sorted id and returns their names.
func (n *nodes) sort() *ids.Table {
	switch {
	case n.table != nil:
		n.newOf = n.table.Sort()
		return n.table
	case n.hashing:
		n.slots = nil
		order := make([]uint32, len(n.keys))
		for k := range order {
			order[k] = uint32(k)
		}
		slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(n.keys[a], n.keys[b]) })
		n.newOf = make([]uint32, len(n.keys))
		sorted := make([]int64, len(n.keys))
		for rank, k := range order {
			n.newOf[k], sorted[rank] = uint32(rank), n.keys[k]
		}
		n.keys = nil
		return ids.Integers(sorted)
	}
	n.set.freeze()
	if n.set.isSequence() {
		return ids.Sequence(n.set.len())
	}
	values := make([]int64, 0, n.set.len())
	n.set.each(func(id uint32) { values = append(values, int64(id)) })
	return ids.Integers(values)
}

// final turns first numbers, which are ids if own, into numbers by sorted id.
func (n *nodes) final(numbers []uint32, own bool) {
	if own && !n.set.isSequence() {
		for k, id := range numbers {
			numbers[k] = n.set.rank(id)
		}
	}
	if n.newOf != nil {
		for k, number := range numbers {
			numbers[k] = n.newOf[number]
		}
	}
}
