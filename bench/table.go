package bench

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Table is a Markdown table.
type Table struct{ rows [][]string }

// NewTable returns a table with the given column names.
func NewTable(header ...string) *Table { return &Table{rows: [][]string{header}} }

// Add appends a row.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Write writes the table with its columns aligned.
func (t *Table) Write(w io.Writer) error {
	width := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for k, cell := range row {
			width[k] = max(width[k], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for r, row := range t.rows {
		for k, cell := range row {
			text.WriteString("| " + cell + strings.Repeat(" ", width[k]-utf8.RuneCountInString(cell)) + " ")
		}
		text.WriteString("|\n")
		if r == 0 {
			for _, n := range width {
				text.WriteString("|" + strings.Repeat("-", n+2))
			}
			text.WriteString("|\n")
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}
