package vecs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// table is what has been read of a csv file.
type table struct {
	scanner *lines.Scanner // nil of a [Table]
	errorf  func(format string, args ...any) error
	where   string // the titles are, for messages
	columns int    // fields in each line
	id      int    // the field with the name of the point, -1 if none
	// features are the fields that are, in the order of the dimensions.
	features   []int
	titles     []string       // of all fields, nil without a header
	at         map[string]int // the first with a title
	dims, left []string       // titles of the features, and of what holds neither them nor ids
	ids        *ids.Table
	rows       int
	data       []float32
	counts     []string    // the first line, where it is two whole numbers, as of word2vec
	needed     bool        // all features are, as those of other points
	numbers    bool        // the first line is numbers in a row, and was read as a point
	grouped    []thousands // of the features; nil where commas or blanks separate columns
	fractions  bool        // no column can have points between its thousands
	commas     bool        // a column that is no feature has decimal commas
	coders     []*coder    // of the features with categories; nil where none has
	opt        *Options
	name       string
	imputed    int // missing values, the first in line imputedAt
	imputedAt  int
}

func readCSV(s *source) (*Features, error) {
	t := newTable(s)
	if err := t.read(s, math.MaxInt); err != nil {
		return nil, err
	}
	if t.rows == 0 {
		return nil, s.errorf("no rows, expected at least one point")
	}
	if err := t.checkCounts(); err != nil {
		return nil, err
	}
	return t.points(t.rows)
}

func newTable(s *source) *table {
	t := &table{scanner: lines.NewScanner(s.R, s.Name), id: -1, where: " in the first line", opt: &s.opt, name: s.Name}
	t.errorf = t.scanner.Errorf
	t.scanner.TakeSemicolons()
	switch {
	case s.opt.Comments != nil:
		t.scanner.SetComments(lines.Comments{Prefixes: s.opt.Comments})
	case s.opt.IDColumn != "": // the id of the first row may start like a comment
		t.scanner.EndComments()
	}
	return t
}

// setComments goes by the first column: where it has numbers, a line that starts with # or % is no
// row; where it has words, it is one.
func (t *table) setComments(opt *Options) {
	switch {
	case opt.Comments != nil:
	case slices.Contains(t.features, 0) && !t.categorical(slices.Index(t.features, 0)):
		t.scanner.SetComments(lines.Usual())
	default:
		t.scanner.EndComments()
	}
}

// notes are what was skipped so far. A line that starts like a comment and has as many numbers as
// others is a row, and a comment among numbers is one.
func (t *table) notes() notes.List {
	if t.scanner == nil {
		return nil
	}
	skips := *t.scanner.Skips()
	skips.Trust()
	return skips.Notes(false, func([]byte) bool { return true })
}

// points returns what was read: the values of n points.
func (t *table) points(n int) (*Features, error) {
	f := &Features{Dense: &csr.Dense{Rows: n, Cols: len(t.data) / n, Data: t.data}, IDs: t.ids, Titles: t.dims, Left: t.left, Columns: t.features, Notes: t.notes()}
	t.noteNumbers(&f.Notes)
	t.noteCounts(&f.Notes, n)
	t.noteThousands(&f.Notes)
	for k, title := range t.dims {
		if lines.IsLabelTitle([]byte(title)) && !t.isCoordinate(title) {
			f.Notes.Doubt(notes.LabelTitles, 1, 0, title, "if it holds labels, which are no features, say vecs.Options.Without "+title)
		}
		if lines.IsIDTitle([]byte(title)) || lines.MayBeIDTitle([]byte(title)) && t.tells(k) {
			f.Notes.Doubt(notes.IDTitles, 1, 0, title, "if it names the points, say vecs.Options.IDColumn "+title+", if it is no feature, vecs.Options.Without "+title)
		}
	}
	f.Notes.Add(notes.Columns, t.ignored(), 0, strings.Join(t.left[:min(1, len(t.left))], ""))
	t.noteCategories(&f.Notes)
	t.noteImputed(&f.Notes)
	var err error
	if f.Means, err = t.impute(f.Dense); err != nil {
		return nil, err
	}
	return f, t.spread(f)
}

