package fit

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Judge says which left-out seeds judge a result.
type Judge int

// The judges.
const (
	ByTrial       Judge = iota // those of [adp.Result].Trial, which made the choice, too
	ByCalibration              // those that the confidence is fitted to
	ByMixture                  // those that weigh the methods of the mixture
)

// Estimate is the accuracy of a result on the nodes without a known label, as left-out seeds tell it.
type Estimate struct {
	crossval.Estimate
	By Judge `json:"-"`
	// NoBetter says that Accuracy is at most Largest, of two classes or more: the most frequent class for all nodes is as good. The graph or
	// the features then do not tell the classes. It is false where all nodes are known.
	NoBetter bool `json:"-"`
}

// Estimate returns the accuracy of the result on the m nodes that are no seeds, by n left-out seeds of all seeds y. The seeds that the mixture
// left out judge it where there is one, else those of the calibration, else those of the trial, but for pseudo-labels. R is the share of
// them with the right label: [Combination].Foretold, [adp.Calibration].Accuracy or [adp.Trial.Accuracy]. C is the mean confidence of the m
// nodes, 0 where a node has no label. Then
//
//	Accuracy = (n·R + 8·C)/(n + 8)     of a mixture
//	Accuracy = R                       else
//
// Low and High are the ends of Wilson's 95 % interval for p = Accuracy in k independent cases, with z = 1.96:
//
//	(p + z²/2k ± z·√(p(1−p)/k + z²/4k²)) / (1 + z²/k),   1/k = 1.5/n + (1−λ)/40
//
// λ says how far the numbers of seeds tell the sizes of the classes ([crossval.Told]). [crossval.Evidence.Estimate] has the reasons and
// Largest.
//
// It is nil where no seed was left out. So it is of a mixture for nodes with several labels: [Several].LeftOut has its F1. O(m).
//
// E. Wilson: Probable Inference, the Law of Succession, and Statistical Inference, JASA 22, 1927.
func (r *Result) Estimate(y *diffuse.Seeds) *Estimate {
	predicted, confidence := r.Predicted(y.Classes)
	e, by := crossval.Evidence{Seeds: y.PerClass(), Predicted: predicted, Stated: -1}, ByTrial
	others, sure := 0, 0.0
	for _, status := range r.Status {
		if status != adp.Seed {
			others++
		}
	}
	for j, mean := range confidence {
		sure += float64(mean * float64(predicted[j]))
	}
	switch c, t := r.Combination, r.Trial; {
	case c != nil && c.Several != nil:
	case c != nil:
		by, e.Right, e.LeftOut = ByMixture, c.Foretold, c.LeftOut
		if others > 0 {
			e.Stated = sure / float64(others)
		}
	case r.Calibration != nil && r.Calibration.LeftOut > 0:
		by, e.Right, e.LeftOut = ByCalibration, r.Calibration.Accuracy, r.Calibration.LeftOut
	case t != nil && t.PseudoLabels == 0:
		e.Right, e.LeftOut = t.Accuracy(), t.LeftOut
	}
	if e.LeftOut == 0 {
		return nil
	}
	told := e.Estimate()
	return &Estimate{Estimate: told, By: by, NoBetter: others > 0 && y.Classes > 1 && told.Verdict() == crossval.NoBetter}
}
