package labelfile

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// Collector makes labels of rows from readers of other formats, by the rules of [Read]. It ignores
// Options.Header.
type Collector struct {
	file        string
	nodes       *ids.Table
	opt         Options
	classes     *ids.Table
	given       map[uint32]given // the first label of each node
	seedOf      map[uint64]int   // index in out.Seeds of a node and class
	out         Labels
	weighted    int     // labels that have a weight
	bare        int     // and those that have none
	bareAt      int     // line of the first of these
	least, most float64 // weights
	mayBeHeader bool    // the first line
	titled      bool    // there was a header
	expected    string
	orIDs       string          // advice about a column of ids that may hold none
	unknown     []unknown       // the first that were skipped
	zeroAt      int             // the line of a label of node 0 that was skipped
	zeros       map[string]bool // the classes of labels of weight 0
	counts      counting
	thirds      thirds
	numbering   numbering
	byRow       bool // labels without ids are of the rows that Options.Rows counts
	done        bool // the labels have been asked for
}

// given is the first label of a node, the line of its first label without a weight (0: none), and
// whether it has another label.
type given struct {
	line, bare int
	class      uint32
	several    bool
}

// NewCollector returns a collector without labels. The file name is for
// messages.
func NewCollector(file string, nodes *ids.Table, opt Options) *Collector {
	return &Collector{file: file, nodes: nodes, opt: opt, classes: ids.NewTable(), given: map[uint32]given{}, seedOf: map[uint64]int{}, expected: "rows with an id and a label"}
}

func (c *Collector) errorf(line int, format string, args ...any) error {
	return &lines.Error{File: c.file, Line: line, Msg: fmt.Sprintf(format, args...)}
}

// owner is what has the nodes, in messages.
func (c *Collector) owner() string { return cmp.Or(c.opt.Of, "the graph") }

// maxWeight keeps weights, their squares and sums within float32.
const maxWeight = 1e9

// Add adds a label. Its line counts from 1: a line of a text, or a row of a table. The weight is 1
// if not weighted.
func (c *Collector) Add(id, label []byte, weight float64, weighted bool, line int) error {
	if c.done {
		return c.errorf(line, "a label after Labels, expected all labels before")
	}
	if !weighted {
		weight = 1
	}
	if slices.Contains(c.opt.Missing, string(label)) || string(label) == emptyQuotes && slices.Contains(c.opt.Missing, "") {
		c.Blank()
		return nil
	}
	c.out.Stats.Lines++
	label = c.match(label, line)
	node, ok := c.nodes.Lookup(id)
	switch {
	case !ok && c.opt.SkipUnknown:
		c.skip(id, line)
		return nil
	case !ok:
		err, _ := c.strange(id, label, line)
		return err
	case weight > maxWeight || weight != 0 && weight < 1/maxWeight:
		return c.errorf(line, "label weight %s, expected 0 or between %g and %g", strconv.Quote(strconv.FormatFloat(weight, 'g', -1, 64)), 1/maxWeight, maxWeight)
	case weight == 0:
		c.out.Stats.Zero++
		if c.zeros == nil {
			c.zeros = map[string]bool{}
		}
		c.zeros[string(label)] = true
		return nil
	}
	if weighted {
		if c.weighted++; c.weighted == 1 {
			c.least = weight
		}
		c.least, c.most = min(c.least, weight), max(c.most, weight)
	} else if c.bare++; c.bare == 1 {
		c.bareAt = line
	}
	class, err := c.classes.Add(label)
	if err != nil {
		return c.errorf(line, "%v", err)
	}
	said, seen := c.given[node]
	if !seen {
		said = given{line: line, class: class}
	}
	said.several = said.several || said.class != class
	if !weighted && said.bare == 0 {
		said.bare = line
	}
	c.given[node] = said
	if said.several && said.bare > 0 && !c.opt.Multi {
		return c.conflict(id, label, class, said, line)
	}
	pair := uint64(node)<<32 | uint64(class)
	if at, ok := c.seedOf[pair]; ok {
		c.out.Stats.Repeated++
		c.out.Seeds[at].Weight = max(c.out.Seeds[at].Weight, float32(weight))
		return nil
	}
	c.seedOf[pair] = len(c.out.Seeds)
	c.out.Seeds = append(c.out.Seeds, diffuse.Seed{Node: node, Class: class, Weight: float32(weight)})
	return nil
}

