package labelparquet

import (
	"io"
	"iter"
	"strconv"

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
