package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// ByName returns the format that the ending of a name says, else an edge list.
func ByName(name string) (f *Format, known bool) {
	ending := Ending(name)
	for _, f := range all {
		for _, e := range f.Endings {
			if e == ending {
				return f, true
			}
		}
	}
	return EdgeList, false
}

// ByContent returns the format that the first bytes of a file say, else an edge list.
func ByContent(head []byte) (f *Format, known bool) {
	text := bytes.TrimLeft(lines.TrimMark(head), " \t\r\n")
	for _, f := range all {
		for _, start := range f.Starts {
			if bytes.HasPrefix(head, []byte(start)) || len(text) >= len(start) && start[0] >= ' ' && strings.EqualFold(string(text[:len(start)]), start) {
				return f, true
			}
		}
	}
	return EdgeList, false
}

// Is reports whether the ending of a name or the first bytes of the file say the format.
func (f *Format) Is(name string, head []byte) bool {
	byName, _ := ByName(name)
	byContent, _ := ByContent(head)
	return byName == f || byContent == f
}

// ByFlag returns the format that the ending of a name says to a flag: an edge list may have
// any ending.
func ByFlag(flag, name string) (f *Format, known bool) {
	f, known = ByName(name)
	if flag == "edges" && (f == EdgeList || f.Flag != flag) {
		return EdgeList, false
	}
	return f, known
}

// Decide returns the format of an input for a flag, by its ending and by its first bytes, which
// must not contradict each other.
func Decide(flag, name string, head []byte) (*Format, error) {
	if err := checkForeign(flag, name, head); err != nil {
		return nil, err
	}
	f, named := ByFlag(flag, name)
	byContent, seen := ByContent(head)
	switch {
	case seen && named && byContent != f:
		return nil, &lines.Error{File: name, Msg: fmt.Sprintf("the content is %s, the ending that of %s", byContent.What, f.What)}
	case seen:
		f = byContent
	case f == EdgeList && flag == "graph" && isTable(head):
		return nil, table.refuse(name, ofGraphs)
	case !named && flag == "graph":
		return nil, usage.Errorf("--graph %q, expected a file %s; %s are read by --edges", name, List(ofGraph, "or", withName), plurals(ofEdges))
	}
	if f.Flag != flag {
		return nil, usage.Errorf("--%s %q is %s, which is read by --%s", flag, name, f.What, f.Flag)
	}
	return f, nil
}

// CheckRowsOut refuses the endings of formats that rows of nodes are not written in: all but text,
// and the others that are named.
func CheckRowsOut(flag, name, what string, others ...*Format) error {
	ending := Ending(name)
	f, _ := ByName(name)
	if slices.Contains(others, f) || f == EdgeList && !isForeign(ending) {
		return nil
	}
	also := ""
	for _, other := range others {
		also += " or " + other.Endings[0]
	}
	return usage.Errorf("--%s %s: %s are written as text (.tsv, .csv, .txt; .gz and .zst compress)%s", flag, name, what, also)
}

// CheckReport refuses the endings of formats that reports are not written in: all but .json, .txt and those
// of no format, and of others where pages are written too.
func CheckReport(name string, pages bool) error {
	ending, what := Ending(name), "JSON (.json"
	if pages {
		what = "a page (.html) or " + what
	}
	if _, table := ByName(name); ending == ".json" || ending == ".txt" || pages && IsPage(name) || !table && !isForeign(ending) {
		return nil
	}
	return usage.Errorf("--report %s: reports are written as %s, also as .txt; .gz and .zst compress)", name, what)
}

// IsPage reports whether a report is a page of HTML by its name.
func IsPage(name string) bool { return Ending(name) == ".html" || Ending(name) == ".htm" }

// CheckProba refuses a column of scores for each class where a table has none.
func CheckProba(proba bool, out string) error {
	if of, _ := ByName(out); proba && of == Parquet {
		return usage.Errorf("--proba is written as text and to .npz, and --out is %s", out)
	}
	return nil
}

// GuardFlag and its text are those of a flag for rows that a spreadsheet opens.
const (
	GuardFlag = "csv-safe"
	GuardText = "quote names in --out FILE.csv, so that a spreadsheet computes none\nNames that begin with =, +, - or @ and are no numbers get an apostrophe in front, and do not read back."
)

// CheckGuard refuses the flag where rows are not written as csv.
func CheckGuard(guard bool, out string) error {
	if guard && !Commas(out) {
		return usage.Errorf("--%s is for an --out that ends in .csv, and this is %s", GuardFlag, out)
	}
	return nil
}

// CheckWritten refuses outputs in a format that is not written, and fractions in one of whole
// weights.
func CheckWritten(flag, name string, whole bool) error {
	which := written
	if !whole {
		which = fractions
	}
	switch f, _ := ByName(name); {
	case f == EdgeList && isForeign(Ending(name)):
		return usage.Errorf("--%s %s: graphs are not written with this ending; write %s", flag, name, List(which, "or", ending))
	case f.Write == nil:
		return usage.Errorf("--%s %s: %s is read and not written; write %s", flag, name, f.Title, List(written, "or", ending))
	case f.Whole && !whole:
		return usage.Errorf("--%s %s: %s graphs have whole weights, and these are fractions; write %s", flag, name, f.Title, List(fractions, "or", ending))
	}
	return nil
}

// CheckNamed refuses to lose names: a format that numbers nodes holds only graphs whose nodes
// are called by their rows, unless the names are written to a file beside it.
func CheckNamed(flag, name, beside string, names *ids.Table) error {
	if f, _ := ByName(name); beside != "" || f.Names {
		return nil
	}
	for i := range names.Len() {
		if got := names.Name(i); got != fmt.Sprint(i) {
			return usage.Errorf("--%s %s: the format has no names, and row %d is node %s; write %s or an edge list, or the names beside it by --nodes-out", flag, name, i, lines.Quote([]byte(got)), commaList(endings(named, ending)))
		}
	}
	return nil
}

// WriteGraph writes a graph in the format of the file's ending, as an edge list where that says
// nothing.
func WriteGraph(o *outputs.Set, name string, m *csr.Matrix, names *ids.Table) error {
	f, _ := ByName(name)
	return NameError(name, o.Write(name, func(w io.Writer) error { return f.Write(w, name, m, names) }))
}

// NameError adds to the error of a node's name the output that it does not fit.
func NameError(output string, err error) error {
	if errors.Is(err, lines.ErrName) {
		return fmt.Errorf("%s: a node's %w", output, err)
	}
	return err
}
