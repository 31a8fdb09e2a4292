package edgelist

import (
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// leastIndex is the least number of lines of an index of rows that is worth a note.
const leastIndex = 20

// noteIndex notes a first column that seems to be an index of rows, as pandas and R write it: it counts
// the lines from 0 or 1, and weights are ids of the second column, as ends of edges are. Each line then
// has a node of its own, and files with fewer nodes are not looked at.
func (l *List) noteIndex() error {
	lines := l.Stats.Edges
	if lines < leastIndex || lines > l.IDs.Len() || l.given != lines || l.nodes.table != nil || l.scaling.needed || len(l.opt.Columns) > 0 || len(l.opening.titles) > 0 {
		return nil
	}
	if counts, err := l.countsLines(); err != nil || !counts {
		return err
	}
	among, err := l.weightsAmongEnds()
	if err == nil && 2*among >= lines {
		l.Notes.Doubt(notes.IndexColumn, 1, l.first, "", "if it is an index of rows, say edgelist.Options.Columns 2,3; 1,2,3 says that it holds ids")
	}
	return err
}

// each calls do with the edges of each block, in the order of the file, while it returns true.
func (l *List) each(do func(e *csr.Edges) bool) error {
	for _, c := range l.chunks {
		e, _, err := l.edges(c)
		if err != nil {
			return err
		}
		if !do(e) {
			break
		}
	}
	return nil
}

// countsLines reports whether the sources are the whole numbers from 0 or 1, in order.
func (l *List) countsLines() (bool, error) {
	first, seen := uint32(0), 0
	err := l.each(func(e *csr.Edges) bool {
		for k, i := range e.Src {
			if seen == 0 && k == 0 {
				first = i
			}
			if int(i) != int(first)+seen+k {
				return false
			}
		}
		seen += len(e.Src)
		return true
	})
	if err != nil || seen < l.Stats.Edges {
		return false, err
	}
	// Sorted whole numbers whose distance is that of their places have none missing between them.
	begin, err := strconv.Atoi(l.IDs.Name(int(first)))
	last := strconv.Itoa(begin + seen - 1)
	return err == nil && begin >= 0 && begin <= 1 && l.IDs.Name(int(first)+seen-1) == last, nil
}

// weightsAmongEnds returns the number of weights that are ids of the second column. It is 0 if a weight
// is no whole number, and if few weights differ.
func (l *List) weightsAmongEnds() (count int, err error) {
	const least = 10
	ends := make([]bool, l.IDs.Len())
	err = l.each(func(e *csr.Edges) bool {
		for _, j := range e.Dst {
			ends[j] = true
		}
		return true
	})
	if err != nil {
		return 0, err
	}
	different, whole := map[float32]bool{}, true
	var id []byte
	err = l.each(func(e *csr.Edges) bool {
		whole = e.Weight != nil
		for _, w := range e.Weight {
			v := int64(w)
			if float32(v) != w {
				whole = false
				return false
			}
			if len(different) < least {
				different[w] = true
			}
			id = strconv.AppendInt(id[:0], v, 10)
			if j, ok := l.IDs.Lookup(id); ok && ends[j] {
				count++
			}
		}
		return whole
	})
	if !whole || len(different) < least {
		return 0, err
	}
	return count, err
}
