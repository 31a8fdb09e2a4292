package outputs

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// File is a file that the user named by a flag.
type File struct{ Flag, Name string }

// Spares refuses an output that would replace an input.
func (n File) Spares(in File, std streams.Stdio) error {
	if n.Name == "-" || in.Name == "" {
		return nil
	}
	if Same(in.Stat(std), n.Stat(std)) {
		return usage.Errorf("--%s %s is the same file as --%s %s", n.Flag, n.Name, in.Flag, in.Name)
	}
	return n.Reserves(in)
}

// Reserves refuses the name of another file where that is the one of a temporary file of
// an output.
func (n File) Reserves(other File) error {
	base := filepath.Base(other.Name)
	if hidden := "." + filepath.Base(n.Name); base == hidden+".partial" || base == hidden+".lock" {
		return usage.Errorf("--%s %s has the name of a temporary file of --%s %s", other.Flag, other.Name, n.Flag, n.Name)
	}
	return nil
}

// IsStandard reports whether a name is that of standard input ("in") or output ("out"),
// under a name of the system's too: read or written twice they are mixed.
func IsStandard(name, way string) bool {
	fd := map[string]string{"in": "0", "out": "1"}[way]
	return name == "-" || slices.Contains([]string{"/dev/std" + way, "/dev/fd/" + fd, "/proc/self/fd/" + fd}, filepath.Clean(name))
}

// CheckInputs refuses standard input for more than one of the inputs of a command.
func CheckInputs(names ...string) error {
	standard := 0
	for _, name := range names {
		if IsStandard(name, "in") {
			standard++
		}
	}
	if standard > 1 {
		return usage.Errorf("only one input can be standard input")
	}
	return nil
}

// Stat describes an input or an output, nil if there is none.
func (n File) Stat(std streams.Stdio) fs.FileInfo {
	if n.Name != "-" {
		info, _ := os.Stat(n.Name)
		return info
	}
	from := std.In
	if in, ok := from.(*streams.Input); ok {
		from = in.From
	}
	if f, ok := from.(*os.File); ok {
		info, _ := f.Stat()
		return info
	}
	return nil
}

// Same reports whether both are the same regular file, which links can
// hide.
func Same(a, b fs.FileInfo) bool {
	return a != nil && b != nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

// isFile reports whether an output is a file that is replaced, and not
// standard output, or a pipe or device that is there already.
func isFile(name string) bool {
	if name == "-" {
		return false
	}
	info, err := os.Stat(name)
	return err != nil || info.Mode().IsRegular() || info.IsDir()
}
