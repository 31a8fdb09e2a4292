// Package gen makes small random graphs for tests, as edges src[e], dst[e],
// weight[e] in plain slices. The same arguments give the same edges on every
// machine: all draws come from one PCG made from the seed, in a fixed order.
//
// Edges are as a file might hold them: each pair once, the smaller node first,
// except where an option asks for loops. O(n²) draws: for tests, n up to a few
// thousand. Arguments that make no sense panic.
package gen
