package edgelist

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// noteRelations notes lines of three columns of which one seems to be a relation and the third one an end, which was
// read as a weight.
func (l *List) noteRelations() error {
	const leastLines = 3
	if l.Stats.Edges < leastLines || l.given < l.Stats.Edges || len(l.opt.Columns) > 0 || l.opening.konect != nil {
		return nil
	}
	if l.nodes.table == nil {
		return l.noteTriples()
	}
	for side, columns := range []string{"2,3", "1,3"} {
		if len(l.head) != 3 || !l.isSign(l.head[side], side) {
			continue
		}
		if all, err := l.all(side, l.head[side]); err != nil || all {
			if err == nil {
				l.Notes.Doubt(notes.RelationColumn, 1, l.first, l.head[side], "if the ends of edges are in the others, say edgelist.Options.Columns "+columns+"; 1,2,3 says that the third one has weights")
			}
			return err
		}
	}
	return nil
}

// isSign reports whether a field of the first edge is no name of a node: signs alone, or one letter beside numbers in
// both other columns, as in lines e 1 2 of DIMACS.
func (l *List) isSign(field string, side int) bool {
	r, size := utf8.DecodeRuneInString(field)
	if size == len(field) && unicode.IsLetter(r) {
		return ids.IsInteger([]byte(l.head[1-side])) && ids.IsInteger([]byte(l.head[2]))
	}
	for _, r := range field {
		if !unicode.IsPunct(r) && !unicode.IsSymbol(r) {
			return false
		}
	}
	return true
}

// all reports whether all edges have the node as their source, side 0, or their destination.
func (l *List) all(side int, name string) (bool, error) {
	node, all := l.IDs.Lookup([]byte(name)) // nodes of two kinds have other names
	if !all {
		return false, nil
	}
	err := l.each(func(e *csr.Edges) bool {
		ends := e.Src
		if side == 1 {
			ends = e.Dst
		}
		for _, i := range ends {
			all = all && i == node
		}
		return all
	})
	return all, err
}

// noteTriples notes triples of numbers, as of a graph of knowledge: the second column has few ids beside the first one,
// and weights are ids of the first one, up to about the largest of them, as many as half of them.
func (l *List) noteTriples() error {
	const leastEnds, fewTimes = 20, 4
	last, err := strconv.ParseFloat(l.IDs.Name(l.IDs.Len()-1), 64)
	if most := l.scaling.most; err != nil || l.scaling.needed || 20*most < 19*last || 20*most > 21*last { // most lists end here
		return nil
	}
	var ends [2][]bool
	for side := range ends {
		ends[side] = make([]bool, l.IDs.Len())
	}
	err = l.each(func(e *csr.Edges) bool {
		for k, i := range e.Src {
			ends[0][i], ends[1][e.Dst[k]] = true, true
		}
		return true
	})
	if err != nil || count(ends[0]) < leastEnds || fewTimes*count(ends[1]) > count(ends[0]) {
		return err
	}
	among, different, whole := 0, map[float32]bool{}, true
	var id []byte
	err = l.each(func(e *csr.Edges) bool {
		for _, w := range e.Weight {
			v := int64(w)
			whole = whole && float32(v) == w
			different[w] = true
			id = strconv.AppendInt(id[:0], v, 10)
			if j, ok := l.IDs.Lookup(id); ok && ends[0][j] {
				among++
			}
		}
		return whole
	})
	if err == nil && whole && 2*len(different) >= count(ends[0]) && 10*among >= 9*l.Stats.Edges {
		l.Notes.Doubt(notes.NeighborLists, l.given, l.first, "", "if lines have a head, a relation and a tail, say edgelist.Options.Columns 1,3")
	}
	return err
}

// count returns the number of true values.
func count(of []bool) (n int) {
	for _, is := range of {
		if is {
			n++
		}
	}
	return n
}
