package labelfile

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Options are the options of [Read], [ReadColumns] and a [Collector].
type Options struct {
	// Header skips the first data line.
	Header bool
	// SkipUnknown counts labels of nodes that are not in the graph instead of refusing them.
	SkipUnknown bool
	// Rows says that the user knows the order of the nodes: a vector has their labels in this
	// order, whatever their names. Otherwise a vector is for nodes called 0, 1, ….
	Rows bool
	// Missing holds texts that mean no label, like an empty one in a table.
	Missing []string
	// Match joins labels of several spellings. Their class has the plainest one.
	Match Match
	// Of names the owner of the nodes in messages; empty means the graph.
	Of string
	// Multi allows a node several labels without weights, of weight 1 each.
	Multi bool
}

// Labels are the known labels of a graph's nodes.
type Labels struct {
	// Classes are the names of the classes in sorted order: as numbers if all are integers, else by
	// bytes.
	Classes []string
	// Seeds are in no special order, one for each pair of node and class.
	Seeds []diffuse.Seed
	Stats Stats
	Notes notes.List // what the reader did not take as it stands, beside Stats
}

// Stats counts the labels that were skipped or are doubtful.
type Stats struct {
	Lines    int `json:"lines"`
	Unknown  int `json:"unknown"`  // labels of nodes that are not in the graph
	Repeated int `json:"repeated"` // lines that repeat the label of a node
	Zero     int `json:"zero"`     // lines of weight 0, which are ignored
	Blank    int `json:"blank"`    // rows of a table without a label, and Options.Missing
	// MissingLike counts labels such as NA, which people write for a missing one. MissingTexts
	// lists them, between commas.
	MissingLike  int    `json:"missing_like,omitempty"`
	MissingTexts string `json:"missing_texts,omitempty"`
	// HeaderData is the id of a node, or if nodes are rows a label, that stands in the header: the
	// line may be no header.
	HeaderData string `json:"header_data,omitempty"`
	// WeightTitle is the title of the third column if it does not suggest weights. The column was
	// read as weights.
	WeightTitle string `json:"weight_title,omitempty"`
}

// Read reads labels of the nodes in the table. The file name is for messages. A label of an unknown
// node is an error unless SkipUnknown. Two labels for one node are an error unless each has a
// weight, which makes them soft seeds, or with Multi. The same label given twice counts once, with
// the larger weight.
func Read(r io.Reader, file string, nodes *ids.Table, opt Options) (*Labels, error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	scan := lines.NewScanner(plain, file)
	c := NewCollector(file, nodes, opt)
	c.mayBeHeader, c.expected = !opt.Header, "lines of the form: id label [weight]"
	if opt.Header && scan.Scan() {
		c.header(scan.Fields()[0])
		c.weights(scan.Fields())
	}
	for scan.Scan() {
		if err := c.addLine(scan); err != nil {
			return nil, err
		}
	}
	if err := scan.Err(); err != nil {
		return nil, err
	}
	return c.Labels()
}

// addLine adds the label of a line of text.
func (c *Collector) addLine(scan *lines.Scanner) error {
	fields := scan.Fields()
	if len(fields) < 2 || len(fields) > 3 {
		return scan.Errorf("%d columns, expected 2 or 3: id label [weight]%s", len(fields), scan.Semicolons())
	}
	id, err := scan.ID(0, "node id")
	if err != nil && c.mayBeHeader && c.out.Stats.Lines == 0 && c.out.Stats.Blank == 0 {
		return scan.Errorf("empty node id in column 1; if this line is a header, say labelfile.Options.Header")
	}
	if err != nil {
		return err
	}
	label, err := scan.ID(1, "label")
	if err != nil {
		return err
	}
	weight := 1.0
	if len(fields) == 3 {
		if weight, err = scan.Weight(2); err != nil {
			return err
		}
	}
	return c.Add(id, label, weight, len(fields) == 3, scan.Line())
}

// Prediction is a row of a file of [Write].
type Prediction struct {
	Node, Label        string
	Confidence, Margin float64
	Status             string
	Line               int // line in the file, or row of the table, from 1
}

// Check returns an error for numbers and a status that [Write] never writes: a confidence outside 0
// to 1, a margin outside −1 to 1 (below 0 for a seed of several labels), both up to rounding; a
// status that is no [adp.Status]; an unreached node with a label, or another node without one.
func (p *Prediction) Check() error {
	const rounding = 1e-6
	switch {
	case !(p.Confidence >= 0 && p.Confidence <= 1+rounding):
		return fmt.Errorf("confidence %v, expected 0 to 1", p.Confidence)
	case !(math.Abs(p.Margin) <= 1+rounding):
		return fmt.Errorf("margin %v, expected 0 to 1", p.Margin)
	}
	for s := adp.Unreached; s <= adp.Uncertain; s++ {
		if p.Status != s.String() {
			continue
		}
		switch reached := s != adp.Unreached; {
		case p.Label != "" && !reached:
			return fmt.Errorf("label %s and status %s, expected no label of an unreached node", lines.Quote([]byte(p.Label)), p.Status)
		case p.Label == "" && reached:
			return fmt.Errorf("no label and status %s, expected unreached", p.Status)
		}
		return nil
	}
	return fmt.Errorf("status %s, expected seed, predicted, uncertain or unreached", lines.Quote([]byte(p.Status)))
}

// ReadPredictions reads a file of [Write], without its further columns.
func ReadPredictions(r io.Reader, file string) ([]Prediction, error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	scan := lines.NewScanner(plain, file)
	scan.KeepComments() // the id of a node may start like one
	want := [][]byte{[]byte("node"), []byte("label"), []byte("confidence"), []byte("margin"), []byte("status")}
	if !scan.Scan() || len(scan.Fields()) < len(want) || !slices.EqualFunc(scan.Fields()[:len(want)], want, bytes.Equal) {
		if err := scan.Err(); err != nil {
			return nil, err
		}
		return nil, scan.Errorf("expected the header: node label confidence margin status")
	}
	var out []Prediction
	for scan.Scan() {
		f := scan.Fields()
		if len(f) < len(want) {
			return nil, scan.Errorf("%d columns, expected at least %d", len(f), len(want))
		}
		p := Prediction{Node: string(f[0]), Label: string(f[1]), Status: string(f[4]), Line: scan.Line()}
		var bad [2]error
		p.Confidence, bad[0] = lines.ParseNumber("confidence", f[2])
		p.Margin, bad[1] = lines.ParseNumber("margin", f[3])
		if err := cmp.Or(bad[0], bad[1], p.Check()); err != nil {
			return nil, scan.Errorf("%v", err)
		}
		out = append(out, p)
	}
	return out, scan.Err()
}
