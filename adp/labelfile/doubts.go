package labelfile

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// counting watches lines of three columns whose first one may be an index of rows, as pandas and R
// write it: it counts the lines from 0 or 1, and the second column has names of nodes.
type counting struct {
	lines, first int64 // lines so far, and the number of the first one
	no           bool  // it is none
	at           int   // line of the first
	labels       map[string]bool
	differ       bool // an id and its label differ
}

// take looks at the next line.
func (w *counting) take(c *Collector, fields [][]byte, line int) {
	if w.no {
		return
	}
	v, ok := ids.Plain(fields[0])
	if w.lines == 0 {
		w.first, w.at, w.labels = v, line, map[string]bool{}
	}
	if !ok || w.first < 0 || w.first > 1 || v != w.first+w.lines || len(fields) != 3 || !c.isNode(fields[1]) {
		w.no, w.labels = true, nil
		return
	}
	w.lines++
	w.labels[string(fields[1])] = true
	w.differ = w.differ || !bytes.Equal(fields[0], fields[1])
}

// withoutIndex says what an index of rows is, and what to do.
const withoutIndex = "an index of rows, expected id label [weight]; write the file without it (pandas: index=False, R: row.names=FALSE)"

// isIndex reports whether a first line begins with a number of rows, and the name of a node follows, in
// a graph whose nodes have names.
func (c *Collector) isIndex(fields [][]byte) bool {
	number, ok := ids.Plain(fields[0])
	return len(fields) == 3 && ok && number >= 0 && number <= 1 && c.named() && !c.isNode(fields[0]) && c.isNode(fields[1])
}

// end refuses a file in which each line has the name of another node as its label, and notes one where
// nearly all do. A header says that the first column holds ids.
func (w *counting) end(c *Collector) error {
	const least, sure = 3, 5 // lines
	n, distinct := w.lines, int64(len(w.labels))
	switch {
	case w.no || c.titled || n < least || 4*distinct <= 3*n:
	case n >= sure && distinct == n && w.differ:
		return c.errorf(w.at, "column 1 counts the lines from %d to %d, and column 2 has another node on each: %s; if column 1 holds ids, write titles above: node, label, weight", w.first, w.first+n-1, withoutIndex)
	default:
		c.out.Notes.Doubt(notes.IndexColumn, 1, w.at, "", "if it is an index of rows, write the file without it (pandas: index=False, R: row.names=FALSE)")
	}
	return nil
}

// numbering watches the lines below a first one that has the numbers of the columns, as pandas writes
// above columns without titles, and that may be a label.
type numbering struct {
	at    int // the first line, 0 if it has others
	below int // lines below it
	last  string
	// Ids do not ascend as numbers, as texts, and as numbers within each label.
	numbers, texts, classes bool
	lastOf                  map[string]string // the last id of each label
	again, counted          bool              // a label is that of the first line; is a number
}

// take looks at the next line. The first one has no other above it.
func (w *numbering) take(fields [][]byte, line int, first bool) {
	if first {
		if counts(fields) {
			w.at, w.last, w.lastOf = line, "0", map[string]string{string(fields[1]): "0"}
		}
		return
	}
	if w.at == 0 {
		return
	}
	id, label := string(fields[0]), string(fields[1])
	w.below++
	w.numbers = w.numbers || compareIDs(w.last, id) > 0
	w.texts = w.texts || w.last > id
	w.classes = w.classes || compareIDs(w.lastOf[label], id) > 0
	w.again = w.again || label == "1"
	_, err := strconv.ParseFloat(label, 64)
	w.counted = w.counted || err == nil
	w.last, w.lastOf[label] = id, id
}

// counts reports whether fields are 0, 1, 2, ….
func counts(fields [][]byte) bool {
	return slices.EqualFunc(fields, []string{"0", "1", "2"}[:min(len(fields), 3)], func(f []byte, want string) bool { return string(f) == want })
}

// compareIDs compares ids as numbers if they are such. An empty one is the least.
func compareIDs(a, b string) int {
	v, isNumber := ids.Plain([]byte(a))
	u, isToo := ids.Plain([]byte(b))
	if isNumber && isToo {
		return cmp.Compare(v, u)
	}
	return cmp.Compare(a, b)
}

// end notes a first line that is no label like others: it alone has a number, or the ids below are in
// no order, so that node 0 is first by chance alone.
func (w *numbering) end(c *Collector) {
	const leastWords, leastIDs = 2, 5 // lines
	words := w.below >= leastWords && !w.again && !w.counted
	mixed := w.below >= leastIDs && w.numbers && w.texts && w.classes
	if words || mixed {
		c.out.Notes.Doubt(notes.NumberedTitles, 1, w.at, "0 1", "if it is a header, as pandas writes above columns without titles, say labelfile.Options.Header")
	}
}

