package edgelist

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// ErrName is wrapped when an id cannot be written.
var ErrName = errors.New("id does not fit an edge list")

// Write writes the symmetric matrix m as an edge list: each pair once, the
// smaller node first, weights in the shortest form that reads back to the
// same float32. The diagonal is written too, as self-loops, and a node with
// an empty row as a self-loop of weight 0: reading drops them but keeps their
// nodes. The separator is a tab, or a comma when separator is ','.
//
// An id that the format cannot hold (one with the separator in it, or a pair
// that both start like comments) is an [ErrName].
func Write(w io.Writer, m *csr.Matrix, table *ids.Table, separator byte) error {
	out := bufio.NewWriterSize(w, 1<<20)
	n, _ := m.Dims()
	var line, name []byte
	for i := range n {
		cols, vals := m.Row(i)
		if len(cols) == 0 {
			cols, vals = []uint32{uint32(i)}, []float32{0}
		}
		for k, j := range cols {
			if int(j) < i {
				continue
			}
			line = table.AppendName(line[:0], i)
			name = table.AppendName(name[:0], int(j))
			var err error
			if line, err = appendEdge(line, name, separator, vals[k]); err != nil {
				return err
			}
			if _, err = out.Write(line); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// appendEdge completes a line that starts with one end of an edge.
func appendEdge(line, name []byte, separator byte, weight float32) ([]byte, error) {
	if isComment(line) { // the other way round it is no comment
		line, name = append([]byte(nil), name...), line
	}
	if isComment(line) || bytes.IndexByte(line, separator) >= 0 || bytes.IndexByte(name, separator) >= 0 {
		return nil, fmt.Errorf("%w: %s and %s on one line separated by %q", ErrName, lines.Quote(line), lines.Quote(name), separator)
	}
	line = append(append(append(line, separator), name...), separator)
	return append(strconv.AppendFloat(line, float64(weight), 'g', -1, 32), '\n'), nil
}

func isComment(line []byte) bool { return line[0] == '#' || line[0] == '%' }
