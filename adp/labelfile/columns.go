package labelfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/bounded"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Columns names the columns of a table that hold the labels. Names are those of the first line; a
// whole number is the number of a column from 1, unless a column has that name.
type Columns struct {
	Label string
	// ID is the column of node ids. Empty means the first one, or with Rows none: rows are then the
	// nodes in the order that Options.Rows says, and each has a row.
	ID     string
	Rows   bool
	Weight string // empty: all are 1
	// Shared says that the other columns are for another reader, such as that of features. Otherwise
	// they are noted.
	Shared bool
	// Untitled says that the first line is a row, and columns have numbers.
	Untitled bool
}

var errRow = fmt.Errorf("a row longer than %d bytes", lines.MaxLine)

// ReadColumns reads labels from a csv file with a header, as pandas and spreadsheets write it:
// fields between commas, tabs or semicolons, whichever comes first in the first line; quoted if
// they contain one of these, a quote or a line end (RFC 4180). There are no comments unless
// Options.Comments says what they start with. A row with an empty label means a
// node without one. Rows have as many fields as the first, and are at most 1 MiB long.
func ReadColumns(r io.Reader, file string, nodes *ids.Table, columns Columns, opt Options) (*Labels, error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	filter, err := newUncomment(plain, opt.Comments)
	if err != nil {
		return nil, err
	}
	in := bounded.NewReader(filter, lines.MaxLine, errRow)
	t := table{file: file, in: in, csv: csv.NewReader(in), other: -1, Collector: NewCollector(file, nodes, opt)}
	t.csv.ReuseRecord = true
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	if err := t.find(header, columns); err != nil {
		return nil, err
	}
	t.NoteColumns(header, columns, t.id, t.label, t.weight)
	if t.id >= 0 && !columns.Untitled {
		t.Collector.header([]byte(header[t.id]))
	}
	var rows []rowLabel // without ids: of which nodes they are, their number says
	for first := columns.Untitled; ; first = false {
		fields := header
		if !first {
			fields, err = t.next()
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		one, err := t.read(fields)
		if err == nil && t.id >= 0 {
			err = t.add(one)
		}
		if err != nil {
			return nil, err
		}
		if t.id < 0 {
			rows = append(rows, one)
		}
	}
	title := header[t.label]
	if columns.Untitled {
		defer t.doubtFirst(title)
		title = ""
	}
	if t.id < 0 {
		if err := t.addRows(rows, title, columns.Shared); err != nil {
			return nil, err
		}
	}
	if t.other >= 0 && t.differs {
		t.doubtFirstColumn(titlesOf(header), t.other)
	}
	t.out.Notes.Add(notes.Comments, filter.count, filter.first, "")
	return t.Labels()
}

// doubtFirst notes a first row that may be titles: its label is a word that no other has, while all others are
// those of two rows or more.
func (t *table) doubtFirst(label string) {
	count := map[uint32]int{}
	for _, s := range t.out.Seeds {
		count[s.Class]++
	}
	once := 0
	for _, n := range count {
		if n == 1 {
			once++
		}
	}
	class := slices.Index(t.out.Classes, label)
	if _, isNumber := numberOf(label); class < 0 || isNumber || once > 1 || len(count) < 2 || count[uint32(class)] > 1 {
		return
	}
	t.out.Notes.Doubt(notes.NumberedRow, 1, 1, label, "if it is a header, say labelfile.Columns.Label "+label)
}

// rowLabel is the label of a row.
type rowLabel struct {
	id, label string
	weight    float64
	line      int
}

// addRows adds labels without ids.
func (t *table) addRows(rows []rowLabel, title string, shared bool) error {
	if err := t.setOrder(len(rows), shared); err != nil {
		return err
	}
	for k := range rows {
		rows[k].id = string(t.row(k))
		if k >= t.unnamed() {
			break
		}
		if err := t.add(rows[k]); err != nil {
			return err
		}
	}
	t.noteRows(len(rows))
	return t.endRows(len(rows), title, shared)
}

// endRows refuses rows without ids that are not those of the nodes, and records a header that may be one of
// them.
func (t *table) endRows(rows int, title string, shared bool) error {
	if n := t.unnamed(); rows != n {
		below := ""
		if rows == n-1 && t.byNumber && title != "" {
			below = " below the first line, which was read as titles"
		}
		of := "node of " + t.owner()
		switch {
		case shared:
			of = "point of the features"
		case n < t.nodes.Len():
			of = fmt.Sprintf("row of the features (%d more nodes have no row)", t.nodes.Len()-n)
		}
		return t.errorf(0, "%d rows%s, expected %d, one for each %s: say which column holds ids, labelfile.Columns.ID; if lines are comments, say what they start with, Options.Comments '#'", rows, below, n, of)
	}
	if _, ok := t.classes.Lookup([]byte(title)); ok {
		t.out.Stats.HeaderData = title
	}
	return t.checkRows(rows)
}

// table reads a csv file into a collector.
type table struct {
	*Collector
	file              string
	in                *bounded.Reader
	csv               *csv.Reader
	id, label, weight int // columns, -1 for none
	// other is a column that may hold the ids in the place of the first, -1 for none: so far it has nodes alone.
	other    int
	differs  bool // it has another node than the first column
	line     int  // of the row that was read last
	byNumber bool // the column of labels was named by its number
	// blanks says that the first line has blanks and no separator.
	blanks bool
}

// header sets the separator and returns the first line.
func (t *table) header() ([]string, error) {
	separator := ','
	head := t.in.Peek()
	if wide := lines.Wide([]byte(head[:min(len(head), 4)])); wide != "" {
		return nil, t.errorf(1, "this looks like %s, expected UTF-8, such as by %s", wide, lines.ToUTF8(wide))
	}
	if text := lines.TrimMark([]byte(head)); len(text) < len(head) {
		for range len(head) - len(text) { // before a quote it would belong to the field
			if _, err := t.in.ReadByte(); err != nil {
				return nil, err
			}
		}
		head = string(text)
	}
	first, _, _ := strings.Cut(head, "\n")
	if other := lines.Other([]byte(strings.TrimSuffix(first, "\r"))); other != "" {
		return nil, t.errorf(1, "%s", other)
	}
	if at := strings.IndexAny(head, "\t,;\n"); at >= 0 && head[at] != '\n' {
		separator = rune(head[at])
	} else {
		t.blanks = strings.Contains(first, " ")
	}
	t.csv.Comma = separator
	fields, err := t.next()
	if err == io.EOF {
		return nil, t.errorf(1, "empty, expected a line with the names of columns")
	}
	if err != nil {
		return nil, err
	}
	fields = slices.Clone(fields)
	for k, f := range fields {
		fields[k] = strings.Trim(f, lines.Blanks)
	}
	return fields, nil
}

// next returns the next row.
func (t *table) next() ([]string, error) {
	t.in.Next()
	fields, err := t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == nil:
		t.line, _ = t.csv.FieldPos(0)
		return fields, nil
	case err == io.EOF:
		return nil, err
	case errors.Is(err, csv.ErrFieldCount):
		line, _ := t.csv.FieldPos(0)
		return nil, t.errorf(line, "%s, expected %d as in the first line", lines.Columns(len(fields)), t.csv.FieldsPerRecord)
	case errors.As(err, &parse):
		return nil, t.errorf(parse.Line, "%v, expected fields that are quoted as in RFC 4180%s", parse.Err, t.orBlanks())
	case errors.Is(err, errRow):
		return nil, t.errorf(t.line+1, "%v", err)
	}
	return nil, &lines.ReadError{File: t.file, Line: t.line + 1, Err: err}
}

