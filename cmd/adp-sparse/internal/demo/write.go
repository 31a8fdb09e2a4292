package demo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
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
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	var outs []outputs.File
	texts := map[string][]byte{}
	for _, f := range []struct {
		name string
		text []byte
	}{{"digits.csv", pixels.Bytes()}, {"known.tsv", seeds.Bytes()}, {"truth.tsv", truth.Bytes()}} {
		name := filepath.Join(dir, f.name)
		outs, texts[name] = append(outs, outputs.File{Flag: "write", Name: name}), f.text
	}
	if err := outputs.With(std, nil, outs, func(out *outputs.Set) error {
		for name, text := range texts {
			if err := out.Write(name, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	at := func(k int) string { return usage.ShellQuote(outs[k].Name) }
	_, err = fmt.Fprintf(std.Out, `%s has a line of pixels for each of %s images, %s the digits of %d, %s those of all. Next:
  adp-sparse run --features %s --labels %s --out labels.tsv --report report.html
  adp-sparse eval --predictions labels.tsv --truth %s
`, outs[0].Name, figures.Count(len(d.truth)), outs[1].Name, len(known), outs[2].Name, at(0), at(1), at(2))
	return err
}