// strange returns the error for the label of an unknown node, and whether it says why the node is unknown.
func (c *Collector) strange(id, label []byte, line int) (err error, special bool) {
	other := c.nodes.Alike(id)
	switch {
	case c.isSide('L', id) || c.isSide('R', id):
		return c.errorf(line, "node %s is not in the graph, whose nodes are of two kinds, as in files of KONECT that say bip: expected %s for a node on the left, %s for one on the right", lines.Quote(id), lines.Quote(sideOf('L', id)), lines.Quote(sideOf('R', id))), true
	case other != nil:
		return c.errorf(line, "node %s is not in the graph, but %s is: %s", lines.Quote(id), lines.Quote(other), c.writeAlike(id, other)), true
	case string(id) == "0" && c.countsFromOne():
		return c.errorf(line, "node %s is not in the graph, whose nodes are 1 to %d: %s", lines.Quote(id), c.nodes.Len(), fromZero), true
	case c.odd(id) != nil:
		return c.errorf(line, "node %s is not in the graph, whose ids are such as %s: %s", lines.Quote(id), lines.Quote(c.odd(id)), c.writeAlike(id, c.odd(id))), true
	case lines.IsQuoted(id):
		return c.errorf(line, "node %s is not in the graph; %s", lines.Quote(id), lines.QuotesAreLetters), true
	case c.out.Stats.Lines == 1 && c.isNode(label) && !ids.IsInteger(id): // further down a class may have the name of a node
		return c.errorf(line, "node %s is not in the graph, but its label %s is: expected the node before its label", lines.Quote(id), lines.Quote(label)), true
	case c.out.Stats.Lines == 1 && c.mayBeHeader:
		return c.errorf(line, "node %s is not in the graph%s; if this line is a header, say labelfile.Options.Header; labelfile.Options.SkipUnknown ignores such labels", lines.Quote(id), c.orTransposed(id)), c.orTransposed(id) != ""
	}
	return c.errorf(line, "node %s is not in the graph%s; %s%s; labelfile.Options.SkipUnknown ignores such labels", lines.Quote(id), c.orTransposed(id), c.called(id), c.orIDs), c.orTransposed(id) != ""
}

// called says what nodes are called. It names a node whose name has the id in it, or is in it, as a barcode with a
// suffix does, else the first node. Cost: O(n).
func (c *Collector) called(id []byte) string {
	n := c.nodes.Len()
	if c.nodes.IsSequence() || n == 0 {
		return fmt.Sprintf("nodes are 0 to %d", n-1)
	}
	const least = 4 // shorter names are in others by chance
	var name []byte
	for k := range n {
		name = c.nodes.AppendName(name[:0], k)
		if min(len(id), len(name)) >= least && (bytes.Contains(name, id) || bytes.Contains(id, name)) {
			return "nodes are called such as " + lines.Quote(name)
		}
	}
	return "nodes are called such as " + lines.Quote(c.nodes.AppendName(name[:0], 0))
}

// orTransposed is advice about an unknown node that is a column of the features, by its number or its title.
func (c *Collector) orTransposed(id []byte) string {
	v, isNumber := ids.Plain(id)
	first, _, inRow := c.nodes.Counts()
	if isNumber && inRow && v-first >= int64(c.nodes.Len()) && v-first < int64(c.opt.Dims) || slices.Contains(c.opt.Features, string(id)) {
		return lines.Transposed(c.opt.Dims)
	}
	return ""
}

// sideOf returns the name of a node of one of two kinds.
func sideOf(kind byte, id []byte) []byte { return append([]byte{kind}, id...) }

// isSide reports whether a number is that of a node of a kind.
func (c *Collector) isSide(kind byte, id []byte) bool {
	return ids.IsInteger(id) && c.isNode(sideOf(kind, id))
}

// match returns the name of the class of a label, and counts those of another spelling.
func (c *Collector) match(label []byte, line int) []byte {
	if c.opt.Match == (Match{}) {
		return label
	}
	name := c.opt.Match.Name(string(label))
	if name != string(label) {
		c.out.Notes.Add(notes.MatchedLabels, 1, line, string(label))
	}
	return []byte(name)
}

// unknown is a label that was skipped because its node is unknown.
type unknown struct {
	id   []byte
	line int
}

