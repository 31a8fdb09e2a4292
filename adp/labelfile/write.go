package labelfile

import (
	"bufio"
	"io"
	"iter"
	"strconv"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// ErrName is wrapped when the name of a node or class cannot be written.
var ErrName = lines.ErrName

// Writer writes labels, a row a node: `node label confidence margin status`,
// separated by tabs, after a header. The label of an unreached node is empty.
// With proba, a column for each class follows: the rows of F, scaled to sum 1.
//
// A node or class with a name that would not come back from the file is an
// [ErrName]: one that is empty or not UTF-8, has a tab, a line end or another
// control byte in it, or a blank at an end.
type Writer struct {
	out     *bufio.Writer
	classes []string
	proba   bool
	line    []byte
}

// NewWriter writes the header to w.
func NewWriter(w io.Writer, classes []string, proba bool) (*Writer, error) {
	for _, name := range classes {
		if err := lines.CheckName([]byte(name), '\t'); err != nil {
			return nil, err
		}
	}
	out := bufio.NewWriterSize(w, 1<<20)
	line := []byte("node\tlabel\tconfidence\tmargin\tstatus")
	if proba {
		for _, name := range classes {
			line = append(append(line, '\t'), name...)
		}
	}
	_, err := out.Write(append(line, '\n'))
	return &Writer{out, classes, proba, line}, err
}

// Add writes the labels of a result, whose node i is node from+i of the table.
func (w *Writer) Add(result *adp.Result, nodes *ids.Table, from int) error {
	for i, label := range result.Labels {
		line := nodes.AppendName(w.line[:0], from+i)
		if err := lines.CheckName(line, '\t'); err != nil {
			return err
		}
		line = append(line, '\t')
		if label >= 0 {
			line = append(line, w.classes[label]...)
		}
		line = appendShare(line, result.Confidence[i])
		line = appendShare(line, result.Margin[i])
		line = append(append(line, '\t'), result.Status[i].String()...)
		if w.proba {
			line = appendRow(line, result.F.Row(i))
		}
		w.line = append(line, '\n')
		if _, err := w.out.Write(w.line); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes what is left. It must be called in the end.
func (w *Writer) Flush() error { return w.out.Flush() }

// Write writes the labels of a result in the order of the table, see [Writer].
func Write(w io.Writer, result *adp.Result, nodes *ids.Table, classes []string, proba bool) error {
	to, err := NewWriter(w, classes, proba)
	if err != nil {
		return err
	}
	if err := to.Add(result, nodes, 0); err != nil {
		return err
	}
	return to.Flush()
}

func appendShare(line []byte, v float32) []byte {
	return strconv.AppendFloat(append(line, '\t'), float64(v), 'f', 6, 32)
}

func appendRow(line []byte, row []float32) []byte {
	sum := 0.0
	for _, v := range row {
		sum += float64(v)
	}
	if sum == 0 {
		sum = 1
	}
	for _, v := range row {
		line = appendShare(line, float32(float64(v)/sum))
	}
	return line
}

// Predictions returns the rows that [Write] writes.
func Predictions(result *adp.Result, nodes *ids.Table, classes []string) iter.Seq[Prediction] {
	return func(yield func(Prediction) bool) {
		for i, label := range result.Labels {
			p := Prediction{Node: nodes.Name(i), Confidence: float64(result.Confidence[i]), Margin: float64(result.Margin[i]), Status: result.Status[i].String()}
			if label >= 0 {
				p.Label = classes[label]
			}
			if !yield(p) {
				return
			}
		}
	}
}

// MultiPredictions returns a row for each label of each node, in the order of
// [multilabel.Sets.Of]: the confidence is the label's share, the margin its
// excess above the threshold, which may be below 0 for a seed, for seeds have
// the labels that they were given. A node without a label has one row without.
func MultiPredictions(result *adp.Result, sets *multilabel.Sets, seeds *diffuse.Seeds, nodes *ids.Table, classes []string) iter.Seq[Prediction] {
	return func(yield func(Prediction) bool) {
		list := seeds.List() // in order of node, then class
		for i, status := range result.Status {
			name := nodes.Name(i)
			row := func(l multilabel.Label) bool {
				return yield(Prediction{Node: name, Label: classes[l.Class], Confidence: l.Share, Margin: l.Margin, Status: status.String()})
			}
			labels := sets.Of(i)
			if len(list) > 0 && int(list[0].Node) == i {
				all, _ := sets.All(i)
				labels = labels[:0]
				for len(list) > 0 && int(list[0].Node) == i {
					labels = append(labels, all[list[0].Class])
					list = list[1:]
				}
			}
			if len(labels) == 0 && !yield(Prediction{Node: name, Status: status.String()}) {
				return
			}
			for _, l := range labels {
				if !row(l) {
					return
				}
			}
		}
	}
}

// WritePredictions writes rows as [Write] does, of which a node may have
// several.
func WritePredictions(w io.Writer, rows iter.Seq[Prediction]) error {
	out := bufio.NewWriterSize(w, 1<<20)
	out.WriteString("node\tlabel\tconfidence\tmargin\tstatus\n") // an error stays with out until Flush
	line := []byte{}
	for p := range rows {
		for _, name := range []string{p.Node, p.Label} {
			if err := lines.CheckName([]byte(name), '\t'); err != nil && name != "" {
				return err
			}
		}
		line = append(append(append(line[:0], p.Node...), '\t'), p.Label...)
		line = appendShare(line, float32(p.Confidence))
		line = appendShare(line, float32(p.Margin))
		line = append(append(append(line, '\t'), p.Status...), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
