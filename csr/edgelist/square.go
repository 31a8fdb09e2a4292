package edgelist

import (
	"bytes"
	"fmt"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// isMatrix reports whether the current line, the first, and those below are the rows of an adjacency
// matrix: numbers alone, as many rows as columns or, where the block has fewer, the same numbers on both
// sides of the diagonal.
func (p *parser) isMatrix() bool {
	const least = 5 // rows; lists of edges with more columns than three may be as short
	rows := append([][][]byte{p.scan.Fields()}, p.ahead()...)
	n, columns := len(rows), len(rows[0])
	if n < least || n > columns {
		return false
	}
	for i, row := range rows {
		if len(row) != columns {
			return false
		}
		for j, cell := range row {
			if !isNumber(cell) || n < columns && j < i && !bytes.Equal(cell, rows[j][i]) {
				return false
			}
		}
	}
	return true
}

// isNamedMatrix reports whether the current line, the first, and those below are an adjacency matrix with the
// names of nodes above and beside it, as pandas writes it.
func (p *parser) isNamedMatrix() bool {
	const least = 3 // rows
	names := p.scan.Fields()
	if len(names) <= least || isNumber(names[0]) { // of a symmetric matrix without names, the first row is the first column
		return false
	}
	rows := p.ahead()
	if len(rows) < least || len(rows) >= len(names) {
		return false
	}
	for i, row := range rows {
		if len(row) != len(names) || !bytes.Equal(bytes.Trim(row[0], `"`), names[i+1]) {
			return false
		}
		for _, cell := range row[1:] {
			if len(cell) > 0 && !isNumber(cell) {
				return false
			}
		}
	}
	return true
}

// namedMatrixFault refuses such a matrix.
func (p *parser) namedMatrixFault() error {
	separated := ""
	if by := p.scan.Separator(); by != ',' {
		separated = fmt.Sprintf(", sep=%q", string(by))
	}
	return p.scan.Errorf(`this looks like an adjacency matrix, with the names of nodes above and beside it, expected lines of the form: src dst [weight]; in Python: import networkx as nx, pandas; t = pandas.read_csv(%s, index_col=0%s).fillna(0); t.columns = t.index; nx.write_weighted_edgelist(nx.from_pandas_adjacency(t), "edges.tsv", delimiter="\t")`, lines.Quote([]byte(p.opening.file)), separated)
}
