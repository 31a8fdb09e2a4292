// Package baseline holds every method that the ADP paper (Li, An, Li, Liu,
// IJCAI 2019) compares with or builds on, for small n, and reruns its tables:
// a short survey of graph-based semi-supervised learning in one notation. Beside them it
// has the methods that label nodes with features ([Peers]), for any n.
//
// W is the n×n affinity, D its degrees, S = D^-1/2 W D^-1/2, P = D^-1 W,
// L = D − W, Y the n×c labels, F the n×c classification, A a learned
// affinity, X the points. c classes, l labelled points, r the rank of X, T
// iterations, e the entries of W. Graphs from features are labelled by [GFHF], as
// by Fang et al., whose figures the paper cites; RDP and SRD by [SettledOn], as
// by the paper's authors; the other learned affinities by [LGC]. α = 0.99 but
// for RDP and SRD.
//
// Propagation on a given graph:
//
//	LP       F ← PF, F_l = Y_l                                           Tec          Zhu, Ghahramani 2002
//	GFHF     min ½ΣW_ij‖F_i − F_j‖²,  F_l = Y_l                          Tec          Zhu, Ghahramani, Lafferty 2003
//	LGC      min ½ΣW_ij‖F_i/√D_i − F_j/√D_j‖² + μ/2‖F − Y‖²              Tec          Zhou et al. 2004
//	GGMC     min tr(Fᵀ(I−S)F + μ‖F − VY‖²) over F and Y, greedily        n³ + n²c     Wang, Jebara, Chang 2013
//	LPGMM    min KL(P‖Q(F)) − margins, P from geodesics                  50Tnc        Fan et al. 2018
//	Poisson  LU = Σ_l δ_l (Y_l − ȳ)                                      Tec          Calder et al. 2020
//
// Graphs from features:
//
//	KNN      exp(−‖x_i − x_j‖²/2σ_i²) for the nearest: 10 for W, 5 for
//	         the row                                                     n²d          the ADP paper's setup
//	LLE      min ‖x_i − Σw_ik x_k‖²,  Σw = 1, w ≥ 0                      n²d          Roweis, Saul 2000
//	L1       min λ‖a‖₁ + ½‖x_i − Xa‖²                                    n²d          Elhamifar, Vidal 2013
//	SSC      min ‖c‖₁ + ‖e‖₁,  x_i = Xc + e/γ                            T(n²d + nd²) the same, the ADP authors' W
//	SPG      as L1 with a ≥ 0, rows scaled to sum 1                      n²r + Tn²    He et al. 2011
//	NNLRS    min ‖Z‖_* + β‖Z‖₁ + λ‖X − XZ‖_{2,1},  Z ≥ 0                  Tn²r         Zhuang et al. 2012
//	SSNNLRS  the same with Z_ij = 0 across the classes of given labels   Tn²r         Zhuang et al. 2017
//	FAML     min ‖X−XZ‖² + λ₁‖Z‖² + λ₂‖Z−S‖² + γΣS_ij‖F_i − F_j‖²        Tn²(r + c)   Fang et al. 2018
//
// Graphs from a graph, by diffusion:
//
//	RW       A ← AP, 10 steps                                            Tne          the ADP paper's text
//	PageRank A ← αAP + (1−α)I                                            n³           Page et al. 1999
//	TPG      A ← αPAPᵀ + (1−α)I                                          9n³          Yang, Prasad, Latecki 2013
//	RDP      A ← αSASᵀ + (1−α)I                                          n³           Bai et al. 2017
//	SRD      A ← αSASᵀ + (1−α)(D̄ + B), pairs joined or parted by labels Tne          Li, Liu, Li 2019
//
// Functions of features:
//
//	LapRLS   min Σ_l‖Y_l − f(x_l)‖² + γ_A‖f‖² + γ_I fᵀLf                 n³           Belkin, Niyogi, Sindhwani 2006
//	DLSR     min Σ_ik y_ik^r‖Wᵀx_i + b − t_k − t_k∘m_ik‖² + λ‖W‖²        T(nr² + r³)  Luo et al. 2017
//	GD       LapRLS that imitates a teacher                              n³           Gong et al. 2018
//
// Labels from features, and from a graph with features ([Peers]; q entries of the
// features, S̃ = D̃^-1/2 (W + I) D̃^-1/2):
//
//	1nn             the class of the nearest seed                        ld n         Cover, Hart 1967
//	logistic        min ½‖Θ‖² + Σ_l −log softmax(Θᵀx_l + b)              Tqc          Cox 1958
//	ridge           min Σ_l ‖Y_l − Θᵀx_l − b‖² + ‖Θ‖²                    l²d + l³     Hoerl, Kennard 1970
//	sgc             logistic regression on S̃²X                           Tqc          Wu et al. 2019
//	appnp           F ← 0.9 S̃F + 0.1 H, H by logistic                    Tec          Klicpera et al. 2019
//	correct-smooth  H + spread errors of the seeds, then LP-like steps   Tec          Huang et al. 2021
//	sign            ridge regression on (X, S̃X, S̃²X)                     l²d + l³     Frasca et al. 2020
//
// Costs in n³ and n²d are once for a set, whatever the draws; RDP and SRD take
// n³/3 more for each, to label.
//
// And ADP itself, by package adp: A ← αS(A + FFᵀ)Sᵀ + (1−α)I and LGC on A, in
// turns.
//
// How they meet, which the tests check: LP's limit is GFHF; the first F of
// GGMC is LGC's for degree-normalised labels; SSNNLRS without labels is
// NNLRS; RDP on all of S is TPG where all degrees are equal,
// and a projector on √D as α → 1; PageRank is LGC's kernel between two
// scalings; GD without imitation is LapRLS, which without L is kernel ridge
// regression.
//
// What each is checked against, beside that, and by which test:
//
//	LP, GFHF, LGC      closed forms by elimination             TestClassics
//	GGMC               Q and its gradient by definition        TestGGMC
//	LPGMM              finite differences, a falling objective,
//	                   shortest paths by relaxation            TestLPGMM, TestGeodesics
//	Poisson            elimination                             TestPoisson, TestPoissonOfComponents
//	KNN                sorting all distances                   TestKNN, TestNeighbourGraph
//	SSC                the program's steps, a dual vector      TestSSC
//	LLE, L1            optimality conditions                   package knn
//	SPG                optimality conditions                   TestSPG
//	NNLRS, SSNNLRS     optimality conditions, subgradient
//	                   descent, two step sizes                 TestNNLRS, TestThreshold
//	FAML               optimality of each block, a falling
//	                   objective                               TestFAML
//	RW, PageRank, TPG  the step by definition                  TestWalks
//	RDP, SRD           the n²×n² system, the authors' program
//	                   by definition                           TestRegularized, TestSRD, TestSettled
//	LapRLS, GD         gradients, kernel ridge regression      TestLapRLS, TestGD
//	DLSR               finite differences, a falling objective TestDLSR
//	ADP, ADP1          the paper's formulas, dense             package adp
//	logistic, ridge    scikit-learn, finite differences        TestSklearn, TestSoftmax
//	1nn                all distances                           TestNearestSeed
//	sgc, sign, appnp   the steps by definition, a limit        TestDiffused, TestHop, TestSpread
//	correct-smooth     the text's formulas, dense              TestCorrect
//
// Learned by diffusion at α = 0.99, A is near the rank-one matrix √D√Dᵀ, on
// which LGC puts all points in few classes; RW, PageRank and TPG keep its 10
// largest entries a row (the setup's k). RDP and SRD, at α = 0.85, are taken whole.
//
// The ADP authors' program is public, github.com/qilinli/Alternating_Diffusion_Process:
// where it says what a text leaves open, it is followed, and named in the comment.
//
// [Method.Assumed] says what each method's published texts leave open and how
// it was filled; the tables mark such rows. Methods keep what does not depend
// on labels in [Data], so that draws share it. Dense methods refuse more than
// adp.MaxDense points ([ErrSize]).
//
// Products and eigenvectors of dense matrices are made here: gonum's product runs at a
// tenth of the processor's speed, and its eigenvectors turn columns of row-major matrices.
package baseline
