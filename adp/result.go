package adp

import (
	"fmt"
	"slices"
	"time"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Result is the result of [Run] for n nodes and c classes.
type Result struct {
	// Labels[i] is the class of node i, -1 if no seed reaches it.
	Labels []int32
	// F is the n×c classification, row-major, not negative; the row of an unreached node is 0. It
	// is F of the chosen round, rows not scaled, or, where rounds have a Weight, their weighted
	// mean, rows of sum 1.
	F *csr.Dense
	// First is the F of round 0, where another run can start ([Options.Start]). It is F itself if
	// round 0 was chosen, and nil without Options.KeepFirst and for methods that keep none.
	First *csr.Dense
	// Confidence[i] is the share of the label in row i of F. Margin[i] is its lead over the largest
	// other share, 0 where that is larger, as it can be for seeds ([WarnOverruled]). Both are 0 for
	// an unreached node.
	Confidence, Margin []float32
	Status             []Status
	// Graph is the graph that F was solved on: the learned graph A of the chosen round, symmetric,
	// values of at least 0, with its diagonal. It is W itself, not a copy, if round 0 was chosen or
	// the method learns no graph. A W in mapped memory (csr/store) must then stay open.
	Graph  *csr.Matrix
	Rounds []Round
	// Chosen is the index in Rounds of the round of F and Graph, or the round of the largest Weight
	// where rounds have a Weight.
	Chosen int
	// Trial compares the results on left-out seeds; nil without a trial.
	Trial *Trial
	// Folds are the scores of the seeds that its folds left out, with [Options.KeepFolds]; none of
	// pseudo-labels. Package adp/fit sets KeepFolds for a mixture of edges or features alone.
	Folds []FoldScores
	// Converged reports whether every F-step reached its tolerance and the rounds stopped by
	// MinChange or Beta, not by their number. The latter does not count if ADP chose among rounds.
	Converged bool
	Warnings  []Warning

	space *csr.Space // holds Graph, and maybe S; nil for the memory
}

// Close frees the files of a run with [Options.Scratch]: Graph must not be used after it. It does
// nothing for other runs.
func (r *Result) Close() error {
	space := r.space
	r.space = nil
	return space.Close()
}

// Status is the origin of a label.
type Status uint8

// The kinds of status.
const (
	Unreached Status = iota // no seed reaches the node: it has no label
	Seed                    // given by the user (soft seeds: the largest class of F)
	Predicted
	Uncertain // predicted, but a tie or below Options.MinConfidence
)

var statusNames = [...]string{"unreached", "seed", "predicted", "uncertain"}

func (s Status) String() string {
	if int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return statusNames[s]
}

// Round records one round of a run. Round 0 is the solution on W itself. For ADP1 it is one step
// from the unscaled Y, for DenseADP LGC of the unscaled Y on S normalised once more.
//
// Labels are the largest classes of F. A seed may have another label here than it was given, which
// it has in the Labels of the [Result] (unless it is soft).
type Round struct {
	Index int `json:"round"`
	// Setting holds the options of the A-step before the round; zero if there was none.
	Setting
	Alpha float64 `json:"alpha"` // α of the F-step
	// Solve holds the statistics of the F-step.
	Solve diffuse.Stats `json:"solve"`
	// Changed counts the nodes whose Labels differ from the round before. DeltaF is ‖F −
	// F_prev‖/‖F‖ in Frobenius norms (for DenseADP ‖F − F_prev‖, as in the paper). Both are 0 in
	// round 0.
	Changed int     `json:"changed"`
	DeltaF  float64 `json:"delta_f"`
	// Association and Modularity measure the Labels on W, see package score. Largest is the share
	// of the largest class.
	Association float64 `json:"cut"`
	Modularity  float64 `json:"modularity"`
	Largest     float64 `json:"largest_class"`
	Entries     int     `json:"entries"` // of the graph that F was solved on
	// Weight is the share of the round in the F of the result; 0 in all rounds if F is of one.
	Weight float64       `json:"weight"`
	Time   time.Duration `json:"nanoseconds"`

	// Labels are the labels of the round, valid while the observer runs.
	Labels []int32 `json:"-"`
}

// Warning tells the user something about a run. Codes are stable.
type Warning struct {
	Code    string `json:"code"`
	Count   int    `json:"count"`
	Message string `json:"message"`
}

// The codes of warnings.
const (
	// WarnCollapse: nearly all nodes got one class, although the seeds have several.
	WarnCollapse = "collapse"
	// WarnUnreached: nodes in components without a seed have no label.
	WarnUnreached = "unreached"
	// WarnNotConverged: the F-step or the rounds reached their limit before they converged.
	WarnNotConverged = "not-converged"
	// WarnUnderflow: F of some nodes is below the accuracy of the solver.
	WarnUnderflow = "faint"
	// WarnOverruled: the diffusion gives some seeds another label than they have.
	WarnOverruled = "overruled"
	// WarnOutweighed: some nodes with several seeds got another class than that of the largest
	// weight.
	WarnOutweighed = "outweighed"
	// WarnEmptyClass: a class has seeds but no node was predicted in it.
	WarnEmptyClass = "empty-class"
)

// judge fills the fields of r that follow from F, whose first row is that of node lo. The rows of
// unreached nodes are exactly 0: products and steps of the solvers keep them so. It counts the
// seeds whose label is not the largest entry of their row, and the nodes with several seeds whose
// label is not that of the largest weight.
func (r *Result) judge(y *diffuse.Seeds, lo int, minConfidence float64, threads int) (overruled, outweighed int) {
	r.judgeRows(minConfidence, threads)
	list := y.Within(lo, lo+r.F.Rows)
	for k, seed := range list {
		r.Status[int(seed.Node)-lo] = Seed
		if !diffuse.IsSoft(list, k) { // the user's label stands, whatever the diffusion says
			i, row := int(seed.Node)-lo, r.F.Row(int(seed.Node)-lo)
			if r.Labels[i] >= 0 && r.Labels[i] != int32(seed.Class) {
				overruled++
			}
			r.Labels[i] = int32(seed.Class)
			r.Confidence[i], r.Margin[i] = diffuse.TopOf(row).Of(row, int32(seed.Class))
		} else if (k == 0 || list[k-1].Node != seed.Node) && isOutweighed(list[k:], r.Labels[int(seed.Node)-lo]) {
			outweighed++
		}
	}
	return overruled, outweighed
}

// Predicted counts the nodes of each of c classes that are no seeds, and returns the mean of their confidence, 0 for none. O(n).
func (r *Result) Predicted(c int) (nodes []int, confidence []float64) {
	nodes, confidence = make([]int, c), make([]float64, c)
	for i, label := range r.Labels {
		if label >= 0 && r.Status[i] != Seed {
			nodes[label]++
			confidence[label] += float64(r.Confidence[i])
		}
	}
	for j := range confidence {
		confidence[j] /= float64(max(nodes[j], 1))
	}
	return nodes, confidence
}

// isOutweighed reports whether the first node of the list has a seed with more weight than the seed
// of its label.
func isOutweighed(list []diffuse.Seed, label int32) bool {
	var own, most float32
	for _, s := range list {
		if s.Node != list[0].Node {
			break
		}
		if most = max(most, s.Weight); int32(s.Class) == label {
			own = s.Weight
		}
	}
	return own < most
}

// Restate puts another classification F in the place of that of the run, n×c of at least 0 with
// rows of 0 where it knows nothing: labels, confidence, status and the warnings of labels follow
// it. Graph, Rounds and Trial stay those of the run. Nodes with several seeds get the largest
// class of F, all other seeds keep their own.
func (r *Result) Restate(f *csr.Dense, y *diffuse.Seeds, minConfidence float64) {
	r.F = f
	r.Warnings = slices.DeleteFunc(r.Warnings, func(w Warning) bool { return w.Code != WarnNotConverged })
	overruled, outweighed := r.judge(y, 0, minConfidence, 1)
	r.warn(y, nil, overruled, outweighed)
}

// judgeRows is judge without seeds.
func (r *Result) judgeRows(minConfidence float64, threads int) {
	n := r.F.Rows
	r.Labels = make([]int32, n)
	r.Confidence = make([]float32, n)
	r.Margin = make([]float32, n)
	r.Status = make([]Status, n)
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			top := diffuse.TopOf(r.F.Row(i))
			r.Labels[i], r.Confidence[i], r.Margin[i] = top.Class, top.Share, top.Margin
			switch {
			case top.Class < 0:
				r.Status[i] = Unreached
			case top.Margin <= TieMargin || float64(top.Share) < minConfidence:
				r.Status[i] = Uncertain
			default:
				r.Status[i] = Predicted
			}
		}
	})
}

