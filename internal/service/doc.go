// Package service answers questions about a labelled graph over HTTP, and takes
// corrections: what a node's label is and why, who its neighbours in the learned
// graph are, what changes when a label is given, and which node to label next.
//
// Without [Graphs.Mixture] all answers are of one thing, label spreading (LGC) on the learned graph from
// the labels that are known at the moment: so that what a node is told to be is
// the sum that its explanation shows, and a new label costs one solve that starts
// from the last one. A run's own labels are of a mean over its rounds; where
// those disagree, an answer here can differ from them.
//
// With it labels, their confidence and the candidates are those of the mixture, which follows each
// label in the background. Reasons and suggestions are of label spreading all the same.
//
// The learned graph does not change. Where a class loses its last seed in a component,
// its F there is set to 0 before the solve: from the last F it would only come near 0.
//
// Readers never wait: they see the labelling that was complete when they came.
package service
