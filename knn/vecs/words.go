package vecs

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// The text of word2vec, fastText, GloVe and node2vec: a name and its numbers a line. The first
// three write, GloVe does not, a line above them with the counts of names and numbers. Nothing is a
// comment or a quote, and a name may have blanks in it.

// words is what has been read of such a file.
type words struct {
	scanner *numtext.Scanner
	rows    int // that the first line says, -1 for none
	dims    int // numbers a line, 0 before the first
	ids     *ids.Table
	data    []float32
	notes   notes.List
}

// NamesPoints reports whether features in a file of this name, or in a format that Options has,
// have names without Options.IDColumn.
func NamesPoints(name, format string) bool {
	switch formatOf(name, format) {
	case "vec", "emb", "word2vec", "glove":
		return true
	}
	return false
}

func readWords(s *source) (*Features, error) {
	w := &words{scanner: numtext.NewScanner(s.R, s.Name), rows: -1, ids: ids.NewTable()}
	for first := true; w.scanner.Scan(); first = false {
		if first && w.counts() {
			continue
		}
		if err := w.add(); err != nil {
			return nil, err
		}
		if err := s.opt.check(s.Name, int64(len(w.data)), 4); err != nil {
			return nil, err
		}
	}
	if err := w.scanner.Err(); err != nil {
		return nil, err
	}
	switch n := w.ids.Len(); {
	case n == 0:
		return nil, s.errorf("no rows, expected at least one point")
	case w.rows >= 0 && n != w.rows:
		return nil, s.errorf("%d rows, expected %d as the first line says", n, w.rows)
	}
	return &Features{Dense: &csr.Dense{Rows: w.ids.Len(), Cols: w.dims, Data: w.data}, IDs: w.ids, Notes: w.notes}, nil
}

// counts reads the first line if it has the counts of rows and numbers.
func (w *words) counts() bool {
	rows, dims, ok := countsOf(w.scanner.Fields())
	if ok {
		w.rows, w.dims = rows, dims
	}
	return ok
}

// countsOf returns the counts that a first line has.
func countsOf(fields [][]byte) (rows, dims int, ok bool) {
	if len(fields) != 2 {
		return 0, 0, false
	}
	rows, err := strconv.Atoi(string(fields[0]))
	if err != nil || rows < 1 {
		return 0, 0, false
	}
	dims, err = strconv.Atoi(string(fields[1]))
	return rows, dims, err == nil && dims >= 1
}

// add reads a line: the last fields are numbers, and those before them the name.
func (w *words) add() error {
	fields := w.scanner.Fields()
	if w.dims == 0 {
		w.dims = len(fields) - 1
	}
	at := len(fields) - w.dims
	if at < 1 || w.dims < 1 {
		return w.scanner.Errorf("%d fields, expected a name and %d numbers", len(fields), max(w.dims, 1))
	}
	name := bytes.Join(fields[:at], []byte(" "))
	if at > 1 && numtext.IsNumber(fields[at-1]) {
		w.notes.Doubt(notes.NumberNames, 1, w.scanner.Line(), string(name), fmt.Sprintf("other lines have %d numbers: make sure that this one has no more", w.dims))
	}
	if err := w.scanner.CheckText(name); err != nil {
		return err
	}
	for k, f := range fields[at:] {
		v, err := numtext.Float32(f)
		if err != nil {
			return w.scanner.Errorf("number %d of %s: %s is %v, expected a decimal number", k+1, lines.Quote(name), lines.Quote(f), err)
		}
		w.data = append(w.data, v)
	}
	i, err := w.ids.Add(name)
	if err == nil && int(i) < len(w.data)/w.dims-1 {
		err = w.scanner.Errorf("name %s is given twice, first to row %d", lines.Quote(name), i)
	}
	return err
}
