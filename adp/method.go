package adp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// Method names an algorithm. Its entry in the table of this file describes it completely. Other
// code asks for the [Trait]s of a method, never for the method itself.
type Method int

// The methods.
const (
	ADP  Method = iota // alternating diffusion process (default)
	ADP1               // its joint variant: one step of F and one of A a round
	LGC                // learning with local and global consistency; the graph stays
	GFHF               // harmonic functions; the graph stays
	// DenseADP is the paper's Algorithm 1 to the letter, n ≤ MaxDense. It reads the options Alpha,
	// Rounds, Beta, Tolerance, MaxIterations, MinConfidence, Threads, Order and Observer.
	// Checkpoint, Scratch, Start and SolveUnderflow are errors. It ignores all others: seeds count
	// as they are, without Balance and Prior, and the last round is the result.
	DenseADP
	Poisson   // Poisson learning; the graph stays
	methodEnd // one past the last method
)

// Trait is a property that some methods have: the options that they read, and the functions that
// accept their runs. A sum of traits means all of them.
type Trait uint

// The traits.
const (
	// LearnsSparse: it learns a sparse graph by A-steps, and chooses among rounds. It reads TopK,
	// Zeta, Anchor, GraphAlpha, Harden, Hubs and Select. Package adp/diagnose is for such a graph.
	LearnsSparse Trait = 1 << iota
	// Tries: left-out seeds choose between LGC and the learned graphs, of several settings if
	// Select is [Full]. It reads Settings, TrialFolds and MinChange.
	Tries
	// Repeats: it makes rounds, and reads Rounds and Beta. Others have round 0 alone.
	Repeats
	// LooksAtAlpha: it reads Alpha.
	LooksAtAlpha
	// SolvesLGC: [diffuse.LGC] solves its F-steps. It reads Solver, Underflow, ClassColumns and
	// Start.
	SolvesLGC
	// Iterates: it solves its F-steps to a tolerance, and reads Tolerance and MaxIterations.
	Iterates
	// Weighs: it weighs classes, and reads Balance and Prior.
	Weighs
	// Averages: rows of F are shares that sum to 1, and a new node gets the mean of its neighbours'
	// rows. [Result.Degrees] are nil.
	Averages
	// KeepsSparse: it holds no dense n×n matrix. It allows Checkpoint, Scratch and any number of
	// nodes, and Order saves it time.
	KeepsSparse
	// OverRanks: it runs over ranks (package adp/ranks).
	OverRanks
	// TakesSeveral: a node may have several labels, which package adp/multilabel reads off F.
	TakesSeveral
	traitEnd // one past the last trait
)

// method describes a method completely.
type method struct {
	name  string // of [Method.String]
	about string // one line
	note  string // follows the name where methods are listed; may be empty
	// onW names the result on the given graph, in words that follow "the result is".
	onW    string
	traits Trait

	// rounds is the default of [Options.Rounds], mixPower that of [Options.mixPower].
	rounds   int
	mixPower float64

	// label runs the rounds, from the current state of the run.
	label func(r *run, ctx context.Context) error
	// bytes estimates the memory of a run, see [EstimateBytes].
	bytes func(e *estimate) int64
}

// ofLGC are the words for a result of LGC.
const ofLGC = "LGC"

// methods is the table. init fills it, because the runs that it names look into it.
var methods [methodEnd]method

func init() {
	methods = [methodEnd]method{
		ADP: {
			name: "adp", about: "alternating diffusion process: labels and graph in turn, chosen by cross-validation",
			onW: ofLGC, rounds: 8, mixPower: 8,
			traits: LearnsSparse | Tries | Repeats | LooksAtAlpha | SolvesLGC | Iterates | Weighs | KeepsSparse | OverRanks,
			label:  (*run).adp, bytes: (*estimate).alternation,
		},
		ADP1: {
			name: "adp1", about: "alternating diffusion process, one step of labels and graph a round", note: "joint variant",
			onW: ofLGC, rounds: 50, mixPower: math.Inf(1), // early rounds are half-way results, not alternatives
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

// About describes m in a line.
func (m Method) About() string { return methods[m].about }

// Described returns the name and, if there is one, the note.
func (m Method) Described() string {
	if note := methods[m].note; note != "" {
		return fmt.Sprintf("%v (%s)", m, note)
	}
	return m.String()
}

// OnW names the result of m on the given graph, in words that follow "the result is".
func (m Method) OnW() string { return methods[m].onW }

// Rounds returns the default of [Options.Rounds].
func (m Method) Rounds() int { return methods[m].rounds }

// Has reports whether m has all of the traits. An unknown method has none.
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

// Without returns the methods that lack at least one of the traits.
func (t Trait) Without() (list []Method) {
	for m := range methodEnd {
		if !m.Has(t) {
			list = append(list, m)
		}
	}
	return list
}

// Names returns the names of the methods that have the traits as text, with word before the last:
// "adp, adp1 or lgc".
func (t Trait) Names(word string) string {
	var names []string
	for _, m := range t.Methods() {
		names = append(names, m.String())
	}
	if last := len(names) - 1; last > 0 {
		names = []string{strings.Join(names[:last], ", ") + " " + word + " " + names[last]}
	}
	return strings.Join(names, "")
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

// graphSolver labels the nodes of a fixed graph in memory.
type graphSolver func(context.Context, *diffuse.Graph, *diffuse.Seeds, diffuse.Options) (*csr.Dense, diffuse.Stats, error)

// solvedBy returns the label function of a method that has round 0 alone.
func solvedBy(solve graphSolver) func(*run, context.Context) error {
	return func(r *run, ctx context.Context) error {
		defer clock.Part(ctx, clock.FSteps)()
		return r.once(func() (stats diffuse.Stats, err error) {
			r.work = nil // the solver has its own
			r.F, stats, err = solve(ctx, r.s.operator.(*diffuse.Graph), r.y, r.solver())
			if errors.Is(err, diffuse.ErrRange) { // by the weights of W
				err = fmt.Errorf("%w: %w", ErrGraph, err)
			}
			return stats, err
		})
	}
}
