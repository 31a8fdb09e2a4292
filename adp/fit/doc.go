// Package fit labels nodes from whatever there is of them: a graph, features, or both.
//
// It is the default of `adp-sparse run` as a library. [Run] makes the graph that labels
// start from ([NewGraph]), chooses the class prior, runs package adp, and calibrates the
// confidence on request. The zero value of every option is the recommendation, and
// [Result] says what was chosen and why. Package adp takes a graph and settings as they
// are given and chooses nothing but its result.
//
// Fit imports adp and knn, which do not know each other: adp labels any graph, knn makes
// graphs without labels, and the choice of a graph by labels needs both.
//
// Nothing is printed and no file is read. Inputs are shared and not changed. What an
// option or an input has wrong is an error that wraps [adp.ErrOptions], [adp.ErrGraph] or
// [knn.ErrFeatures]. The result has the same bits for any number of threads.
package fit
