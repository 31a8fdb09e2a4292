// Package csr holds sparse matrices in compressed sparse row form and the
// kernels that label propagation and graph learning are made of.
//
// A [Matrix] spends 8 bytes an entry (uint32 column, float32 value) and 8
// bytes a row (int64 offset). Its structure is checked once, by [New], or is
// correct by construction ([FromEdges], [RowBuffer], [Transpose],
// [Symmetrize], …); after that no kernel checks it again. A Matrix is
// immutable: matrices may share arrays ([Matrix.WithData]), and the slices
// that [Matrix.Row] and [Matrix.Arrays] return must not be changed.
//
// Values are float32. Sums over rows and columns are made in float64, over
// blocks of fixed size in fixed order, so that every result has the same
// bits for any number of threads. Everywhere a function takes threads, zero
// means GOMAXPROCS.
//
// Untrusted data give errors. Disagreeing shapes between arguments are a
// fault of the calling program and panic.
package csr
