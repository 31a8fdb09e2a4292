package labelfile

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Options are the options of [Read], [ReadColumns] and a [Collector].
type Options struct {
	// Header skips the first data line. Without it a line of titles that say so plainly, such as
	// node and label, is skipped too, unless its id is that of a node.
	Header bool
	// Comments are what comment lines start with. Nil goes by the file: none in a csv file, and
	// below a header; elsewhere # and %. Empty means that there are none.
	Comments []string
	// SkipUnknown counts labels of nodes that are not in the graph instead of refusing them.
	SkipUnknown bool
	// Rows counts the first nodes that are the rows of a file, whose order the user knows: labels without
	// ids are of these, whatever their names. Where more nodes follow, and all are called 0, 1, …, as many
	// labels as nodes are of the nodes with these names. Where numbers in a row name the rows in another
	// order, labels without ids are refused. 0: they are of nodes called 0, 1, ….
	Rows int
	// Features are the titles of columns that are features. The first column of a table holds no ids,
	// unless Columns.ID says so, if its title is one of them.
	Features []string
	// Dims counts the columns that are features: messages say where labels fit these, and not the rows.
	Dims int
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
	// ZeroClasses lists the classes that have labels of weight 0 alone, in quotes: they are lost.
	ZeroClasses string `json:"zero_classes,omitempty"`
}

// Read reads labels of the nodes in the table, a label a line: id label [weight]. The file name is
// for messages, and for Options.Comments. A label of an unknown node is an error unless SkipUnknown.
// Two labels for one node are an error unless each has a weight, which makes them soft seeds, or
// with Multi. The same label given twice counts once, with the larger weight. Below a header an empty
// label is none.
//
// A first column without a title, beside two others, is an error, and so is one without a header that
// counts the lines beside names of other nodes: an index of rows.
//
// Lines of one column, as many as there are nodes, are the labels of nodes 0, 1, … in this order
// (see Rows), by the rules of [ReadVector]: -1 and nan are none, and so is "" in a csv file, where
// quotes are those of RFC 4180; -1 is a label beside 1 alone or other numbers below 0. As many lines as there are nodes are an error where these have other names.
func Read(r io.Reader, file string, nodes *ids.Table, opt Options) (*Labels, error) {
	if err := lines.CheckComments(opt.Comments); err != nil {
		return nil, fmt.Errorf("labelfile: %w", err)
	}
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	scan := lines.NewScanner(plain, file)
	c := NewCollector(file, nodes, opt)
	scan.TakeLoneSemicolons()
	if lines.IsCSV(file) {
		scan.TakeColumn()
	}
	scan.SetComments(lines.CommentsOf(file, opt.Comments))
	scan.Know(c.isNode)
	c.mayBeHeader, c.expected = !opt.Header, "lines of the form: id label [weight]"
	more := scan.Scan()
	if more {
		if err := c.checkIndex(scan.Fields(), scan.Line()); err != nil {
			return nil, err
		}
	}
	titles := c.judge(scan, more)
	if titles != nil || more && c.isHeader(scan.Fields()) {
		c.takeHeader(scan)
		more = scan.Scan()
	}
	if more && len(scan.Fields()) == 1 {
		err = c.addRows(scan)
	} else {
		err = c.addLines(scan, more)
	}
	if err = cmp.Or(err, scan.Err()); err == nil {
		err = cmp.Or(titles.end(c), c.counts.end(c))
	}
	if err != nil {
		return nil, err
	}
	c.numbering.end(c)
	c.thirds.end(c, scan.Separator() == ' ')
	c.out.Notes.Join(scan.Skips().Notes(c.named(), c.isNode))
	if between := scan.Separator(); between == '\t' || between == ' ' {
		c.noteQuoted()
	}
	c.expected += scan.Skips().Advice()
	return c.Labels()
}

func (c *Collector) isNode(id []byte) bool {
	_, ok := c.nodes.Lookup(id)
	return ok
}

// named reports whether the nodes are not all called by whole numbers. Numbers come first in a
// table that is sorted.
func (c *Collector) named() bool {
	n := c.nodes.Len()
	return n > 0 && !(ids.IsInteger([]byte(c.nodes.Name(0))) && ids.IsInteger([]byte(c.nodes.Name(n-1))))
}

// isHeader reports whether the first line is a header.
func (c *Collector) isHeader(fields [][]byte) bool {
	switch {
	case c.opt.Header:
		return true
	case len(fields) == 1:
		return lines.IsLabelTitle(fields[0])
	}
	return lines.AreLabelTitles(fields[0], fields[1]) && !c.isNode(fields[0])
}

