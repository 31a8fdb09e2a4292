package edgelist

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// columns says which columns of a table hold the ends and the weight.
type columns struct {
	chosen []int    // nil: the first two or three
	width  int      // of all lines, where some are chosen
	titles int      // of the header, 0 for none
	arrow  string   // in the second field of the first line, between the ends; empty for none
	ended  bool     // lines of arrows end with a semicolon, as in DOT
	picked [][]byte // of the current line
}

// pick returns the fields of the current line that are chosen.
func (c *columns) pick(s *lines.Scanner, fields [][]byte) ([][]byte, error) {
	if c.chosen == nil {
		return fields, nil
	}
	n := len(fields)
	short := n < c.width && s.Separator() == '\t' && n > slices.Max(c.chosen) // tabs at the end of a line are no part of it
	if n != c.width && !short {
		return nil, s.Errorf("%s, expected %d as in the first line", lines.Columns(n), c.width)
	}
	if c.arrow != "" && !lines.IsArrow(fields[1]) { // else weights would be read as ids
		return nil, s.Errorf("%s in column 2, expected an arrow between two ids, as %s in the first line; if column 2 holds ids, say edgelist.HeaderNo", lines.Quote(fields[1]), lines.Quote([]byte(c.arrow)))
	}
	if last := fields[n-1]; c.ended && !bytes.HasSuffix(last, []byte(";")) {
		return nil, s.Errorf("%s at the end of a line, expected a semicolon there as in the first line; if ids end with semicolons, say edgelist.Options.Columns 1,3", lines.Quote(last))
	}
	if last := fields[n-1]; c.arrow != "" && !c.ended && bytes.HasSuffix(last, []byte(";")) {
		return nil, s.Errorf("%s at the end of a line, expected no semicolon there as in the first line; if ids end with semicolons, say edgelist.Options.Columns 1,3", lines.Quote(last))
	}
	c.picked = c.picked[:0]
	for _, k := range c.chosen {
		c.picked = append(c.picked, fields[k])
	}
	if c.ended {
		last := len(c.picked) - 1
		c.picked[last] = bytes.TrimSuffix(c.picked[last], []byte(";"))
	}
	return c.picked, nil
}

// pickArrow chooses the ends of an edge with an arrow between them, and the weight, of a first line such
// as a -> b, a -> b 0.5 and a -> b; and returns false for others.
func (c *columns) pickArrow(fields [][]byte) bool {
	n := len(fields)
	ended := bytes.HasSuffix(fields[n-1], []byte(";"))
	if ended && len(fields[n-1]) == 1 {
		n--
	}
	if n != 3 && n != 4 || !lines.IsArrow(fields[1]) {
		return false
	}
	c.width, c.chosen = len(fields), slices.Delete([]int{0, 1, 2, 3}[:n], 1, 2)
	c.arrow, c.ended = string(fields[1]), ended
	return true
}

// number returns the number of the column of a chosen field, from 1.
func (c *columns) number(k int) int {
	if c.chosen != nil {
		k = c.chosen[k]
	}
	return k + 1
}

// choose chooses the columns that the options name in the first line, and reports whether that line
// is a header.
func (p *parser) choose(fields [][]byte) (header bool, err error) {
	s, named := p.scan, p.opt.Header == HeaderYes
	for _, column := range p.opt.Columns {
		if _, err := strconv.Atoi(column); err != nil {
			named = true
			if p.opt.Header == HeaderNo {
				return false, s.Errorf("the column %s has a name, which a file without a header cannot have", lines.Quote([]byte(column)))
			}
		}
	}
	c := &p.columns
	c.width, c.chosen = len(fields), nil
	titles := make([]string, len(fields))
	for k, f := range fields {
		titles[k] = string(f)
	}
	for _, column := range p.opt.Columns {
		k, err := lines.FindColumn(titles, column, named, " in the first line")
		if err != nil {
			return false, s.Errorf("%v", err)
		}
		if slices.Contains(c.chosen, k) {
			return false, s.Errorf("column %s is named twice, expected the columns of both ends, and of the weight", lines.Quote([]byte(column)))
		}
		c.chosen = append(c.chosen, k)
	}
	return named, nil
}

// plain chooses columns by titles that say plainly what they hold, such as Source, Target and
// Weight of Gephi, where the line cannot be an edge. Of three columns without a weight the other one
// must have text below. It returns false if there are none.
func (p *parser) plain(fields [][]byte) bool {
	titles := make([]string, len(fields))
	for k, f := range fields {
		titles[k] = lines.Title(f)
	}
	weight := slices.Index(titles, "weight")
	for _, pair := range lines.EdgeTitles {
		src, dst := slices.Index(titles, pair[0]), slices.Index(titles, pair[1])
		if src < 0 || dst < 0 || len(fields) < 3 || len(fields) == 3 && weight < 0 && !lines.IsIndex(fields[0]) && !p.isBeside(3-src-dst, titles) {
			continue
		}
		p.columns.width, p.columns.chosen = len(fields), []int{src, dst}
		if weight >= 0 {
			p.columns.chosen = append(p.columns.chosen, weight)
		}
		if slices.Equal(p.columns.chosen, []int{0, 1, 2}) && len(fields) == 3 {
			p.columns.chosen = nil
		}
		return true
	}
	return false
}

// isBeside reports whether a column of three holds something beside the ends: text, below a title of its
// own.
func (p *parser) isBeside(column int, titles []string) bool {
	others := slices.Delete(slices.Clone(titles), column, column+1)
	return !slices.Contains(others, titles[column]) && p.textBelow(column)
}

// noteColumns notes the columns that are not chosen. One that may hold weights is a doubt, where
// nothing else does and nobody said so.
func (p *parser) noteColumns(fields [][]byte, header bool) {
	c := &p.columns
	if c.chosen == nil {
		return
	}
	var left []string
	advice := ""
	for k, f := range fields {
		switch title := string(f); {
		case slices.Contains(c.chosen, k):
		case header && p.opening.arrows && lines.Title(f) == "type" && !p.opt.Directed:
			p.opening.notes.Doubt(notes.Directions, 1, 0, title, "edges are read without directions; if they have some, say edgelist.Options.Directed")
		case !header:
			left = append(left, strconv.Itoa(k+1))
		default:
			left = append(left, title)
			if len(c.chosen) == 2 && len(p.opt.Columns) == 0 && lines.MayWeigh(title) && advice == "" {
				advice = fmt.Sprintf("if column %s holds weights, say edgelist.Options.Columns %s,%s,%s", lines.Quote(f), fields[c.chosen[0]], fields[c.chosen[1]], title)
			}
		}
	}
	if text := strings.Join(left, ", "); advice == "" {
		p.opening.notes.Add(notes.Columns, len(left), 0, text)
	} else {
		p.opening.notes.Doubt(notes.Columns, len(left), 0, text, advice)
	}
}
