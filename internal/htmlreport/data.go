package htmlreport

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/visible"
)

// Data is what a report shows.
type Data struct {
	Title    string // what the graph is called
	Summary  []string
	Warnings []adp.Warning
	Settings []Setting
	Command  string // the command line that made it
	Version  string

	W           *csr.Matrix
	Seeds       *diffuse.Seeds
	Result      *adp.Result
	Learned     bool             // Result.Graph was learned, and is not the original one
	Calibration *adp.Calibration // nil for none
	Classes     []string
	Name        func(i int) string // of a node
}

// Setting is a line of the table of settings.
type Setting struct{ Name, Value string }

// shown returns the data with all texts as people see them: names that turn the line, or that
// nobody can tell from others, are escaped.
func (d *Data) shown() *Data {
	out := *d
	out.Title, out.Command, out.Version = visible.Text(d.Title), visible.Text(d.Command), visible.Text(d.Version)
	out.Summary, out.Classes = each(d.Summary, visible.Text), each(d.Classes, visible.Name)
	out.Warnings = each(d.Warnings, func(w adp.Warning) adp.Warning {
		w.Message = visible.Text(w.Message)
		return w
	})
	out.Settings = each(d.Settings, func(s Setting) Setting { return Setting{visible.Text(s.Name), visible.Text(s.Value)} })
	out.Name = func(i int) string { return visible.Name(d.Name(i)) }
	return &out
}

func each[T any](list []T, change func(T) T) []T {
	out := make([]T, len(list))
	for k, v := range list {
		out[k] = change(v)
	}
	return out
}

// class returns the name of a class, a dash for none.
func (d *Data) class(j int32) string {
	if j < 0 {
		return "–"
	}
	return d.Classes[j]
}
