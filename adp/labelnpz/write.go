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
	return write(w, result, nodes.AppendName, classes, proba)
}

// about is the JSON text in the array "about".
type about struct {
	Classes  []string `json:"classes"`
	Statuses []string `json:"statuses"`
}

func write(w io.Writer, result *adp.Result, appendName func(dst []byte, i int) []byte, classes []string, proba bool) error {
	archive := zip.NewWriter(w)
	n := int64(len(result.Labels))
	names := about{Classes: classes}
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
		ids.WriteArrays(archive, len(result.Labels), appendName),
		npy.WriteArray(archive, "label", "<i4", result.Labels, func(b []byte, v int32) []byte { return binary.LittleEndian.AppendUint32(b, uint32(v)) }, n),
		npy.WriteFloat32s(archive, "confidence", result.Confidence, n),
		npy.WriteFloat32s(archive, "margin", result.Margin, n),
		npy.WriteArray(archive, "status", "|u1", result.Status, func(b []byte, v adp.Status) []byte { return append(b, byte(v)) }, n),
	)
	if proba {
		err = cmp.Or(err, writeShares(archive, result.F))
	}
	return cmp.Or(err, archive.Close())
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
	names   []byte
	ends    []int
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer, classes []string, proba bool) *Writer {
	return &Writer{out: w, classes: classes, proba: proba, all: adp.Result{F: &csr.Dense{Cols: len(classes)}}, ends: []int{0}}
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
		w.names = nodes.AppendName(w.names, from+i)
		w.ends = append(w.ends, len(w.names))
	}
	return nil
}

// Flush writes the file.
func (w *Writer) Flush() error {
	return write(w.out, &w.all, func(dst []byte, i int) []byte { return append(dst, w.names[w.ends[i]:w.ends[i+1]]...) }, w.classes, w.proba)
}
