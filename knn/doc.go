// Package knn builds graphs from feature vectors.
//
// [Graph] does all steps in one call: nearest neighbours ([Search]), weights ([Weights]),
// symmetrisation, and links between components ([Connect]). Features are a [csr.Dense] of n points
// (rows) and d coordinates, which is never changed. Results of another program come in through
// [FromPrecomputed].
//
// Exact means exact. Products of blocks of points are computed in float32 with a bounded error, and
// every point that could be among the k nearest within that bound is measured again in float64 from
// the original features. So the neighbours are those of a float64 brute force, with the same bits
// for any number of threads and on any processor. By [Hellinger] and
// [HellingerIDF] these are of roots in float32.
//
// Distances are stored as float32: Euclidean distance (not squared), 1 − cosine, the negative
// inner product, or the sum of absolute differences ([Metric]). A point is never its own neighbour; its number decides this, not its
// distance. Equally distant points are ordered by number. Graphs are made of the neighbours among
// distinct points, with each copy of a point joined to the first.
//
// Untrusted data give errors that wrap [ErrFeatures], [ErrNeighbors] or [ErrOptions]. Everywhere,
// zero threads means GOMAXPROCS, and every random choice comes from a seed.
package knn
