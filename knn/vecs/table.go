package vecs

import (
	"fmt"
	"math"
	"strconv"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Table makes features of the rows of a table whose columns have titles, by the rules of
// csv files with a header. Package knn/vecparquet reads with it.
type Table struct {
	t    table
	name string
	opt  Options
	row  int
}

// Cell is a value of a table: a number, or a text.
type Cell struct {
	Number float64
	Text   []byte // of no number; empty where the value is missing
	IsText bool
}

// NewTable chooses the columns that are features, and that of ids, among those with the
// titles, which must all be UTF-8 without control characters. The name is that of the
// file, for messages. Errors: [ErrSyntax].
func NewTable(name string, titles []string, opt Options) (*Table, error) {
	t := &Table{name: name, opt: opt, t: table{id: -1}}
	t.t.errorf = func(format string, args ...any) error {
		return &lines.Error{File: t.name, Line: t.row, Msg: fmt.Sprintf(format, args...)}
	}
	t.opt.Header, t.t.opt, t.t.name = HeaderYes, &t.opt, name
	if len(titles) == 0 {
		return nil, t.t.errorf("no columns, expected at least one")
	}
	for k, title := range titles { // a csv file with such a line is refused, whatever is chosen of it
		if !lines.IsTitle(title) {
			return nil, t.t.errorf("the title of column %d is %s, expected UTF-8 without control characters", k+1, lines.Quote([]byte(title)))
		}
	}
	if _, err := t.t.startWith(titles, &t.opt); err != nil {
		return nil, err
	}
	if len(t.t.features) == 0 {
		return nil, t.t.errorf("no columns, expected at least one")
	}
	return t, nil
}

// Columns returns the columns that [Table.Add] takes, counted from 0: the dimensions in their
// order, then that of ids, if there is one.
func (t *Table) Columns() []int {
	columns := append([]int(nil), t.t.features...)
	if t.t.id >= 0 {
		columns = append(columns, t.t.id)
	}
	return columns
}

// Add adds a row, counted from 1, with a cell for each of Columns. A number that float32
// does not hold, and a text other than true and false, are a [ColumnError] or [ErrSyntax].
func (t *Table) Add(row int, cells []Cell) error {
	t.row = row
	for k, column := range t.t.features {
		c := cells[k]
		if t.t.categorical(k) {
			if !c.IsText { // as csv files have it: without an exponent
				c.Text = strconv.AppendFloat(nil, c.Number, 'f', -1, 64)
			}
			if err := t.t.addCategory(k, c.Text, row); err != nil {
				return err
			}
			continue
		}
		v := float32(c.Number)
		if c.IsText || math.IsInf(float64(v), 0) || v != v {
			text := c.Text
			if !c.IsText {
				text = strconv.AppendFloat(nil, c.Number, 'g', -1, 64)
			}
			var err error
			if v, err = value(text); err != nil {
				if !t.t.mayImpute(text, row) {
					return t.t.fault(column, text, err)
				}
				v = missing
			}
		}
		t.t.data = append(t.t.data, v)
	}
	if t.t.id >= 0 {
		c := cells[len(cells)-1]
		if !c.IsText {
			return t.t.errorf("id %v, expected a whole number or text", c.Number)
		}
		if err := t.t.addID(c.Text); err != nil {
			return err
		}
	}
	t.t.rows++
	return t.opt.check(t.name, int64(len(t.t.data)), 4)
}

// Features returns the points that were added.
func (t *Table) Features() (*Features, error) {
	if t.t.rows == 0 {
		return nil, &lines.Error{File: t.name, Msg: "no rows, expected at least one point"}
	}
	return t.t.points(t.t.rows)
}
