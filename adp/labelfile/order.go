package labelfile

import (
	"fmt"
	"strconv"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// setOrder decides of which nodes n labels without ids are: of the rows of a file, or of nodes 0, 1, … by
// their names. Own says that they stand in the file of the rows.
func (c *Collector) setOrder(n int, own bool) error {
	rows, all := c.opt.Rows, c.nodes.Len()
	if rows == 0 {
		return nil
	}
	first, ordered, numbered := c.nodes.Counts()
	if numbered && first == 0 && rows < all && n == all && !own {
		return nil
	}
	c.byRow = true
	if own || !numbered || ordered || rows < all || first > 1 {
		return nil
	}
	name := strconv.AppendInt(nil, first, 10)
	row, _ := c.nodes.Lookup(name)
	if row == 0 {
		name = strconv.AppendInt(name[:0], first+1, 10)
		row, _ = c.nodes.Lookup(name)
	}
	return c.errorf(0, "labels without ids, and rows are named %d to %d in another order: row %d is node %s, so that a label could be of a row or of the node with its number; expected lines of the form id label", first, first+int64(all)-1, row, name)
}

// unnamed returns how many labels without ids are expected.
func (c *Collector) unnamed() int {
	if c.byRow {
		return c.opt.Rows
	}
	return c.nodes.Len()
}

// rowsOf says what labels without ids are of.
func (c *Collector) rowsOf() string {
	if n := c.nodes.Len(); c.byRow && c.opt.Rows < n {
		return fmt.Sprintf("rows of the features, in their order (%d more nodes have no row)", n-c.opt.Rows)
	}
	return "nodes, in their order"
}

// maySkip reports whether labels without ids may be more or fewer than nodes: not where nodes follow the
// rows, and labels could be of either.
func (c *Collector) maySkip() bool { return c.opt.SkipUnknown && c.unnamed() == c.nodes.Len() }

// missingRow returns the first of the rows 0 to n−1 that is none of the n nodes; nil if labels without
// ids can be those of the nodes.
func (c *Collector) missingRow() []byte {
	if c.byRow {
		return nil
	}
	for k := range c.nodes.Len() {
		if id := c.row(k); !c.isNode(id) {
			return id
		}
	}
	return nil
}

// noRow says why labels without ids are not those of the nodes.
func (c *Collector) noRow(id []byte) string {
	return fmt.Sprintf("labels without ids are of nodes 0, 1, …, and node %q is not in %s", id, c.owner())
}

// orSkip is advice about more labels without ids than there are nodes.
func (c *Collector) orSkip(n int) string {
	if n == c.opt.Dims {
		return lines.Transposed(n)
	}
	if c.byRow || n < c.nodes.Len() {
		return ""
	}
	return "; labelfile.Options.SkipUnknown leaves out those of nodes that have no edges"
}

// row returns the name of the node that the label of a row is of.
func (c *Collector) row(k int) []byte {
	switch {
	case !c.byRow:
		return strconv.AppendInt(nil, int64(k), 10)
	case k < c.opt.Rows:
		return c.nodes.AppendName(nil, k)
	}
	return nil // past the last row, no node
}

// noteRows notes labels without ids of nodes that are not 0, 1, … in this order.
func (c *Collector) noteRows(n int) {
	if _, ordered, ok := c.nodes.Counts(); !ok || !ordered {
		c.out.Notes.Add(notes.ByRow, n, 0, "of node "+string(c.row(0)))
	}
}
