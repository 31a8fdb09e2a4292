package adp

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Method names an algorithm. All that is said of one stands in its entry of the table
// in this file; nothing else in the module asks which method a run has, but what its
// [Trait]s are.
type Method int

// The methods.
const (
	ADP  Method = iota // alternating diffusion process (default)
	ADP1               // its joint variant: one step of F and one of A a round
	LGC                // learning with local and global consistency; the graph stays
	GFHF               // harmonic functions; the graph stays
	// DenseADP is the paper's Algorithm 1 to the letter, n ≤ MaxDense. Of the options
	// it looks at Alpha, Rounds, Beta, Tolerance, MaxIterations, MinConfidence, Threads,
	// Order and Observer; Checkpoint, Scratch, Start and SolveUnderflow are errors, and all
	// others say nothing to it: seeds count as they are, without Balance and Prior, and
	// the last round is the result.
	DenseADP
	Poisson   // Poisson learning; the graph stays
	methodEnd // one past the last method
)

// Trait is what some methods have and others do not: options that they look at, and
// what their runs go with. A sum of traits is all of them.
type Trait uint

// The traits.
const (
	// LearnsSparse: it learns a sparse graph by A-steps, and chooses among rounds: TopK,
	// Zeta, Anchor, GraphAlpha, Harden, Cut and Select. [Diagnose] is for such a graph.
	LearnsSparse Trait = 1 << iota
	// Tries: left-out seeds choose between LGC and the learned graphs, of several
	// settings where Select says so: Full, Settings, TrialFolds and MinChange.
	Tries
	// Repeats: it makes rounds: Rounds and Beta. Others have round 0 alone.
	Repeats
	// LooksAtAlpha: Alpha.
	LooksAtAlpha
	// SolvesLGC: its F-steps are solved by [diffuse.LGC]: Solver, Faint, ClassColumns and
	// Start.
	SolvesLGC
	// Iterates: its F-steps are solved to a tolerance: Tolerance and MaxIterations.
	Iterates
	// Weighs: it weighs classes: Balance and Prior.
	Weighs
	// Averages: rows of F are shares of 1, and a new node has the mean of those of its
	// neighbours: [Result.Degrees] are none.
	Averages
	// KeepsSparse: it holds no dense n×n matrix: Checkpoint, Scratch, any number of nodes,
	// and the work that Order saves.
	KeepsSparse
	// OverRanks: [RunRanks].
	OverRanks
	// TakesSeveral: a node may have several labels, as package adp/multilabel reads them
	// off F.
	TakesSeveral
	traitEnd // one past the last trait
)

// method is all that there is to say about a method.
type method struct {
	name  string // of [Method.String]
	about string // one line
	note  string // what is said beside the name where methods are listed; may be empty
	// onW says what a result on the graph as given is of, after "the result is".
	onW    string
	traits Trait

	// Defaults of [Options.Rounds] and [Options.MixPower].
	rounds   int
	mixPower float64

	// label makes the rounds, from the state of the run on.
	label func(r *run, ctx context.Context) error
	// bytes is the memory of a run, see [EstimateBytes].
	bytes func(e *estimate) int64
}

// ofLGC are the words for a result that is LGC.
const ofLGC = "LGC"

// methods is the table. It is filled by init because runs, which it names, look into it.
var methods [methodEnd]method

