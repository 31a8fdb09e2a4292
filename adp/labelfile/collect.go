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
	counts      counting
	numbering   numbering
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
	if slices.Contains(c.opt.Missing, string(label)) {
		c.Blank()
		return nil
	}
	c.out.Stats.Lines++
	label = c.match(label, line)
	node, ok := c.nodes.Lookup(id)
	switch {
	case !ok && c.opt.SkipUnknown:
		c.out.Stats.Unknown++
		if plain := c.respelled(id); plain != nil {
			c.out.Notes.Doubt(notes.SimilarIDs, 1, line, string(plain)+" / "+string(id), "if they are one node, write both alike")
		}
		return nil
	case !ok && (c.isSide('L', id) || c.isSide('R', id)):
		return c.errorf(line, "node %s is not in the graph, whose nodes are of two kinds, as in files of KONECT that say bip: expected %s for a node on the left, %s for one on the right", lines.Quote(id), lines.Quote(sideOf('L', id)), lines.Quote(sideOf('R', id)))
	case !ok && c.respelled(id) != nil && bytes.IndexByte(id, '.') >= 0 && ids.IsInteger(c.respelled(id)):
		return c.errorf(line, "node %s is not in the graph, but %s is: ids became fractions, as in pandas where one is missing; save them as whole numbers", lines.Quote(id), lines.Quote(c.respelled(id)))
	case !ok && c.respelled(id) != nil:
		return c.errorf(line, "node %s is not in the graph, but %s is: write ids alike", lines.Quote(id), lines.Quote(c.respelled(id)))
	case !ok && len(id) > 2 && id[0] == '"' && id[len(id)-1] == '"' && c.isNode(id[1:len(id)-1]):
		return c.errorf(line, "node %s is not in the graph, but %s is: between tabs and blanks quotes are letters; write the file without (R: quote=FALSE), or with commas", lines.Quote(id), lines.Quote(id[1:len(id)-1]))
	case !ok && c.out.Stats.Lines == 1 && c.mayBeHeader:
		return c.errorf(line, "node %s is not in the graph; if this line is a header, say labelfile.Options.Header; labelfile.Options.SkipUnknown ignores such labels", lines.Quote(id))
	case !ok:
		return c.errorf(line, "node %s is not in the graph; labelfile.Options.SkipUnknown ignores such labels", lines.Quote(id))
	case weight > maxWeight || weight != 0 && weight < 1/maxWeight:
		return c.errorf(line, "label weight %s, expected 0 or between %g and %g", strconv.Quote(strconv.FormatFloat(weight, 'g', -1, 64)), 1/maxWeight, maxWeight)
	case weight == 0:
		c.out.Stats.Zero++
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

// respelled returns the id of a node that another one is a spelling of; nil if there is none.
func (c *Collector) respelled(id []byte) []byte {
	plain, ok := ids.Respelled(id)
	if !ok || !c.isNode(plain) {
		return nil
	}
	return plain
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

// missing holds common texts for a missing label, in small letters.
var missing = []string{"na", "n/a", "<na>", "nan", "none", "null", "unlabeled", "unlabelled", "unknown", "?", "-1"}

// isSigned reports whether -1 is a label like others: if another number is below 0, or if 1 is the
// only other number; many programs call two classes so. Labels may repeat, and nan is none.
func isSigned(labels []string) bool {
	below, ones, others := false, true, 0
	for _, name := range labels {
		v, err := strconv.ParseFloat(name, 64)
		switch {
		case name == "-1", v != v:
			continue
		case err != nil:
			return false
		}
		below, ones = below || v < 0, ones && v == 1
		others++
	}
	return below || ones && others > 0
}

// noteMissing counts the labels that may mean none.
func (c *Collector) noteMissing() {
	signed := isSigned(c.classNames())
	var texts []string
	for j := range c.classes.Len() {
		name := c.classes.Name(j)
		if !slices.Contains(missing, strings.ToLower(name)) || name == "-1" && signed {
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

// Blank counts a row of a table without a label.
func (c *Collector) Blank() { c.out.Stats.Blank++ }

// conflict returns the error for a label without a weight that is not the only one of its node.
func (c *Collector) conflict(id, label []byte, class uint32, said given, line int) error {
	const expected = "expected one label a node, or a weight with each, or labelfile.Options.Multi"
	if said.class != class {
		return c.errorf(line, "node %s has label %s, but %s on line %d; %s", lines.Quote(id), lines.Quote(label), lines.Quote([]byte(c.classes.Name(int(said.class)))), said.line, expected)
	}
	return c.errorf(line, "node %s has label %s without a weight, but another label above; %s", lines.Quote(id), lines.Quote(label), expected)
}

// Labels returns the labels, and uses the collector up. Classes are numbered in sorted order.
func (c *Collector) Labels() (*Labels, error) {
	if len(c.out.Seeds) == 0 {
		return nil, &lines.Error{File: c.file, Msg: fmt.Sprintf("no labels of nodes of %s, expected %s", c.owner(), c.expected)}
	}
	c.noteMissing()
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
	c.noteFractions()
	return &c.out, nil
}

// noteJoined notes classes that are several labels in one field: parts of them are classes too.
func (c *Collector) noteJoined() {
	for _, class := range c.out.Classes {
		parts := strings.FieldsFunc(class, func(r rune) bool { return strings.ContainsRune(",;|", r) })
		if len(parts) > 1 && slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(c.out.Classes, strings.TrimSpace(part)) }) {
			c.out.Notes.Doubt(notes.JoinedLabels, 1, 0, class, "if these are several labels of a node, write a row for each (labelfile.Options.Multi)")
		}
	}
}

// noteFractions notes classes that are numbers with fractions: somebody wants numbers predicted.
func (c *Collector) noteFractions() {
	const least = 3
	var found []string
	for _, class := range c.out.Classes {
		if v, err := strconv.ParseFloat(class, 64); err == nil && v != math.Trunc(v) {
			found = append(found, class)
		}
	}
	if len(found) >= least && 2*len(found) > len(c.out.Classes) {
		c.out.Notes.Doubt(notes.FractionLabels, len(found), 0, found[0], "numbers are not predicted: make classes of them, such as low and high")
	}
}

func (c *Collector) classNames() (names []string) {
	for j := range c.classes.Len() {
		names = append(names, c.classes.Name(j))
	}
	return names
}
