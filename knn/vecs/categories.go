package vecs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// Categories are the values of a feature of a table that says of what kind a point is. Each is a dimension, 1 for the points
// with it and 0 for others. The dimensions of a feature follow each other.
type Categories struct {
	Feature int      `json:"feature"` // its place among the features of the table, from 0
	Values  []string `json:"values"`  // in ascending order of their bytes; an empty field is a value too
}

// A column with more than leastValues values, and more than one for two points, is one of names or of texts.
const (
	leastValues = 20
	pointsValue = 2
)

// coder numbers the values of a feature.
type coder struct {
	codes  map[string]int
	values []string // in the order in which they come, or those of other points
	known  bool     // they are those of other points
	news   int      // values that those have not
	line   int      // of the first
	first  string
}

// unknownCode is that of a value that other points have not.
const unknownCode = -1

func newCoder(values []string) *coder {
	c := &coder{codes: make(map[string]int, len(values)), values: values, known: values != nil}
	for k, value := range values {
		c.codes[value] = k
	}
	return c
}

// code returns the number of a value.
func (c *coder) code(value []byte, line int) float32 {
	k, ok := c.codes[string(value)]
	switch {
	case ok:
	case c.known:
		if c.news++; c.news == 1 {
			c.line, c.first = line, string(value)
		}
		return unknownCode
	default:
		k = len(c.values)
		c.values = append(c.values, string(value))
		c.codes[c.values[k]] = k
	}
	return float32(k)
}

// sorted returns the values in ascending order, and the place of each code in it.
func (c *coder) sorted() (values []string, place []int) {
	values, place = slices.Sorted(slices.Values(c.values)), make([]int, len(c.values))
	for k, value := range c.values {
		place[k], _ = slices.BinarySearch(values, value)
	}
	return values, place
}

// startCategories makes the coders of the features with categories: those that the options name, or those of other points.
func (t *table) startCategories(opt *Options, titled bool) error {
	if len(opt.Categories) == 0 && len(opt.Known) == 0 {
		return nil
	}
	t.coders = make([]*coder, len(t.features))
	for _, of := range opt.Known {
		if of.Feature < len(t.features) { // else the dimensions are too few, too
			t.coders[of.Feature] = newCoder(of.Values)
		}
	}
	if len(opt.Known) > 0 {
		return nil
	}
	for _, column := range opt.Categories {
		k, err := t.find(column, titled)
		if err != nil {
			return err
		}
		at := slices.Index(t.features, k)
		if at < 0 {
			return t.errorf("column %s is to hold categories, but it holds ids or labels, or is to be left out", lines.Quote([]byte(column)))
		}
		t.coders[at] = newCoder(nil)
	}
	return nil
}

// categorical reports whether feature k has categories.
func (t *table) categorical(k int) bool { return t.coders != nil && t.coders[k] != nil }

// addCategory adds the value of feature k with categories.
func (t *table) addCategory(k int, field []byte, line int) error {
	if !lines.IsTitle(string(field)) {
		return t.errorf("column %d is %s, expected a category in UTF-8 without control characters", t.features[k]+1, lines.Quote(field))
	}
	t.data = append(t.data, t.coders[k].code(field, line))
	return nil
}

// spread makes dimensions of the values of the categories of f.
func (t *table) spread(f *Features) error {
	if t.coders == nil {
		return nil
	}
	first, places := make([]int, len(t.features)), make([][]int, len(t.features))
	var titles []string
	var columns []int
	for k, column := range t.features {
		first[k] = len(columns)
		if !t.categorical(k) {
			columns = append(columns, column)
			if t.dims != nil {
				titles = append(titles, t.dims[k])
			}
			continue
		}
		c := Categories{Feature: k}
		c.Values, places[k] = t.coders[k].sorted()
		if count := len(c.Values); !t.coders[k].known && count > max(leastValues, f.Rows()/pointsValue) {
			name, advice := t.column(column), "if it holds numbers, leave it out of vecs.Options.Categories"
			if t.id < 0 {
				advice += ", if it names the points, say vecs.Options.IDColumn " + name
			}
			return &ColumnError{Column: name, Err: &lines.Error{File: t.name, Msg: fmt.Sprintf("column %s has %s among %s, expected categories that points share; %s, if it is no feature, say vecs.Options.Without %s", name, figures.Counted(count, "value"), figures.Counted(f.Rows(), "point"), advice, name)}}
		}
		for _, value := range c.Values {
			columns = append(columns, column)
			if t.dims != nil {
				titles = append(titles, t.dims[k]+"="+value)
			}
		}
		f.Categories = append(f.Categories, c)
	}
	if err := t.opt.check(t.name, int64(f.Rows())*int64(len(columns)), 4); err != nil {
		return err
	}
	codes, x := f.Dense, csr.NewDense(f.Rows(), len(columns))
	for i := range x.Rows {
		to := x.Row(i)
		for k, v := range codes.Row(i) {
			switch {
			case !t.categorical(k):
				to[first[k]] = v
			case v != unknownCode:
				to[first[k]+places[k][int(v)]] = 1
			}
		}
	}
	f.Dense, f.Titles, f.Columns = x, titles, columns
	return nil
}

// noteCategories notes the values of categories that other points have not.
func (t *table) noteCategories(list *notes.List) {
	for k, c := range t.coders {
		if c != nil && c.news > 0 {
			first := c.first
			if t.dims != nil {
				first = t.dims[k] + "=" + first
			}
			list.Doubt(notes.NewCategories, c.news, c.line, first, "run again with points that have it")
		}
	}
}

// featureTitles returns the titles of the features of a table, of those of its dimensions.
func featureTitles(titles []string, known []Categories) []string {
	if len(known) == 0 {
		return titles
	}
	var out []string
	for d := 0; d < len(titles); {
		k := slices.IndexFunc(known, func(c Categories) bool { return c.Feature == len(out) })
		if k < 0 {
			out, d = append(out, titles[d]), d+1
			continue
		}
		out = append(out, strings.TrimSuffix(titles[d], "="+known[k].Values[0]))
		d += len(known[k].Values)
	}
	return out
}