// find finds the columns.
func (t *table) find(header []string, columns Columns) (err error) {
	t.id, t.weight = -1, -1
	if t.label, err = t.column(header, columns.Label, !columns.Untitled); err != nil {
		return err
	}
	t.byNumber = columns.Label != header[t.label]
	switch {
	case columns.ID != "":
		t.id, err = t.column(header, columns.ID, !columns.Untitled)
	case !columns.Rows && len(header) > 2 && lines.IsIndex([]byte(header[0])):
		err = t.errorf(1, "column 1 has the title %s, as an index of rows that pandas or R wrote: say which column holds ids, labelfile.Columns.ID 1 for this one", lines.Quote([]byte(header[0])))
	case columns.Rows:
		t.expected = "rows of nodes 0, 1, …"
	default:
		t.id, err = 0, t.checkFirst(header)
		t.other = t.otherIDs(header)
	}
	if err == nil && columns.Weight != "" {
		t.weight, err = t.column(header, columns.Weight, !columns.Untitled)
	}
	if err == nil && t.label == t.id {
		err = t.errorf(1, "column %s holds both ids and labels, expected two columns: say which holds ids, with labelfile.Columns.ID", lines.Quote([]byte(header[t.id])))
	}
	return err
}

// checkFirst refuses a first column as that of ids where it is a feature. One whose title does not say that
// it holds ids is noted.
func (t *table) checkFirst(titles []string) error {
	title := titles[0]
	id := slices.IndexFunc(titles, isIDTitle)
	const otherwise = "labelfile.Columns.ID says which column does, labelfile.Columns.Rows that rows are the nodes in their order"
	field := []byte(title)
	switch {
	case slices.Contains(t.opt.Features, title) && !lines.IsIDTitle(field) && !lines.MayBeIDTitle(field):
		return t.errorf(1, "column 1, %s, holds ids if no other is said to, but it is a feature: if it names the points, say so of the features; else %s", lines.Quote(field), otherwise)
	case !lines.IsIDTitle(field) && !lines.MayBeIDTitle(field) && !lines.IsIndex(field):
		switch {
		case t.isNode(field): // a header that is data has a warning
		case id > 0 && id != t.label:
			t.doubtFirstColumn(titlesOf(titles), id)
		default:
			t.out.Notes.Add(notes.IDColumn, 1, 0, title)
		}
		t.orIDs = "; ids are those of column " + lines.Quote(field) + ": if it holds none, " + otherwise
		t.expected += t.orIDs
	}
	return nil
}

