package edgelist

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"sync"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// nodes numbers the nodes of a file as they come, in the least memory that the ids so far allow,
// and finally by sorted id.
//
//   - While ids are whole numbers that lie close together, an id is its own
//     first number, and a bit of a set.
//   - Integers that are far apart are numbered by a hash table.
//   - When an id is something else, all become names.
//
// Several goroutines may mark ids, also while another one numbers them. All other methods allow one
// goroutine at a time.
type nodes struct {
	mu      sync.RWMutex // for reading while the set is added to, or ids are looked up
	set     bitset
	keys    []int64    // of the numbers 0, 1, …; the ids of the set come first
	slots   []uint32   // open addressing: number+1, 0 when free; length a power of 2
	table   *ids.Table // of names, once there is one
	newOf   []uint32   // the number by sorted id of each first number, once sorted; nil: the same
	hashing bool       // ids are no longer their own first numbers
}

// setAside is the memory that the set may take for any number of nodes, bytesNode the memory that
// it may take for each.
const (
	setAside  = 16 << 20
	bytesNode = 8
)

// known records what mark found out about the ids of a batch.
type known struct {
	own     bool          // the ids are first numbers, and in the set
	found   bool          // they are numbers, but for the missing ones
	missing [2][]int      // places of the ids of src and dst that are new
	hashes  [2]ids.Hashes // of names
}

// mark replaces the ids of a batch by first numbers as far as possible before the batch's turn: for
// numbers in the set, and for ids that have come before.
func (n *nodes) mark(b *batch) {
	at := &b.known
	at.own, at.found = b.form == small && n.markSmall(b.src, b.dst), false
	if at.own {
		return
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if !n.hashing || b.form == named && n.table == nil {
		return
	}
	at.found = true
	for side, to := range b.ends() {
		missing := at.missing[side][:0]
		if b.form == named {
			missing = n.table.Find(to, &at.hashes[side], missing, b.names[side])
		} else {
			for k := range to {
				if number, ok := n.lookup(b.integer(side, k)); ok {
					to[k] = number
				} else {
					missing = append(missing, k)
				}
			}
		}
		at.missing[side] = missing
	}
}

// markSmall adds ids to the set. It returns false if they must be numbered in another way.
func (n *nodes) markSmall(src, dst []uint32) bool {
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

// reach extends the set to hold an id, if its memory limit allows.
func (n *nodes) reach(id uint32) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	most := min(8*(setAside+bytesNode*uint64(n.set.size())), math.MaxUint32)
	if n.hashing || uint64(id) >= most {
		return false
	}
	n.set.grow(id)
	return true
}

// number replaces the ids that mark left by first numbers, in the order of the edges of the first
// batch.
func (n *nodes) number(b *batch) error {
	if b.known.own {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.startHashing()
	if b.form == named && n.table == nil {
		if err := n.startNaming(); err != nil {
			return err
		}
	}
	ends := b.ends()
	if !b.known.found {
		for k := range ends[0] {
			for side, to := range ends {
				if err := n.add(to, b, side, k); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for side, to := range ends {
		for _, k := range b.known.missing[side] {
			if err := n.add(to, b, side, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// add sets to[k] to the first number of an id.
func (n *nodes) add(to []uint32, b *batch, side, k int) (err error) {
	switch {
	case b.form == named && b.known.found:
		to[k], err = n.table.AddHashed(b.names[side][k], b.known.hashes[side][k])
	case b.form == named:
		to[k], err = n.table.Add(b.names[side][k])
	case n.table != nil:
		var digits [20]byte
		to[k], err = n.table.Add(strconv.AppendInt(digits[:0], b.integer(side, k), 10))
	default:
		to[k], err = n.hash(b.integer(side, k))
	}
	return err
}

// lookup returns the first number of an integer that has come before.
func (n *nodes) lookup(v int64) (number uint32, ok bool) {
	if n.table != nil {
		var digits [20]byte
		return n.table.Lookup(strconv.AppendInt(digits[:0], v, 10))
	}
	number = n.slots[n.slot(v)]
	return number - 1, number != 0
}

// startHashing numbers the ids of the set in order. Edges that have come keep their ids, and find
// the numbers by rank.
func (n *nodes) startHashing() {
	if n.hashing {
		return
	}
	n.hashing = true
	n.set.freeze()
	n.keys = make([]int64, 0, n.set.size()+n.set.size()/4)
	n.set.each(func(id uint32) { n.keys = append(n.keys, int64(id)) })
	n.rehash()
}

// startNaming replaces integers by names with the same numbers.
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
	at := splitmix.Mix(uint64(v)) & mask
	for n.slots[at] != 0 && n.keys[n.slots[at]-1] != v {
		at = (at + 1) & mask
	}
	return at
}

func (n *nodes) rehash() {
	n.slots = make([]uint32, max(1024, 1<<bits.Len(uint(2*len(n.keys)))))
	for k, v := range n.keys {
		n.slots[n.slot(v)] = uint32(k) + 1
	}
}

// count returns the number of nodes.
func (n *nodes) count() int {
	switch {
	case n.table != nil:
		return n.table.Len()
	case n.hashing:
		return len(n.keys)
	}
	return n.set.size()
}

// bytes estimates the peak memory of the numbering.
func (n *nodes) bytes() int64 {
	n.mu.RLock()
	defer n.mu.RUnlock()
	size := n.set.bytes() * 3 / 2
	switch {
	case n.table != nil:
		return size + n.table.Bytes() + n.table.SortBytes()
	case n.hashing:
		return size + 32*int64(len(n.keys))
	}
	return size + 8*int64(n.set.size())
}

// sort numbers the nodes by sorted id and returns their names.
func (n *nodes) sort() *ids.Table {
	switch {
	case n.table != nil:
		n.newOf = n.table.Sort()
		return n.table
	case n.hashing:
		n.slots = nil
		type entry struct {
			key int64
			k   uint32
		}
		order := make([]entry, len(n.keys))
		for k, key := range n.keys {
			order[k] = entry{key, uint32(k)}
		}
		slices.SortFunc(order, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
		n.newOf = make([]uint32, len(n.keys))
		for rank, e := range order {
			n.newOf[e.k], n.keys[rank] = uint32(rank), e.key
		}
		sorted := n.keys
		n.keys = nil
		return ids.Integers(sorted)
	}
	n.set.freeze()
	if n.set.isSequence() {
		return ids.Sequence(n.set.size())
	}
	values := make([]int64, 0, n.set.size())
	n.set.each(func(id uint32) { values = append(values, int64(id)) })
	return ids.Integers(values)
}

// final replaces first numbers, which are ids if own, by numbers by sorted id.
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
