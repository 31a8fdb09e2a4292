package labelfile

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// ErrName is wrapped when the name of a node or class cannot be written.
var ErrName = lines.ErrName

// Table is the form of written labels: a row a node, `node label confidence margin status`, after a
// header.
type Table struct {
	// Comma separates by commas, and quotes names that contain a comma or a quote, by RFC 4180;
	// otherwise tabs separate.
	Comma bool
	// Guard keeps spreadsheets from computing with names, as OWASP advises against CSV injection: between
	// commas all names are quoted, and one that begins like a formula and is no number has an
	// apostrophe before it. Such a name does not read back.
	Guard bool
	// Proba adds a column for each class: the rows of F, scaled to sum 1.
	Proba bool
}

var columns = []string{"node", "label", "confidence", "margin", "status"}

func (t Table) separator() byte {
	if t.Comma {
		return ','
	}
	return '\t'
}

// AppendName appends the name of a node or a class to a line, in the form of all names of the
// table: quoted where needed if it separates by commas. A name that would not read back is an
// [ErrName].
func (t Table) AppendName(line, name []byte) ([]byte, error) {
	if err := lines.CheckName(name, '\t'); err != nil {
		return line, err
	}
	switch {
	case !t.Comma || !t.Guard:
		return lines.AppendField(line, name, t.separator()), nil
	case isFormula(name):
		name = append([]byte{'\''}, name...)
	}
	return lines.AppendQuoted(line, name), nil
}

// isFormula reports whether a spreadsheet may take a text for a formula: it begins with a sign of
// one, of full width too, and is no number.
func isFormula(name []byte) bool {
	first, _ := utf8.DecodeRune(name)
	if !strings.ContainsRune("=+-@＝＋－＠", first) {
		return false
	}
	_, err := lines.ParseNumber("", name)
	return err != nil
}

// header appends the titles, and those of classes, by their names in the file.
func (t Table) header(classes [][]byte) []byte {
	var line []byte
	for _, title := range columns {
		line = append(append(line, title...), t.separator())
	}
	line = line[:len(line)-1]
	if t.Proba {
		for _, name := range classes {
			line = append(append(line, t.separator()), name...)
		}
	}
	return append(line, '\n')
}

func (t Table) appendShare(line []byte, v float32) []byte {
	return strconv.AppendFloat(append(line, t.separator()), float64(v), 'f', 6, 32)
}

// Writer writes the labels of nodes that come in pieces. The label of an unreached node is empty.
//
// A node or class with a name that would not read back from the file is an [ErrName]: an empty
// name, one that is not UTF-8, one that contains a tab, a line end or another control byte, or one
// with a blank at an end. A number of classes other than the columns of F, and fewer names than
// nodes, panic.
type Writer struct {
	out     *bufio.Writer
	table   Table
	classes [][]byte
}

// NewWriter writes the header to w.
func NewWriter(w io.Writer, classes []string, table Table) (*Writer, error) {
	to := &Writer{out: bufio.NewWriterSize(w, 1<<20), table: table}
	for _, name := range classes {
		written, err := table.AppendName(nil, []byte(name))
		if err != nil {
			return nil, err
		}
		to.classes = append(to.classes, written)
	}
	_, err := to.out.Write(table.header(to.classes))
	return to, err
}

// Add writes the labels of a result, whose node i is node from+i of the table. Blocks of rows are made
// side by side, and written in their order.
func (w *Writer) Add(result *adp.Result, nodes *ids.Table, from int) error {
	CheckNames(result, nodes.Len()-from, len(w.classes))
	makers := make([]rowMaker, rows.Workers(0))
	return rows.Write(w.out, len(result.Labels), 0, func(worker, lo, hi int) ([]byte, error) {
		return makers[worker].rows(w, result, nodes, from, lo, hi)
	})
}

// rowMaker makes rows of a table in memory of its own.
type rowMaker struct {
	block, name []byte
	shares      []float32
}

// rows returns the rows lo to hi−1 of a result, valid until the next call.
func (m *rowMaker) rows(w *Writer, result *adp.Result, nodes *ids.Table, from, lo, hi int) ([]byte, error) {
	line, err := m.block[:0], error(nil)
	for i := lo; i < hi; i++ {
		m.name = nodes.AppendName(m.name[:0], from+i)
		if line, err = w.table.AppendName(line, m.name); err != nil {
			return nil, err
		}
		line = append(line, w.table.separator())
		if label := result.Labels[i]; label >= 0 {
			line = append(line, w.classes[label]...)
		}
		line = w.table.appendShare(line, result.Confidence[i])
		line = w.table.appendShare(line, result.Margin[i])
		line = append(append(line, w.table.separator()), result.Status[i].String()...)
		if w.table.Proba {
			m.shares = slices.Grow(m.shares[:0], len(w.classes))[:len(w.classes)]
			Shares(m.shares, result.F.Row(i))
			for _, v := range m.shares {
				line = w.table.appendShare(line, v)
			}
		}
		line = append(line, '\n')
	}
	m.block = line
	return line, nil
}

