package format

import (
	"fmt"
	"strings"
)

// The formats of lists in help texts and messages.

func ofGraph(f *Format) bool      { return f.Flag == "graph" }
func ofEdges(f *Format) bool      { return f.Flag == "edges" }
func written(f *Format) bool      { return f.Write != nil }
func writtenTo(f *Format) bool    { return f.Write != nil && f != EdgeList }
func fractions(f *Format) bool    { return f.Write != nil && !f.Whole }
func fractionsTo(f *Format) bool  { return fractions(f) && f != EdgeList }
func named(f *Format) bool        { return writtenTo(f) && f.Names }
func numbered(f *Format) bool     { return !f.Names }
func takesColumns(f *Format) bool { return f.Columns }

// KeepsLearned reports whether a learned graph is written in the format and read back with its
// diagonal.
func KeepsLearned(f *Format) bool { return f.Matrix && fractionsTo(f) }

// The ways to name a format in a list.

func ending(f *Format) string { return f.Endings[0] }

func withName(f *Format) string {
	if f.Called != "" {
		return fmt.Sprintf("%s (%s)", f.Endings[0], f.Called)
	}
	return f.Endings[0]
}

func withAll(f *Format) string {
	if f.Maker != "" {
		return fmt.Sprintf("%s (%s)", f.Endings[0], f.Maker)
	}
	return withName(f)
}

// endings names the formats that which picks.
func endings(which func(*Format) bool, name func(*Format) string) (names []string) {
	for _, f := range all {
		if which(f) {
			names = append(names, name(f))
		}
	}
	return names
}

// List names the formats that which picks: "a, b or c".
func List(which func(*Format) bool, last string, name func(*Format) string) string {
	return lastly(endings(which, name), last)
}

// lastly puts a word before the last of some names, and commas between the others.
func lastly(names []string, word string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return commaList(names[:len(names)-1]) + " " + word + " " + names[len(names)-1]
}

func commaList(names []string) string { return strings.Join(names, ", ") }

// plurals names formats as several files each: "edge lists and Parquet files".
func plurals(which func(*Format) bool) string {
	return lastly(endings(which, func(f *Format) string {
		words := strings.SplitN(f.What, " ", 2)
		return words[1] + "s"
	}), "and")
}

// The texts of flags and commands.

// EdgesHelp describes the files of --edges.
func EdgesHelp() string {
	tables := endings(func(f *Format) bool { return ofEdges(f) && f != EdgeList }, ending)
	return "edge list: src dst [weight] as text, or " + lastly(tables, "or") + "\n- is standard input; gzip and zstd are recognised."
}

// GraphHelp describes the files of --graph.
func GraphHelp() string {
	return "graph in another format: " + List(ofGraph, "or", ending) + "\n" + List(ofGraph, "or", withAll) + ". Rows of " + List(numbered, "and", ending) + " are nodes 0 to n-1."
}

const textOut = "an edge list (.gz and .zst compress; .csv separates by commas), "

// OutHelp describes an output for a graph of any weights.
func OutHelp() string { return textOut + List(writtenTo, "or", ending) }

// LearnedHelp describes an output for a graph whose weights are fractions.
func LearnedHelp() string { return textOut + List(fractionsTo, "or", ending) }

// NeighborsHelp describes the output of a graph of neighbours.
func NeighborsHelp() string {
	return ".tsv or .csv (.gz, .zst), " + List(fractionsTo, "or", func(f *Format) string {
		if f.Maker != "" {
			return withAll(f)
		}
		return ending(f)
	})
}

// Learned names the formats of a learned graph that is read back.
func Learned() string { return List(KeepsLearned, "or", ending) }

// ColumnsOf names the formats whose columns --columns names.
func ColumnsOf() string { return List(takesColumns, "or", func(f *Format) string { return f.What }) }

// ConvertHelp names the formats that a graph is converted to, and those that are read only.
func ConvertHelp() string {
	only := lastly(endings(func(f *Format) bool { return f.Write == nil }, func(f *Format) string { return f.Title }), "and")
	return "an edge list, " + List(writtenTo, "or", withAll) + ". " + only + " is read too."
}
