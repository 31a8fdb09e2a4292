// Package calibrate turns a raw confidence into a probability of being right, from cases with known
// outcome, and measures how well probabilities hold. It is made for few cases, 20 to some hundreds,
// and knows nothing of graphs: all functions are pure.
//
// The raw confidence enters by its rank among the cases of one run, not by its size ([Ranking]).
// With α near 1 on a connected graph, sizes depend on α and on the numbers of classes and of seeds;
// a run on fewer seeds has other sizes, but its ranks mean the same.
package calibrate
