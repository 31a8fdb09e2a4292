package edgelist

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// toldByEdges is the number of edges at the start that tell whether weights are distances; tests have fewer.
var toldByEdges = 1 << 20

// toldByNodes is the number of nodes after each of which a list is looked at further only if most of them have as many lines
// as the longest.
const toldByNodes = 32

// noteDistances notes weights that seem to be distances to nearest neighbours: the lines of a node follow each other, most
// nodes have the same number of them, and the first ones are such by [csr.AreDistances].
func (l *List) noteDistances() error {
	if !l.weighted || l.least == l.scaling.most || l.opening.konect != nil {
		return nil
	}
	h := heads{row: map[uint32]uint32{}, of: []int64{0}}
	grouped := true
	err := l.each(func(e *csr.Edges) bool {
		for k, i := range e.Src {
			w := float32(1)
			if e.Weight != nil {
				w = e.Weight[k]
			}
			if grouped = h.add(i, e.Dst[k], w); !grouped || len(h.dst) == toldByEdges {
				return false
			}
		}
		return true
	})
	if err != nil || !grouped {
		return err
	}
	if m := h.matrix(); m != nil && csr.AreDistances(m) {
		l.Notes.Doubt(notes.DistanceWeights, l.Stats.Edges, l.first, "", notes.DistancesAdvice)
	}
	return nil
}

// heads are the first nodes with lines of their own, in the order of the file, and these lines but for loops.
type heads struct {
	row     map[uint32]uint32 // of a node
	src     uint32            // the node of the last line
	of      []int64           // the lines before each row, and before the next one
	dst     []uint32
	weight  []float32
	longest int64
	full    int // rows as long as the longest
}

// add adds a line, and reports whether the list may still be one of nearest neighbours.
func (h *heads) add(src, dst uint32, weight float32) bool {
	if len(h.row) == 0 || src != h.src {
		if _, again := h.row[src]; again {
			return false
		}
		if n := len(h.row); n > 0 {
			h.end()
			if n%toldByNodes == 0 && (h.longest < 2 || 10*h.full < 9*n) {
				return false
			}
		}
		h.row[src], h.src = uint32(len(h.row)), src
	}
	if dst != src {
		h.dst, h.weight = append(h.dst, dst), append(h.weight, weight)
	}
	return true
}

// end ends the row of the last line.
func (h *heads) end() {
	switch had := int64(len(h.dst)) - h.of[len(h.of)-1]; {
	case had > h.longest:
		h.longest, h.full = had, 1
	case had == h.longest:
		h.full++
	}
	h.of = append(h.of, int64(len(h.dst)))
}

// matrix returns the weights, of a row and column for each head, with a column past these for the neighbours that are none.
// It is nil if a node has a neighbour twice.
func (h *heads) matrix() *csr.Matrix {
	n := len(h.row)
	if len(h.of) == n {
		h.end()
	}
	type entry struct {
		column uint32
		weight float32
	}
	var row []entry
	for i := range n {
		from, to := h.of[i], h.of[i+1]
		row = row[:0]
		for at := from; at < to; at++ {
			column, known := h.row[h.dst[at]]
			if !known {
				column = uint32(n + int(at-from))
			}
			row = append(row, entry{column, h.weight[at]})
		}
		slices.SortFunc(row, func(a, b entry) int { return int(a.column) - int(b.column) })
		for k, e := range row {
			h.dst[int(from)+k], h.weight[int(from)+k] = e.column, e.weight
		}
	}
	m, err := csr.New(n, n+int(h.longest), h.of, h.dst, h.weight)
	if err != nil {
		return nil
	}
	return m
}
