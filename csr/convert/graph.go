package convert

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/graph"

	"github.com/adp-sparse/adp-sparse/csr"
)

// Graph is the affinity W of a gonum graph, with the ids of its nodes.
type Graph struct {
	W     *csr.Matrix
	IDs   []int64        // IDs[i] is the node of row i; they increase
	Stats csr.BuildStats // the edges that were dropped or merged
}

// Row returns the row of a node; false where the graph does not have it. O(1) where ids follow
// each other without gaps, else O(log n).
func (g *Graph) Row(id int64) (row int, ok bool) {
	if n := len(g.IDs); n > 0 && id >= g.IDs[0] && id <= g.IDs[n-1] {
		if at := uint64(id) - uint64(g.IDs[0]); at < uint64(n) && g.IDs[at] == id {
			return int(at), true
		}
	}
	return slices.BinarySearch(g.IDs, id)
}

// FromGraph returns the affinity of a gonum graph, of any of its kinds. Rows are in the order of
// the ids, whatever the order in which the graph lists its nodes. Nodes without edges have empty
// rows.
//
// Weights are those of a [graph.Weighted], rounded to float32; the number of lines between two
// nodes of a [graph.Multigraph] without weights; else 1. Edges from a node to itself and of weight
// 0 are dropped, and counted. A graph is directed unless it is a [graph.Undirected]; its edges
// lose their direction, and edges both ways between two nodes are added: W = A + Aᵀ.
// [graph.WeightedUndirected] graphs of [graph.UndirectWeighted] merge them otherwise.
//
// A weight that is negative or not finite in float32, and a graph that contradicts itself, give a
// [*csr.StructureError]. Cost: one call of From a node and one of Weight an edge and direction.
// Memory: 8 bytes a node and 36 an edge and direction.
func FromGraph(g graph.Graph) (*Graph, error) {
	out := &Graph{}
	for nodes := g.Nodes(); nodes.Next(); {
		out.IDs = append(out.IDs, nodes.Node().ID())
	}
	slices.Sort(out.IDs)
	for i, id := range out.IDs[min(1, len(out.IDs)):] {
		if id == out.IDs[i] {
			return nil, &csr.StructureError{Row: i, Fault: fmt.Sprintf("node %d is listed twice, expected once", id)}
		}
	}
	weight, weighted := weightOf(g)
	edges := &csr.Edges{}
	more := 0 // lines beside the first
	for i, id := range out.IDs {
		for to := g.From(id); to.Next(); {
			other := to.Node().ID()
			j, known := out.Row(other)
			if !known {
				return nil, &csr.StructureError{Row: i, Fault: fmt.Sprintf("an edge of node %d to node %d, which the graph does not list", id, other)}
			}
			w, lines := 1.0, 1
			if weighted && i != j { // the weight of a loop is anything
				if w, lines = weight(id, other); !(w >= 0 && float32(w) <= math.MaxFloat32) {
					return nil, &csr.StructureError{Row: i, Fault: fmt.Sprintf("the edge of nodes %d and %d has weight %v, expected a finite number of at least 0", id, other, w)}
				}
			}
			more += lines - 1
			edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j))
			if weighted {
				edges.Weight = append(edges.Weight, float32(w))
			}
		}
	}
	_, undirected := g.(graph.Undirected)
	var err error
	if out.W, out.Stats, err = csr.FromEdges(len(out.IDs), edges, csr.BuildOptions{Directed: undirected}); err != nil {
		return nil, err
	}
	out.Stats.Duplicates += more
	if !undirected {
		return out, nil
	}
	// An undirected graph has each edge in both rows.
	out.Stats.ZeroWeight /= 2
	out.Stats.Duplicates /= 2
	if err := csr.CheckSymmetric(out.W, 0); err != nil {
		return nil, fmt.Errorf("convert: an undirected graph, expected each edge both ways: %w", err)
	}
	return out, nil
}

// weightOf returns a function that returns the weight of an edge and the number of its lines; false
// where all have the weight 1.
func weightOf(g graph.Graph) (weight func(from, to int64) (float64, int), weighted bool) {
	switch g := g.(type) {
	case graph.Weighted:
		return func(from, to int64) (float64, int) {
			w, ok := g.Weight(from, to)
			if !ok {
				return math.NaN(), 1
			}
			return w, 1
		}, true
	case graph.Multigraph:
		return func(from, to int64) (float64, int) {
			lines := 0
			for all := g.Lines(from, to); all.Next(); {
				lines++
			}
			return float64(lines), lines
		}, true
	}
	return nil, false
}
