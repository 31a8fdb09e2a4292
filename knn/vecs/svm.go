package vecs

import (
	"bytes"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// sparseRows is what has been read of a libsvm file.
type sparseRows struct {
	scanner *numtext.Scanner
	zeros   int   // rows with an index 0
	most    int64 // the largest index, -1 for none
	notes   notes.List
	indptr  []int64
	indices []uint32
	data    []float32
	labels  []string
}

func readSVM(s *source) (*Features, error) {
	t := &sparseRows{scanner: numtext.NewScanner(s.R, s.Name), indptr: make([]int64, 1), most: -1}
	t.scanner.Comment = '#'
	for t.scanner.Scan() {
		if err := t.add(); err != nil {
			return nil, err
		}
		if err := s.opt.check(s.Name, int64(len(t.indices)+len(t.indptr)), 8); err != nil {
			return nil, err
		}
	}
	if err := t.scanner.Err(); err != nil {
		return nil, err
	}
	m, err := csr.New(len(t.labels), t.columns(s.opt.ZeroBased), t.indptr, t.indices, t.data)
	if err != nil {
		return nil, s.errorf("%v", err)
	}
	t.notes.Add(notes.Comments, t.scanner.Comments, t.scanner.FirstComment, "")
	if len(t.labels) > 0 {
		t.notes.Add(notes.Columns, 1, 0, "label")
	}
	return &Features{Sparse: m, Labels: t.labels, Notes: t.notes}, nil
}

// columns makes columns of the indices, which count from 1 unless one of them is 0, and returns
// how many there are.
func (t *sparseRows) columns(zeroBased bool) int {
	if t.zeros > 0 || zeroBased {
		return int(t.most) + 1
	}
	for k := range t.indices {
		t.indices[k]--
	}
	return max(0, int(t.most))
}

// add reads a line: the label, then entries in any order.
func (t *sparseRows) add() error {
	fields := t.scanner.Fields()
	if bytes.IndexByte(fields[0], ':') >= 0 {
		return t.scanner.Errorf("%s, expected a label before the entries", lines.Quote(fields[0]))
	}
	if err := t.scanner.CheckText(fields[0]); err != nil {
		return err
	}
	start := len(t.indices)
	entries := fields[1:]
	if len(entries) > 0 && bytes.HasPrefix(entries[0], []byte("qid:")) {
		t.notes.Add(notes.Attributes, 1, t.scanner.Line(), string(entries[0]))
		entries = entries[1:]
	}
	for _, f := range entries {
		j, v, err := t.entry(f)
		if err != nil {
			return err
		}
		t.indices, t.data = append(t.indices, j), append(t.data, v)
		t.most = max(t.most, int64(j))
	}
	row := t.indices[start:]
	csr.SortRow(row, t.data[start:])
	for k, j := range row {
		if k > 0 && row[k-1] == j {
			return t.scanner.Errorf("index %d is given twice, expected once", j)
		}
	}
	if len(row) > 0 && row[0] == 0 {
		t.zeros++
		t.notes.Add(notes.ZeroBased, 1, t.scanner.Line(), "")
	}
	t.indptr = append(t.indptr, int64(len(t.indices)))
	t.labels = append(t.labels, string(fields[0]))
	return nil
}

// entry reads "index:value".
func (t *sparseRows) entry(text []byte) (column uint32, value float32, err error) {
	index, number, ok := bytes.Cut(text, []byte(":"))
	if !ok {
		return 0, 0, t.scanner.Errorf("%s, expected index:value", lines.Quote(text))
	}
	i, err := numtext.Whole(index)
	switch {
	case err != nil:
		return 0, 0, t.scanner.Errorf("index %s, expected a whole number", lines.Quote(index))
	case i > csr.MaxDim:
		return 0, 0, t.scanner.Errorf("index %d, expected at most %d", i, uint64(csr.MaxDim))
	}
	if value, err = numtext.Float32(number); err != nil {
		return 0, 0, t.scanner.Errorf("value %s of index %d is %v, expected a decimal number", lines.Quote(number), i, err)
	}
	return uint32(i), value, nil
}