// checkIndex refuses a first line of titles that has none for its first column, an index of rows, and
// several others: ids would be taken for labels.
func (c *Collector) checkIndex(fields [][]byte, line int) error {
	if len(fields) < 3 || !lines.IsIndex(fields[0]) {
		return nil
	}
	titles := fields[1:]
	label := slices.IndexFunc(titles, lines.IsLabelTitle)
	if label < 0 {
		label = len(titles) - 1
	}
	id, other := slices.IndexFunc(titles, lines.IsIDTitle), ""
	switch {
	case id >= 0 || label == 0:
	case len(titles) == 2:
		id, other = 0, ", or 1 if this column names the nodes"
	default: // of a table of features and labels
		other = " if this column names the nodes, else the one that does"
	}
	return c.errorf(line, "column 1 has the title %s, as an index of rows that pandas or R wrote: say which columns hold labels and ids, labelfile.Columns.Label %s and labelfile.Columns.ID %s%s", lines.Quote(fields[0]), columnName(fields, label+1), columnName(fields, id+1), other)
}

// columnName returns the title of a column if it is one word that no other column has, else its number.
func columnName(titles [][]byte, k int) string {
	plain := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	same := 0
	for _, title := range titles {
		if bytes.Equal(title, titles[k]) {
			same++
		}
	}
	if same > 1 || len(titles[k]) == 0 || len(bytes.TrimFunc(titles[k], plain)) > 0 || len(titles[k]) > 40 {
		return strconv.Itoa(k + 1)
	}
	return string(titles[k])
}

// aLineEach says what to do with several labels in a field.
func (c *Collector) aLineEach() string {
	advice := "if these are several labels of a node, write a row for each"
	if !c.opt.Multi {
		advice += " (labelfile.Options.Multi)"
	}
	return advice
}

// brackets are those of lists, as Python and JSON print them.
var brackets = []string{"[]", "()", "{}"}

// noteJoined notes classes that are several labels in one field: lists, or texts with parts that are classes too.
func (c *Collector) noteJoined() {
	known := map[string]bool{}
	for _, class := range c.out.Classes {
		known[class] = true
		if items := listed(class); len(items) == 1 {
			known[items[0]] = true
		}
	}
	isKnown := func(part string) bool { return known[part] }
	for _, class := range c.out.Classes {
		items := listed(class)
		parts := items
		if items == nil {
			parts = joined(class)
		}
		words := strings.Fields(class) // names, unless each is a class
		switch {
		case len(items) > 2, len(items) == 2 && !isInterval(items):
			c.out.Notes.Doubt(notes.ListedLabels, 1, 0, class, c.aLineEach())
		case len(parts) > 1 && slices.ContainsFunc(parts, isKnown), len(words) > 1 && !slices.ContainsFunc(words, func(word string) bool { return !known[word] }):
			c.out.Notes.Doubt(notes.JoinedLabels, 1, 0, class, c.aLineEach())
		}
	}
}

// joined returns the parts of a text between commas, semicolons and bars.
func joined(text string) []string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|", r) })
	for k, part := range parts {
		parts[k] = strings.TrimSpace(part)
	}
	return parts
}

// listed returns the items of a list in brackets, without their quotes; nil of another text.
func listed(text string) []string {
	n := len(text)
	if n < 3 || !slices.Contains(brackets, text[:1]+text[n-1:]) {
		return nil
	}
	items := joined(strings.ReplaceAll(text[1:n-1], "' '", "','")) // as numpy prints texts
	for k, item := range items {
		items[k] = strings.Trim(item, `'"`)
	}
	return items
}

// isInterval reports whether two items are numbers, as the ends of an interval are.
func isInterval(items []string) bool {
	_, isNumber := numberOf(items[0])
	_, isToo := numberOf(items[1])
	return isNumber && isToo
}

// checkList refuses a list of labels whose commas or blanks were taken for separators.
func (c *Collector) checkList(scan *lines.Scanner) error {
	fields := scan.Fields()
	last := fields[len(fields)-1]
	for _, b := range brackets {
		if !bytes.HasSuffix(last, []byte(b[1:])) || bytes.IndexByte(last, b[0]) >= 0 {
			continue
		}
		open := slices.IndexFunc(fields[:len(fields)-1], func(f []byte) bool {
			return bytes.HasPrefix(f, []byte(b[:1])) || bytes.Contains(f, []byte(" "+b[:1]))
		})
		if open >= 0 && !c.isNode(fields[open]) {
			return scan.Errorf("%s to %s look like a list of labels, expected id label [weight]; %s", lines.Quote(fields[open]), lines.Quote(last), c.aLineEach())
		}
	}
	return nil
}