// TieMargin is the margin below which two classes tie, to within the accuracy of float32 sums.
const TieMargin = 1e-6

// warn collects the warnings of a finished run over the rows of all processes. overruled and
// outweighed count the own rows.
func (r *Result) warn(y *diffuse.Seeds, p *rankRows, overruled, outweighed int) {
	predicted, _ := r.Predicted(y.Classes)
	unreached := 0
	for _, label := range r.Labels {
		if label < 0 {
			unreached++
		}
	}
	unreached = p.total(unreached)
	p.totals(predicted)
	if unreached > 0 {
		r.add(WarnUnreached, unreached, "%s without a seed and %s no label", counted(unreached, "node is in a component", "nodes are in components"), figures.Either(unreached, "gets", "get"))
	}
	if overruled = p.total(overruled); overruled > 0 {
		r.add(WarnOverruled, overruled, "%s, with a margin of 0", counted(overruled, "known label is not what the diffusion gives its node: it stands", "known labels are not what the diffusion gives their nodes: they stand"))
	}
	if outweighed = p.total(outweighed); outweighed > 0 {
		r.add(WarnOutweighed, outweighed, "%d nodes with several labels did not get the label with the largest weight: a weight counts relative to the other weights of its class, and classes are balanced", outweighed)
	}
	r.Warnings = append(r.Warnings, JudgeClasses(predicted, y.PerClass())...)
}

