package labelparquet

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
)

// Read reads labels of the nodes in the table from a file of size bytes. The
// columns are those named; empty means id or node, label, and weight where there
// is one. A row whose label is null or empty is of a node without one; rows
// count from 1 in messages. The file name is for messages.
func Read(r io.ReaderAt, name string, size int64, nodes *ids.Table, columns labelfile.Columns, opt labelfile.Options) (*labelfile.Labels, error) {
	table, err := parquet.Open(r, name, size)
	if err != nil {
		return nil, err
	}
	has := table.Columns()
	pick := func(named string, known ...string) string {
		for _, one := range known {
			if named == "" && slices.Contains(has, one) {
				return one
			}
		}
		return named
	}
	var at []int
	var read []string
	for k, column := range []string{cmp.Or(pick(columns.ID, "id", "node"), "id"), cmp.Or(pick(columns.Label, "label"), "label"), cmp.Or(columns.Weight, parquet.WeightOf(has))} {
		if k == 2 && column == "" {
			break
		}
		found, err := lines.FindColumn(has, column, true, " of "+[3]string{"node ids", "labels", "weights"}[k])
		if err != nil {
			return nil, &lines.Error{File: name, Msg: err.Error()}
		}
		at, read = append(at, found), append(read, has[found])
	}
	if at[0] == at[1] {
		return nil, &lines.Error{File: name, Msg: fmt.Sprintf("column %s holds both ids and labels, expected two columns: say which holds ids, with labelfile.Columns.ID", lines.Quote([]byte(read[0])))}
	}
	if len(at) == 2 {
		at = append(at, -1)
	}
	c := labelfile.NewCollector(name, nodes, opt)
	c.NoteColumns(has, columns, at...)
	err = table.Read(read, func(line int, values []parquet.Value) error {
		fault := func(k int, expected string) error {
			return &lines.Error{File: name, Line: line, Msg: fmt.Sprintf("%s %s, expected %s", read[k], lines.Quote([]byte(values[k].String())), expected)}
		}
		text := values[1].String()
		label := strings.Trim(text, lines.Blanks)
		switch v := values[1]; {
		case v.Kind == parquet.Null || label == "":
			c.Blank()
			return nil
		case v.Kind == parquet.Float && math.IsNaN(v.Float):
			c.Note(notes.NoLabels, 1, line, "nan")
			c.Blank()
			return nil
		case v.Kind == parquet.Float && (v.Float != math.Trunc(v.Float) || math.Abs(v.Float) > 1<<53):
			return fault(1, "a whole number or text")
		case v.Kind == parquet.Float: // as pandas makes of whole numbers where one is missing
			c.Note(notes.WholeLabels, 1, line, text)
			label = strconv.FormatInt(int64(v.Float), 10)
		case label != text:
			c.Note(notes.TrimmedLabels, 1, line, text)
		}
		switch {
		case values[0].Kind != parquet.Int && values[0].Kind != parquet.Text || strings.Trim(values[0].String(), lines.Blanks) == "":
			return fault(0, "a whole number or text")
		}
		weight := 1.0
		if len(read) == 3 {
			w := values[2]
			if weight = w.Float; w.Kind != parquet.Int && w.Kind != parquet.Float || !(weight >= 0 && weight <= math.MaxFloat64) {
				return fault(2, "a number of at least 0")
			}
		}
		return c.Add([]byte(strings.Trim(values[0].String(), lines.Blanks)), []byte(label), weight, len(read) == 3, line)
	})
	if err != nil {
		return nil, err
	}
	return c.Labels()
}

// predicted are the columns that [Write] writes.
var predicted = []string{"node", "label", "confidence", "margin", "status"}

// ReadPredictions reads a file that [Write] wrote.
func ReadPredictions(r io.ReaderAt, name string, size int64) (out []labelfile.Prediction, err error) {
	table, err := parquet.Open(r, name, size)
	if err != nil {
		return nil, err
	}
	has := table.Columns()
	for _, column := range predicted {
		if !slices.Contains(has, column) {
			return nil, &lines.Error{File: name, Msg: "no column " + strconv.Quote(column) + ", expected node, label, confidence, margin and status"}
		}
	}
	err = table.Read(predicted, func(line int, values []parquet.Value) error {
		p := labelfile.Prediction{Node: values[0].String(), Status: values[4].String(), Confidence: values[2].Float, Margin: values[3].Float, Line: line}
		if values[1].Kind != parquet.Null {
			p.Label = values[1].String()
		}
		for k, kind := range []parquet.Kind{values[0].Kind, values[4].Kind} {
			if kind != parquet.Text && (k == 1 || kind != parquet.Int) {
				return &lines.Error{File: name, Line: line, Msg: fmt.Sprintf("node %s, status %s, expected a whole number or text, and text", lines.Quote([]byte(p.Node)), lines.Quote([]byte(p.Status)))}
			}
		}
		for k := 2; k < 4; k++ {
			if v := values[k]; v.Kind != parquet.Float && v.Kind != parquet.Int {
				return &lines.Error{File: name, Line: line, Msg: fmt.Sprintf("%s %s, expected a number", predicted[k], lines.Quote([]byte(v.String())))}
			}
		}
		if err := p.Check(); err != nil {
			return &lines.Error{File: name, Line: line, Msg: err.Error()}
		}
		out = append(out, p)
		return nil
	})
	return out, err
}
