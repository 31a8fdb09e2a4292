package explain

import (
	"container/heap"
	"math"
	"slices"
)

// dijkstra finds the cheapest paths from one node. Edges cost at least 0.
type dijkstra struct {
	cost  []float64 // of the cheapest path so far
	from  []uint32  // the node before on it
	done  []bool
	queue queue
}

func newDijkstra(n, start int) *dijkstra {
	d := &dijkstra{cost: make([]float64, n), from: make([]uint32, n), done: make([]bool, n)}
	for i := range d.cost {
		d.cost[i] = math.Inf(1)
	}
	d.cost[start], d.from[start] = 0, uint32(start)
	d.queue = queue{{start, 0}}
	return d
}

// next returns the nearest node not returned before; its path is final.
func (d *dijkstra) next() (node int, ok bool) {
	for len(d.queue) > 0 {
		top := heap.Pop(&d.queue).(stop)
		if !d.done[top.node] {
			d.done[top.node] = true
			return top.node, true
		}
	}
	return 0, false
}

// offer tries the edge from a finished node.
func (d *dijkstra) offer(from, to int, cost float64) {
	if cost += d.cost[from]; cost < d.cost[to] {
		d.cost[to], d.from[to] = cost, uint32(from)
		heap.Push(&d.queue, stop{to, cost})
	}
}

// path returns the nodes from the start to a finished node.
func (d *dijkstra) path(to int) []int {
	path := []int{to}
	for int(d.from[to]) != to {
		to = int(d.from[to])
		path = append(path, to)
	}
	slices.Reverse(path)
	return path
}

type stop struct {
	node int
	cost float64
}

// queue is a heap of stops, the cheapest first; of equal ones the smaller
// node, so that paths do not depend on the order of pushes.
type queue []stop

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	return q[a].cost < q[b].cost || q[a].cost == q[b].cost && q[a].node < q[b].node
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(x any)   { *q = append(*q, x.(stop)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
