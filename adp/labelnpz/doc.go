// Package labelnpz writes the labels of a run as a numpy archive (.npz), for programs that read
// arrays faster than text.
//
// A file has these arrays, stored and not compressed, in this order; its bytes depend on the labels
// alone:
//
//	about       u1, JSON text: {"classes": [...], "statuses": [...]}
//	names       u1, and
//	name_ends   i8 (n+1): the names of the nodes, missing where they are 0 to n−1 (see ids.WriteArrays)
//	label       i4 (n): the place of the label in classes, −1 for none
//	confidence  f4 (n)
//	margin      f4 (n)
//	status      u1 (n): the place in statuses
//	proba       f4 (n, classes): the rows of F, scaled to sum 1; 0 for an unreached node. Only if asked for
//
// Where nodes may have several labels, label, confidence, margin and status have a row for each label of each node, and one of −1 for a
// node without. The text about also has "nodes", their number n. Before proba comes
//
//	node        i8 (rows): the node of each row
//
// and proba is the probability of each label, or the share by which it is judged ([multilabel.Label]).
package labelnpz
