// Package plot draws the figures of package bench as SVG or PNG: accuracy
// against labels a class ([Accuracy]), how the rounds of a run converge
// ([Convergence]), and time and memory against size ([Scaling]).
//
// Each line has a colour that colour-blind people can tell from the others
// (Okabe and Ito's palette), and a mark of its own. The same input gives the
// same bytes. Data with no cells, or with numbers that are not finite, are
// errors.
package plot
