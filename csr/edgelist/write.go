package edgelist

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// ErrName is wrapped when an id cannot be written.
var ErrName = lines.ErrName

// Write writes the symmetric matrix m as an edge list: each pair once, the smaller node first,
// weights in the shortest form that reads back to the same float32. The separator is a tab or a
// comma: others are an [ErrOptions]. Between commas, ids with a comma or a quote in them are in quotes, as RFC 4180 has them.
//
// The diagonal is written too, as self-loops; reading drops them, but keeps nodes that have no
// other edge. A node without any entry is written as a self-loop of weight 0, so that it is kept as
// well. The loop of a node whose id starts like a comment is left out if the node has another edge.
// A node whose id is an arrow, such as ->, comes first on its line, and two of them are not on the
// first line, which would say that all lines have an arrow.
//
// Reading gives the same matrix to the bit if the weights lie between 2^-64 and 2^64; otherwise it
// gives the matrix times a power of 2 (Stats.ScaleExponent). That takes [HeaderNo]: [HeaderCheck], the default,
// refuses a file whose first line looks like none of edges, such as two words where all other ids are integers.
//
// An id that the format cannot hold is an [ErrName]: one that contains a tab or another control
// byte, one with a blank at an end, or two on a line that both start like comments (between commas
// nothing does: a csv file has no comments). So are ids that are all arrows, and a table that has not
// one name a row. A matrix that
// is not symmetric, or has a value that is below 0 or not finite, is a [*csr.StructureError], and
// nothing is written: half of its entries would be lost, and no reader takes such weights. Cost:
// O(nnz·log of a row's entries).
func Write(w io.Writer, m *csr.Matrix, table *ids.Table, separator byte) error {
	if separator != '\t' && separator != ',' {
		return fmt.Errorf("%w: separator %q, expected a tab or a comma", ErrOptions, separator)
	}
	if err := csr.CheckWeights(m, 0); err != nil {
		return err
	}
	n, _ := m.Dims()
	if err := lines.CheckCount(table.Len(), n); err != nil {
		return err
	}
	out := writer{Writer: bufio.NewWriterSize(w, 64<<10), table: table, separator: separator}
	for i := range n {
		cols, vals := m.Row(i)
		if len(cols) == 0 {
			if err := out.edge(i, i, 0); err != nil {
				return err
			}
		}
		for k, j := range cols {
			if int(j) < i || int(j) == i && len(cols) > 1 && out.opensComment(i) {
				continue
			}
			if err := out.edge(i, int(j), vals[k]); err != nil {
				return err
			}
		}
	}
	return out.end()
}

type writer struct {
	*bufio.Writer
	table     *ids.Table
	separator byte
	src, dst  []byte
	line      []byte
	begun     bool   // the first line is written
	held      []byte // lines that cannot be the first
}

func (w *writer) edge(i, j int, weight float32) error {
	w.src = w.table.AppendName(w.src[:0], i)
	w.dst = w.table.AppendName(w.dst[:0], j)
	for _, name := range [][]byte{w.src, w.dst} {
		if err := lines.CheckName(name, '\t'); err != nil { // commas are quoted
			return err
		}
	}
	if w.opensBadly(w.src) || lines.IsArrow(w.dst) { // in the other order it may be no comment, or no arrow
		w.src, w.dst = w.dst, w.src
	}
	if w.opensBadly(w.src) {
		return fmt.Errorf("%w: a line of text cannot start with %s or %s, the marks of comments; a csv file can", ErrName, lines.Quote(w.src), lines.Quote(w.dst))
	}
	line := append(lines.AppendField(w.line[:0], w.src, w.separator), w.separator)
	line = append(lines.AppendField(line, w.dst, w.separator), w.separator)
	w.line = append(strconv.AppendFloat(line, float64(weight), 'g', -1, 32), '\n')
	if !w.begun && lines.IsArrow(w.dst) {
		w.held = append(w.held, w.line...)
		return nil
	}
	w.line = append(w.line, w.held...)
	w.begun, w.held = true, nil
	_, err := w.Write(w.line)
	return err
}

// end writes what is left, where there was a first line.
func (w *writer) end() error {
	if len(w.held) > 0 {
		return fmt.Errorf("%w: all ids are arrows, such as %s, expected one that is none for the first line", ErrName, lines.Quote(w.dst))
	}
	return w.Flush()
}

func (w *writer) opensComment(i int) bool {
	w.src = w.table.AppendName(w.src[:0], i)
	return w.opensBadly(w.src)
}

// opensBadly reports whether a line that starts with the name would be read
// as a comment, or its first character as a byte order mark.
func (w *writer) opensBadly(name []byte) bool {
	return w.separator != ',' && lines.IsComment(name) || bytes.HasPrefix(name, []byte("\ufeff"))
}
