package htmlreport

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
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

// class returns the name of a class, a dash for none.
func (d *Data) class(j int32) string {
	if j < 0 {
		return "–"
	}
	return d.Classes[j]
}
