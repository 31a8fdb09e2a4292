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
// Nothing is printed and no file is read. Inputs are shared and not changed. The result has
// the same bits for any number of threads.
//
// Faults are errors, and none panics. Those of an option wrap [adp.ErrOptions], of the edges [adp.ErrGraph],
// of the features [knn.ErrFeatures], of neighbours [knn.ErrNeighbors]. Those of an [Input] whose parts are
// missing, as seeds may be, or do not fit each other wrap [ErrInput].
package fit
