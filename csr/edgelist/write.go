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
// same float32. The diagonal is written too, as self-loops; reading drops
// them, but keeps nodes that have no other edge. The separator is a tab, or
// a comma when separator is ','.
//
// An id that the format cannot hold (one with the separator in it, or a pair
// that both start like comments) is an [ErrName].
func Write(w io.Writer, m *csr.Matrix, table *ids.Table, separator byte) error {
	out := bufio.NewWriterSize(w, 1<<20)
	n, _ := m.Dims()
	var src, dst []byte
	for i := range n {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if int(j) < i {
				continue
			}
			src = table.AppendName(src[:0], i)
			dst = table.AppendName(dst[:0], int(j))
			if isComment(src) { // the other way round it is no comment
				src, dst = dst, src
			}
			if isComment(src) || bytes.IndexByte(src, separator) >= 0 || bytes.IndexByte(dst, separator) >= 0 {
				return fmt.Errorf("%w: %s and %s on one line separated by %q", ErrName, lines.Quote(src), lines.Quote(dst), separator)
			}
			src = append(src, separator)
			src = append(src, dst...)
			src = append(src, separator)
			src = strconv.AppendFloat(src, float64(vals[k]), 'g', -1, 32)
			src = append(src, '\n')
			if _, err := out.Write(src); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func isComment(line []byte) bool { return line[0] == '#' || line[0] == '%' }
