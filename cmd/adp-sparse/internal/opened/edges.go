package opened

import (
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// Edges is the graph of --edges or --graph where its nodes have features too.
type Edges struct {
	*Graph
	Name  string
	Limit limit.Memory
}

// Place moves the nodes of the graph to the rows of the features with their names. It returns the
// names of all nodes: first the rows, then nodes without a row. Where rows are numbered, a node
// without a row is an error: it is more likely of another numbering.
func (b *Edges) Place(rows *ids.Table, fromOne bool, features string, threads int) (all *ids.Table, err error) {
	at, missing := b.IDs.Match(rows)
	numbered := rows.IsSequence() || fromOne
	if rows.IsSequence() && fromOneOn(b.IDs) {
		b.Notes.Doubt(notes.CountedFrom, b.IDs.Len(), 0, "1", b.Name+" names nodes from 1 on, and rows of "+features+" are nodes from 0 on: if row 0 is node 1, say --index-base 1")
	}
	if len(missing) > 0 && (numbered || len(missing) == len(at)) {
		are := fmt.Sprintf("whose rows have names, the first %s", lines.Quote([]byte(rows.Name(0))))
		if numbered {
			base := map[bool]int{true: 1}[fromOne]
			are = fmt.Sprintf("whose rows are the nodes %d to %d; --nodes or --id-column gives them names", base, rows.Len()-1+base)
			if missing := b.IDs.Name(missing[0]); !fromOne && fromOneOn(b.IDs) && missing == fmt.Sprint(rows.Len()) {
				are += ", --index-base 1 numbers them from 1"
			}
		}
		return nil, &lines.Error{File: b.Name, Msg: fmt.Sprintf("node %s has no row in %s, %s (%s of %s nodes have none)",
			lines.Quote([]byte(b.IDs.Name(missing[0]))), features, are, figures.Count(len(missing)), figures.Count(len(at)))}
	}
	if all, err = rows.With(b.IDs, missing); err != nil {
		return nil, err
	}
	if n, rows := len(at), identity(all.Len()); !slices.Equal(at, rows[:n]) || n < len(rows) {
		b.W = csr.Embed(b.W, at, len(rows), threads)
	}
	b.IDs = all
	return all, nil
}

// fromOneOn reports whether nodes seem to be counted from 1: node 1 is there, and node 0 is not.
func fromOneOn(nodes *ids.Table) bool {
	_, zero := nodes.Lookup([]byte("0"))
	_, one := nodes.Lookup([]byte("1"))
	return one && !zero
}

// identity returns the numbers 0 to n−1.
func identity(n int) []uint32 {
	at := make([]uint32, n)
	for i := range at {
		at[i] = uint32(i)
	}
	return at
}
