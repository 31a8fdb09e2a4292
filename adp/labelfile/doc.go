// Package labelfile reads known labels and writes predicted ones, a node a
// line.
//
// Input: `id label [weight]` in the syntax of package csr/edgelist, columns of a csv
// file ([ReadColumns]), or a .npy vector ([ReadVector]). Output:
// a header, then `node label confidence margin status` separated by tabs,
// one row for every node in the order of the graph, seeds included.
package labelfile
