// Package format is the registry of the formats of graphs. A format is one value: its endings,
// how its content starts, how it is read and written. Help texts, messages and the table in
// docs/formats.md are made of the registry.
package format

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Format is a format of graphs.
type Format struct {
	Title   string   // in the table of docs/formats.md
	What    string   // in messages, with an article
	Flag    string   // that reads it: edges or graph
	Endings []string // of names, the usual one first
	Starts  []string // of the content; none where the content does not tell
	Called  string   // its name, where the ending does not say it
	Maker   string   // the library whose files these are

	Names   bool   // it holds the names of nodes; else its rows are nodes 0 to n−1
	Weights string // in the table
	Matrix  bool   // it holds a matrix, whose symmetry is checked; else edges
	Whole   bool   // it is written with whole weights alone
	Columns bool   // --columns names its columns
	FromOne bool   // it has no names, and counts rows from 1 in the file

	// Read reads a graph; its IDs are nil where rows are numbered.
	Read func(ctx context.Context, in Input, opt Options) (*edgelist.Graph, error)
	// Write writes a graph to the file called name; nil where the format is read only.
	Write func(w io.Writer, name string, m *csr.Matrix, names *ids.Table) error
	// CheckName refuses the name of a node that the file called file cannot hold; nil where
	// it holds all.
	CheckName func(file string, name []byte) error
}

// Input is a file to read. Its size is −1 where it is not known, as of a pipe.
type Input struct {
	R    io.Reader // also an io.ReaderAt where any place can be read
	Name string
	Size int64
}

// Options are those of all readers; each takes what it knows.
type Options struct {
	Edges     edgelist.Options
	Columns   []string // of a table: src,dst[,weight]
	WeightKey string   // of GraphML
	NameKey   string   // of GraphML
	Memory    int64    // most bytes for the edges of a table, 0 for no limit
}

// Ending returns the ending of a file's name in small letters, without that of a compression.
func Ending(name string) string { return strings.ToLower(filepath.Ext(stream.TrimEnding(name))) }

// IsPlainCSR reports whether a name is of a .csr file that is not compressed: such a file is mapped, and written row by
// row.
func IsPlainCSR(name string) bool { return strings.EqualFold(filepath.Ext(name), ".csr") }

// Commas reports whether the ending of a text file asks for commas.
func Commas(name string) bool { return Ending(name) == ".csv" }