// isCoordinate reports whether a title is y beside an x.
func (t *table) isCoordinate(title string) bool {
	return strings.EqualFold(title, "y") && slices.ContainsFunc(t.titles, func(other string) bool { return strings.EqualFold(other, "x") })
}

// tells reports whether dimension k tells all points apart by whole numbers, as ids do.
func (t *table) tells(k int) bool {
	values := make([]float32, 0, len(t.data)/len(t.dims))
	for ; k < len(t.data); k += len(t.dims) {
		if v := t.data[k]; v != float32(math.Trunc(float64(v))) {
			return false
		}
		values = append(values, t.data[k])
	}
	slices.Sort(values)
	all := len(values)
	return len(slices.Compact(values)) == all
}

// counts reports whether fields are 0, 1, 2, …, or at least three numbers in a row, such as years.
func counts(fields [][]byte) bool {
	first, err := strconv.Atoi(string(fields[0]))
	if err != nil || first < 0 || first > 0 && len(fields) < 3 {
		return false
	}
	for k, f := range fields {
		if string(f) != strconv.Itoa(first+k) {
			return false
		}
	}
	return len(fields) > 1
}

// noteNumbers notes a first line that counts the columns, as pandas writes above those without
// titles, where other values have fractions or the columns are many.
func (t *table) noteNumbers(list *notes.List) {
	const many = 5
	if !t.numbers || len(t.data) <= len(t.features) {
		return
	}
	fraction := slices.ContainsFunc(t.data, func(v float32) bool { return v != float32(int64(v)) })
	if t.columns >= many || fraction {
		list.Doubt(notes.NumberedHeader, 1, 1, fmt.Sprintf("%g to %g", t.data[0], t.data[len(t.features)-1]), "if it is a header, as pandas writes above columns without titles, write the file with header=False")
	}
}

// noteCounts notes a first point that has the counts of the others and of the columns, as some
// programs write them above a table.
func (t *table) noteCounts(list *notes.List, n int) {
	if t.columns == 2 && len(t.features) == 2 && t.dims == nil && n > 2 && t.data[0] == float32(n-1) && t.data[1] == 2 {
		list.Doubt(notes.CountsPoint, 1, 1, fmt.Sprint(n-1, " 2"), "if it is no point, leave it out")
	}
}

// ignored counts the columns that are neither features nor ids.
func (t *table) ignored() int {
	kept := len(t.features)
	if t.id >= 0 && !slices.Contains(t.features, t.id) {
		kept++
	}
	return t.columns - kept
}