// judged is a first line that is taken for titles because its node is unknown.
type judged struct {
	label []byte
	err   error // if it is none
}

// judge returns the current line if it may be titles that are not common, else nil: of two or three words the first is no node and like none.
func (c *Collector) judge(scan *lines.Scanner, more bool) *judged {
	if !more || c.isHeader(scan.Fields()) || c.opt.SkipUnknown {
		return nil
	}
	fields := scan.Fields()
	if len(fields) < 2 || len(fields) > 3 || c.isNode(fields[0]) {
		return nil
	}
	for _, f := range fields {
		first, _ := utf8.DecodeRune(f)
		if !unicode.IsLetter(first) && first != '_' || lines.IsMissing(f) || numtext.IsNumber(f) || slices.Contains(c.opt.Missing, string(f)) {
			return nil
		}
	}
	c.out.Stats.Lines++
	err, special := c.strange(fields[0], fields[1], scan.Line())
	c.out.Stats.Lines--
	if special {
		return nil
	}
	return &judged{[]byte(c.opt.Match.Name(string(fields[1]))), err}
}

// end returns the error about the unknown node where the line may be a label: another line has the same one, there are no others, or one
// of them is that of a single node, too.
func (j *judged) end(c *Collector) error {
	if j == nil {
		return nil
	}
	count := make([]int, c.classes.Len())
	for _, s := range c.out.Seeds {
		count[s.Class]++
	}
	if _, used := c.classes.Lookup(j.label); used || len(count) == 0 || slices.Min(count) < 2 {
		return j.err
	}
	return nil
}

// takeHeader takes the current line as a header.
func (c *Collector) takeHeader(scan *lines.Scanner) {
	fields := scan.Fields()
	c.titled = true
	c.header(fields[0])
	c.weights(fields)
	scan.EndComments()
	if !c.opt.Header {
		c.out.Notes.Add(notes.Header, 1, scan.Line(), string(bytes.Join(fields, []byte(" "))))
	}
	c.mayBeHeader = false
}

// addLines adds the labels of the current line, if there is one, and of those below it.
func (c *Collector) addLines(scan *lines.Scanner, more bool) error {
	for first := true; more; more, first = scan.Scan(), false {
		if err := c.addLine(scan); err != nil {
			return err
		}
		c.counts.take(c, scan.Fields(), scan.Line())
		c.thirds.take(scan.Fields(), scan.Line())
		c.numbering.take(scan.Fields(), scan.Line(), first && !c.titled)
	}
	return nil
}

// addRows adds the labels of lines of one column, in the order of the nodes.
func (c *Collector) addRows(scan *lines.Scanner) error {
	var texts []string
	var at []int
	for more := true; more; more = scan.Scan() {
		if n := len(scan.Fields()); n != 1 {
			return scan.Errorf("%d columns, expected 1 as in the first line", n)
		}
		if scan.Skips().Blank() > 0 {
			return scan.Errorf("a blank line above, among labels of one column: write -1 or nan where there is none")
		}
		texts, at = append(texts, string(scan.Fields()[0])), append(at, scan.Line())
	}
	if scan.Err() != nil {
		return nil
	}
	if err := cmp.Or(c.checkSeparator(texts, at[0]), c.setOrder(len(texts), false), c.checkCount(texts, at[0]), c.checkRows(len(texts))); err != nil {
		return err
	}
	signed := isSigned(texts)
	for k, text := range texts {
		if v, isNumber := numberOf(text); text == "" || isNumber && (math.IsNaN(v) || v == -1 && !signed) {
			c.Blank()
			continue
		}
		if err := c.Add(c.row(k), []byte(text), 1, false, at[k]); err != nil {
			return err
		}
	}
	c.out.Notes.Add(notes.ByRow, len(texts), at[0], texts[0])
	return nil
}

// checkSeparator refuses lines of one column whose ids and labels are separated by another sign than is read:
// all have it, and below the first, which may be a header, each begins with another node.
func (c *Collector) checkSeparator(texts []string, line int) error {
	for _, sign := range []string{"|", ":", "="} {
		seen := map[string]bool{}
		other := func(text string) bool {
			id, _, found := strings.Cut(text, sign)
			isNew := !seen[id] && c.isNode([]byte(id)) || len(seen) == 0
			seen[id] = true
			return !found || !isNew
		}
		if !slices.ContainsFunc(texts, other) {
			return c.errorf(line, "%s is one column, expected id label [weight] between tabs, commas, semicolons or spaces", lines.Quote([]byte(texts[0])))
		}
	}
	return nil
}

