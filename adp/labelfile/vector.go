package labelfile

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// ReadVector reads the labels of nodes 0, 1, … in this order (see Rows) from a .npy file with one
// dimension, or one column, as scikit-learn has them: integers of at least 0, or −1 for a node
// without a label; the same as floating-point numbers, where NaN also means none; truth values, of
// the classes false and true; or text, empty for none (bytes are UTF-8; blanks at the ends are
// ignored). There must be one for each of the nodes, unless SkipUnknown, and
// as many labels as nodes are an error where these are not called 0, 1, …. Labels.Notes counts the
// elements that mean none, and those that became another text.
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
	c := NewCollector(file, nodes, opt)
	c.expected = "labels other than -1, nan, or empty text"
	n := array.Elements()
	if !isVector(array.Shape) {
		return nil, array.Errorf("shape %s, expected a 1-D array of labels, one a node%s", array.ShapeText(), asVector(array.Shape))
	}
	if err := c.setOrder(int(n), false); err != nil {
		return nil, err
	}
	if n != int64(c.unnamed()) && !c.maySkip() {
		if id := c.missingRow(); id != nil {
			return nil, array.Errorf("%d labels, expected lines of the form id label: %s%s", n, c.noRow(id), c.orSkip(int(n)))
		}
		return nil, array.Errorf("%d labels, expected %d: one for each of the %s (-1, nan, or empty text, for none)%s", n, c.unnamed(), c.rowsOf(), c.orSkip(int(n)))
	}
	if err := c.checkRows(int(n)); err != nil {
		return nil, err
	}
	c.noteRows(int(n))
	add := func(k int, label []byte) error { return c.Add(c.row(k), label, 1, false, k+1) }
	switch {
	case array.IsText():
		err = addTexts(array, c, add)
	case array.Truth():
		err = addTruths(array, c, add)
	default:
		err = addIntegers(array, c, add)
	}
	if err != nil {
		return nil, err
	}
	return c.Labels()
}

// isVector reports whether an array has one dimension, or one column.
func isVector(shape []int64) bool {
	return len(shape) == 1 || len(shape) == 2 && shape[1] == 1
}

// asVector says how to make a vector of an array.
func asVector(shape []int64) string {
	switch {
	case len(shape) != 2:
		return ""
	case shape[0] == 1:
		return ": save y.ravel()"
	}
	return "; of rows with a 1 in the column of their class: save y.argmax(axis=1)"
}

// addTruths adds truth values.
func addTruths(array *npy.Array, c *Collector, add func(k int, label []byte) error) error {
	labels, err := array.Floats()
	if err != nil {
		return err
	}
	for k, v := range labels {
		label := strconv.AppendBool(nil, v != 0)
		c.Note(notes.TruthLabels, 1, 0, "")
		if err := add(k, label); err != nil {
			return err
		}
	}
	return nil
}

// addIntegers adds whole numbers.
func addIntegers(array *npy.Array, c *Collector, add func(k int, label []byte) error) error {
	labels, err := array.Wholes(-1)
	if err != nil {
		return err
	}
	for k, v := range labels {
		switch {
		case v == -1:
			c.Blank()
			continue
		case v < 0:
			return array.Errorf("element %d: label %d, expected at least 0, or -1 for none", k, v)
		}
		if err := add(k, strconv.AppendInt(nil, v, 10)); err != nil {
			return err
		}
	}
	c.noteNumbers(labels, array.Integer())
	if wrapped := array.Wrapped(); wrapped > 0 && !slices.Contains(labels, wrapped-1) {
		n := 0
		for _, v := range labels {
			if v == wrapped {
				n++
			}
		}
		c.out.Notes.Doubt(notes.WrappedLabels, n, 0, strconv.FormatInt(wrapped, 10), "if it means unknown, save them with -1 there, as y.astype(int)")
	}
	return nil
}

// noteNumbers notes the numbers that mean no label, and those that are whole though they could
// have a fraction. Many programs call two classes −1 and 1, and one of these would be none.
func (c *Collector) noteNumbers(labels []int64, integers bool) {
	none, others, first := 0, false, -1
	for k, v := range labels {
		if v == -1 && first < 0 {
			first = k
		}
		if v == -1 {
			none++
		}
		others = others || v != -1 && v != 1
	}
	place := "element " + strconv.Itoa(first)
	if others {
		c.Note(notes.NoLabels, none, 0, place)
	} else {
		c.out.Notes.Doubt(notes.NoLabels, none, 0, place, "if -1 is a class beside 1, save them as text: y.astype(str)")
	}
	if !integers {
		c.Note(notes.WholeLabels, len(labels)-none, 0, "")
	}
}

func addTexts(array *npy.Array, c *Collector, add func(k int, label []byte) error) error {
	labels, err := array.Texts()
	if err != nil {
		return err
	}
	for k, label := range labels {
		given := label
		if label = strings.TrimSpace(given); label != given && label != "" {
			c.Note(notes.TrimmedLabels, 1, 0, given)
		}
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