// JudgeClasses returns [WarnCollapse] and [WarnEmptyClass] where they apply, from the numbers of
// predicted nodes and of seeds in each class.
func JudgeClasses(predicted, seeds []int) []Warning {
	var r Result
	labelled, given := 0, 0
	for j, count := range predicted {
		labelled += count
		given += seeds[j]
	}
	if labelled == 0 {
		return nil
	}
	j := largest(predicted)
	share := float64(predicted[j]) / float64(labelled)
	expected := float64(seeds[j]) / float64(given)
	if labelled >= collapseNodes && share >= collapseShare && expected <= collapseSeeds {
		r.add(WarnCollapse, predicted[j], "collapse: %.1f %% of the predicted labels are of one class, which has %.0f %% of the known labels; do not trust the labels", 100*share, 100*expected)
	}
	empty := 0
	for j, count := range predicted {
		if count == 0 && seeds[j] > 0 {
			empty++
		}
	}
	if empty > 0 {
		r.add(WarnEmptyClass, empty, "%s", counted(empty, "class has seeds but no other node was predicted in it", "classes have seeds but no other node was predicted in them"))
	}
	return r.Warnings
}

// warnUnderflow adds the warning that rows of the chosen round underflow, if any do. Where such
// rows were solved for, only those that float32 cannot hold remain.
func (r *Result) warnUnderflow(solved bool) {
	switch underflow := r.Rounds[r.Chosen].Solve.Underflow; {
	case underflow == 0:
	case solved:
		r.add(WarnUnderflow, underflow, "%s below the smallest numbers: %s the shares of neighbours nearer to a seed", counted(underflow, "node is so far from all seeds that its scores are", "nodes are so far from all seeds that their scores are"), figures.Either(underflow, "it has", "they have"))
	default:
		r.add(WarnUnderflow, underflow, "%s so far from all seeds, on the graph of the result, that %s below the accuracy of the solver: %s its error, unless such rows are solved for again (faint)", counted(underflow, "node is", "nodes are"), figures.Either(underflow, "its scores are", "their scores are"), figures.Either(underflow, "the label may be", "some of their labels may be"))
	}
}

// warnLimit adds the warning that a limit was reached before convergence.
func (r *Result) warnLimit() {
	for _, round := range r.Rounds {
		if !round.Solve.Converged {
			r.add(WarnNotConverged, 1, "the F-step of round %d stopped at a limit before converging: residual %.2g after %d iterations", round.Index, round.Solve.Residual, round.Solve.Iterations)
			return
		}
	}
	last := r.Rounds[len(r.Rounds)-1]
	r.add(WarnNotConverged, 1, "the rounds stopped at their limit before converging: %d rounds, last change of F %.2g", len(r.Rounds)-1, last.DeltaF)
}

func (r *Result) add(code string, count int, format string, args ...any) {
	r.Warnings = append(r.Warnings, Warning{Code: code, Count: count, Message: fmt.Sprintf(format, args...)})
}

// counted returns the number n with one or others.
func counted(n int, one, others string) string {
	return fmt.Sprintf("%d %s", n, figures.Either(n, one, others))
}

// A run has collapsed if one class has nearly all predictions but not nearly all seeds. Very few
// predictions tell nothing.
const (
	collapseNodes = 20
	collapseShare = 0.97
	collapseSeeds = 0.75
)

func largest(counts []int) int {
	top := 0
	for j, count := range counts {
		if count > counts[top] {
			top = j
		}
	}
	return top
}
