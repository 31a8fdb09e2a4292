// Package baseline holds every method that the ADP paper (Li, An, Li, Liu,
// IJCAI 2019) compares with or builds on, for small n, and reruns its tables:
// a short survey of graph-based semi-supervised learning in one notation.
//
// W is the n×n affinity, D its degrees, S = D^-1/2 W D^-1/2, P = D^-1 W,
// L = D − W, Y the n×c labels, F the n×c classification, A a learned
// affinity, X the points. c classes, l labelled points, r the rank of X, T
// iterations, e the entries of W. Learned affinities are labelled by [LGC], as
// in the paper; α = 0.99 everywhere.
//
// Propagation on a given graph:
//
//	LP       F ← PF, F_l = Y_l                                             Tec
//	GFHF     min ½ΣW_ij‖F_i − F_j‖²,  F_l = Y_l                            Tec
//	LGC      min ½ΣW_ij‖F_i/√D_i − F_j/√D_j‖² + μ/2‖F − Y‖²                Tec
//	GGMC     min tr(Fᵀ(I−S)F + μ‖F − VY‖²) over F and Y, greedily          n³ + n²c
//	LPGMM    min KL(P‖Q(F)) − margins, P from geodesics                    50Tnc
//	Poisson  LU = Σ_l δ_l (Y_l − ȳ)                                        Tec
//
// Graphs from features:
//
//	KNN      exp(−‖x_i − x_j‖²/2σ_i²) for the 10 nearest                   n²d
//	LLE      min ‖x_i − Σw_ik x_k‖²,  Σw = 1, w ≥ 0                        n²d
//	L1       min λ‖a‖₁ + ½‖x_i − Xa‖²                                      n²d
//	SPG      the same with a ≥ 0, rows scaled to sum 1                     n²r + Tn²
//	NNLRS    min ‖Z‖_* + β‖Z‖₁ + λ‖X − XZ‖_{2,1},  Z ≥ 0                    Tn²r
//	SSNNLRS  the same with Z_ij = 0 across the classes of given labels     Tn²r
//	FAML     min ‖X − XZ‖² + λ₁‖Z‖² + λ₂‖Z − S‖² + γΣS_ij‖F_i − F_j‖²      Tn²r
//
// Graphs from a graph, by diffusion:
//
//	RW       A ← AP, 10 steps                                              Tne
//	PageRank A ← αAP + (1−α)I                                              n³
//	TPG      A ← αPAPᵀ + (1−α)I                                            10n³
//	RDP      A ← αSASᵀ + (1−α)I                                            n³
//	SRD      A ← αS(A + YYᵀ)Sᵀ + (1−α)I                                    10n³
//
// Functions of features:
//
//	LapRLS   min Σ_l‖Y_l − f(x_l)‖² + γ_A‖f‖² + γ_I fᵀLf                   n³
//	DLSR     min Σ_ik y_ik^r‖Wᵀx_i + b − t_k − t_k∘m_ik‖² + λ‖W‖²          T(nr² + r³)
//	GD       LapRLS that imitates a teacher                                n³
//
// And ADP itself, by package adp: A ← αS(A + FFᵀ)Sᵀ + (1−α)I and LGC on A, in
// turns.
//
// How they meet, which the tests check: LP's limit is GFHF; the first F of
// GGMC is LGC's for degree-normalised labels; SSNNLRS without labels is
// NNLRS; SRD without labels is RDP, which is TPG where all degrees are equal,
// and a projector on √D as α → 1; PageRank is LGC's kernel between two
// scalings; GD without imitation is LapRLS, which without L is kernel ridge
// regression.
//
// Learned by diffusion at α = 0.99, A is near the rank-one matrix √D√Dᵀ, on
// which LGC puts all points in few classes; it keeps its 10 largest entries a
// row (the setup's k), as no text says how the authors went on from A.
//
// [Method.Assumed] says what each method's published texts leave open and how
// it was filled; the tables mark such rows. Methods keep what does not depend
// on labels in [Data], so that draws share it. Dense methods refuse more than
// adp.MaxDense points ([ErrSize]).
package baseline
