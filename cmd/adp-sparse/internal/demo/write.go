package demo

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// write writes the digits as files for `run`, and says how to go on.
func (d *digits) write(std streams.Stdio, dir string) error {
	known, err := d.known(perDigit, d.inOrder())
	if err != nil {
		return err
	}
	var pixels, seeds, truth bytes.Buffer
	for i, digit := range d.truth {
		for p, v := range d.pixels.Row(i) {
			if p > 0 {
				pixels.WriteByte(',')
			}
			pixels.WriteByte('0' + byte(v))
		}
		pixels.WriteByte('\n')
		fmt.Fprintf(&truth, "%d\t%d\n", i, digit)
	}
	for _, s := range known {
		fmt.Fprintf(&seeds, "%d\t%d\n", s.Node, s.Class)
	}
	texts := []outputs.Text{{Name: "digits.csv", Content: pixels.Bytes()}, {Name: "known.tsv", Content: seeds.Bytes()}, {Name: "truth.tsv", Content: truth.Bytes()}}
	if err := outputs.Texts(std, outputs.File{Flag: "write", Name: dir}, texts); err != nil {
		return err
	}
	name := func(k int) string { return filepath.Join(dir, texts[k].Name) }
	at := func(k int) string { return usage.ShellQuote(name(k)) }
	_, err = fmt.Fprintf(std.Out, `%s has a line of pixels for each of %s images, %s the digits of %d, %s those of all. Next:
  adp-sparse run --features %s --labels %s --out labels.tsv --report report.html
  adp-sparse eval --predictions labels.tsv --truth %s
`, name(0), figures.Count(len(d.truth)), name(1), len(known), name(2), at(0), at(1), at(2))
	return err
}
