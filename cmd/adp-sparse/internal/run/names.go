package run

import (
	"cmp"
	"fmt"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// fitsRow refuses a name that a row of a file cannot hold. Commas are quoted.
func fitsRow(file string, name []byte) error {
	if of, _ := format.ByName(file); of == format.Parquet || of == format.NPZ {
		return lines.CheckName(name, '\n')
	}
	return lines.CheckName(name, '\t')
}

// checkNames refuses names that an output cannot hold before any work is done. The error names the
// file that they are from.
func (s *settings) checkNames(nodes *ids.Table, classes []string) error {
	outs := []struct {
		outputs.File
		fits func(file string, name []byte) error
	}{{outputs.File{Flag: "out", Name: s.out}, fitsRow}, {outputs.File{Flag: "graph-out", Name: s.graphOut}, nil}, {outputs.File{Flag: "nodes-out", Name: s.nodesOut}, fitsRow}}
	graphOut, _ := format.ByName(s.graphOut)
	outs[1].fits = graphOut.CheckName
	check := func(what, file string, name []byte, last int) error {
		for _, out := range outs[:last] {
			if out.Name == "" || out.fits == nil {
				continue
			}
			if err := out.fits(out.Name, name); err != nil {
				return fmt.Errorf("%s: a %s's %w; it is for --%s %s", file, what, err, out.Flag, out.Name)
			}
		}
		return nil
	}
	for _, name := range classes {
		if err := check("label", s.source.Labels, []byte(name), 1); err != nil {
			return err
		}
	}
	if nodes.IsSequence() {
		return nil
	}
	from := cmp.Or(s.source.Features.Names.File, s.source.Source())
	var name []byte
	for i := range nodes.Len() {
		name = nodes.AppendName(name[:0], i)
		if err := check("node", from, name, len(outs)); err != nil {
			return err
		}
	}
	return nil
}
