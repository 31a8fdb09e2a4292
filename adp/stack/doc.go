// Package stack combines the scores of several methods, without test labels, to one
// probability of each class for each node.
//
// A method r gives each of n nodes scores of c classes. Its probabilities are
//
//	P_r = (1−ε) softmax(τ_r Z_r) + ε/c,   Z_r = centred scores over their size,
//
// where the temperature τ_r ([FitScale]) makes the classes of left-out seeds most
// likely: a method that knows nothing gets a small τ and speaks for no class. The size is that of all
// scores, of the row, or between both ([Scale]), by the same seeds. The answer is
// Σ_r w_r P_r with the weights of [Weigh], which make the classes of the left-out seeds
// most likely under a Dirichlet prior. No method has to lead by anything: equals share the
// weight, and without left-out seeds the weights are the prior. [FitBias] finds what
// classes they give too often or too seldom. [FitSharpness] finds the power that makes the largest probability of a row
// that of being right. [ClassSizes] then estimates the sizes of the classes from these probabilities,
// or [ShiftedSizes] where the seeds are of unlike numbers, and [Sizes.Reweigh] takes them into account.
//
// D. Wolpert: Stacked Generalization, Neural Networks 5, 1992; J. Yao et al.: Using Stacking
// to Average Bayesian Predictive Distributions, Bayesian Analysis 13, 2018.
package stack
