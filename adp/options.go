package adp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// ErrOptions is wrapped by every error about options.
var ErrOptions = diffuse.ErrOptions

// Method names an algorithm.
type Method int

// The methods.
const (
	ADP       Method = iota // alternating diffusion process (default)
	ADP1                    // its joint variant: one step of F and one of A a round
	LGC                     // learning with local and global consistency; the graph stays
	GFHF                    // harmonic functions; the graph stays
	DenseADP                // the paper's Algorithm 1 to the letter, n ≤ MaxDense
	methodEnd               // one past the last method
)

var methodNames = [...]string{"adp", "adp1", "lgc", "gfhf", "dense"}

func (m Method) String() string {
	if m < 0 || m >= methodEnd {
		return fmt.Sprintf("Method(%d)", int(m))
	}
	return methodNames[m]
}

// ParseMethod returns the method with the given name.
func ParseMethod(name string) (Method, error) {
	for m, s := range methodNames {
		if s == name {
			return Method(m), nil
		}
	}
	return 0, fmt.Errorf("%w: method %q, expected one of %s", ErrOptions, name, strings.Join(methodNames[:], ", "))
}

// Select says how the result is chosen. Every choice is by the cut of the
// labels on W ([score.Fit]) and takes LGC, round 0, into account: no test
// labels are needed.
type Select int

const (
	// Fast takes the best of the rounds of one setting of TopK and Anchor.
	// Cost: one A-step and one F-step a round. (default)
	Fast Select = iota
	// Full takes the best of the rounds of up to eight settings: TopK 5, 10, 20
	// and 40, with Anchor and without. A TopK above n/c, the mean size of a
	// class, is left out, and without the anchor one above n/4c: such a graph
	// joins classes. Cost: up to eight times that of Fast and one more n×c
	// block.
	Full
	// None takes the last round of one setting.
	None
)

// Options are the options of [Run]. The zero value is the recommended one.
type Options struct {
	Method Method
	// Alpha is α of the F-step, in (0,1). Zero means 0.99.
	Alpha float64
	// GraphAlpha is α_A of the A-step, in (0,1). Zero means 0.9. DenseADP uses
	// Alpha for both, as the paper does.
	GraphAlpha float64
	// Zeta is the weight of the label similarity Z in the A-step: Z is scaled
	// to the mean row sum Zeta. Zero means 0.5, negative means no Z at all.
	Zeta float64
	// TopK is the number of entries kept in each row of A before it is made
	// symmetric. Zero means 5, or n−1 where that is less; negative means all
	// (n ≤ MaxDense).
	TopK int
	// Anchor is the multiple of S that is added to A after each A-step, so
	// that the learned graph cannot drift from W. Zero means 0.5, negative
	// means none.
	Anchor float64
	Harden diffuse.Harden // how H is made from F
	// Rounds is the largest number of A-steps. Zero means 5 for ADP, 50 for
	// ADP1 and DenseADP.
	Rounds int
	// MinChange stops ADP when a smaller share of the labels changes in a
	// round. Zero means 0.001; negative never stops for it.
	MinChange float64
	// Beta stops when ‖F − F_prev‖ is below Beta·‖F‖ (Frobenius norms); for
	// DenseADP, the paper's form, below Beta itself. Zero means 0.01.
	Beta   float64
	Select Select // how the result is chosen
	// MinConfidence is the confidence below which a predicted label gets the
	// status Uncertain. Zero means that only ties do.
	MinConfidence float64

	Balance       diffuse.Balance // weighs the classes of the seeds
	Prior         []float64       // class prior, c numbers above 0; nil means equal classes
	Solver        diffuse.Solver  // of the F-step
	Tolerance     float64         // of the F-step; zero means 1e-6
	MaxIterations int             // of the F-step; zero means 2000 (CG) or 20000 (Power)
	Threads       int             // zero means GOMAXPROCS

	// Observer is called at the end of each round, by the goroutine that
	// called Run.
	Observer func(Round)
	// Progress is called now and then, by several goroutines, with the share
	// of the work of the current A-step done since its last call.
	Progress func(share float64)
}

// MaxDense is the largest number of nodes for which dense n×n matrices are
// made: by DenseADP, and by a negative TopK.
const MaxDense = 5000

// WithDefaults returns the options with zero fields filled for a graph of n
// nodes, or an [ErrOptions] that names all faults.
func (o Options) WithDefaults(n int) (Options, error) {
	rounds := 5
	if o.Method == ADP1 || o.Method == DenseADP {
		rounds = 50
	}
	if o.Method == DenseADP {
		o.Select = None // the paper's form has no choice
	}
	fill(&o.Alpha, 0.99)
	fill(&o.GraphAlpha, 0.9)
	fill(&o.Zeta, 0.5)
	fill(&o.TopK, max(1, min(5, n-1)))
	fill(&o.Anchor, 0.5)
	fill(&o.MinChange, 0.001)
	fill(&o.Beta, 0.01)
	fill(&o.Tolerance, 1e-6)
	fill(&o.Rounds, rounds)
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if o.Method < 0 || o.Method >= methodEnd {
		fault("unknown method %d", int(o.Method))
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		fault("alpha %v, expected between 0 and 1, both excluded", o.Alpha)
	}
	if !(o.GraphAlpha > 0 && o.GraphAlpha < 1) {
		fault("graph alpha %v, expected between 0 and 1, both excluded", o.GraphAlpha)
	}
	if o.Rounds < 1 {
		fault("%d rounds, expected at least 1", o.Rounds)
	}
	if o.Method.learnsSparse() && o.TopK >= max(n, 2) {
		fault("top-k of %d with %d nodes, expected fewer than nodes", o.TopK, n)
	}
	if n > MaxDense && (o.TopK < 0 && o.Method.learnsSparse() || o.Method == DenseADP) {
		fault("%d nodes, dense matrices are made for at most %d", n, MaxDense)
	}
	if !(o.Beta > 0) || !(o.MinConfidence >= 0 && o.MinConfidence <= 1) {
		fault("beta %v and least confidence %v, expected above 0 and between 0 and 1", o.Beta, o.MinConfidence)
	}
	return o, errors.Join(faults...)
}

// learnsSparse says whether the method makes A by sparse A-steps.
func (m Method) learnsSparse() bool { return m == ADP || m == ADP1 }

func fill[T int | float64](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// setting is what an A-step is made with.
type setting struct {
	topK   int
	anchor float64
}

// settings returns the settings that the choice is among, for n nodes and c
// classes.
func (o Options) settings(n, c int) []setting {
	if o.Select != Full {
		return []setting{{o.TopK, o.Anchor}}
	}
	var all []setting
	for _, k := range []int{5, 10, 20, 40} {
		if k < n && 4*k*c <= n {
			all = append(all, setting{k, -1})
		}
		if k < n && k*c <= n {
			all = append(all, setting{k, max(o.Anchor, 0.5)})
		}
	}
	return all
}

// labelScale returns ζ', for which Z = ζ'HHᵀ has the mean row sum Zeta.
func (o Options) labelScale(h *diffuse.Factor) float64 {
	sum := h.MeanRowSum()
	if sum <= 0 {
		return 0
	}
	return max(o.Zeta, 0) / sum
}

// solver returns the options of the F-step.
func (o Options) solver() diffuse.Options {
	return diffuse.Options{
		Alpha: o.Alpha, Balance: o.Balance, Prior: o.Prior, Solver: o.Solver,
		Tolerance: o.Tolerance, MaxIterations: o.MaxIterations, Threads: o.Threads,
	}
}
