// Package queue is a queue of nodes by a key.
package queue

import (
	"cmp"
	"container/heap"
	"iter"
)

// Queue gives back the node of the smallest key first, of equal ones the smaller node, so that the
// order of pushes does not matter. A node may be in it several times. The zero value is empty.
type Queue[K cmp.Ordered] struct{ entries entries[K] }

type entry[K cmp.Ordered] struct {
	key  K
	node uint32
}

// Push puts a node in.
func (q *Queue[K]) Push(key K, node uint32) { heap.Push(&q.entries, entry[K]{key, node}) }

// Drain takes the nodes out, the first first, with those that are put in meanwhile.
func (q *Queue[K]) Drain() iter.Seq2[K, uint32] {
	return func(yield func(key K, node uint32) bool) {
		for len(q.entries) > 0 {
			if first := heap.Pop(&q.entries).(entry[K]); !yield(first.key, first.node) {
				return
			}
		}
	}
}

// entries are what package heap works on.
type entries[K cmp.Ordered] []entry[K]

func (e entries[K]) Len() int { return len(e) }

func (e entries[K]) Less(a, b int) bool {
	return e[a].key < e[b].key || e[a].key == e[b].key && e[a].node < e[b].node
}

func (e entries[K]) Swap(a, b int) { e[a], e[b] = e[b], e[a] }
func (e *entries[K]) Push(x any)   { *e = append(*e, x.(entry[K])) }

func (e *entries[K]) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
