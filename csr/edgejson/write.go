package edgejson

import (
	"bufio"
	"io"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Write writes each edge of the symmetric m once, a line each: src, dst and weight. Ids are
// numbers where all are plain integers, else text. A node without edges has one to itself, of
// weight 0. [Read] gives the same matrix to the bit, as package csr/edgelist does of its lines.
//
// An id that is empty, is not UTF-8, or has a control byte or a blank at an end is an [ErrName], as
// is a table that has not one name a row. A
// matrix that is not symmetric, or has a value below 0 or that is not finite, is a
// [*csr.StructureError], and nothing is written. Cost: O(nnz·log of a row's entries).
func Write(w io.Writer, m *csr.Matrix, table *ids.Table) error {
	if err := csr.CheckWeights(m, 0); err != nil {
		return err
	}
	n, _ := m.Dims()
	if err := lines.CheckCount(table.Len(), n); err != nil {
		return err
	}
	out := writer{Writer: bufio.NewWriterSize(w, 64<<10), table: table, numbers: true}
	var name []byte
	for i := range table.Len() {
		name = table.AppendName(name[:0], i)
		if err := lines.CheckName(name, '\n'); err != nil {
			return err
		}
		_, plain := ids.Plain(name)
		out.numbers = out.numbers && plain
	}
	for i := range n {
		columns, values := m.Row(i)
		if len(columns) == 0 {
			out.edge(i, i, 0)
		}
		for k, j := range columns {
			if int(j) >= i {
				out.edge(i, int(j), values[k])
			}
		}
	}
	return out.Flush() // with the error of any write before
}

// writer writes edges.
type writer struct {
	*bufio.Writer
	table      *ids.Table
	numbers    bool // ids are
	line, name []byte
}

func (w *writer) edge(i, j int, weight float32) {
	w.line = w.appendID(append(w.line[:0], `{"src": `...), i)
	w.line = w.appendID(append(w.line, `, "dst": `...), j)
	w.line = strconv.AppendFloat(append(w.line, `, "weight": `...), float64(weight), 'g', -1, 32)
	w.line = append(w.line, "}\n"...)
	_, _ = w.Write(w.line) // Flush returns the error
}

// appendID appends the id of a node to a line. It has no control bytes: quotes and backslashes
// alone are escaped.
func (w *writer) appendID(line []byte, i int) []byte {
	w.name = w.table.AppendName(w.name[:0], i)
	if w.numbers {
		return append(line, w.name...)
	}
	line = append(line, '"')
	for _, b := range w.name {
		if b == '"' || b == '\\' {
			line = append(line, '\\')
		}
		line = append(line, b)
	}
	return append(line, '"')
}
