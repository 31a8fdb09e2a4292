// Package metis reads and writes graphs in the text format of METIS, KaHIP and
// their kin (Karypis, METIS manual, 4.1.1):
//
//	% any number of comments
//	4 3 001
//	2 5
//	1 5 3 2
//	2 2
//
// that is vertices, undirected edges and the format; then a line a vertex, in
// their order from 1: the other end of each of its edges and the weight of the
// edge. The last line of the example is empty: vertex 4 has no edge. Each edge
// stands on the lines of both its ends.
//
// The format is up to three digits, 0 or 1: sizes of vertices, weights of
// vertices (a fourth number of the header counts them), weights of
// edges. Sizes and weights of vertices are checked, counted and left out.
package metis

import "github.com/adp-sparse/adp-sparse/internal/lines"

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax
