package baseline

import (
	"fmt"
)

// Variants returns the rows of the paper at other settings, METHOD@SETTING: what
// their figures depend on. The tables have them only where they are named.
//
//	KNN@k              k nearest neighbours of points at unit length, GFHF
//	KNN@raw-k          of points as they are
//	L1@γ, SPG@γ        another penalty, 1/γ of that of an empty combination
//	NNLRS@θ            entries below θ dropped
//	NNLRS@λ=v, @β=v    another weight of the errors, of the entries (SSNNLRS@λ=v too)
//	FAML@all           all entries of a row of S
//	FAML@γ             another weight of the labels
//	FAML@k=5           5 entries a row
//	FAML@ridge=1       λ₁ = λ₂ = 1
//	FAML@sparse        |C| + |C|ᵀ of SSC for Z: a structure by another norm
//	METHOD@lgc         the row's graph, labelled by LGC
//	ADP@program, ADP1@program  by the ADP authors' program
//	RDP@lgc            the ten largest of a row of A, labelled by LGC
func Variants() []Method {
	var all []Method
	add := func(name, assumed string, label labeller) {
		all = append(all, Method{name, Variant, "the row without @", assumed, label})
	}
	for _, k := range []int{2, 3, 4, 8, 10} {
		add(fmt.Sprintf("KNN@%d", k), "k neighbours at unit length", byGFHF(neighbourGraph(k)))
	}
	for _, k := range []int{3, 5, 10} {
		add(fmt.Sprintf("KNN@raw-%d", k), "k neighbours of points as they are", byGFHF(rawNeighbours(k)))
	}
	for _, gamma := range []float64{5, 100} {
		add(fmt.Sprintf("L1@%g", gamma), "γ", byGFHF(lasso(gamma)))
		add(fmt.Sprintf("SPG@%g", gamma), "γ", byGFHF(probabilities(gamma)))
	}
	for _, small := range []float64{0, 0.01, 0.05, 0.2} {
		add(fmt.Sprintf("NNLRS@%g", small), "θ", byGFHF(nonNegativeLowRank(nnlrsSparse, nnlrsError, small)))
	}
	for _, lambda := range []float64{1, 1.5, 2, 3} {
		add(fmt.Sprintf("NNLRS@λ=%g", lambda), "λ", byGFHF(nonNegativeLowRank(nnlrsSparse, lambda, nnlrsSmall)))
		add(fmt.Sprintf("SSNNLRS@λ=%g", lambda), "λ", byGFHF(constrainedLowRank(lambda)))
	}
	add("NNLRS@β=2", "β", byGFHF(nonNegativeLowRank(2, nnlrsError, nnlrsSmall)))
	for _, f := range []struct {
		name   string
		change func(*flexibility)
	}{
		{"all", func(w *flexibility) { w.neighbours = 0 }},
		{"k=5", func(w *flexibility) { w.neighbours = 5 }},
		{"0", func(w *flexibility) { w.labels = 0 }},
		{"0.1", func(w *flexibility) { w.labels = 0.1 }},
		{"ridge=1", func(w *flexibility) { w.ridge, w.near = 1, 1 }},
		{"sparse", func(w *flexibility) { w.sparse = true }},
	} {
		weights := flexibly
		f.change(&weights)
		add("FAML@"+f.name, "other weights", byGFHF(flexibleGraph(weights)))
	}
	add("KNN@lgc", "labels by LGC", byLGC(neighbourGraph(knnNeighbours)))
	add("NNLRS@lgc", "labels by LGC", byLGC(NNLRS))
	add("FAML@lgc", "labels by LGC", byLGC(FAML))
	add("RDP@lgc", "the ten largest of a row, LGC", diffused(RDP))
	add("ADP@program", "the ADP authors' program", byProgram(10))
	add("ADP1@program", "the ADP authors' program", byProgram(1))
	return all
}
