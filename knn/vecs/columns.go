package vecs

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// start decides by the first line which columns hold what, and reports whether that
// line is a header.
func (t *table) start(opt *Options) (header bool, err error) {
	titles := make([]string, len(t.scanner.Fields()))
	for k, f := range t.scanner.Fields() {
		titles[k] = string(bytes.Trim(f, `"`))
	}
	return t.startWith(titles, opt)
}

// startWith decides by what the first line would be.
func (t *table) startWith(titles []string, opt *Options) (header bool, err error) {
	t.columns, t.titles, t.at = len(titles), titles, make(map[string]int, len(titles))
	for k, title := range titles {
		if _, ok := t.at[title]; !ok {
			t.at[title] = k
		}
	}
	if header, err = t.assign(opt); err != nil {
		return false, err
	}
	t.needed = len(opt.Titles) > 0 && len(t.features) == len(featureTitles(opt.Titles, opt.Known))
	if !header {
		t.titles = nil
		return false, nil
	}
	left := make([]bool, t.columns)
	for k := range left {
		left[k] = k != t.id
	}
	for _, k := range t.features {
		t.dims, left[k] = append(t.dims, t.titles[k]), false
	}
	for k, left := range left {
		if left {
			t.left = append(t.left, t.titles[k])
		}
	}
	return true, nil
}

// assign finds the features and the id column.
func (t *table) assign(opt *Options) (header bool, err error) {
	name := opt.name()
	if opt.Header == HeaderNo && name != "" {
		return false, t.errorf("the column %s has a name, which a file without a header cannot have", lines.Quote([]byte(name)))
	}
	// A line that has the titles expected is a header, be they numbers.
	titled := opt.Header == HeaderYes || opt.Header != HeaderNo && (name != "" || t.hasAll(featureTitles(opt.Titles, opt.Known))) ||
		opt.Header == HeaderLabels && lines.NumberTitles(t.titles)
	out, known, err := t.without(opt, titled)
	if err != nil {
		return false, err
	}
	if err := t.choose(opt, out, titled); err != nil {
		return false, err
	}
	if err := t.startCategories(opt, titled); err != nil {
		return false, err
	}
	switch {
	case opt.Header == HeaderNo:
		return false, nil
	case titled || known:
		header = true
	case opt.Header == HeaderLabels && slices.ContainsFunc(t.titles, func(title string) bool { return lines.IsLabelTitle([]byte(title)) }):
		header = true
	default:
		if header, err = t.isHeader(); err != nil {
			return false, err
		}
	}
	for k, title := range t.titles {
		if header && slices.Contains(t.features, k) && (k == 0 && title == "" || lines.IsOldIndex([]byte(title))) {
			return false, t.errorf("column %d has the title %s, as an index of rows that pandas or R wrote, which is no feature: write the file with index=False (R: row.names=FALSE), or say vecs.Options.IDColumn %d if it names the points, else vecs.Options.Without %d", k+1, lines.Quote([]byte(title)), k+1, k+1)
		}
	}
	if header && len(opt.Titles) > 0 {
		return true, t.arrange(featureTitles(opt.Titles, opt.Known))
	}
	return header, nil
}

// name returns a column that the options call by a title which is no number, if any.
func (o *Options) name() string {
	for _, column := range slices.Concat([]string{o.IDColumn}, o.Without, o.Columns, o.Categories) {
		if column != "" && !isNumber(column) {
			return column
		}
	}
	return ""
}

// without finds the id column and those that are no features, and reports whether a name
// that the file need not have is there.
func (t *table) without(opt *Options, titled bool) (out []bool, known bool, err error) {
	out = make([]bool, t.columns)
	if opt.IDColumn != "" {
		if t.id, err = t.find(opt.IDColumn, titled); err != nil {
			return nil, false, err
		}
		t.ids = ids.NewTable()
		out[t.id] = true
	}
	for _, column := range opt.Without {
		k, err := t.find(column, titled)
		if err != nil {
			return nil, false, err
		}
		out[k] = true
	}
	for _, title := range opt.Optional {
		if k, ok := t.at[title]; ok && (titled || !isNumber(title)) && !slices.Contains(opt.Columns, title) {
			out[k], known = true, true
		}
	}
	return out, known, nil
}

// choose makes features of the columns of opt.Columns, or of all that are not out.
func (t *table) choose(opt *Options, out []bool, titled bool) error {
	chosen := make([]bool, t.columns)
	for _, column := range opt.Columns {
		k, err := t.find(column, titled)
		if err != nil {
			return err
		}
		if out[k] {
			return t.errorf("column %s is to be a feature, but it holds ids or labels, or is to be left out", lines.Quote([]byte(column)))
		}
		if !chosen[k] {
			chosen[k], t.features = true, append(t.features, k)
		}
	}
	for k := range chosen {
		if len(opt.Columns) == 0 && !out[k] {
			t.features = append(t.features, k)
		}
	}
	return nil
}