// skip counts a label of an unknown node, and keeps the first ones for messages.
func (c *Collector) skip(id []byte, line int) {
	const kept = 4 // the first may be a header
	c.out.Stats.Unknown++
	if len(c.unknown) < kept {
		c.unknown = append(c.unknown, unknown{bytes.Clone(id), line})
	}
	if string(id) == "0" && c.zeroAt == 0 {
		c.zeroAt = line
	}
	if plain, ok := ids.Respelled(id); ok && c.isNode(plain) {
		c.out.Notes.Doubt(notes.SimilarIDs, 1, line, string(plain)+" / "+string(id), alikeAdvice)
	}
}

const alikeAdvice = "if they are one node, write both alike"

// noteQuoted notes the classes in quotes.
func (c *Collector) noteQuoted() {
	for j := range c.classes.Len() {
		if name := c.classes.Name(j); lines.IsQuoted([]byte(name)) {
			c.out.Notes.Doubt(notes.QuotedLabels, 1, 0, name, lines.QuotesAreLetters)
		}
	}
}

// isPointed reports whether a name has a point, such as 1.0.
func isPointed(id []byte) bool { return bytes.IndexByte(id, '.') >= 0 }

// writeAlike says why an id of a label and that of a node differ in spelling, and what to do.
func (c *Collector) writeAlike(id, node []byte) string {
	switch {
	case isPointed(id) && ids.IsInteger(node):
		return "ids became fractions, as in pandas where one is missing; save them as whole numbers"
	case lines.IsQuoted(id) && !lines.IsQuoted(node):
		return lines.QuotesAreLetters
	case lines.IsQuoted(node) && !lines.IsQuoted(id):
		return "between tabs and blanks quotes are letters; write " + c.owner() + " without (R: quote=FALSE), or with commas"
	case isPointed(node) && ids.IsInteger(id):
		return "ids of " + c.owner() + " became fractions; save them as whole numbers (numpy.savetxt with fmt='%d'; in pandas astype(int))"
	}
	return "write ids alike"
}

// odd returns the first id of a graph whose first and last ids are numbers in an unusual spelling, such
// as 1.0 and 001, where another id is a plain one; else nil.
func (c *Collector) odd(id []byte) []byte {
	n := c.nodes.Len()
	if !ids.IsInteger(id) || n == 0 {
		return nil
	}
	first := c.nodes.AppendName(nil, 0)
	if _, ok := ids.Respelled(first); !ok {
		return nil
	}
	if _, ok := ids.Respelled(c.nodes.AppendName(nil, n-1)); !ok {
		return nil
	}
	return first
}

// fromZero says what to do where nodes count from 1 and labels seem to count from 0.
const fromZero = "labels seem to count from 0; number both alike, or leave the label of node 0 out if it has no edges"

// countsFromOne reports whether the nodes are 1 to n. Cost: O(n) at most.
func (c *Collector) countsFromOne() bool {
	var name []byte
	for k := range c.nodes.Len() {
		if name = strconv.AppendInt(name[:0], int64(k)+1, 10); !c.isNode(name) {
			return false
		}
	}
	return c.nodes.Len() > 0
}

// none returns the error for labels that are all of unknown nodes, with the reason if it shows.
func (c *Collector) none() error {
	what := fmt.Sprintf("no labels of nodes of %s", c.owner())
	for _, u := range c.unknown {
		if node := c.nodes.Alike(u.id); node != nil {
			return c.errorf(u.line, "%s: node %s is unknown, but %s is one: %s", what, lines.Quote(u.id), lines.Quote(node), c.writeAlike(u.id, node))
		}
	}
	for _, u := range c.unknown {
		if node := c.odd(u.id); node != nil {
			return c.errorf(u.line, "%s: node %s is unknown, and ids are such as %s: %s", what, lines.Quote(u.id), lines.Quote(node), c.writeAlike(u.id, node))
		}
	}
	if c.zeroAt > 0 && c.countsFromOne() {
		return c.errorf(c.zeroAt, "%s: nodes are 1 to %d, and node \"0\" is unknown: %s", what, c.nodes.Len(), fromZero)
	}
	zero := ""
	if n := c.out.Stats.Zero; n > 0 {
		zero = fmt.Sprintf("; labels of weight 0 are dropped, and there are %d", n)
	}
	unlike := ""
	if len(c.unknown) > 0 {
		id := c.unknown[len(c.unknown)-1].id // the first may be a title
		unlike = fmt.Sprintf("; node %s is unknown, and %s", lines.Quote(id), c.called(id))
	}
	return &lines.Error{File: c.file, Msg: fmt.Sprintf("%s, expected %s%s%s", what, c.expected, zero, unlike)}
}

