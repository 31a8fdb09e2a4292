package diffusion

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// byMixture explains the labels that a mixture of methods gives.
func (f *explainFlags) byMixture(ctx context.Context, std streams.Stdio, s *problem, nodes []int, tell func(answer) error) error {
	result, err := s.mixture(ctx, std, f.Memory, nodes)
	if err != nil {
		return err
	}
	for _, why := range result.Why {
		if err := tell(&mixedExplanation{why, s, result}); err != nil {
			return err
		}
	}
	return nil
}

// mixedExplanation is why a mixture gives a node its label.
type mixedExplanation struct {
	*fit.Why
	*problem
	result *fit.Result
}

// MixtureRecord is how a mixture of methods gives a label; scores are its probabilities.
type MixtureRecord struct {
	Confidence float32 `json:"confidence"`
	// Mixed are the probabilities before they are corrected for the bias and the sizes of the classes; nil where they are not.
	Mixed   map[string]float64 `json:"mixed,omitempty"`
	Methods []methodRecord     `json:"methods"`
}

// methodRecord is what a method says of a node.
type methodRecord struct {
	Method  string             `json:"method"`
	Graph   string             `json:"graph,omitempty"`
	Weight  float64            `json:"weight"`
	Label   string             `json:"label"` // empty where it knows nothing of the node
	Scores  map[string]float64 `json:"scores"`
	Lead    float64            `json:"lead"`
	Spread  *SeedRecord        `json:"spread,omitempty"`
	Mean    bool               `json:"one_round,omitempty"`
	Columns *sumRecord         `json:"columns,omitempty"`
	Nodes   *sumRecord         `json:"nodes,omitempty"`
	Sizes   float64            `json:"class_size_lead,omitempty"`
	Degrees []float64          `json:"degrees,omitempty"`
}

// sumRecord is a sum over columns or nodes.
type sumRecord struct {
	Total float64        `json:"total"`
	Parts []amountRecord `json:"parts"`
}

type amountRecord struct {
	Name   string  `json:"name"`
	Amount float64 `json:"amount"`
}

func (t *mixedExplanation) record() ExplainRecord {
	r := ExplainRecord{
		Node: t.name(t.Node), Label: t.class(int32(t.Label)), RunnerUp: t.class(int32(t.RunnerUp)), Scores: t.byClass(t.probabilities()),
		Known: t.knownOf(t.Node), MixtureRecord: &MixtureRecord{Confidence: t.result.Confidence[t.Node], Methods: []methodRecord{}},
	}
	if t.Label < 0 { // no known label reaches it: what methods say of it is of no known label
		return r
	}
	if t.result.Combination.Corrected() {
		r.Mixed = t.byClass(t.Mixed)
	}
	for k, v := range t.Members {
		m := t.result.Combination.Members[k]
		one := methodRecord{Method: m.Method, Graph: m.Graph, Weight: m.Weight, Label: t.class(top(&v)), Scores: t.byClass(v.Probabilities), Lead: v.Lead, Mean: v.OneRound, Sizes: v.Prior, Degrees: v.Degrees}
		if v.Seeds != nil {
			one.Spread = (&namedExplanation{v.Seeds, t.problem}).seeds()
		}
		if v.Columns != nil {
			one.Columns = recordOf(v.Columns, t.column)
		}
		if v.Nodes != nil {
			one.Nodes = recordOf(v.Nodes, t.name)
		}
		r.Methods = append(r.Methods, one)
	}
	return r
}

func recordOf(sum *fit.Sum, name func(int) string) *sumRecord {
	r := &sumRecord{Total: sum.Total, Parts: []amountRecord{}}
	for _, part := range sum.Parts {
		r.Parts = append(r.Parts, amountRecord{name(part.Index), part.Amount})
	}
	return r
}

// top is the class of the largest probability of a method, -1 where it knows nothing.
func top(v *fit.Voice) int32 {
	if !v.Known {
		return -1
	}
	best := 0
	for j, p := range v.Probabilities {
		if p > v.Probabilities[best] {
			best = j
		}
	}
	return int32(best)
}

// probabilities are those of the answer.
func (t *mixedExplanation) probabilities() []float64 {
	var out []float64
	for _, v := range t.result.F.Row(t.Node) {
		out = append(out, float64(v))
	}
	return out
}

func (t *mixedExplanation) column(j int) string { return t.graph.Built.ColumnName(j + 1) }

func (t *mixedExplanation) print(w io.Writer, most int) error {
	if t.Label < 0 {
		_, err := fmt.Fprintf(w, "%s: no label, no known label reaches it\n", t.shown(t.Node))
		return err
	}
	p, name, how := t.probabilities(), t.shown(t.Node), ""
	switch known := t.knownOf(t.Node); {
	case len(known) == 1:
		how = ", its known label"
	case len(known) > 1:
		name = t.owner(t.Node)
	}
	fmt.Fprintf(w, "%s: %s%s, confidence %.3f; then %s, %.3f\n", name, t.label(t.Label), how, t.result.Confidence[t.Node], t.label(t.RunnerUp), p[t.RunnerUp])
	order := rows.InOrder[int](len(t.Members)) // by their leads
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Members[b].Lead, t.Members[a].Lead) })
	if err := t.printMembers(w, order); err != nil {
		return err
	}
	for _, k := range t.leaders(order) {
		if err := t.printReasons(w, k, most); err != nil {
			return err
		}
	}
	return nil
}

