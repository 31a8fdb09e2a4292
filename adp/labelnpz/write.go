package labelnpz

import (
	"archive/zip"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// Write writes the labels of a result in the order of the nodes, with proba if that is asked for.
// Other numbers of names than those of the nodes and classes panic, as in [labelfile.Write].
// Memory: 64 KiB, and the names of the nodes once.
func Write(w io.Writer, result *adp.Result, nodes *ids.Table, classes []string, proba bool) error {
	labelfile.CheckNames(result, nodes.Len(), len(classes))
	if nodes.Len() != len(result.Labels) {
		panic(fmt.Sprintf("labelnpz: a result of %d nodes, names of %d", len(result.Labels), nodes.Len()))
	}
	return writeOnes(w, result, nodes.AppendName, classes, proba)
}

// about is the JSON text in the array "about".
type about struct {
	Classes  []string `json:"classes"`
	Statuses []string `json:"statuses"`
	Nodes    *int64   `json:"nodes,omitempty"` // where nodes may have several labels
}

// writeOnes writes a label a node.
func writeOnes(w io.Writer, result *adp.Result, appendName func(dst []byte, i int) []byte, classes []string, proba bool) error {
	return write(w, result, about{Classes: classes}, appendName, func(archive *zip.Writer) error {
		if !proba {
			return nil
		}
		return writeShares(archive, result.F)
	})
}

// write writes rows, and what comes after their arrays.
func write(w io.Writer, rows *adp.Result, names about, appendName func(dst []byte, i int) []byte, more func(*zip.Writer) error) error {
	archive := zip.NewWriter(w)
	n := int64(len(rows.Labels))
	nodes := n
	if names.Nodes != nil {
		nodes = *names.Nodes
	}
	for status := adp.Unreached; status <= adp.Uncertain; status++ {
		names.Statuses = append(names.Statuses, status.String())
	}
	text, err := json.Marshal(names)
	if err != nil {
		return err
	}
	// After a failed write all others fail, too: the first error is that of the file.
	err = cmp.Or(
		npy.WriteBytes(archive, "about", text),
		ids.WriteArrays(archive, int(nodes), appendName),
		npy.WriteArray(archive, "label", "<i4", rows.Labels, func(b []byte, v int32) []byte { return binary.LittleEndian.AppendUint32(b, uint32(v)) }, n),
		npy.WriteFloat32s(archive, "confidence", rows.Confidence, n),
		npy.WriteFloat32s(archive, "margin", rows.Margin, n),
		npy.WriteArray(archive, "status", "|u1", rows.Status, func(b []byte, v adp.Status) []byte { return append(b, byte(v)) }, n),
	)
	return cmp.Or(err, more(archive), archive.Close())
}

// writeShares writes the rows of F scaled to sum 1, as [labelfile.Writer] does.
func writeShares(archive *zip.Writer, f *csr.Dense) error {
	row, column, shares := 0, f.Cols, make([]float32, f.Cols)
	return npy.WriteArray(archive, "proba", "<f4", f.Data, func(b []byte, _ float32) []byte {
		if column == f.Cols {
			labelfile.Shares(shares, f.Row(row))
			row, column = row+1, 0
		}
		column++
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(shares[column-1]))
	}, int64(f.Rows), int64(f.Cols))
}

// Writer writes the labels of nodes that come in pieces, as [labelfile.Writer] does; it holds them
// until Flush, because an array says its length first.
type Writer struct {
	out     io.Writer
	classes []string
	proba   bool
	all     adp.Result
	names   names
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer, classes []string, proba bool) *Writer {
	return &Writer{out: w, classes: classes, proba: proba, all: adp.Result{F: &csr.Dense{Cols: len(classes)}}, names: names{ends: []int{0}}}
}

// Add takes the labels of a result, whose node i is node from+i of the table. Fewer names than nodes,
// and other numbers of classes, panic.
func (w *Writer) Add(result *adp.Result, nodes *ids.Table, from int) error {
	labelfile.CheckNames(result, nodes.Len()-from, len(w.classes))
	all := &w.all
	all.Labels = append(all.Labels, result.Labels...)
	all.Confidence = append(all.Confidence, result.Confidence...)
	all.Margin = append(all.Margin, result.Margin...)
	all.Status = append(all.Status, result.Status...)
	if w.proba {
		all.F.Rows += result.F.Rows
		all.F.Data = append(all.F.Data, result.F.Data...)
	}
	for i := range result.Labels {
		w.names.add(nodes, from+i)
	}
	return nil
}

// Flush writes the file.
func (w *Writer) Flush() error { return writeOnes(w.out, &w.all, w.names.append, w.classes, w.proba) }
