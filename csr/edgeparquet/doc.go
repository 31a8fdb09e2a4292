// Package edgeparquet reads and writes edge lists as Apache Parquet files, a row
// an edge: src, dst and weight, by the rules of package csr/edgelist.
//
// It brings a Parquet library, which programs that do without it do not carry.
package edgeparquet

import "github.com/adp-sparse/adp-sparse/internal/lines"

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax
