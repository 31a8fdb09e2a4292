// Package diffuse diffuses labels over a graph and graphs over themselves: the two steps that the
// alternating diffusion process alternates, each usable by itself.
//
// The symbols are the paper's (Li, An, Li, Liu: Semi-supervised Learning on Graph with an
// Alternating Diffusion Process, IJCAI 2019): W is the n×n affinity, D its degrees, S = D^-1/2 W
// D^-1/2, Y the n×c seeds, F the n×c classification, A the learned graph. Blocks of class columns
// are [csr.Dense]: n×c, row-major, float32.
//
//   - [LGC] solves (I − αS) F = (1−α) Y (Zhou et al., NIPS 2004);
//   - [Harmonic] solves the harmonic functions of GFHF (Zhu, Ghahramani,
//     Lafferty, ICML 2003);
//   - [Poisson] solves L U = Σ_l δ_l (Y_l − ȳ) of Poisson learning (Calder, Cook, Thorpe,
//     Slepčev, ICML 2020);
//   - [AStep] is one step A ← α S (A + ζHHᵀ) Sᵀ + (1−α) I of the graph's own
//     diffusion, truncated to the largest entries of each row, [ExactStep] the
//     step without truncation, applied to vectors;
//   - [AStar] applies the fixed point of that step to vectors without ever
//     forming it.
//
// Solvers see the graph only as an [Operator] that applies S to a block. They compute all sums in
// float64 in fixed order: results have the same bits for any number of threads.
package diffuse
