package labelnpz

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// ReadPredictions reads a file of [Write] or of a [SetWriter], of size bytes, without its shares. Rows count from 1. The
// file name is for messages.
func ReadPredictions(r io.ReaderAt, file string, size int64) ([]labelfile.Prediction, error) {
	archive, err := npy.OpenArchive(r, file, size)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"about", "label", "confidence", "margin", "status"} {
		if !archive.Has(name) {
			return nil, archive.Errorf("no array %s, expected the arrays of labels: about, label, confidence, margin and status", lines.Quote([]byte(name)))
		}
	}
	text, err := npy.Vector(archive, "about", -1, (*npy.Array).Bytes)
	if err != nil {
		return nil, err
	}
	var names about
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, archive.Errorf("array about: not the text of labels: %v", err)
	}
	labels, err := npy.Vector(archive, "label", -1, (*npy.Array).Ints)
	if err != nil {
		return nil, err
	}
	n := len(labels)
	status, err := npy.Vector(archive, "status", n, (*npy.Array).Bytes)
	if err != nil {
		return nil, err
	}
	confidence, err := npy.Vector(archive, "confidence", n, (*npy.Array).Floats)
	if err != nil {
		return nil, err
	}
	margin, err := npy.Vector(archive, "margin", n, (*npy.Array).Floats)
	if err != nil {
		return nil, err
	}
	nodes, whose, err := readNodes(archive, names.Nodes, n)
	if err != nil {
		return nil, err
	}
	out := make([]labelfile.Prediction, n)
	for i := range out {
		p := labelfile.Prediction{Node: nodes.Name(whose(i)), Confidence: float64(confidence[i]), Margin: float64(margin[i]), Line: i + 1}
		err := place(names.Statuses, int64(status[i]), &p.Status)
		if err == nil && labels[i] != -1 {
			err = place(names.Classes, labels[i], &p.Label)
		}
		if err == nil {
			err = p.Check()
		}
		if err != nil {
			return nil, &lines.Error{File: file, Line: p.Line, Msg: err.Error()}
		}
		out[i] = p
	}
	return out, nil
}

// readNodes returns the names of the nodes, and the node of each of n rows: itself, or what the array node says where nodes may have several.
func readNodes(archive *npy.Archive, several *int64, n int) (nodes *ids.Table, whose func(row int) int, err error) {
	if several == nil {
		nodes, err = ids.ReadArrays(archive, n)
		return nodes, func(row int) int { return row }, err
	}
	if !archive.Has("node") || *several < 0 || *several > int64(n) {
		return nil, nil, archive.Errorf("%d rows of %d nodes, expected a row or more of each, and an array node that says whose they are", n, *several)
	}
	node, err := npy.Vector(archive, "node", n, (*npy.Array).Ints)
	if err != nil {
		return nil, nil, err
	}
	for row, i := range node {
		if i < 0 || i >= *several {
			return nil, nil, archive.Errorf("row %d is of node %d, expected 0 to %d", row+1, i, *several-1)
		}
	}
	nodes, err = ids.ReadArrays(archive, int(*several))
	return nodes, func(row int) int { return int(node[row]) }, err
}

// place takes the name at a place of a list.
func place(list []string, at int64, name *string) error {
	if at < 0 || at >= int64(len(list)) {
		return fmt.Errorf("place %d in a list of %d names", at, len(list))
	}
	*name = list[at]
	return nil
}
