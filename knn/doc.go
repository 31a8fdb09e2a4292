// Package knn builds graphs from feature vectors.
//
// [Graph] is the whole way in one call: nearest neighbours ([Search]),
// weights ([Weights]), symmetrisation, and links between components
// ([Connect]). Features are a [csr.Dense] of n points (rows) and d
// coordinates, which is never changed; results that another program found
// come in through [FromPrecomputed].
//
// Exact means exact: products of blocks of points are made in float32, the
// error of each is bounded, and every point that could be among the k nearest
// within that bound is measured again in float64 from the original features.
// The neighbours are therefore those of a float64 brute force, and the same
// bits for any number of threads and on any processor.
//
// Distances are stored as float32: Euclidean distance (not squared), 1 −
// cosine, or the negative inner product ([Metric]). A point is never its own
// neighbour, which is decided by its number and not by its distance. Equally
// distant points are ordered by number. Graphs are made of the neighbours among
// distinct points, each copy of a point being joined to the first.
//
// Untrusted data give errors that wrap [ErrFeatures], [ErrNeighbors] or
// [ErrOptions]. Everywhere, zero threads means GOMAXPROCS, and every random
// choice comes from a seed.
package knn