// read reads up to most more points.
func (t *table) read(s *source, most int) error {
	for end := t.rows + min(most, math.MaxInt-t.rows); t.rows < end && t.scanner.Scan(); {
		if t.columns == 0 {
			header, err := t.start(&s.opt)
			if err != nil {
				return err
			}
			t.setComments(&s.opt)
			t.numbers = !header && counts(t.scanner.Fields())
			if _, _, ok := countsOf(t.scanner.Fields()); ok && !header {
				t.counts = []string{string(t.scanner.Fields()[0]), string(t.scanner.Fields()[1])}
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

// add reads a line as a point.
func (t *table) add() error {
	fields := t.scanner.Fields()
	for len(fields) < t.columns && t.scanner.Separator() == '\t' && len(fields) != t.id && !slices.Contains(t.features, len(fields)) {
		fields = append(fields, nil) // tabs at the end of a line are no part of it
	}
	if len(fields) != t.columns {
		return t.scanner.Errorf("%s, expected %d as in the first line%s", lines.Columns(len(fields)), t.columns, t.orWords(len(fields)))
	}
	for at, k := range t.features {
		if t.categorical(at) {
			if err := t.addCategory(at, fields[k], t.scanner.Line()); err != nil {
				return err
			}
			continue
		}
		v, err := value(fields[k])
		if err != nil {
			if t.mayImpute(fields[k], t.scanner.Line()) {
				t.data = append(t.data, missing)
				continue
			}
			if several := t.words(fields, at); several != nil {
				return several
			}
			return t.fault(k, fields[k], err)
		}
		t.data = append(t.data, v)
	}
	t.seeThousands(fields)
	if t.id >= 0 {
		if err := t.addID(fields[t.id]); err != nil {
			return err
		}
	}
	t.rows++
	return nil
}

// orWords is advice about a line with another number of fields, where the file may be names and
// numbers as word2vec or GloVe write them.
func (t *table) orWords(fields int) string {
	blanks := t.scanner.Separator() == ' ' || t.scanner.Separator() == '\t'
	switch {
	case len(t.counts) > 0 && t.rows == 1 && blanks && (t.counts[1] == strconv.Itoa(fields) || t.counts[1] == strconv.Itoa(fields-1)):
		return "; if the first line has the counts of names and numbers, as word2vec writes them, say vecs.Options.Format vec"
	case fields == t.columns+1 && len(t.scanner.Fields()[t.columns]) == 0:
		return "; the line ends with a separator: write the file without"
	case t.titles != nil && t.rows == 0 && fields == t.columns+1:
		return "; R leaves out the title above names of rows: write.csv writes it"
	case t.titles == nil && t.id == 0 && fields > t.columns && blanks:
		return "; if names have blanks in them, as those of GloVe, say vecs.Options.Format glove in place of vecs.Options.IDColumn"
	}
	return ""
}

// checkCounts refuses counts of names and numbers that were read as a name and a number: those of
// word2vec with one number a name.
func (t *table) checkCounts() error {
	if len(t.counts) == 0 || !slices.Equal(t.features, []int{1}) || t.counts[0] != strconv.Itoa(t.rows-1) || t.counts[1] != "1" {
		return nil
	}
	return t.errorf("the first line is %s and %s, as the counts of names and numbers that word2vec writes: say vecs.Options.Format vec, without options of columns, or leave the line out", t.counts[0], t.counts[1])
}

// value returns the value of a field: a number, or 1 for true and 0 for false.
func value(field []byte) (float32, error) {
	v, err := numtext.Float32(field)
	if err != nil {
		if v, ok := truth(field); ok {
			return v, nil
		}
	}
	return v, err
}

// truth reports whether a field is true or false, in letters of any case.
func truth(field []byte) (v float32, ok bool) {
	switch {
	case bytes.EqualFold(field, []byte("true")):
		return 1, true
	case bytes.EqualFold(field, []byte("false")):
		return 0, true
	}
	return 0, false
}

// ColumnError is about a value of a csv file, or a [Table], that is no number, where the whole column may be
// no feature.
type ColumnError struct {
	Err    error
	Column string // as [Options] can call it, a title in quotes
}

func (e *ColumnError) Error() string { return e.Err.Error() }

func (e *ColumnError) Unwrap() error { return e.Err }

// fault says why field k is no feature, and what to do with it: the column may be left out unless it is needed.
func (t *table) fault(k int, field []byte, err error) error {
	column := t.column(k)
	wrong := func(what, advice string) error {
		if t.needed {
			advice = ""
		}
		fault := t.errorf("column %d%s%s", k+1, what, advice)
		if advice == "" {
			return fault
		}
		return &ColumnError{fault, column}
	}
	const without = "vecs.Options.Without "
	if len(field) == 0 {
		return wrong(" is empty, a missing value: fill it in, or leave out the row", ", or the column: "+without+column+"; if it holds numbers, vecs.Options.Impute takes their mean")
	}
	what := fmt.Sprintf(": %s is %v, expected a decimal number", lines.Quote(field), err)
	_, bad := strconv.ParseFloat(string(field), 64) // takes nan and inf
	if isGrouped(field) && !bytes.ContainsRune(field, ',') {
		what += "; if points separate thousands, leave them out"
	}
	switch {
	case lines.IsMissing(field):
		return wrong(what+"; for a missing value fill one in, or leave out the row", ", or the column: "+without+column+"; if it holds numbers, vecs.Options.Impute takes their mean")
	case isGrouped(field) && bytes.ContainsRune(field, ','):
		return wrong(what+"; if points separate thousands and this is a decimal comma, leave the points out and write a point for the comma", "")
	case isThousands(field):
		return wrong(what+"; if commas separate thousands, leave them out; if this is a decimal comma, write a point", "")
	case isDecimalComma(field):
		advice := "; if this is a decimal comma, write a point"
		if t.scanner != nil && t.scanner.Separator() == ';' {
			advice += ", and leave out points between thousands"
		}
		return wrong(what+advice, "")
	case bad == nil:
		return wrong(what, "")
	}
	var kinds []string // that the column may be
	if k == 0 && t.id < 0 && t.rows == 0 {
		kinds = append(kinds, "names the points", "vecs.Options.IDColumn ")
	}
	if isWord(field) {
		kinds = append(kinds, "holds categories", "vecs.Options.Categories ")
	}
	kinds = append(kinds, "is no feature", without)
	advice := "; if the column " + kinds[0] + ", say " + kinds[1] + column
	for k := 2; k < len(kinds); k += 2 {
		advice += ", if it " + kinds[k] + ", " + kinds[k+1] + column
	}
	return wrong(what, advice)
}

// words returns the error of the first row where features of it, the first at place at, are words in several columns; else nil.
func (t *table) words(fields [][]byte, at int) error {
	if t.rows > 0 || t.needed {
		return nil
	}
	var titles []string
	for k := at; k < len(t.features); k++ {
		column := t.features[k]
		if f := fields[column]; !t.categorical(k) && isWord(f) {
			titles = append(titles, t.column(column))
		}
	}
	if len(titles) < 2 || !isWord(fields[t.features[at]]) {
		return nil
	}
	return &ColumnError{Column: titles[0], Err: t.errorf("columns %s hold words, such as %s, expected decimal numbers; say what they are: vecs.Options.IDColumn names the points, vecs.Options.Categories takes columns of categories, vecs.Options.Without leaves columns out", strings.Join(titles, ","), lines.Quote(fields[t.features[at]]))}
}

// isWord reports whether a field may be a category: it begins with a letter, and is neither a number nor missing.
func isWord(field []byte) bool {
	first, _ := utf8.DecodeRune(field)
	_, number := strconv.ParseFloat(string(field), 64) // takes nan and inf
	_, truth := truth(field)
	return unicode.IsLetter(first) && number != nil && !truth && !lines.IsMissing(field)
}

// isThousands reports whether a field is a whole number with commas before groups of three digits.
func isThousands(field []byte) bool {
	groups := bytes.Split(bytes.TrimLeft(field, "+-"), []byte(","))
	return len(groups) > 1 && len(groups[0]) > 0 && isDecimalComma(field) && !slices.ContainsFunc(groups[1:], func(group []byte) bool {
		whole, _, _ := bytes.Cut(group, []byte("."))
		return len(whole) != 3 || len(bytes.Trim(whole, "0123456789")) > 0
	})
}

// isDecimalComma reports whether a field is a number but for a comma, or two of them
// where commas separate and semicolons were meant to.
func isDecimalComma(field []byte) bool {
	return bytes.ContainsAny(field, ",;") && len(bytes.Trim(field, "0123456789+-.,;eE")) == 0
}

// addID names the point that comes next.
func (t *table) addID(name []byte) error {
	if len(name) == 0 {
		return t.errorf("empty id in column %d", t.id+1)
	}
	i, err := t.ids.Add(name)
	if err != nil {
		return err
	}
	if int(i) < t.rows {
		return t.errorf("id %s is given twice, first to row %d", lines.Quote(name), i)
	}
	return nil
}
