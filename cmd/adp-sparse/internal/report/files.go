package report

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/htmlreport"
)

// Flags are the flags of the reports of a run.
type Flags struct {
	Files    []string // .html is a page, all others are JSON
	pictures string   // the folder of pictures
	Command  string   // the command line that repeats the run
}

func (f *Flags) Bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.Files, "report", nil, "report: .html is a page to read, .json is JSON\nThe page is one file and needs no network. May be given several times.")
	flags.StringVar(&f.pictures, "pictures", "", "folder for the pictures of the page, as SVG\nIt is made if it is not there.")
}

// Outputs are the files of the reports.
func (f *Flags) Outputs() (outs []outputs.File) {
	for _, name := range f.Files {
		outs = append(outs, outputs.File{Flag: "report", Name: name})
	}
	for _, name := range f.pictureFiles() {
		outs = append(outs, outputs.File{Flag: "pictures", Name: name})
	}
	return outs
}

func (f *Flags) pictureFiles() (names []string) {
	if f.pictures == "" {
		return nil
	}
	for _, name := range htmlreport.Names {
		names = append(names, filepath.Join(f.pictures, name+".svg"))
	}
	return names
}

// Names are the files, without the flags.
func (f *Flags) Names() (names []string) {
	for _, out := range f.Outputs() {
		names = append(names, out.Name)
	}
	return names
}

// Check refuses reports in formats that are not written.
func (f *Flags) Check() error {
	for _, name := range f.Files {
		if err := format.CheckReport(name, true); err != nil {
			return err
		}
	}
	return nil
}

// Page returns the first report that is a page, "" if none is.
func (f *Flags) Page() string {
	for _, name := range f.Files {
		if format.IsPage(name) {
			return name
		}
	}
	return ""
}

// Drawn reports whether there is a page or a picture to draw.
func (f *Flags) Drawn() bool { return f.Page() != "" || f.pictures != "" }

// Bytes is the memory of drawing: dots and letters of the pictures. The blocks of the run are free
// by then.
func (f *Flags) Bytes() int64 {
	if f.Drawn() {
		return 4 << 20
	}
	return 0
}

// Folder makes the folder of the pictures, see [outputs.Folder].
func (f *Flags) Folder() (discard func(), err error) { return outputs.Folder(f.pictures) }

// Draw draws the page and the pictures of a report that is complete but for its times, nil where none
// are asked for.
func (f *Flags) Draw(ctx context.Context, r *Run, graph *opened.Graph, seeds *diffuse.Seeds, labels *labelfile.Labels, result *adp.Result) (*htmlreport.Report, error) {
	if !f.Drawn() {
		return nil, nil
	}
	return htmlreport.New(ctx, data(f.Command, r, graph, seeds, labels, result)), ctx.Err()
}

// Write writes the reports and the pictures, of which the page is drawn.
func (f *Flags) Write(out *outputs.Set, r *Run, page *htmlreport.Report) error {
	for _, name := range f.Files {
		if !format.IsPage(name) {
			if err := WriteJSON(out, name, r); err != nil {
				return err
			}
			continue
		}
		if err := out.Write(name, page.Write); err != nil {
			return err
		}
	}
	if f.pictures == "" {
		return nil
	}
	for _, p := range page.Pictures() {
		if err := out.Write(filepath.Join(f.pictures, p.Name+".svg"), p.WriteSVG); err != nil {
			return err
		}
	}
	return nil
}
