// Package vecparquet reads features from tables in Parquet files: a point a row, a
// dimension a column. Which columns are features is said as for csv files, by
// [vecs.Options], with numbers that count the columns which are not nested; Format, Array and
// Header are not looked at.
//
// Columns are of whole numbers, other numbers or truth values (1 and 0), in pages that are not compressed
// or by snappy, gzip or zstd. A null and a text are errors, as an empty field and a text of a csv
// file are; so is a column of lists, such as an embedding, that is not left out.
package vecparquet

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// Read reads features from a file of size bytes. Rows count from 1 in messages. The
// file name is for messages.
//
// Memory: 4 bytes a value, the names of the points, and a page of each column, at most 256 MiB,
// some hundred KiB in most files. Errors: [vecs.ErrSyntax], [vecs.ErrMemory].
func Read(r io.ReaderAt, name string, size int64, opt vecs.Options) (*vecs.Features, error) {
	file, err := parquet.Open(r, name, size)
	if err != nil {
		return nil, err
	}
	titles := file.Columns()
	seen := map[string]bool{}
	for _, title := range titles {
		if seen[title] {
			return nil, &lines.Error{File: name, Msg: fmt.Sprintf("two columns are called %s, expected one", lines.Quote([]byte(title)))}
		}
		seen[title] = true
	}
	nested := file.Nested()
	if err := checkNested(name, nested, &opt); err != nil {
		return nil, err
	}
	opt.Without = slices.DeleteFunc(slices.Clone(opt.Without), func(column string) bool { return slices.Contains(nested, column) })
	table, err := vecs.NewTable(name, titles, opt)
	if err != nil {
		return nil, err
	}
	picked := table.Columns()
	columns := make([]string, len(picked))
	for k, column := range picked {
		columns[k] = titles[column]
	}
	if err := checkIndex(name, columns, &opt); err != nil {
		return nil, err
	}
	cells := make([]vecs.Cell, len(columns))
	if err := file.Read(columns, func(row int, values []parquet.Value) error {
		for k, v := range values {
			cells[k] = cell(v, opt.IDColumn != "" && k == len(values)-1)
		}
		return table.Add(row, cells)
	}); err != nil {
		return nil, orWithout(err)
	}
	f, err := table.Features()
	if err == nil {
		f.Notes.Add(notes.Columns, len(nested), 0, strings.Join(nested[:min(1, len(nested))], ""))
	}
	return f, err
}

// orWithout adds what to do to the error of a column whose type holds no numbers.
func orWithout(err error) error {
	var fault *lines.Error
	if errors.As(err, &fault) && fault.Line == 0 && strings.Contains(fault.Msg, " is of type ") {
		return &lines.Error{File: fault.File, Msg: fault.Msg + "; if it is no feature, leave it out by vecs.Options.Without"}
	}
	return err
}

// cell returns a value as one of a table; ids are texts.
func cell(v parquet.Value, id bool) vecs.Cell {
	switch {
	case v.Kind == parquet.Null:
		return vecs.Cell{IsText: true}
	case v.Kind == parquet.Text:
		text := v.Text
		if id {
			text = []byte(strings.Trim(string(text), lines.Blanks))
		}
		return vecs.Cell{Text: text, IsText: true}
	case v.Kind == parquet.Int && id:
		return vecs.Cell{Text: strconv.AppendInt(nil, v.Int, 10), IsText: true}
	}
	return vecs.Cell{Number: v.Float}
}

// checkNested refuses columns that hold no number in each row, unless they are left out, and
// titles that [vecs.NewTable] would refuse.
func checkNested(name string, nested []string, opt *vecs.Options) error {
	for _, column := range nested {
		if !lines.IsTitle(column) {
			return &lines.Error{File: name, Msg: fmt.Sprintf("a nested column has the title %s, expected UTF-8 without control characters", lines.Quote([]byte(column)))}
		}
		out := slices.Contains(opt.Without, column) || len(opt.Columns) > 0 && !slices.Contains(opt.Columns, column)
		if !out && !slices.Contains(opt.Optional, column) {
			quoted := lines.Quote([]byte(column))
			return &vecs.ColumnError{Column: quoted, Err: &lines.Error{File: name, Msg: fmt.Sprintf("column %s is nested, expected a number in each row; of lists that are equally long Python makes a file: numpy.save(\"x.npy\", numpy.stack(pandas.read_parquet(%s)[%s])); if it is no feature, say vecs.Options.Without %s", quoted, lines.Quote([]byte(name)), quoted, quoted)}}
		}
	}
	return nil
}

// checkIndex refuses the index of rows that pandas writes as a feature.
func checkIndex(name string, columns []string, opt *vecs.Options) error {
	if opt.IDColumn != "" {
		columns = columns[:len(columns)-1]
	}
	for _, column := range columns {
		if strings.HasPrefix(column, "__index_level_") && !slices.Contains(opt.Columns, column) {
			quoted := lines.Quote([]byte(column))
			return &lines.Error{File: name, Msg: fmt.Sprintf("column %s is the index of rows that pandas wrote, which is no feature: say vecs.Options.IDColumn %s if it names the points, else vecs.Options.Without %s", quoted, quoted, quoted)}
		}
	}
	return nil
}
