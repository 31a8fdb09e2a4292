// Package outputs writes the files of a command: all of them when it has ended well, none of
// them otherwise.
package outputs

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Disk is where outputs are written. Tests make its calls fail.
var Disk outfile.System = outfile.OS{}

// Set holds the files that a command writes. They are checked and locked
// before its work starts, and take their places together when all of them are
// complete: a command that fails leaves the files that were there before.
type Set struct {
	std   streams.Stdio
	files map[string]*outfile.Output // by name; not standard output, devices and pipes
	order []*outfile.Output
	Stops bool // an interruption ends the writing too
}

// Open refuses outputs that are an input or one another, under whatever
// name, those that cannot be written, and names of compressed files that are not written. Names may be empty. The outputs must
// be closed in the end.
func Open(std streams.Stdio, inputs, outs []File) (*Set, error) {
	o := &Set{std: std, files: map[string]*outfile.Output{}}
	var seen []File
	for _, out := range outs {
		if out.Name == "" {
			continue
		}
		if stream.IsForeign(out.Name) {
			err := usage.Errorf("--%s %s: the name is of a compressed file or an archive that is not written; .gz and .zst compress", out.Flag, out.Name)
			return nil, errors.Join(err, o.Close())
		}
		for _, in := range inputs {
			if err := out.Spares(in, std); err != nil {
				return nil, errors.Join(err, o.Close())
			}
		}
		if err := o.open(out, seen); err != nil {
			return nil, errors.Join(err, o.Close())
		}
		seen = append(seen, out)
	}
	return o, nil
}

// open starts the output called out.name, if it is a file.
func (o *Set) open(out File, seen []File) error {
	for _, other := range seen {
		if IsStandard(out.Name, "out") && IsStandard(other.Name, "out") {
			return usage.Errorf("--%s %s and --%s %s are both standard output", other.Flag, other.Name, out.Flag, out.Name)
		}
		if out.Name == "-" {
			continue
		}
		if err := cmp.Or(out.Reserves(other), other.Reserves(out)); err != nil {
			return err
		}
		if file := o.files[other.Name]; file != nil {
			same, err := file.Is(out.Name)
			if err != nil {
				return err
			}
			if same {
				return usage.Errorf("--%s %s and --%s %s are the same file", other.Flag, other.Name, out.Flag, out.Name)
			}
		}
	}
	if IsStandard(out.Name, "out") {
		if err := o.std.Lost(); err != nil {
			return err // before the work that it is the result of
		}
	}
	if !isFile(out.Name) {
		return nil
	}
	file, err := outfile.Create(Disk, out.Name)
	if err != nil {
		return err
	}
	o.files[out.Name] = file
	o.order = append(o.order, file)
	return nil
}

// Write lets write fill the output called name, compressed as its ending says.
func (o *Set) Write(name string, write func(w io.Writer) error) error {
	if o.Stops {
		whole := write
		write = func(w io.Writer) error { return whole(streams.UntilDone{Ctx: o.std.Context(), To: w}) }
	}
	switch file := o.files[name]; {
	case name == "":
		return nil
	case file != nil:
		return fill(file, name, write)
	case IsStandard(name, "out"):
		return o.print(write)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(fill(f, name, write), f.Close())
}

// print lets write fill standard output. Where its reader leaves, the files of the command are
// completed all the same; the program then ends by what [streams.Output] remembers.
func (o *Set) print(write func(w io.Writer) error) error {
	out := bufio.NewWriter(o.std.Out)
	err := write(out)
	if flushing := out.Flush(); err == nil {
		err = flushing
	}
	if len(o.order) > 0 && errors.As(err, new(*streams.Gone)) {
		return nil
	}
	return err
}

// WriteAt lets write fill an output that is written at several places.
func (o *Set) WriteAt(name string, write func(f *outfile.Output) error) error {
	file := o.files[name]
	if file == nil {
		return &fs.PathError{Op: "write", Path: name, Err: errors.New("not a regular file; this output can be written to a file only")}
	}
	return write(file)
}

// Commit puts the outputs in their places. All have been written.
func (o *Set) Commit() error {
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

// Close removes what commit has not put in its place.
func (o *Set) Close() error {
	var faults []error
	for _, file := range o.order {
		faults = append(faults, file.Discard())
	}
	return errors.Join(faults...)
}

// With opens outputs, lets write fill them and puts them in their
// places.
func With(std streams.Stdio, inputs, outs []File, write func(o *Set) error) error {
	o, err := Open(std, inputs, outs)
	if err != nil {
		return err
	}
	if err = write(o); err == nil {
		err = o.Commit()
	}
	return errors.Join(err, o.Close())
}

// Write writes a single output.
func Write(name string, std streams.Stdio, write func(w io.Writer) error) error {
	return With(std, nil, []File{{"out", name}}, func(o *Set) error { return o.Write(name, write) })
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
