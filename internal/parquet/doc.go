// Package parquet reads and writes flat tables as Apache Parquet files: columns
// of numbers and text. A reader takes a few of them by name. It is a guarded
// way into github.com/parquet-go/parquet-go, which decodes the values.
//
// That package trusts sizes in a file. So that none can fill the memory, what it
// is about to decode is walked first: lists and strings of the footer and of the
// headers of pages, which must fit the bytes that there are; the sizes of pages,
// at most 128 MiB; and what a page holds when it is decompressed, which must be written
// in a way that is known here, and be as many values as its header says: runs, differences,
// lengths and texts are counted. A panic of the decoder becomes an error. Truth values
// that are written as runs are decoded here, as the decoder makes others of them.
//
// Pages that are not compressed, or by snappy, gzip or zstd, are read; nested
// and repeated columns are refused where they are asked for.
package parquet

import (
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax

// Magic is what a file starts and ends with.
const Magic = "PAR1"
