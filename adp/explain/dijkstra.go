package explain

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/queue"
)

// dijkstra finds the cheapest paths from one node. Edges cost at least 0.
type dijkstra struct {
	cost  []float64 // of the cheapest path so far
	from  []uint32  // the node before on it
	done  []bool
	queue queue.Queue[float64] // by cost
}

func newDijkstra(n, start int) *dijkstra {
	d := &dijkstra{cost: make([]float64, n), from: make([]uint32, n), done: make([]bool, n)}
	for i := range d.cost {
		d.cost[i] = math.Inf(1)
	}
	d.cost[start], d.from[start] = 0, uint32(start)
	d.queue.Push(0, uint32(start))
	return d
}

// next returns the nearest node not returned before; its path is final.
func (d *dijkstra) next() (node int, ok bool) {
	for _, at := range d.queue.Drain() {
		if !d.done[at] {
			d.done[at] = true
			return int(at), true
		}
	}
	return 0, false
}

// offer tries the edge from a finished node.
func (d *dijkstra) offer(from, to int, cost float64) {
	if cost += d.cost[from]; cost < d.cost[to] {
		d.cost[to], d.from[to] = cost, uint32(from)
		d.queue.Push(cost, uint32(to))
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
