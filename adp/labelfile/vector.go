package labelfile

import (
	"io"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// ReadVector reads the labels of nodes 0, 1, … in this order (see Rows) from a .npy file with one
// dimension, as scikit-learn has them: integers of at least 0, or −1 for a node without a label;
// the same as floating-point numbers, where NaN also means none; or text, empty for none (bytes are
// UTF-8; blanks at the ends are ignored). There must be one for each of the nodes, unless
// SkipUnknown.
func ReadVector(r io.Reader, file string, nodes *ids.Table, opt Options) (*Labels, error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	array, err := npy.Open(plain, file, -1)
	if err != nil {
		return nil, err
	}
	n := array.Elements()
	switch {
	case len(array.Shape) != 1:
		return nil, array.Errorf("shape %s, expected a 1-D array of labels, one a node", array.ShapeText())
	case n != int64(nodes.Len()) && !opt.SkipUnknown:
		return nil, array.Errorf("%d labels, expected %d: one for each of the nodes, in their order (-1, nan, or empty text, for none)", n, nodes.Len())
	}
	c := NewCollector(file, nodes, opt)
	c.expected = "labels other than -1, nan, or empty text"
	add := func(k int, label []byte) error {
		var name []byte // no node, for a label past the last row
		switch {
		case !opt.Rows:
			name = strconv.AppendInt(nil, int64(k), 10)
		case k < nodes.Len():
			name = nodes.AppendName(nil, k)
		}
		return c.Add(name, label, 1, false, k+1)
	}
	if array.IsText() {
		err = addTexts(array, c, add)
	} else {
		err = addIntegers(array, c, add)
	}
	if err != nil {
		return nil, err
	}
	return c.Labels()
}

func addIntegers(array *npy.Array, c *Collector, add func(k int, label []byte) error) error {
	labels, err := array.Wholes(-1)
	if err != nil {
		return err
	}
	for k, v := range labels {
		switch {
		case v == -1:
			c.Blank()
		case v < 0:
			return array.Errorf("element %d: label %d, expected at least 0, or -1 for none", k, v)
		default:
			if err := add(k, strconv.AppendInt(nil, v, 10)); err != nil {
				return err
			}
		}
	}
	return nil
}

func addTexts(array *npy.Array, c *Collector, add func(k int, label []byte) error) error {
	labels, err := array.Texts()
	if err != nil {
		return err
	}
	for k, label := range labels {
		label = strings.TrimSpace(label)
		switch {
		case label == "":
			c.Blank()
		case strings.ContainsFunc(label, lines.IsControl):
			return array.Errorf("element %d: label %s, expected UTF-8 without control characters", k, lines.Quote([]byte(label)))
		default:
			if err := add(k, []byte(label)); err != nil {
				return err
			}
		}
	}
	return nil
}
