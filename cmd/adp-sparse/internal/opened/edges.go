package opened

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Edges is the graph of --edges or --graph where its nodes have features too.
type Edges struct {
	*Graph
	Name  string
	Limit limit.Memory
	// Rows says that nodes are the rows of a file, which flags number.
	Rows bool
	// Unmatched are the names that one side lacks. Place sets it.
	Unmatched Unmatched
}

// Unmatched counts nodes of edges and of features that the others lack, where both do. The names are those of the
// first.
type Unmatched struct {
	Edgeless                        int
	FirstFeatureless, FirstEdgeless string
}

// Place moves the nodes of the graph to the rows of the features with their names. It returns the
// names of all nodes: first the rows, then nodes without a row. Where rows are numbered, a node
// without a row is an error: it is more likely of another numbering.
func (b *Edges) Place(rows *ids.Table, fromOne bool, features string, dims, threads int) (all *ids.Table, err error) {
	at, missing := b.IDs.Match(rows)
	numbered := rows.IsSequence() || fromOne
	if rows.IsSequence() && fromOneOn(b.IDs) {
		b.Notes.Doubt(notes.CountedFrom, b.IDs.Len(), 0, "1", b.Name+" names nodes from 1 on, and rows of "+features+" are nodes from 0 on: if row 0 is node 1, say --index-base 1")
	}
	if len(missing) > 0 && (numbered || len(missing) == len(at)) {
		if name := []byte(b.IDs.Name(missing[0])); rows.Alike(name) != nil {
			return nil, &lines.Error{File: b.Name, Msg: fmt.Sprintf("node %s has no row in %s, but %s has one: %s", lines.Quote(name), features, lines.Quote(rows.Alike(name)), writeAlike(name))}
		}
		advice := ""
		are := fmt.Sprintf("whose rows have names, the first %s", lines.Quote([]byte(rows.Name(0))))
		if numbered {
			base := map[bool]int{true: 1}[fromOne]
			are = fmt.Sprintf("whose rows are the nodes %d to %d; --nodes or --id-column gives them names", base, rows.Len()-1+base)
			if missing := b.IDs.Name(missing[0]); !fromOne && fromOneOn(b.IDs) && missing == fmt.Sprint(rows.Len()) {
				are += ", --index-base 1 numbers them from 1"
			}
			if nodes, ok := values(b.IDs); ok && 2*len(missing) > len(at) && slices.Max(nodes) < int64(dims+base) {
				advice = lines.Transposed(dims)
			}
		}
		return nil, &lines.Error{File: b.Name, Msg: fmt.Sprintf("node %s has no row in %s, %s (%s of %s nodes have none)%s",
			lines.Quote([]byte(b.IDs.Name(missing[0]))), features, are, figures.Count(len(missing)), figures.Count(len(at)), advice)}
	}
	if len(missing) > 0 {
		b.doubtBase(rows, features)
		b.count(rows, at, missing)
	}
	if all, err = rows.With(b.IDs, missing); err != nil {
		return nil, err
	}
	if n, whole := len(at), identity(all.Len()); !slices.Equal(at, whole[:n]) || n < len(whole) {
		b.W = csr.Embed(b.W, at, len(whole), threads)
	}
	if b.IDs = all; len(missing) > 0 {
		b.Notes.Drop(notes.SimilarIDs) // those of both files together follow
		var joint notes.List
		all.NoteSpelling(&joint)
		b.Notes.Join(joint.Only(notes.SimilarIDs))
	}
	return all, nil
}

// writeAlike says what to do with ids that are those of rows but for spelling.
func writeAlike(name []byte) string {
	if bytes.IndexByte(name, '.') >= 0 {
		return "write ids as whole numbers (numpy.savetxt with fmt='%d'; in pandas astype(int))"
	}
	return "write both alike"
}

// count counts the rows that are no nodes of the edges.
func (b *Edges) count(rows *ids.Table, at []uint32, missing []int) {
	has := make([]bool, rows.Len())
	for _, row := range at {
		if int(row) < len(has) {
			has[row] = true
		}
	}
	u := Unmatched{FirstFeatureless: b.IDs.Name(missing[0])}
	for i := range has {
		if has[i] {
			continue
		}
		if u.Edgeless++; u.Edgeless == 1 {
			u.FirstEdgeless = rows.Name(i)
		}
	}
	b.Unmatched = u
}

// doubtBase warns where one side seems to count from 0 and the other from 1: one begins at 0 and the other at 1, and
// more names match if they are moved by one, or the last ones do.
func (b *Edges) doubtBase(rows *ids.Table, features string) {
	nodes, ok := values(b.IDs)
	points, isNumbers := values(rows)
	if !ok || !isNumbers {
		return
	}
	first, last := slices.Min(nodes), slices.Max(nodes)
	step := slices.Min(points) - first
	if first+step+first != 1 { // 0 and 1
		return
	}
	plain, moved := 0, 0
	known := make(map[int64]bool, len(points))
	for _, v := range points {
		known[v] = true
	}
	for _, v := range nodes {
		if known[v] {
			plain++
		}
		if known[v+step] {
			moved++
		}
	}
	if moved <= plain && slices.Max(points) != last+step {
		return
	}
	do := "number both alike"
	if b.Rows && step == 1 {
		do = "say --index-base 1"
	}
	b.Notes.Doubt(notes.CountedFrom, len(nodes), 0, strconv.FormatInt(first, 10), fmt.Sprintf("%s names nodes from %d on, and %s from %d on: if node %d there is %d here, %s", b.Name, first, features, first+step, first, first+step, do))
}

// values returns the names of a table as numbers, if all are.
func values(table *ids.Table) ([]int64, bool) {
	all := make([]int64, table.Len())
	var name []byte
	for i := range all {
		v, ok := ids.Plain(table.AppendName(name[:0], i))
		if !ok {
			return nil, false
		}
		all[i] = v
	}
	return all, len(all) > 0
}

// fromOneOn reports whether nodes seem to be counted from 1: node 1 is there, and node 0 is not.
func fromOneOn(nodes *ids.Table) bool {
	_, zero := nodes.Lookup([]byte("0"))
	_, one := nodes.Lookup([]byte("1"))
	return one && !zero
}

// identity returns the numbers 0 to n−1.
func identity(n int) []uint32 { return rows.InOrder[uint32](n) }
