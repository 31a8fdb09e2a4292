// Package mtx reads and writes sparse matrices as Matrix Market files
// (Boisvert, Pozo & Remington, The Matrix Market exchange formats, 1996):
//
//	%%MatrixMarket matrix coordinate real symmetric
//	% any number of comments
//	4 4 3
//	2 1 0.5
//	3 1 1
//	4 4 0.25
//
// that is rows, columns and entries, then a line an entry: row and column,
// counted from 1, and a value unless the field is pattern. Files
// of real, integer and pattern fields, general and symmetric, are read, and so are
// arrays, which have rows and columns and then all values, column by column, of a
// symmetric one those from the diagonal down; their zeros are no entries.
// Complex, hermitian and skew-symmetric ones are refused by name.
//
// [Read] returns the matrix as it stands in the file. It reads line by line, and
// memory grows with the lines that have arrived, whatever the header says; so does
// the number of rows that a header may claim. [csr.WithoutDiagonal] and
// [csr.WithoutZeros] drop what edge lists do not take.
package mtx

import "github.com/adp-sparse/adp-sparse/internal/lines"

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax
