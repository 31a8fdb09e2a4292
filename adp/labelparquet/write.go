package labelparquet

import (
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
)

// ErrName is wrapped when the name of a node or class cannot be written.
var ErrName = lines.ErrName

// row is a prediction, of a node and with a label that are numbers or text.
type row[ID, Label int64 | string] struct {
	Node       ID      `parquet:"node"`
	Label      *Label  `parquet:"label,optional,dict"`
	Confidence float32 `parquet:"confidence"`
	Margin     float32 `parquet:"margin"`
	Status     string  `parquet:"status,dict"`
}

// Write writes predictions as the columns node, label, confidence, margin and
// status; a node without a label has null there. The rows are gone through
// twice. Nodes, and labels, are whole
// numbers where all are plain integers, else text. An id or a label that
// [labelfile.Write] would refuse is an [ErrName].
func Write(w io.Writer, all iter.Seq[labelfile.Prediction]) error {
	nodes, labels := true, true
	for p := range all {
		if err := lines.CheckName([]byte(p.Node), '\n'); err != nil {
			return err
		}
		_, plain := ids.Plain([]byte(p.Node))
		nodes = nodes && plain
		if p.Label == "" {
			continue
		}
		if err := lines.CheckName([]byte(p.Label), '\n'); err != nil {
			return err
		}
		_, plain = ids.Plain([]byte(p.Label))
		labels = labels && plain
	}
	switch {
	case nodes && labels:
		return write(w, all, number, number)
	case nodes:
		return write(w, all, number, text)
	case labels:
		return write(w, all, text, number)
	}
	return write(w, all, text, text)
}

// Writer writes the labels of nodes that come in pieces, as [labelfile.Writer] does; it holds them until Flush, because
// the columns have the types of all rows.
type Writer struct {
	out     io.Writer
	classes []string
	all     []labelfile.Prediction
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer, classes []string) *Writer { return &Writer{out: w, classes: classes} }

// Add takes the labels of a result, whose node i is node from+i of the table. Fewer names than nodes, and other numbers
// of classes, panic.
func (w *Writer) Add(result *adp.Result, nodes *ids.Table, from int) error {
	labelfile.CheckNames(result, nodes.Len()-from, len(w.classes))
	for p := range labelfile.Predictions(result, nodes, w.classes) {
		p.Node = nodes.Name(from)
		from++
		if err := w.add(p); err != nil {
			return err
		}
	}
	return nil
}

// AddPredictions takes rows. A node may have several.
func (w *Writer) AddPredictions(rows iter.Seq[labelfile.Prediction]) error {
	for p := range rows {
		if err := w.add(p); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) add(p labelfile.Prediction) error {
	w.all = append(w.all, p)
	return lines.CheckName([]byte(p.Node), '\n')
}

// Flush writes the file.
func (w *Writer) Flush() error { return Write(w.out, slices.Values(w.all)) }

func text(s string) string { return s }

// number returns the value of a plain integer.
func number(s string) int64 {
	v, _ := strconv.ParseInt(s, 10, 64)
	return v
}

func write[ID, Label int64 | string](w io.Writer, all iter.Seq[labelfile.Prediction], id func(string) ID, label func(string) Label) error {
	out := parquet.NewWriter[row[ID, Label]](w)
	for p := range all {
		r := row[ID, Label]{Node: id(p.Node), Confidence: float32(p.Confidence), Margin: float32(p.Margin), Status: p.Status}
		if p.Label != "" {
			l := label(p.Label)
			r.Label = &l
		}
		if err := out.Add(r); err != nil {
			return err
		}
	}
	return out.Close()
}