// find returns a column by number or by name.
func (t *table) find(column string, titled bool) (int, error) {
	k, err := lines.FindColumn(t.titles, column, titled, t.where)
	if err != nil {
		return 0, t.errorf("%v", err)
	}
	return k, nil
}

// order returns the columns among some that have the titles, the first with a title that
// comes first, and the titles that none is left for.
func (t *table) order(titles []string, among []int) (order []int, missing []string) {
	columns := map[string][]int{}
	for _, k := range among {
		columns[t.titles[k]] = append(columns[t.titles[k]], k)
	}
	for _, title := range titles {
		if left := columns[title]; len(left) > 0 {
			order, columns[title] = append(order, left[0]), left[1:]
		} else {
			missing = append(missing, title)
		}
	}
	return order, missing
}

// hasAll reports whether the first line has all of some titles.
func (t *table) hasAll(titles []string) bool {
	_, missing := t.order(titles, rows.InOrder[int](t.columns))
	return len(titles) > 0 && len(missing) == 0
}

// arrange puts the features in the order of the titles; they must have all of them.
func (t *table) arrange(titles []string) error {
	order, missing := t.order(titles, t.features)
	taken := make([]bool, t.columns)
	for _, k := range order {
		taken[k] = true
	}
	var found, unknown []string
	another := 0 // the first of them
	for _, k := range t.features {
		found = append(found, t.titles[k])
		if taken[k] {
			continue
		}
		if unknown == nil {
			another = k
		}
		unknown = append(unknown, t.titles[k])
	}
	if len(missing)+len(unknown) == 0 {
		t.features = order
		return nil
	}
	var faults strings.Builder
	if len(missing) > 0 {
		faults.WriteString("; missing: " + lines.Titles(missing))
	}
	if len(unknown) > 0 {
		column := t.column(another)
		faults.WriteString("; unknown: " + lines.Titles(unknown))
		if t.id < 0 {
			faults.WriteString("; if it names the points, say vecs.Options.IDColumn " + column + ", if it is no feature, vecs.Options.Without " + column)
		} else {
			faults.WriteString("; if it is no feature, say vecs.Options.Without " + column)
		}
	}
	return t.errorf("columns %s, expected those of vecs.Options.Titles, in any order: %s%s", lines.Titles(found), lines.Titles(titles), &faults)
}

// column returns what an option calls column k: by its title, unless it has none, an earlier column has it, it could be
// a number, or is split where columns are listed with commas.
func (t *table) column(k int) string {
	if t.titles == nil || t.titles[k] == "" || strings.ContainsAny(t.titles[k], `,"`) || isNumber(t.titles[k]) || slices.Index(t.titles, t.titles[k]) < k {
		return strconv.Itoa(k + 1)
	}
	return lines.Quote([]byte(t.titles[k]))
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// isHeader decides by the fields of the first line that are to be features.
func (t *table) isHeader() (bool, error) {
	if t.numbered() {
		return true, nil
	}
	text, number := -1, -1
	for at, k := range t.features {
		f := t.scanner.Fields()[k]
		_, truth := truth(f)
		switch {
		case t.categorical(at): // words and numbers are values
		case t.imputes() && isMissing(f):
		case numtext.IsNumber(f) || truth || isDecimalComma(f) || isGrouped(f):
			number = k
		case isIndexed(f) && number >= 0:
			return false, t.errorf("column %d is %s, as in files of libsvm: say vecs.Options.Format libsvm", k+1, lines.Quote(f))
		case text < 0 && len(f) > 0:
			text = k
		}
	}
	if text >= 0 && number >= 0 {
		column, field := strconv.Itoa(text+1), t.scanner.Fields()[text]
		category := ""
		if isWord(field) {
			category = ", if it holds categories, vecs.Options.Categories " + column
		}
		return false, &ColumnError{Column: column, Err: t.errorf("column %s is %s and column %d a number, expected numbers, or names in a header; if column %s names the points, say vecs.Options.IDColumn %s%s, if it is no feature, vecs.Options.Without %s", column, lines.Quote(field), number+1, column, column, category, column)}
	}
	return text >= 0, nil
}

// isIndexed reports whether a field is an index and a number, as of libsvm.
func isIndexed(field []byte) bool {
	index, value, found := strings.Cut(string(field), ":")
	return found && isNumber(index) && numtext.IsNumber([]byte(value))
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