// checkCount refuses another number of labels without ids than there are nodes, unless those of unknown
// nodes are skipped. One more is refused even so, where the first line reads like a title: each label
// would go to the next node.
func (c *Collector) checkCount(texts []string, line int) error {
	n := c.unnamed()
	above := len(texts) == n+1 && !c.titled && !c.isNode(c.row(n))
	title := above && isTitle(texts)
	if len(texts) == n || c.maySkip() && !title {
		if above && texts[0] == "0" {
			c.out.Notes.Doubt(notes.NumberedTitles, 1, line, "0", "there is a line more than nodes: if it is a header, as pandas writes above a column without a title, say labelfile.Options.Header")
		}
		return nil
	}
	advice := c.orSkip(len(texts))
	switch {
	case title:
		advice = "; if the first line is a header, say labelfile.Options.Header, else write lines of the form id label"
	case above:
		advice += "; if the first line is a header, say labelfile.Options.Header"
	}
	if id := c.missingRow(); id != nil {
		return c.errorf(line, "1 column, expected id label [weight]; %s%s", c.noRow(id), advice)
	}
	return c.errorf(line, "1 column, expected id label [weight], or lines of one label for each of the %d %s; %d lines, the first %s%s", n, c.rowsOf(), len(texts), lines.Quote([]byte(texts[0])), advice)
}

// isTitle reports whether the first of some labels reads like a title above the others: a text that none of
// them is, or a number where they have none. -1 and nan are no label.
func isTitle(texts []string) bool {
	isLabel := func(text string) bool { v, ok := numberOf(text); return ok && v == v && v != -1 }
	if _, ok := numberOf(texts[0]); ok {
		return isLabel(texts[0]) && !slices.ContainsFunc(texts[1:], isLabel)
	}
	return !slices.Contains(texts[1:], texts[0])
}

// numberOf returns the number that a label is, if it is one.
func numberOf(text string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// checkRows refuses as many labels without ids as there are nodes, where these are not called 0, 1, …:
// the labels of nodes that are counted from 1 would each go to the next one.
func (c *Collector) checkRows(n int) error {
	if n != c.unnamed() {
		return nil
	}
	id := c.missingRow()
	if id == nil {
		return nil
	}
	advice := "write lines of the form id label"
	if !c.named() {
		advice += ", or count nodes from 0"
	}
	return &lines.Error{File: c.file, Msg: fmt.Sprintf("node %q is not in %s, and labels without ids are of nodes 0 to %d: %s", id, c.owner(), n-1, advice)}
}

// addLine adds the label of a line of text.
func (c *Collector) addLine(scan *lines.Scanner) error {
	fields := scan.Fields()
	if err := c.checkList(scan); err != nil {
		return err
	}
	if len(fields) < 2 || len(fields) > 3 {
		advice := scan.Semicolons()
		if len(fields) > 3 {
			advice = "; labelfile.Columns.Label says which column of a table with a header holds the labels"
		}
		return scan.Errorf("%s, expected 2 or 3: id label [weight]%s", lines.Columns(len(fields)), advice)
	}
	id, err := scan.ID(0, "node id")
	if err != nil && c.mayBeHeader && c.out.Stats.Lines == 0 && c.out.Stats.Blank == 0 {
		advice := ""
		if len(fields) == 2 {
			advice = ": the index of rows below then holds the ids"
		}
		return scan.Errorf("empty node id in column 1; if this line is a header, say labelfile.Options.Header%s", advice)
	}
	if err != nil {
		return err
	}
	label := fields[1]
	switch {
	case len(label) == 0 && c.titled:
		c.Blank()
		return nil
	case len(label) == 0:
		return scan.Errorf("empty label in column 2; leave the line out, or say labelfile.Options.Header if the first line is a header: below one an empty label is none")
	}
	weight := 1.0
	if len(fields) == 3 {
		if weight, err = scan.Weight(2); err != nil {
			switch {
			case lines.IsQuoted(fields[2]):
				return fmt.Errorf("%w; %s", err, lines.QuotesAreLetters)
			case scan.Separator() == ' ':
				return fmt.Errorf("%w; labels of several words need tabs or commas between the columns; names of rows that R writes are left out by row.names=FALSE", err)
			}
			return fmt.Errorf("%w; if the third column holds no weights, leave it out, or say which holds labels, by the title: labelfile.Columns.Label", err)
		}
	}
	if c.out.Stats.Lines == 0 && !c.titled && !c.opt.SkipUnknown && c.isIndex(fields) {
		return scan.Errorf("node %s is not in the graph, but %s of column 2 is: %s", lines.Quote(id), lines.Quote(label), withoutIndex)
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
			return nil, scan.Errorf("%s, expected at least %d", lines.Columns(len(f)), len(want))
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
