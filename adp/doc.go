// Package adp labels the nodes of a graph and learns the graph with the
// labels' help, by the alternating diffusion process (ADP):
//
//	repeat:  solve   (I − α S_A) F = (1−α) Ỹ               labels, given A
//	         A ← topk(α_A S (A + ζHHᵀ) Sᵀ) + (1−α_A) I     graph, given F
//
// with S = D^-1/2 W D^-1/2, S_A = D_A^-1/2 A D_A^-1/2 and H made from F. No
// n×n matrix is ever held: the label similarity Z = HHᵀ stays factored and
// the learned graph A is cut to the largest entries of each row before it is
// stored, so that time and memory are linear in nodes and edges.
//
// [Run] takes the symmetric affinity W as a [csr.Matrix] (package
// csr/convert makes one from gonum and james-bowman/sparse matrices) and the
// known labels as [diffuse.Seeds]. It neither prints nor reads files;
// Options.Observer sees every round, the context can stop it, and [Resume] goes
// on from the state that Options.Checkpoint was given (package adp/checkpoint
// keeps it in a file).
//
// The zero [Options] are the process on a given graph. The recommended run begins a step
// earlier: adp/fit makes the graph of edges or features, chooses the class prior, and
// combines methods where there are features; its zero Options are the recommendation.
//
// Packages below: adp/choice chooses the graph and the class prior by left-out seeds
// (adp/crossval), adp/diagnose says what a learned graph lost to the cut of its rows, adp/ranks
// runs over processes, and adp/paper is the paper's Algorithm 1 to the letter, with dense
// matrices, as a reference for small n. The sparse process differs on purpose: one A-step a round,
// the k largest entries of a row, H of the hardened labels, an anchor to S, scaled seeds,
// steps from I where degrees are unlike ([Setting]), and the choice of the round.
//
// Q. Li, S. An, L. Li, W. Liu: Semi-supervised Learning on Graph with an
// Alternating Diffusion Process, IJCAI 2019.
package adp
