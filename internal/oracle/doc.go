// Package oracle computes the same things as the rest of the module in the
// slowest and most obvious way: dense, in float64, one equation a function,
// with nothing shared. Tests compare the fast code with it.
//
// It imports nothing of ours and is meant for tests alone: sizes are a few
// hundred nodes (AStar: [MaxStar]), results are new matrices, nothing runs in
// parallel, and invalid arguments panic.
//
// Symbols are those of the paper: W is the n×n affinity, S = D^-1/2 W D^-1/2,
// Y the n×c seeds, F the n×c classification, A the learned graph, Z = H Hᵀ the
// affinity of labels.
package oracle