func isIDTitle(title string) bool { return lines.IsIDTitle([]byte(title)) }

// otherIDs returns a column whose title is of ids too, if that of the first one may be of a number of rows: index, or
// none of ids. It returns -1 if there is none, and if a note says so already.
func (t *table) otherIDs(titles []string) int {
	first := []byte(titles[0])
	if isIDTitle(titles[0]) && !lines.IsIndexTitle(first) || lines.MayBeIDTitle(first) || len(t.out.Notes.Doubtful()) > 0 {
		return -1
	}
	for _, is := range []func(string) bool{isIDTitle, func(title string) bool { return lines.MayBeIDTitle([]byte(title)) }} {
		for k, title := range titles {
			if k > 0 && k != t.label && is(title) && !slices.Contains(t.opt.Features, title) {
				return k
			}
		}
	}
	return -1
}

// doubtFirstColumn notes that the first column was read as ids, where another one may hold them.
func (t *table) doubtFirstColumn(titles [][]byte, other int) {
	t.out.Notes.Drop(notes.IDColumn)
	t.out.Notes.Doubt(notes.IDColumn, 1, 0, string(titles[0]), "if column "+lines.Quote(titles[other])+" holds ids, say labelfile.Columns.ID "+columnName(titles, other))
}

// titlesOf returns titles as bytes.
func titlesOf(titles []string) (out [][]byte) {
	for _, title := range titles {
		out = append(out, []byte(title))
	}
	return out
}

// NoteColumns notes the columns that are not read. One that has the title of weights is a doubt, if
// no other has them.
func (c *Collector) NoteColumns(titles []string, columns Columns, read ...int) {
	var left []string
	advice := ""
	for k, title := range titles {
		if columns.Shared || slices.Contains(read, k) {
			continue
		}
		left = append(left, title)
		if strings.EqualFold(title, "weight") && read[len(read)-1] < 0 {
			advice = "if it holds the weights of labels, say labelfile.Columns.Weight " + title
		}
	}
	if text := strings.Join(left, ", "); advice == "" {
		c.out.Notes.Add(notes.Columns, len(left), 0, text)
	} else {
		c.out.Notes.Doubt(notes.Columns, len(left), 0, text, advice)
	}
}

// column returns the number of a column, from 0.
func (t *table) column(header []string, name string, titled bool) (int, error) {
	k, err := lines.FindColumn(header, name, titled, " in the first line")
	if err != nil {
		return 0, t.errorf(1, "%v%s", err, t.orBlanks())
	}
	return k, nil
}

// orBlanks is advice about a first line without separators, where blanks may be meant for such.
func (t *table) orBlanks() string {
	if !t.blanks {
		return ""
	}
	return "; blanks separate no columns here: write the file with commas (R: write.csv; pandas: to_csv)"
}

// read reads the label of a row. An empty one is none.
func (t *table) read(fields []string) (one rowLabel, err error) {
	one = rowLabel{label: strings.Trim(fields[t.label], lines.Blanks), weight: 1, line: t.line}
	if t.id >= 0 {
		one.id = strings.Trim(fields[t.id], lines.Blanks)
	}
	for k, text := range [2]string{one.id, one.label} {
		what := [2]string{"node id", "label"}[k]
		if !utf8.ValidString(text) || strings.ContainsFunc(text, lines.IsControl) {
			return one, t.errorf(one.line, "%s %s, expected UTF-8 without control characters", what, lines.Quote([]byte(text)))
		}
	}
	switch {
	case one.label == "":
		return one, nil
	case one.id == "" && t.id >= 0:
		return one, t.errorf(one.line, "empty node id in column %d", t.id+1)
	}
	if t.other >= 0 {
		id := []byte(strings.Trim(fields[t.other], lines.Blanks))
		t.differs = t.differs || string(id) != one.id
		if !t.isNode(id) {
			t.other = -1
		}
	}
	if t.weight >= 0 {
		if one.weight, err = lines.ParseWeight([]byte(strings.Trim(fields[t.weight], lines.Blanks))); err != nil {
			return one, t.errorf(one.line, "%v", err)
		}
	}
	return one, nil
}

// add adds the label of a row.
func (t *table) add(one rowLabel) error {
	if one.label == "" {
		t.Blank()
		return nil
	}
	return t.Add([]byte(one.id), []byte(one.label), one.weight, t.weight >= 0, one.line)
}
