// Package bench measures adp-sparse: accuracy over draws of seeds, and whole
// runs of the program in time and memory. An experiment is a struct of what it
// needs, as [Accuracy] or [Scaling], with a method Run; the command `adp-sparse
// bench` only binds flags to its fields.
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
