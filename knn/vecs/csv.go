package vecs

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// table is what has been read of a csv file.
type table struct {
	scanner *lines.Scanner
	columns int // fields in each line
	id      int // the field with the name of the point, -1 if none
	without []int
	ids     *ids.Table
	rows    int
	data    []float32
}

func readCSV(s *source) (*Features, error) {
	t := newTable(s)
	if err := t.read(s, math.MaxInt); err != nil {
		return nil, err
	}
	if t.rows == 0 {
		return nil, s.errorf("no rows, expected at least one point")
	}
	return &Features{Dense: &csr.Dense{Rows: t.rows, Cols: len(t.data) / t.rows, Data: t.data}, IDs: t.ids}, nil
}

func newTable(s *source) *table {
	return &table{scanner: lines.NewScanner(s.R, s.Name), id: -1}
}

// read reads up to most more points.
func (t *table) read(s *source, most int) error {
	for end := t.rows + min(most, math.MaxInt-t.rows); t.rows < end && t.scanner.Scan(); {
		if t.columns == 0 {
			header, err := t.start(&s.opt)
			if err != nil {
				return err
			}
			if header {
				continue
			}
		}
		if err := t.add(); err != nil {
			return err
		}
		if err := s.opt.check(s.Name, int64(len(t.data)), 4); err != nil {
			return err
		}
	}
	return t.scanner.Err()
}

// start takes the number of columns and the id column from the first line
// and reports whether that line is a header.
func (t *table) start(opt *Options) (header bool, err error) {
	fields := t.scanner.Fields()
	t.columns = len(fields)
	named := false
	if opt.IDColumn != "" {
		if t.id, named, err = t.find(opt.IDColumn, "id column", opt.Header == HeaderYes); err != nil {
			return false, err
		}
		t.ids = ids.NewTable()
	}
	for _, column := range opt.Without {
		k, byName, err := t.find(column, "column", opt.Header == HeaderYes)
		if err != nil {
			return false, err
		}
		named = named || byName
		t.without = append(t.without, k)
	}
	switch opt.Header {
	case HeaderYes:
		return true, nil
	case HeaderNo:
		if named {
			return false, t.scanner.Errorf("the id column %s has a name, which a file without a header cannot have", lines.Quote([]byte(opt.IDColumn)))
		}
		return false, nil
	}
	if named {
		return true, nil
	}
	return t.isHeader()
}

// find returns a column by number or by name. Where the first line is known to be
// titles, one that is a number is a name first.
func (t *table) find(column, what string, titled bool) (k int, named bool, err error) {
	for k, f := range t.scanner.Fields() {
		if string(bytes.Trim(f, `"`)) == column && (titled || !isNumber(column)) {
			return k, true, nil
		}
	}
	if number, err := strconv.Atoi(column); err == nil {
		if number < 1 || number > t.columns {
			return 0, false, t.scanner.Errorf("%d columns, expected the %s %d", t.columns, what, number)
		}
		return number - 1, false, nil
	}
	return 0, false, t.scanner.Errorf("no column named %s in the first line", lines.Quote([]byte(column)))
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// isText reports whether a column holds no feature.
func (t *table) isText(k int) bool { return k == t.id || slices.Contains(t.without, k) }

// isHeader decides by the fields of the first line.
func (t *table) isHeader() (bool, error) {
	text, number := -1, -1
	for k, f := range t.scanner.Fields() {
		switch {
		case t.isText(k):
		case numtext.IsNumber(f):
			number = k
		case text < 0 && len(f) > 0:
			text = k
		}
	}
	if text >= 0 && number >= 0 {
		return false, t.scanner.Errorf("column %d is %s and column %d a number, expected numbers, or names in a header: say which it is, and which column holds ids", text+1, lines.Quote(t.scanner.Fields()[text]), number+1)
	}
	return text >= 0, nil
}

// add reads a line as a point.
func (t *table) add() error {
	fields := t.scanner.Fields()
	for len(fields) < t.columns && t.scanner.Separator() == '\t' && slices.Contains(t.without, len(fields)) {
		fields = append(fields, nil) // tabs at the end of a line are no part of it
	}
	if len(fields) != t.columns {
		return t.scanner.Errorf("%d columns, expected %d as in the first line", len(fields), t.columns)
	}
	for k, f := range fields {
		if t.isText(k) {
			continue
		}
		v, err := numtext.Float32(f)
		if err != nil {
			return t.scanner.Errorf("column %d: %s is %v, expected a decimal number", k+1, lines.Quote(f), err)
		}
		t.data = append(t.data, v)
	}
	if t.id >= 0 {
		if err := t.addID(); err != nil {
			return err
		}
	}
	t.rows++
	return nil
}

func (t *table) addID() error {
	name, err := t.scanner.ID(t.id, "id")
	if err != nil {
		return err
	}
	i, err := t.ids.Add(name)
	if err != nil {
		return err
	}
	if int(i) < t.rows {
		return t.scanner.Errorf("id %s is given twice, first to row %d", lines.Quote(name), i)
	}
	return nil
}
