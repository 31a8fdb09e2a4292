package edgelist

import (
	"context"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// ErrSyntax is wrapped by every [Error].
var ErrSyntax = lines.ErrSyntax

// Error is a fault in the content of a file: its name, the line, what was
// found and what was expected.
type Error = lines.Error

// Header says what the first data line is.
type Header int

// The kinds of first data line.
const (
	// HeaderCheck takes the first data line as an edge, but refuses a file in
	// which it looks like a header: both of its ids are no integers while
	// all others are, or its third field is no number. (default)
	HeaderCheck Header = iota
	HeaderNo           // an edge
	HeaderYes          // column names, skipped
)

// Options are the options of [Read] and [Parse]. The zero value reads an undirected
// graph and adds the weights of duplicates.
type Options struct {
	// Directed takes a-b and b-a as different edges and then makes the
	// matrix symmetric: W ← (W+Wᵀ)/2.
	Directed   bool
	Duplicates csr.Duplicates
	Header     Header
	Threads    int // zero means GOMAXPROCS
	// Memory is about the number of bytes that [Parse] and [List.Builder] may
	// hold; edges past it go to temporary files in the folder Dir. Zero means
	// no limit, and no files.
	Memory int64
	Dir    string
	// Most is the number of bytes that [Read] may need: a larger list gives
	// [ErrMemory] as soon as that is known. Zero means no limit.
	Most int64
}

// workerBytes is the most that a worker takes for its block of text and the edges in it.
const workerBytes = 3 << 20

// workers returns how many workers there are: where memory is limited, no more than a quarter of
// it is for blocks of text.
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
	}
	return nil
}

// Graph is what [Read] returns: the symmetric affinity W, without diagonal,
// and the names of its nodes.
type Graph struct {
	W     *csr.Matrix
	IDs   *ids.Table
	Stats Stats
	Peak  int64 // about the bytes that reading needed, W and IDs included
}

// Stats counts the lines of a file and what was not taken as it was.
type Stats struct {
	Edges int `json:"edges"` // data lines
	csr.BuildStats
	// HeaderNode is a title of the header that is the id of a node: the line may be no
	// header.
	HeaderNode string `json:"header_node,omitempty"`
	// HeaderLike are the two words of the first line, where it was not said what that is
	// and more than ten edges, of others, follow: it may be a header above names.
	HeaderLike string `json:"header_like,omitempty"`
	// WeightTitle is the title of the third column, where it does not say that weights are
	// in it: it was read as weights all the same.
	WeightTitle string `json:"weight_title,omitempty"`
	// ScaleExponent is not 0 when weights were past 2^±64 and all were
	// multiplied by 2^ScaleExponent: S, and so every result, stays the same.
	ScaleExponent int `json:"scale_exponent,omitempty"`
	// Raised counts weights that are still too small for float32 beside the
	// largest and became the smallest positive weight.
	Raised int `json:"raised,omitempty"`
}

// Read reads an edge list into memory: [Parse], then [List.Graph]. The peak
// is 28 bytes an edge, 36 when weighted, 16 of them the matrix's, and what
// Parse says for each node.
//
// Errors are those of Parse.
func Read(r io.Reader, file string, opt Options) (*Graph, error) {
	opt.Memory = 0
	list, err := Parse(r, file, opt)
	if err != nil {
		return nil, err
	}
	return list.Graph(context.Background())
}
