package vecs

import (
	"bytes"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// sparseRows is what has been read of a libsvm file.
type sparseRows struct {
	scanner *numtext.Scanner
	first   uint64 // the smallest index, 0 or 1
	cols    int64
	indptr  []int64
	indices []uint32
	data    []float32
	labels  []string
}

func readSVM(s *source) (*Features, error) {
	t := &sparseRows{scanner: numtext.NewScanner(s.R, s.Name), indptr: make([]int64, 1), first: 1}
	t.scanner.Comment = '#'
	if s.opt.ZeroBased {
		t.first = 0
	}
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
	m, err := csr.New(len(t.labels), int(t.cols), t.indptr, t.indices, t.data)
	if err != nil {
		return nil, s.errorf("%v", err)
	}
	return &Features{Sparse: m, Labels: t.labels}, nil
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
	for _, f := range fields[1:] {
		j, v, err := t.entry(f)
		if err != nil {
			return err
		}
		t.indices, t.data = append(t.indices, j), append(t.data, v)
		t.cols = max(t.cols, int64(j)+1)
	}
	row := t.indices[start:]
	csr.SortRow(row, t.data[start:])
	for k, j := range row {
		if k > 0 && row[k-1] == j {
			return t.scanner.Errorf("index %d is given twice, expected once", uint64(j)+t.first)
		}
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
	case i < t.first:
		return 0, 0, t.scanner.Errorf("index 0, expected indices from 1: say so if the file counts from 0")
	case i-t.first >= csr.MaxDim:
		return 0, 0, t.scanner.Errorf("index %d, expected at most %d", i, uint64(csr.MaxDim)-1+t.first)
	}
	if value, err = numtext.Float32(number); err != nil {
		return 0, 0, t.scanner.Errorf("value %s of index %d is %v, expected a decimal number", lines.Quote(number), i, err)
	}
	return uint32(i - t.first), value, nil
}
