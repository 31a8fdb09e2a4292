package report

import (
	"encoding/json"
	"io"

	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
)

// WriteJSON writes a report to the file called name, if any.
func WriteJSON(o *outputs.Set, name string, report any) error {
	return o.Write(name, func(w io.Writer) error { return PrintJSON(w, report) })
}

// PrintJSON writes a value as JSON, with indentation.
func PrintJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(value)
}
