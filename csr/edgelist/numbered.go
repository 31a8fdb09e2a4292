package edgelist

import (
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// noteNumbered notes a first line that counts the columns, 0 1 or 0 1 2, as pandas writes it above
// columns without titles: no other line has its nodes, and other ids are names or there are enough
// lines.
func (l *List) noteNumbered() error {
	const leastNames = 3 // lines
	if !l.numbered || l.Stats.Edges < leastNames {
		return nil
	}
	named := l.IDs.Len() > 2 && !ids.IsInteger([]byte(l.IDs.Name(2))) // after 0 and 1, for numbers come first
	if !named && l.Stats.Edges < leastBelow {
		return nil
	}
	var ends [2]uint32
	for side, id := range l.head[:2] {
		ends[side], _ = l.IDs.Lookup([]byte(id)) // ends of edges are in the table
	}
	touching := int64(0)
	err := l.each(func(e *csr.Edges) bool {
		touching += touches(e, ends)
		return touching == 1
	})
	if err == nil && touching == 1 {
		l.Notes.Doubt(notes.NumberedEdge, 1, l.first, strings.Join(l.head, " "), "if it is a header, as pandas writes above columns without titles, say edgelist.HeaderYes")
	}
	return err
}
