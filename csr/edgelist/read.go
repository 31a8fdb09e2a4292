package edgelist

import (
	"context"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// ErrSyntax is wrapped by every [Error].
var ErrSyntax = lines.ErrSyntax

// Error is a fault in the content of a file: its name, the line, the text found and the text
// expected.
type Error = lines.Error

// Header is the kind of the first data line.
type Header int

// The kinds of first data line.
const (
	// HeaderCheck judges the first data line (default). Common titles, such as Source,Target, and two
	// words above integers are a header, which is noted. Where one of them is a node further down, where
	// later ids are words too, and where a third field is no number, the file is refused. Other lines are edges.
	HeaderCheck Header = iota
	HeaderNo           // an edge
	HeaderYes          // column names, skipped
)

// Options are the options of [Read] and [Parse]. The zero value reads an undirected
// graph and adds the weights of duplicates.
type Options struct {
	// Directed takes a-b and b-a as different edges and then makes the matrix symmetric: W ←
	// (W+Wᵀ)/2.
	Directed   bool
	Duplicates csr.Duplicates
	Header     Header
	// Columns are those of the ends, and of the weight if there is one, by title or by number from
	// 1. A title says that the first line is a header. Empty means the first two or three, or those
	// that a header names plainly, such as Source, Target and Weight.
	Columns []string
	// Bipartite says that the ends are of two kinds, whose ids may be the same: those of the first
	// column are called L and their id, those of the second R.
	Bipartite bool
	// Comments are what comment lines start with. Nil goes by the file: none in a csv file, and
	// below a header; elsewhere # and %, as in the files of SNAP. Empty means that there are none.
	Comments []string
	Threads  int // zero means GOMAXPROCS
	// Memory limits the bytes that [Parse] and [List.Builder] hold, approximately. More edges go to
	// temporary files in the folder Dir. Zero means no limit, and no files.
	Memory int64
	Dir    string
	// Most limits the bytes that [Read] needs: a larger list gives [ErrMemory] as soon as that is
	// known. Zero means no limit.
	Most int64
}

// workerBytes is the largest memory of a worker for its block of text and its edges.
const workerBytes = 3 << 20

// workers returns the number of workers. Blocks of text take at most a quarter of limited memory.
func (o Options) workers() int {
	workers := rows.Workers(o.Threads)
	if o.Memory > 0 {
		workers = int(min(int64(workers), max(o.Memory/4/workerBytes, 1)))
	}
	return workers
}

func (o Options) check() error {
	switch {
	case o.Duplicates < csr.DuplicatesSum || o.Duplicates > csr.DuplicatesError:
		return fmt.Errorf("%w: rule %d for duplicates, expected one of those of package csr", ErrOptions, int(o.Duplicates))
	case o.Header < HeaderCheck || o.Header > HeaderYes:
		return fmt.Errorf("%w: kind %d of header, expected HeaderCheck, HeaderNo or HeaderYes", ErrOptions, int(o.Header))
	case len(o.Columns) == 1 || len(o.Columns) > 3:
		return fmt.Errorf("%w: %s, expected 2 or 3: those of the ends, and that of the weight", ErrOptions, lines.Columns(len(o.Columns)))
	}
	if err := lines.CheckComments(o.Comments); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return nil
}

// Graph is the result of [Read]: the symmetric affinity W, without diagonal, and the names of its
// nodes.
type Graph struct {
	W     *csr.Matrix
	IDs   *ids.Table
	Stats Stats
	Notes notes.List // what the reader did not take as it stands, beside Stats
	Peak  int64      // about the peak bytes of reading, W and IDs included
}

// Stats counts the lines of a file, and the edges that were changed.
type Stats struct {
	Edges int `json:"edges"` // data lines
	csr.BuildStats
	// HeaderNode is a title of the header that is also the id of a node: the line may be no header.
	HeaderNode string `json:"header_node,omitempty"`
	// HeaderLike holds the two words of the first line if the options do not say what it is and
	// more than ten edges between other nodes follow: it may be a header above names.
	HeaderLike string `json:"header_like,omitempty"`
	// WeightTitle is the title of the third column if it does not suggest weights. The column was
	// read as weights.
	WeightTitle string `json:"weight_title,omitempty"`
	// ScaleExponent is not 0 when weights were past 2^±64 and all were multiplied by
	// 2^ScaleExponent: S, and so every result, stays the same.
	ScaleExponent int `json:"scale_exponent,omitempty"`
	// Raised counts weights too small for float32 beside the largest; they became the smallest
	// positive weight.
	Raised int `json:"raised,omitempty"`
}

// Read reads an edge list into memory: [Parse], then [List.Graph]. The peak is 28 bytes an edge, 36
// when weighted, 16 of them the matrix's, and the memory of Parse for each node.
//
// It ignores Options.Memory and Options.Dir, as the matrix is in memory; Options.Most limits what it
// takes. Errors are those of Parse and of [List.Graph].
func Read(r io.Reader, file string, opt Options) (*Graph, error) {
	opt.Memory = 0
	list, err := Parse(r, file, opt)
	if err != nil {
		return nil, err
	}
	return list.Graph(context.Background())
}
