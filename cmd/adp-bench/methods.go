package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/bench/baseline"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// accuracyMethods are the columns of `adp-bench accuracy`: all methods, and more.
var accuracyMethods = withMethods(map[string]adp.Options{
	"adp-full":       {Select: adp.Full},
	"adp-fast":       {Select: adp.Fast},
	"adp-none":       {Select: adp.None},
	"lgc-unbalanced": {Method: adp.LGC, Balance: diffuse.Unbalanced},
	"gfhf-plain":     {Method: adp.GFHF, Balance: diffuse.Unbalanced},
	"dense":          {Method: adp.DenseADP, Balance: diffuse.Unbalanced},
	"adp1-literal":   {Method: adp.DenseADP, MaxIterations: 1}, // one iteration of F and one of A a round

	// Between the literal form and the default: the last of 20 rounds, α_A = α, no anchor.
	"adp-whole":    step(adp.Options{TopK: -1, Harden: diffuse.Soft, Balance: diffuse.Unbalanced}), // no truncation
	"adp-balanced": step(adp.Options{TopK: -1, Harden: diffuse.Soft}),
	"adp-topk":     step(adp.Options{}),

	// The default with one ingredient off, or alone.
	"adp-unbalanced": {Balance: diffuse.Unbalanced},
	"adp-cut":        {Hubs: diffuse.HubRows{Above: 1, Work: 1 << 12, Terms: 1 << 11}}, // harder than by default
	"adp-no-labels":  {Zeta: -1},                                                       // A without the label similarity
	"adp-hard":       {Harden: diffuse.Hard},                                           // H without the margin
	"adp-best-round": {BestRound: true},                                                // the best cut alone, no mean
	"adp-no-trial":   {TrialFolds: -1},                                                 // the cut alone decides
	"adp-one-alpha":  {Alpha: 0.99},                                                    // LGC at lesser α not tried
	"adp-anchored":   {Settings: settings(0.5, 0.9, 5, 10)},
	"adp-free":       {Settings: settings(0, 0.99, 5, 10, 40)},
	"adp-leave":      {Underflow: adp.LeaveUnderflow},                                           // rows of nodes far from all seeds are left
	"adp-short":      {Settings: append(settings(0.5, 0.9, 5), settings(0, 0.9, 5, 10, 40)...)}, // no α_A of 0.99
})

// step returns options without any choice: one A-step a round, 20 rounds.
func step(o adp.Options) adp.Options {
	o.Select, o.Anchor, o.GraphAlpha, o.Rounds, o.MinChange, o.Beta = adp.None, -1, 0.99, 20, -1, 1e-12
	return o
}

// withMethods adds the methods that have no options of their own.
func withMethods(options map[string]adp.Options) map[string]adp.Options {
	for _, m := range adp.Methods() {
		if _, own := options[m.String()]; !own {
			options[m.String()] = adp.Options{Method: m}
		}
	}
	return options
}

// elsewhere begins the name of a method that another program ran, whose values are in the journal.
const elsewhere = "journal:"

// accuracyMethod returns the column of a name.
func accuracyMethod(name string, peers *baseline.Comparison) (bench.Method, error) {
	if other, ok := strings.CutPrefix(name, elsewhere); ok {
		return bench.Method{Name: other, Elsewhere: true}, nil
	}
	known := map[string]bench.Method{}
	for base, opt := range accuracyMethods {
		known[base] = bench.Method{Options: opt}
	}
	known["adp-graph"] = bench.Method{Combine: fit.NoCombine}
	for _, pool := range fit.PoolNames() {
		known[pool] = bench.Method{Pool: []string{pool}}
	}
	for _, m := range baseline.Peers() {
		known[m.Name] = peers.Column(m)
	}
	base, first := strings.CutSuffix(name, "@first")
	m, err := usage.Choose("methods", base, known)
	if err == nil && first && m.Label != nil {
		err = usage.Errorf("--methods %s: %s makes no choice of graphs, expected it without @first", name, base)
	}
	m.Name, m.First = name, first
	return m, err
}

// spreadings are scikit-learn's LabelSpreading with its defaults, and with the neighbours and α
// of this program's.
var spreadings = map[string]bench.Spreading{
	"LabelSpreading":         {Neighbors: 7, Alpha: 0.2},
	"LabelSpreading-10-0.99": {Neighbors: 10, Alpha: 0.99},
}

func spreadingNames() []string { return slices.Sorted(maps.Keys(spreadings)) }

// spreading returns the LabelSpreading of a name; nil where it is none.
func spreading(name, peers, python string) *bench.Spreading {
	s, ok := spreadings[name]
	if !ok {
		return nil
	}
	s.Peers, s.Python = peers, python
	return &s
}

// splitNames are the values of --splits.
var splitNames = map[string]bench.Splits{"drawn": bench.ByClass, "random": bench.AtRandom, "published": bench.Published}

// setSplits reads --splits and --score.
func setSplits(e *bench.Accuracy, splits, how string, to accuracyOutputs) (err error) {
	if e.Splits, err = usage.Choose("splits", splits, splitNames); err != nil {
		return err
	}
	if e.Splits == bench.Published && to.plot != "" {
		return usage.Errorf("--splits published has no numbers of labels for --plot")
	}
	e.Balanced, err = usage.Choose("score", how, map[string]bool{"accuracy": false, "balanced": true})
	return err
}

// settings returns those of an anchor, an α_A and each k.
func settings(anchor, graphAlpha float64, topK ...int) (all []adp.Setting) {
	for _, k := range topK {
		all = append(all, adp.Setting{TopK: k, Anchor: anchor, GraphAlpha: graphAlpha})
	}
	return all
}
