package edgelist

import (
	"strconv"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// leastLists is the least number of lists of two neighbours that are worth a note.
const leastLists = 4

// noteNeighbors notes weights that seem to be second neighbours, in a file of lists of neighbours:
// each node has a line of its own, and its weight is the id of a third node. Such a file has as many
// lines as nodes; others are not looked at.
func (l *List) noteNeighbors() error {
	n := l.IDs.Len()
	if l.Stats.Edges != n || n < leastLists || l.given != n || l.nodes.table != nil || l.opt.Header == HeaderNo || len(l.opt.Columns) > 0 {
		return nil
	}
	seen := make([]bool, n)
	var id []byte
	for _, c := range l.chunks {
		e, _, err := l.edges(c)
		if err != nil {
			return err
		}
		for k, i := range e.Src {
			if seen[i] || e.Weight == nil {
				return nil
			}
			seen[i] = true
			third := int64(e.Weight[k])
			if float32(third) != e.Weight[k] {
				return nil
			}
			id = strconv.AppendInt(id[:0], third, 10)
			if j, ok := l.IDs.Lookup(id); !ok || j == i || j == e.Dst[k] {
				return nil
			}
		}
	}
	l.Notes.Doubt(notes.NeighborLists, n, 0, "", "if these are lists of neighbours, write pairs (networkx: nx.write_edgelist, with data=False)")
	return nil
}
