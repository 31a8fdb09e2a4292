package edgelist

import (
	"bytes"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// noteJoined notes ids that seem to be several: all of one column are two numbers with blanks between,
// where tabs or commas separate columns; or most of one column are lists of numbers beside numbers of
// the other, as in lists of neighbours. Coordinates such as 3,4 are in both columns.
func (l *List) noteJoined() error {
	if l.nodes.table == nil {
		return nil
	}
	pair, list := make([]bool, l.IDs.Len()), make([]bool, l.IDs.Len())
	number := make([]bool, l.IDs.Len())
	pairs, lists, first := 0, 0, [2]string{}
	var name []byte
	for i := range pair {
		name = l.IDs.AppendName(name[:0], i)
		pair[i], list[i], number[i] = isJoined(name), isList(name), ids.IsInteger(name)
		if pair[i] {
			if pairs++; pairs == 1 {
				first[0] = string(name)
			}
		}
		if list[i] {
			if lists++; lists == 1 {
				first[1] = string(name)
			}
		}
	}
	if pairs+lists == 0 {
		return nil
	}
	edges := 0
	all, numbers, listed := [2]bool{true, true}, [2]bool{true, true}, [2]int{}
	err := l.each(func(e *csr.Edges) bool {
		for k := range e.Src {
			for side, i := range [2]uint32{e.Src[k], e.Dst[k]} {
				all[side], numbers[side] = all[side] && pair[i], numbers[side] && number[i]
				if list[i] {
					listed[side]++
				}
			}
		}
		edges += len(e.Src)
		return true
	})
	switch {
	case err != nil:
	case all[0] || all[1]:
		l.Notes.Doubt(notes.JoinedIDs, pairs, 0, first[0], "if they are two columns, write the same sign between all columns: blanks, tabs or commas")
	case numbers[0] && 2*listed[1] > edges, numbers[1] && 2*listed[0] > edges:
		l.Notes.Doubt(notes.ListedIDs, lists, 0, first[1], "if they are lists of neighbours, write a line for each edge")
	}
	return err
}

// isJoined reports whether a name is a whole number and another number, with blanks between.
func isJoined(name []byte) bool {
	first, second, found := bytes.Cut(name, []byte(" "))
	return found && ids.IsInteger(first) && isNumber(bytes.TrimLeft(second, " \t"))
}

// isList reports whether a name is two whole numbers or more, with commas, semicolons, bars or blanks between.
func isList(name []byte) bool {
	parts := bytes.FieldsFunc(name, func(r rune) bool { return r == ',' || r == ';' || r == '|' || r == ' ' })
	for _, part := range parts {
		if !ids.IsInteger(part) {
			return false
		}
	}
	return len(parts) > 1
}