func init() {
	methods = [methodEnd]method{
		ADP: {
			name: "adp", about: "alternating diffusion process: labels and graph in turn, as left-out seeds choose",
			onW: ofLGC, rounds: 8, mixPower: 8,
			traits: LearnsSparse | Tries | Repeats | LooksAtAlpha | SolvesLGC | Iterates | Weighs | KeepsSparse | OverRanks,
			label:  (*run).adp, bytes: (*estimate).alternation,
		},
		ADP1: {
			name: "adp1", about: "alternating diffusion process, one step of labels and graph a round", note: "joint variant",
			onW: ofLGC, rounds: 50, mixPower: math.Inf(1), // its early rounds are half-way, not alternatives
			traits: LearnsSparse | Repeats | LooksAtAlpha | Weighs | KeepsSparse | OverRanks,
			label:  (*run).adp1, bytes: (*estimate).alternation,
		},
		LGC: {
			name: "lgc", about: "learning with local and global consistency (label spreading); the graph stays",
			onW: ofLGC, rounds: 8, mixPower: 8,
			traits: LooksAtAlpha | SolvesLGC | Iterates | Weighs | KeepsSparse | OverRanks | TakesSeveral,
			label:  (*run).lgc, bytes: (*estimate).lgc,
		},
		GFHF: {
			name: "gfhf", about: "Gaussian fields and harmonic functions; the graph stays",
			onW: "that of harmonic functions (GFHF)", rounds: 8, mixPower: 8,
			traits: Iterates | Weighs | Averages | KeepsSparse | TakesSeveral,
			label:  solvedBy(diffuse.Harmonic), bytes: (*estimate).onGraph,
		},
		DenseADP: {
			name: "dense", about: "the paper's Algorithm 1 to the letter", note: fmt.Sprintf("the paper's dense form, at most %d nodes", MaxDense),
			onW: ofLGC, rounds: 50, mixPower: 8,
			traits: Repeats | LooksAtAlpha | Iterates,
			label:  (*run).literal, bytes: (*estimate).dense,
		},
		Poisson: {
			name: "poisson", about: "Poisson learning: labels as sources and sinks, for one or a few a class; the graph stays",
			onW: "that of Poisson learning", rounds: 8, mixPower: 8,
			traits: Iterates | Weighs | Averages | KeepsSparse | TakesSeveral,
			label:  solvedBy(diffuse.Poisson), bytes: (*estimate).onGraph,
		},
	}
}

// isKnown reports whether m is in the table.
func (m Method) isKnown() bool { return m >= 0 && m < methodEnd }

// String returns the name, as [ParseMethod] takes it.
func (m Method) String() string {
	if !m.isKnown() {
		return fmt.Sprintf("Method(%d)", int(m))
	}
	return methods[m].name
}

// About says in a line what m is.
func (m Method) About() string { return methods[m].about }

// Described returns the name, with what is to be said beside it.
func (m Method) Described() string {
	if note := methods[m].note; note != "" {
		return fmt.Sprintf("%v (%s)", m, note)
	}
	return m.String()
}

// OnW says what a result of m on the graph as given is of: words that go after "the
// result is".
func (m Method) OnW() string { return methods[m].onW }

// Rounds returns what [Options.Rounds] is by default.
func (m Method) Rounds() int { return methods[m].rounds }

// Has reports whether m has all of some traits. Unknown methods have none.
func (m Method) Has(t Trait) bool { return m.isKnown() && methods[m].traits&t == t }

// Methods returns all methods, in the order of their constants.
func Methods() []Method { return Trait(0).Methods() }

// Methods returns the methods that have the traits, in the order of their constants.
func (t Trait) Methods() (list []Method) {
	for m := range methodEnd {
		if m.Has(t) {
			list = append(list, m)
		}
	}
	return list
}

// Without returns the methods that lack one of the traits.
func (t Trait) Without() (list []Method) {
	for m := range methodEnd {
		if !m.Has(t) {
			list = append(list, m)
		}
	}
	return list
}

// Names returns the names of the methods that have the traits as text, with the word
// before the last: "adp, adp1 or lgc".
func (t Trait) Names(word string) string { return ListMethods(t.Methods(), word, Method.String) }

// ListMethods writes methods as text, each as told, with the word before the last.
func ListMethods(list []Method, word string, describe func(Method) string) string {
	var b strings.Builder
	for k, m := range list {
		switch {
		case k > 0 && k == len(list)-1:
			b.WriteString(" " + word + " ")
		case k > 0:
			b.WriteString(", ")
		}
		b.WriteString(describe(m))
	}
	return b.String()
}

// ParseMethod returns the method with the given name.
func ParseMethod(name string) (Method, error) {
	var names []string
	for m := range methodEnd {
		if methods[m].name == name {
			return m, nil
		}
		names = append(names, methods[m].name)
	}
	return 0, fmt.Errorf("%w: method %q, expected one of %s", ErrOptions, name, strings.Join(names, ", "))
}

// graphSolver labels the nodes of a graph in memory, which stays.
type graphSolver func(context.Context, *diffuse.Graph, *diffuse.Seeds, diffuse.Options) (*csr.Dense, diffuse.Stats, error)

// solvedBy is the label of a method that has round 0 alone.
func solvedBy(solve graphSolver) func(*run, context.Context) error {
	return func(r *run, ctx context.Context) error {
		return r.once(func() (stats diffuse.Stats, err error) {
			r.work = nil // the solver has its own
			r.F, stats, err = solve(ctx, r.s.operator.(*diffuse.Graph), r.y, r.solver())
			return stats, err
		})
	}
}
