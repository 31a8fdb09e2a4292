package labelnpz

import (
	"archive/zip"
	"cmp"
	"encoding/binary"
	"io"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// SetWriter writes the labels of nodes with several. A node has as many rows as labels, and one with −1 where it has none; the
// array node says whose a row is. Nodes come in pieces, and their rows are held until Flush: 17 bytes a row, and 4 for each class
// of a node with proba.
type SetWriter struct {
	out     io.Writer
	classes []string
	proba   bool
	shares  []float32 // n×c
	node    []int64
	rows    adp.Result // a row a label
	names   names
}

// NewSetWriter returns a writer to w.
func NewSetWriter(w io.Writer, classes []string, proba bool) *SetWriter {
	return &SetWriter{out: w, classes: classes, proba: proba, names: names{ends: []int{0}}}
}

// Add takes the labels of a result, as [labelfile.MultiPredictions] has them.
func (w *SetWriter) Add(result *adp.Result, sets *multilabel.Sets, seeds *diffuse.Seeds, nodes *ids.Table, from int) {
	labelfile.CheckNames(result, nodes.Len()-from, len(w.classes))
	rows, first := &w.rows, int64(w.names.len())
	for i, labels := range labelfile.LabelSets(result, sets, seeds) {
		add := func(class int32, share, margin float64) {
			w.node = append(w.node, first+int64(i))
			rows.Labels, rows.Status = append(rows.Labels, class), append(rows.Status, result.Status[i])
			rows.Confidence, rows.Margin = append(rows.Confidence, float32(share)), append(rows.Margin, float32(margin))
		}
		for _, l := range labels {
			add(l.Class, l.Share, l.Margin)
		}
		if len(labels) == 0 {
			add(-1, 0, 0)
		}
		w.names.add(nodes, from+i)
		if !w.proba {
			continue
		}
		all, _ := sets.All(i)
		for j := range w.classes {
			share := 0.0
			if all != nil {
				share = all[j].Share
			}
			w.shares = append(w.shares, float32(share))
		}
	}
}

// Flush writes the file.
func (w *SetWriter) Flush() error {
	n := int64(w.names.len())
	return write(w.out, &w.rows, about{Classes: w.classes, Nodes: &n}, w.names.append, func(archive *zip.Writer) error {
		err := npy.WriteArray(archive, "node", "<i8", w.node, func(b []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(v)) }, int64(len(w.node)))
		if w.proba {
			err = cmp.Or(err, npy.WriteFloat32s(archive, "proba", w.shares, n, int64(len(w.classes))))
		}
		return err
	})
}

// names are the names of nodes, one after the other.
type names struct {
	text []byte
	ends []int
}

func (s *names) len() int { return len(s.ends) - 1 }

func (s *names) add(nodes *ids.Table, i int) {
	s.text = nodes.AppendName(s.text, i)
	s.ends = append(s.ends, len(s.text))
}

func (s *names) append(dst []byte, i int) []byte {
	return append(dst, s.text[s.ends[i]:s.ends[i+1]]...)
}
