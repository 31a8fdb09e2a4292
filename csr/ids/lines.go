package ids

import (
	"bufio"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// ReadLines reads the names of n nodes, a line each in their order: the text of a line
// but for blanks at its ends, without tabs; blank lines do not count. Names must
// differ. The file name is for messages; gzip and zstd are recognised.
func ReadLines(r io.Reader, file string, n int) (*Table, error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	s := lines.NewScanner(plain, file)
	s.KeepComments()
	s.SetSeparator('\t')
	t := NewTable()
	for s.Scan() {
		fields := s.Fields()
		if len(fields) != 1 {
			return nil, s.Errorf("%d columns, expected one name", len(fields))
		}
		k := t.Len()
		at, err := t.Add(fields[0])
		if err != nil {
			return nil, err
		}
		if int(at) < k {
			return nil, s.Errorf("name %s is that of node %d already, expected names that differ", lines.Quote(fields[0]), at)
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if t.Len() != n {
		return nil, &lines.Error{File: file, Msg: fmt.Sprintf("%d names, expected %d: one for each of the nodes, in their order", t.Len(), n)}
	}
	return t, nil
}

// WriteLines writes the names in the order of the nodes, a line each, for
// [ReadLines]. A name that would not come back, such as one that ends with a blank, is
// an error.
func (t *Table) WriteLines(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var name []byte
	for i := range t.Len() {
		name = t.AppendName(name[:0], i)
		if err := lines.CheckName(name, '\t'); err != nil {
			return err
		}
		if i == 0 && len(lines.TrimMark(name)) < len(name) {
			return fmt.Errorf("%w: a file cannot start with %s", lines.ErrName, lines.Quote(name))
		}
		if _, err := out.Write(append(name, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}