// noteUnknown notes skipped labels whose node is there in another spelling, or by the next number.
func (c *Collector) noteUnknown() {
	for _, u := range c.unknown {
		if c.out.Notes.Count(notes.SimilarIDs) > 0 {
			break
		}
		if node := c.nodes.Alike(u.id); node != nil && !isPointed(node) { // those have a note of their own
			c.out.Notes.Doubt(notes.SimilarIDs, 1, u.line, string(node)+" / "+string(u.id), alikeAdvice)
		}
	}
	if c.zeroAt == 0 || !c.countsFromOne() {
		return
	}
	n := c.nodes.Len()
	last, _ := c.nodes.Lookup(strconv.AppendInt(nil, int64(n), 10))
	if _, labelled := c.given[last]; !labelled { // labels of 0 to n−1 leave it out
		c.out.Notes.Doubt(notes.CountedZero, len(c.given), c.zeroAt, "0", fmt.Sprintf("nodes of %s are 1 to %d: if labels count from 0, all are on the wrong node; number both alike", c.owner(), n))
	}
}

// header records a header whose id is that of a node.
func (c *Collector) header(id []byte) {
	if _, ok := c.nodes.Lookup(id); ok {
		c.out.Stats.HeaderData = string(id)
	}
}

// weights records the title of a third column if it does not suggest weights.
func (c *Collector) weights(titles [][]byte) {
	if len(titles) == 3 && lines.NoWeight(titles[2]) {
		c.out.Stats.WeightTitle = string(titles[2])
	}
}

// emptyQuotes is an empty text as programs write it. The text "" of Options.Missing is it, too: no label is
// empty.
const emptyQuotes = `""`

// unlabelled are common texts for a missing label, in small letters, beside those for any missing value.
var unlabelled = []string{"unlabeled", "unlabelled", "unassigned", "unannotated", "unknown", emptyQuotes}

// isMinusOne reports whether a label is -1 in some spelling, such as that of numpy.savetxt.
func isMinusOne(label string) bool {
	plain, ok := ids.Respelled([]byte(label))
	return label == "-1" || ok && string(plain) == "-1"
}

// isSigned reports whether -1 is a label like others: if another number is below 0, or if 1 is the
// only other number; many programs call two classes so. Labels may repeat, and nan is none.
func isSigned(labels []string) bool {
	below, ones, others := false, true, 0
	for _, name := range labels {
		v, err := strconv.ParseFloat(name, 64)
		switch {
		case isMinusOne(name), v != v, name == "":
			continue
		case err != nil:
			return false
		}
		below, ones = below || v < 0, ones && v == 1
		others++
	}
	return below || ones && others > 0
}

// codes are numbers that surveys and statistics programs write for a missing value.
var codes = []string{"-9", "-99", "-999", "-9999", "99", "999", "9999"}

// missingCode returns the number among the classes that may mean none: one of codes beside words alone, or one
// beside other whole numbers of at least 0 that most labels are. It is empty if there is none.
func (c *Collector) missingCode() string {
	code, words, numbers := "", 0, 0
	for _, name := range c.classNames() {
		v, isNumber := numberOf(name)
		switch {
		case slices.Contains(codes, name) && code == "":
			code = name
		case isNumber && !(v >= 0 && v == math.Trunc(v)):
			return "" // another number below 0, such as -1, or of a measurement
		case isNumber:
			numbers++
		default:
			words++
		}
	}
	switch {
	case code == "" || words > 0 && numbers > 0 || words+numbers == 0:
		return ""
	case words > 0:
		return code
	}
	class, _ := c.classes.Lookup([]byte(code))
	count := 0
	for _, seed := range c.out.Seeds {
		if seed.Class == class {
			count++
		}
	}
	if 2*count <= len(c.out.Seeds) {
		return ""
	}
	return code
}