// Flush writes the buffered rows. It must be called in the end.
func (w *Writer) Flush() error { return w.out.Flush() }

// CheckNames panics unless there are names for the nodes and classes of a result.
func CheckNames(result *adp.Result, nodes, classes int) {
	columns := classes
	if result.F != nil {
		columns = result.F.Cols
	}
	if len(result.Labels) > nodes || columns != classes {
		panic(fmt.Sprintf("labelfile: a result of %d nodes in %d classes, names of %d nodes and %d classes", len(result.Labels), columns, nodes, classes))
	}
}

// Write writes the labels of a result in the order of the table, see [Writer]. More
// names than nodes panic too.
func Write(w io.Writer, result *adp.Result, nodes *ids.Table, classes []string, table Table) error {
	if nodes.Len() != len(result.Labels) {
		panic(fmt.Sprintf("labelfile: a result of %d nodes, names of %d", len(result.Labels), nodes.Len()))
	}
	to, err := NewWriter(w, classes, table)
	if err != nil {
		return err
	}
	if err := to.Add(result, nodes, 0); err != nil {
		return err
	}
	return to.Flush()
}

// Shares sets the shares of a row of F, which sum to 1; those of a row of zeros are 0.
func Shares(shares, row []float32) {
	sum := 0.0
	for _, v := range row {
		sum += float64(v)
	}
	if sum == 0 {
		sum = 1
	}
	for j, v := range row {
		shares[j] = float32(float64(v) / sum)
	}
}

// Predictions returns the rows that [Write] writes; another number of names panics.
func Predictions(result *adp.Result, nodes *ids.Table, classes []string) iter.Seq[Prediction] {
	CheckNames(result, nodes.Len(), len(classes))
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

// MultiPredictions returns a row for each label of each node, by [LabelSets]. Node i of the result is node from+i of the
// table. The confidence is the label's share, the margin its excess above the threshold. A node without a label has one row without.
func MultiPredictions(result *adp.Result, sets *multilabel.Sets, seeds *diffuse.Seeds, nodes *ids.Table, from int, classes []string) iter.Seq[Prediction] {
	return func(yield func(Prediction) bool) {
		for i, labels := range LabelSets(result, sets, seeds) {
			name, status := nodes.Name(from+i), result.Status[i].String()
			if len(labels) == 0 && !yield(Prediction{Node: name, Status: status}) {
				return
			}
			for _, l := range labels {
				if !yield(Prediction{Node: name, Label: classes[l.Class], Confidence: l.Share, Margin: l.Margin, Status: status}) {
					return
				}
			}
		}
	}
}

// LabelSets returns the labels of each node, in the order of [multilabel.Sets.Of]. The margin may be
// below 0 for a seed, which has the labels that it was given; nil seeds are none. The labels are valid until the next node.
func LabelSets(result *adp.Result, sets *multilabel.Sets, seeds *diffuse.Seeds) iter.Seq2[int, []multilabel.Label] {
	return func(yield func(int, []multilabel.Label) bool) {
		var list []diffuse.Seed // in order of node, then class
		if seeds != nil {
			list = seeds.List()
		}
		for i := range result.Status {
			labels := sets.Of(i)
			if len(list) > 0 && int(list[0].Node) == i {
				all, _ := sets.All(i)
				labels = labels[:0]
				for ; len(list) > 0 && int(list[0].Node) == i; list = list[1:] {
					if class := list[0].Class; all != nil {
						labels = append(labels, all[class])
					} else { // the number of its own label is too small for F
						labels = append(labels, multilabel.Label{Class: int32(class)})
					}
				}
			}
			if !yield(i, labels) {
				return
			}
		}
	}
}

// AddPredictions writes rows as Add does, without the columns of Proba. A node may have several rows.
func (w *Writer) AddPredictions(rows iter.Seq[Prediction]) error {
	line := []byte{}
	for p := range rows {
		line = line[:0]
		for k, name := range []string{p.Node, p.Label} {
			if k > 0 {
				line = append(line, w.table.separator())
			}
			if name == "" {
				continue
			}
			var err error
			if line, err = w.table.AppendName(line, []byte(name)); err != nil {
				return err
			}
		}
		line = w.table.appendShare(line, float32(p.Confidence))
		line = w.table.appendShare(line, float32(p.Margin))
		line = append(append(append(line, w.table.separator()), p.Status...), '\n')
		if _, err := w.out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// WritePredictions writes rows as [Write] does, without Proba. A node may have several rows.
func WritePredictions(w io.Writer, rows iter.Seq[Prediction], table Table) error {
	table.Proba = false
	to, err := NewWriter(w, nil, table)
	if err != nil {
		return err
	}
	if err := to.AddPredictions(rows); err != nil {
		return err
	}
	return to.Flush()
}
