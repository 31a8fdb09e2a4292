package vecs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

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
	titles  [][]byte // nil without a header
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
				for _, title := range t.scanner.Fields() {
					t.titles = append(t.titles, bytes.Clone(title))
				}
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
		if err != nil && opt.Optional {
			continue
		}
		if err != nil {
			return false, err
		}
		named = named || byName
		t.without = append(t.without, k)
	}
	switch {
	case opt.Header == HeaderNo && named:
		return false, t.scanner.Errorf("the id column %s has a name, which a file without a header cannot have", lines.Quote([]byte(opt.IDColumn)))
	case opt.Header == HeaderNo:
		return false, nil
	case opt.Header == HeaderYes || named:
		header = true
	default:
		header, err = t.isHeader()
	}
	if first := fields[0]; err == nil && header && !t.isText(0) && lines.IsIndex(bytes.Trim(first, `"`)) {
		err = t.scanner.Errorf("column 1 has the title %s, as an index of rows that pandas or R wrote, which is no feature: write the file with index=False (R: row.names=FALSE), or say vecs.Options.IDColumn 1 if it names the points", lines.Quote(first))
	}
	return header, err
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
	return 0, false, t.scanner.Errorf("no column named %s in the first line, expected one of %s, or a number from 1 to %d", lines.Quote([]byte(column)), lines.Titles(t.scanner.Fields()), t.columns)
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// isText reports whether a column holds no feature.
func (t *table) isText(k int) bool { return k == t.id || slices.Contains(t.without, k) }

// isHeader decides by the fields of the first line.
func (t *table) isHeader() (bool, error) {
	if t.numbered() {
		return true, nil
	}
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

// numbered reports whether the first line is what pandas writes above columns without
// titles: nothing, 0, 1, ….
func (t *table) numbered() bool {
	for k, f := range t.scanner.Fields() {
		if k == 0 && len(f) > 0 || k > 0 && string(f) != strconv.Itoa(k-1) {
			return false
		}
	}
	return true
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
			return t.fault(k, f, err)
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

// fault says why field k is no feature, and, of text in the first row, what the column
// may hold.
func (t *table) fault(k int, field []byte, err error) error {
	if len(field) == 0 {
		return t.scanner.Errorf("column %d is empty, a missing value: fill it in, or leave out the row", k+1)
	}
	advice := t.scanner.Semicolons()
	letter, _ := utf8.DecodeRune(field)
	if _, bad := strconv.ParseFloat(string(field), 64); bad != nil && t.rows == 0 && advice == "" && unicode.IsLetter(letter) { // no nan or inf
		column := strconv.Itoa(k + 1)
		if t.titles != nil && len(t.titles[k]) > 0 {
			column = lines.Quote(t.titles[k])
		}
		advice = fmt.Sprintf("; if the column holds labels, give the file to labelfile.ReadColumns too, with labelfile.Columns.Label %s", column)
		if k == 0 {
			advice = fmt.Sprintf("; if the column names the points, say vecs.Options.IDColumn %s", column)
		}
	}
	return t.scanner.Errorf("column %d: %s is %v, expected a decimal number%s", k+1, lines.Quote(field), err, advice)
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
