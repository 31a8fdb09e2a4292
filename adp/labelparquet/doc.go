// Package labelparquet reads known labels and reads and writes predicted ones as
// Apache Parquet files, by the rules of package adp/labelfile.
//
// It brings a Parquet library, which programs that do without it do not carry.
package labelparquet

import "github.com/adp-sparse/adp-sparse/internal/lines"

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax
