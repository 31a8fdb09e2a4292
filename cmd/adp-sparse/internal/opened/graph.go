// Package opened has a graph in memory or in a mapped file, with the names of its nodes.
package opened

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Graph is the affinity W and the names of its nodes. All commands work on one.
type Graph struct {
	W     *csr.Matrix
	IDs   *ids.Table
	Read  edgelist.Stats // what the reader counted
	Notes notes.List     // and what it did not take as it stands
	Built *Built         // how it was built from features; nil for edges alone
	Made  *fit.Graph     // the graph that was built; nil for edges alone
	Input *fit.Input     // what the mixture of a run is of; nil for none
	// Features are the vectors that a graph is of, and Joins joins new points to it; nil where not
	// asked for.
	Features *model.Features
	Joins    *knn.Attachment

	Peak int64       // bytes that reading or building it needed, about
	File *store.File // of W and IDs that are mapped; else nil
}

// Mixes returns the input of a mixture with some seeds; nil for none.
func (g *Graph) Mixes(y *diffuse.Seeds) *fit.Input {
	if g.Input == nil {
		return nil
	}
	in := *g.Input
	in.Seeds = y
	return &in
}

// Affinity is W as [fit.NewGraph] returns it.
func (g *Graph) Affinity() *fit.Graph {
	if g.Made == nil {
		return &fit.Graph{W: g.W}
	}
	return g.Made
}

// Guard calls f, which reads the graph. Where another process cuts the mapped file short, f ends
// with an error, and the program goes on.
func (g *Graph) Guard(f func() error) error {
	if g.File == nil {
		return f()
	}
	return g.File.Guard(f)
}

// Unchanged returns an error if another process wrote into the mapped file.
func (g *Graph) Unchanged() error {
	if g.File == nil {
		return nil
	}
	return g.File.Unchanged()
}

// Close frees a mapped file.
func (g *Graph) Close() error {
	if g.File == nil {
		return nil
	}
	return g.File.Close()
}

// OrderAs puts the nodes of g into the order of another graph's. Nodes without names are in it.
func (g *Graph) OrderAs(other *Graph, named bool, name, otherName string, threads int) error {
	n := g.IDs.Len()
	if m := other.IDs.Len(); n != m {
		return &lines.Error{File: name, Msg: fmt.Sprintf("%s nodes, expected the %s of %s", figures.Count(n), figures.Count(m), otherName)}
	}
	if !named {
		return nil
	}
	order, moved := make([]uint32, n), false
	for i := range order {
		at, ok := g.IDs.Lookup([]byte(other.IDs.Name(i)))
		if !ok {
			return &lines.Error{File: name, Msg: fmt.Sprintf("no node %s, which %s has: expected the graph that was learned on it", lines.Quote([]byte(other.IDs.Name(i))), otherName)}
		}
		order[i] = at
		moved = moved || int(at) != i
	}
	if moved {
		g.W = csr.Permute(g.W, order, threads)
	}
	return nil
}
