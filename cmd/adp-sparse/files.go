package main

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/outfile"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// readInput opens a file, or standard input for "-", and passes it to read
// with the name that messages use and its size, -1 where that is not known. An
// interrupt ends it, also where it waits for a pipe.
func readInput(name string, std stdio, read func(r io.Reader, name string, size int64) error) error {
	if name == "-" {
		return read(std.in, "(standard input)", -1)
	}
	f, in, err := openInput(std.context(), name)
	if err != nil {
		return err
	}
	defer f.Close()
	size := fileSize(f)
	if size >= readingBar {
		shown := shownFile{stoppable{f, std.context()}, newBar(std.err, "reading "+clean(filepath.Base(name)), size, true)}
		defer shown.bar.end()
		in = shown
	}
	return read(in, name, size)
}

// fileSize returns the size of a regular file, else -1.
func fileSize(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// disk is where outputs are written. Tests make its calls fail.
var disk outfile.System = outfile.OS{}

// named is a file that the user named by a flag.
type named struct{ flag, name string }

// outputSet holds the files that a command writes. They are checked and locked
// before its work starts, and take their places together when all of them are
// complete: a command that fails leaves the files that were there before.
type outputSet struct {
	std   stdio
	files map[string]*outfile.Output // by name; not standard output, devices and pipes
	order []*outfile.Output
	stops bool // an interruption ends the writing too
}

// openOutputs refuses outputs that are an input or one another, under whatever
// name, and those that cannot be written. Names may be empty. The outputs must
// be closed in the end.
func openOutputs(std stdio, inputs, outs []named) (*outputSet, error) {
	o := &outputSet{std: std, files: map[string]*outfile.Output{}}
	var seen []named
	for _, out := range outs {
		if out.name == "" {
			continue
		}
		for _, in := range inputs {
			if err := out.spares(in, std); err != nil {
				return nil, errors.Join(err, o.close())
			}
		}
		if err := o.open(out, seen); err != nil {
			return nil, errors.Join(err, o.close())
		}
		seen = append(seen, out)
	}
	return o, nil
}

// open starts the output called out.name, if it is a file.
func (o *outputSet) open(out named, seen []named) error {
	for _, other := range seen {
		if isStandard(out.name, "out") && isStandard(other.name, "out") {
			return usagef("--%s %s and --%s %s are both standard output", other.flag, other.name, out.flag, out.name)
		}
		if out.name == "-" {
			continue
		}
		if err := cmp.Or(out.reserves(other), other.reserves(out)); err != nil {
			return err
		}
		if file := o.files[other.name]; file != nil {
			same, err := file.Is(out.name)
			if err != nil {
				return err
			}
			if same {
				return usagef("--%s %s and --%s %s are the same file", other.flag, other.name, out.flag, out.name)
			}
		}
	}
	if !isFile(out.name) {
		return nil
	}
	file, err := outfile.Create(disk, out.name)
	if err != nil {
		return err
	}
	o.files[out.name] = file
	o.order = append(o.order, file)
	return nil
}

// spares refuses an output that would replace an input.
func (n named) spares(in named, std stdio) error {
	if n.name == "-" || in.name == "" {
		return nil
	}
	if sameFile(in.stat(std), n.stat(std)) {
		return usagef("--%s %s is the same file as --%s %s", n.flag, n.name, in.flag, in.name)
	}
	return n.reserves(in)
}

// reserves refuses the name of another file where that is the one of a temporary file of
// an output.
func (n named) reserves(other named) error {
	base := filepath.Base(other.name)
	if hidden := "." + filepath.Base(n.name); base == hidden+".partial" || base == hidden+".lock" {
		return usagef("--%s %s has the name of a temporary file of --%s %s", other.flag, other.name, n.flag, n.name)
	}
	return nil
}

// isStandard reports whether a name is that of standard input ("in") or output ("out"),
// under a name of the system's too: read or written twice they are mixed.
func isStandard(name, way string) bool {
	fd := map[string]string{"in": "0", "out": "1"}[way]
	return name == "-" || slices.Contains([]string{"/dev/std" + way, "/dev/fd/" + fd, "/proc/self/fd/" + fd}, filepath.Clean(name))
}

// stat describes an input or an output, nil if there is none.
func (n named) stat(std stdio) fs.FileInfo {
	if n.name != "-" {
		info, _ := os.Stat(n.name)
		return info
	}
	from := std.in
	if in, ok := from.(*input); ok {
		from = in.from
	}
	if f, ok := from.(*os.File); ok {
		info, _ := f.Stat()
		return info
	}
	return nil
}

// sameFile reports whether both are the same regular file, which links can
// hide.
func sameFile(a, b fs.FileInfo) bool {
	return a != nil && b != nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

// isFile reports whether an output is a file that is replaced, and not
// standard output or what is there already and is no file (a pipe, a device).
func isFile(name string) bool {
	if name == "-" {
		return false
	}
	info, err := os.Stat(name)
	return err != nil || info.Mode().IsRegular() || info.IsDir()
}

// write lets write fill the output called name, compressed as its ending says.
func (o *outputSet) write(name string, write func(w io.Writer) error) error {
	if o.stops {
		whole := write
		write = func(w io.Writer) error { return whole(writtenUntilDone{o.std.context(), w}) }
	}
	switch file := o.files[name]; {
	case name == "":
		return nil
	case name == "-":
		out := bufio.NewWriter(o.std.out)
		if err := write(out); err != nil {
			_ = out.Flush() // what there is; its error is the same, or comes after this one
			return err
		}
		return out.Flush()
	case file != nil:
		return fill(file, name, write)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(fill(f, name, write), f.Close())
}

// writeAt lets write fill an output that is written at several places.
func (o *outputSet) writeAt(name string, write func(f *outfile.Output) error) error {
	file := o.files[name]
	if file == nil {
		return &fs.PathError{Op: "write", Path: name, Err: errors.New("not a regular file; this output can be written to a file only")}
	}
	return write(file)
}

// commit puts the outputs in their places, all of which have been written.
func (o *outputSet) commit() error {
	for _, file := range o.order {
		if err := file.Finish(); err != nil {
			return err
		}
	}
	for _, file := range o.order {
		if err := file.Replace(); err != nil {
			return err
		}
	}
	return nil
}

// close removes what commit has not put in its place.
func (o *outputSet) close() error {
	var faults []error
	for _, file := range o.order {
		faults = append(faults, file.Discard())
	}
	return errors.Join(faults...)
}

// withOutputs opens outputs, lets write fill them and puts them in their
// places.
func withOutputs(std stdio, inputs, outs []named, write func(o *outputSet) error) error {
	o, err := openOutputs(std, inputs, outs)
	if err != nil {
		return err
	}
	if err = write(o); err == nil {
		err = o.commit()
	}
	return errors.Join(err, o.close())
}

// writeOutput writes a single output.
func writeOutput(name string, std stdio, write func(w io.Writer) error) error {
	return withOutputs(std, nil, []named{{"out", name}}, func(o *outputSet) error { return o.write(name, write) })
}

// fill lets write fill f, compressed as the name's ending says.
func fill(f io.Writer, name string, write func(w io.Writer) error) error {
	w, err := stream.Writer(f, name)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	return w.Close()
}
