package edgelist

import "bytes"

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
