package edgelist

import (
	"bytes"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// noteJoined notes ids that seem to be two columns: all of one column are two numbers with blanks
// between, where tabs or commas separate columns.
func (l *List) noteJoined() error {
	if l.nodes.table == nil {
		return nil
	}
	joined, count, first := make([]bool, l.IDs.Len()), 0, ""
	var name []byte
	for i := range joined {
		if name = l.IDs.AppendName(name[:0], i); !isJoined(name) {
			continue
		}
		joined[i] = true
		if count++; count == 1 {
			first = string(name)
		}
	}
	if count == 0 {
		return nil
	}
	all := [2]bool{true, true}
	err := l.each(func(e *csr.Edges) bool {
		for k := range e.Src {
			all[0], all[1] = all[0] && joined[e.Src[k]], all[1] && joined[e.Dst[k]]
		}
		return all[0] || all[1]
	})
	if err == nil && (all[0] || all[1]) {
		l.Notes.Doubt(notes.JoinedIDs, count, 0, first, "if they are two columns, write the same sign between all columns: blanks, tabs or commas")
	}
	return err
}

// isJoined reports whether a name is a whole number and another number, with blanks between.
func isJoined(name []byte) bool {
	first, second, found := bytes.Cut(name, []byte(" "))
	return found && ids.IsInteger(first) && isNumber(bytes.TrimLeft(second, " \t"))
}