// printMembers writes a row a method, and how the rows make the answer.
func (t *mixedExplanation) printMembers(w io.Writer, order []int) error {
	table, total := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0), 0.0
	fmt.Fprintln(table, "method\tweight\tlabel\tprobability\tlead")
	for _, k := range order {
		v, m := &t.Members[k], t.result.Combination.Members[k]
		label, probability := "none", ""
		if class := top(v); class >= 0 {
			label, probability = t.label(int(class)), fmt.Sprintf("%.3f", v.Probabilities[class])
		}
		fmt.Fprintf(table, "%s\t%.3f\t%s\t%s\t%+.3f\n", m.Name(), m.Weight, label, probability, v.Lead)
		total += v.Lead
	}
	if err := table.Flush(); err != nil {
		return err
	}
	corrected := ""
	if t.result.Combination.Corrected() {
		p := t.probabilities()
		corrected = fmt.Sprintf("; corrected by the known labels and the sizes of the classes: %.3f and %.3f", p[t.Label], p[t.RunnerUp])
	}
	_, err := fmt.Fprintf(w, "the leads of %s over %s add up to %+.3f: %.3f less %.3f%s\n", t.label(t.Label), t.label(t.RunnerUp), total, t.Mixed[t.Label], t.Mixed[t.RunnerUp], corrected)
	return err
}

// leaders are the methods whose reasons carry the answer: the first by its lead of each kind, until two thirds of all
// that is above 0 are told.
func (t *mixedExplanation) leaders(order []int) (leaders []int) {
	type kind struct{ seeds, degrees, smoothed, alone bool }
	all, some, told := 0.0, 0.0, map[kind]bool{}
	for _, v := range t.Members {
		all += max(v.Lead, 0)
	}
	for _, k := range order {
		v := &t.Members[k]
		if !(v.Lead > 0) || some >= all*2/3 {
			break
		}
		some += v.Lead
		if of := (kind{v.Seeds != nil, v.Degrees != nil, v.Smoothed, v.Nodes != nil && len(v.Nodes.Parts) == 1}); !told[of] {
			leaders, told[of] = append(leaders, k), true
		}
	}
	return leaders
}

// printReasons writes why a method says what it says.
func (t *mixedExplanation) printReasons(w io.Writer, k, most int) error {
	v, name := &t.Members[k], t.result.Combination.Members[k].Name()
	fmt.Fprintln(w)
	switch {
	case v.Seeds != nil:
		e, round := &namedExplanation{v.Seeds, t.problem}, ""
		if v.OneRound {
			round = ", by one of the rounds that it is a mean of"
		}
		fmt.Fprintf(w, "%s alone%s:\n", name, round)
		return e.print(w, most)
	case v.Degrees != nil:
		_, err := fmt.Fprintf(w, "%s: its edges weigh as much as %.4g mean ones, those of its neighbours as %.3g and of theirs as %.3g in the geometric mean\n", name, v.Degrees[0], v.Degrees[1], v.Degrees[2])
		return err
	}
	fmt.Fprintf(w, "%s, %s over %s:\n", name, t.label(t.Label), t.label(t.RunnerUp))
	sizes := ""
	if v.Prior != 0 {
		sizes = fmt.Sprintf("; a constant of all nodes adds %+.3g", v.Prior)
	}
	if err := t.printSums(w, v, most); err != nil {
		return err
	}
	if v.Columns == nil {
		_, err := fmt.Fprintf(w, "these nodes add up to the score, %+.3g%s\n", v.Nodes.Total, sizes)
		return err
	}
	how := fmt.Sprintf("neighbours add up to the score, %+.3g; features to %+.3g, which is what they say of neighbours without a known label", v.Nodes.Total, v.Columns.Total)
	if !v.Smoothed {
		how = fmt.Sprintf("both neighbours and features add up to the score, %+.3g", v.Columns.Total)
	}
	_, err := fmt.Fprintln(w, how+sizes)
	return err
}

// printSums writes the largest parts by columns and by nodes.
func (t *mixedExplanation) printSums(w io.Writer, v *fit.Voice, most int) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns := v.Columns
	if columns == nil {
		columns = &fit.Sum{}
		fmt.Fprintln(table, "node\tamount")
	} else {
		fmt.Fprintln(table, "neighbour\tamount\tfeature\tamount")
	}
	cell := func(sum *fit.Sum, k int, name func(int) string) string {
		if k >= len(sum.Parts) {
			return "\t"
		}
		return fmt.Sprintf("%s\t%+.3g", name(sum.Parts[k].Index), sum.Parts[k].Amount)
	}
	for k := range min(most, max(len(v.Nodes.Parts), len(columns.Parts))) {
		fmt.Fprintln(table, strings.TrimRight(cell(v.Nodes, k, t.owner)+"\t"+cell(columns, k, t.column), "\t"))
	}
	return table.Flush()
}
