package opened

import (
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
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
func (b *Edges) Place(rows *ids.Table, features string, threads int) (all *ids.Table, err error) {
	at, missing := b.IDs.Match(rows)
	if len(missing) > 0 && (rows.IsSequence() || len(missing) == len(at)) {
		are := fmt.Sprintf("whose rows have names, the first %s", lines.Quote([]byte(rows.Name(0))))
		if rows.IsSequence() {
			are = fmt.Sprintf("whose rows are the nodes 0 to %d; --nodes or --id-column gives them names", rows.Len()-1)
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

// identity returns the numbers 0 to n−1.
func identity(n int) []uint32 {
	at := make([]uint32, n)
	for i := range at {
		at[i] = uint32(i)
	}
	return at
}