// noteMissing counts the labels that may mean none.
func (c *Collector) noteMissing() {
	signed, code := isSigned(c.classNames()), c.missingCode()
	var texts []string
	for j := range c.classes.Len() {
		name := c.classes.Name(j)
		if !lines.IsMissing([]byte(name)) && !slices.Contains(unlabelled, strings.ToLower(name)) && (name != code || code == "") && (signed || !isMinusOne(name)) {
			continue
		}
		texts = append(texts, name)
		for _, seed := range c.out.Seeds {
			if int(seed.Class) == j {
				c.out.Stats.MissingLike++
			}
		}
	}
	slices.Sort(texts)
	c.out.Stats.MissingTexts = strings.Join(texts, ",")
}

// noteZeros lists the classes that have labels of weight 0 alone.
func (c *Collector) noteZeros() {
	var lost []string
	for name := range c.zeros {
		if _, ok := c.classes.Lookup([]byte(name)); !ok {
			lost = append(lost, strconv.Quote(name))
		}
	}
	slices.Sort(lost)
	c.out.Stats.ZeroClasses = strings.Join(lost, ", ")
}

// Blank counts a row of a table without a label.
func (c *Collector) Blank() { c.out.Stats.Blank++ }

// conflict returns the error for a label without a weight that is not the only one of its node.
func (c *Collector) conflict(id, label []byte, class uint32, said given, line int) error {
	const expected = "expected one label a node, or a weight with each, or labelfile.Options.Multi"
	if said.class != class {
		return c.errorf(line, "node %s has label %s, but %s on line %d; %s%s", lines.Quote(id), lines.Quote(label), lines.Quote([]byte(c.classes.Name(int(said.class)))), said.line, expected, c.orIDs)
	}
	return c.errorf(line, "node %s has label %s without a weight, but another label above; %s", lines.Quote(id), lines.Quote(label), expected)
}

// Labels returns the labels. Classes are numbered in sorted order. A second call returns the same
// ones, and [Collector.Add] then takes no more.
func (c *Collector) Labels() (*Labels, error) {
	if len(c.out.Seeds) == 0 {
		return nil, c.none()
	}
	if c.done {
		return &c.out, nil
	}
	c.done = true
	c.noteMissing()
	c.noteZeros()
	c.noteUnknown()
	if c.bare == 0 && c.out.Stats.WeightTitle == "" && lines.TimeLike(c.least, c.most) {
		c.out.Notes.Doubt(notes.TimeWeights, c.weighted, 0, "", "if they are times, leave their column out")
	}
	if c.weighted > 0 {
		c.out.Notes.Add(notes.BareLabels, c.bare, c.bareAt, "")
	}
	newOf := c.classes.Sort()
	for k := range c.out.Seeds {
		c.out.Seeds[k].Class = newOf[c.out.Seeds[k].Class]
	}
	c.out.Classes = c.classNames()
	NoteAlike(&c.out.Notes, c.out.Classes)
	c.noteJoined()
	c.noteTargets()
	return &c.out, nil
}

// noteTargets notes classes that are numbers, as of somebody who wants numbers predicted: with fractions, or whole ones
// that are far apart and of one label each. Codes of classes are close together.
func (c *Collector) noteTargets() {
	const leastFractions, leastWhole, leastApart = 3, 10, 2
	const advice = "numbers are not predicted: make classes of them, such as low and high"
	n, whole, least, most := len(c.out.Classes), 0, math.Inf(1), math.Inf(-1)
	var fractions []string
	for _, class := range c.out.Classes {
		switch v, err := strconv.ParseFloat(class, 64); {
		case err != nil || v-v != 0:
		case v == math.Trunc(v):
			whole, least, most = whole+1, min(least, v), max(most, v)
		default:
			fractions = append(fractions, class)
		}
	}
	switch {
	case len(fractions) >= leastFractions && 2*len(fractions) > n:
		c.out.Notes.Doubt(notes.FractionLabels, len(fractions), 0, fractions[0], advice)
	case whole == n && n == len(c.out.Seeds) && n >= leastWhole && most-least >= float64(leastApart*n):
		c.out.Notes.Doubt(notes.NumberLabels, n, 0, c.out.Classes[0], advice)
	}
}

func (c *Collector) classNames() (names []string) {
	for j := range c.classes.Len() {
		names = append(names, c.classes.Name(j))
	}
	return names
}
