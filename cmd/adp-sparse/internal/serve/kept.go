package serve

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// kept is the file of all known labels. It is at any moment the one of before a label or the one
// after it, and a service alone writes it.
type kept struct {
	path string
	lock io.Closer // nil where the file system has none
}

const keptEnding = ".given.tsv"

// keptPath returns where labels are kept: where --labels-out says, else beside --labels, or beside the
// graph where there are none.
func (f *flags) keptPath() (string, error) {
	if f.labelsOut != "" {
		if strings.ToLower(filepath.Ext(f.labelsOut)) != ".tsv" {
			return "", usage.Errorf("--labels-out %s, expected a name that ends with .tsv", f.labelsOut)
		}
		return f.labelsOut, nil
	}
	for _, name := range []string{f.Labels, f.Source()} {
		switch {
		case name == "":
		case outputs.IsStandard(name, "in"):
			return "", usage.Errorf("labels that are given are saved beside a file, and standard input is none: say where, --labels-out FILE.tsv")
		default:
			name = stream.TrimEnding(strings.TrimRight(name, string(filepath.Separator)))
			return strings.TrimSuffix(name, filepath.Ext(name)) + keptEnding, nil
		}
	}
	panic("serve: no source") // checked before
}

// keep returns the file of the labels, locked, after a test that it can be written.
func (f *flags) keep(std streams.Stdio) (*kept, error) {
	path, err := f.keptPath()
	if err != nil {
		return nil, err
	}
	for _, in := range append(f.Inputs(), outputs.File{Flag: "items", Name: f.items}) {
		if err := (outputs.File{Flag: "labels-out", Name: path}).Spares(in, std); err != nil {
			return nil, err
		}
	}
	k := &kept{path: path}
	if k.lock, err = outfile.Lock(outputs.Disk, path+".serve"); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("labels that are given would be saved in %s: %w; another --labels-out FILE.tsv can be said", path, outfile.Named(path, err))
	}
	out, err := outfile.Create(outputs.Disk, path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("labels that are given would be saved in %s: %w; another --labels-out FILE.tsv can be said", path, err), k.Close())
	}
	if err := out.Discard(); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	return k, nil
}

func (k *kept) Close() error {
	if k.lock == nil {
		return nil
	}
	return k.lock.Close()
}

// write replaces the file. All of it is on the disk when write returns.
func (k *kept) write(known []byte) error {
	out, err := outfile.Create(outputs.Disk, k.path)
	if err != nil {
		return err
	}
	if _, err = out.Write(known); err == nil {
		if err = out.Finish(); err == nil {
			err = out.Replace()
		}
	}
	return errors.Join(err, out.Discard())
}

// read returns the labels of an earlier service, nil if there was none.
func (k *kept) read(std streams.Stdio, graph *opened.Graph) (labels *labelfile.Labels, err error) {
	info, err := os.Stat(k.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Size() == 0: // all were taken away
		return &labelfile.Labels{}, nil
	}
	err = inputs.Read(k.path, std, func(r io.Reader, name string, size int64) error {
		_, r = format.Peek(r, size)
		labels, err = source.ReadLabels(r, name, size, graph.IDs, labelfile.Columns{}, labelfile.Options{})
		return err
	})
	return labels, err
}
