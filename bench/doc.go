// Package bench measures adp-sparse: accuracy over draws of seeds, and whole
// runs of the program in time and memory. An experiment is a struct of what it
// needs, as [Accuracy] or [Scaling], with a method Run; the program adp-bench only
// binds flags to its fields.
//
// Contestants of one comparison take turns. Programs of other projects speak one
// protocol (bench/peers/peer.h, peer.py). Memory is measured on a process of its own,
// which reports its high-water mark. docs/benchmarks.md says more.
//
// A [Method] may be a function of graph, features and seeds. It is given the edges of a
// set as they are, not the graph that the features and edges make.
//
// Data sets are folders of files as users have them:
//
//	NAME.edges.tsv[.gz]   edge list (package csr/edgelist), and/or
//	NAME.features.npy[.gz], NAME.features.csr.npz   features (package knn/vecs)
//	NAME.labels.tsv       the true labels, `id label`
//	NAME.split.tsv        a published split, `id train|val|test`
//
// They are not part of the project: every command takes --data DIR.
package bench
