// Package vecs reads feature vectors, one point a row, and neighbour lists
// that other programs have computed.
//
// [Read] knows these formats, by the ending of the name after .gz or .zst;
// whether the content is compressed is seen from the content:
//
//	.npy             2-D array of f2, f4, f8 or integers or b1, either byte order, in C
//	                 order or Fortran's, which takes twice the memory while it is read
//	.npz             one such array, or a matrix of scipy.sparse.save_npz (csr)
//	.fvecs .bvecs    rows of a little-endian int32 length and that many f4 or u1
//	.csv .tsv .txt   numbers between commas, semicolons, tabs or spaces; see below
//	.svm .libsvm .svmlight   lines of "label index:value …", indices from 1, or 0 where one is 0
//	.vec .emb .word2vec .glove   lines of "name number …", under one of their counts or not
//
// Values become float32, rounded to nearest; a NaN, an infinity or a number
// past float32 is an error that names the place: row and column counted from
// 0 in binary formats, file and line in text. A file without rows or without
// columns is an error.
//
// The label of a line of a libsvm file, and a "qid:number" after it, are no features.
// In .vec and the like the last fields of a line are the numbers and all before them is the name,
// whatever characters it has.
//
// In csv files, lines that start with '#' or '%' are skipped, unless the first column has
// names, or is left out: names may start so. The first line
// is a header if none of its fields, the id column aside, is a number and one
// is not empty; numbers and text side by side in it are an error
// unless Options.Header says what the line is. All lines have as many fields
// as the first. Between commas or semicolons, whichever the first line has first, they may be
// quoted, as in edge lists. The words true and false, in letters of any case, are 1 and 0. A header whose
// first title is empty or "Unnamed: 0" is of an index of rows, and an error, unless
// that column holds ids or is left out.
//
// Nothing in a file is trusted. Where the size of a file is known, a header
// must agree with it before memory is allocated; else memory grows in steps,
// to at most four times what has arrived.
package vecs

import (
	"errors"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax

// ErrMemory is wrapped by the error for features past Options.MemoryLimit.
var ErrMemory = npy.ErrMemory

// ErrFormat is wrapped by the error for a format that is not known.
var ErrFormat = errors.New("unknown format of features")
