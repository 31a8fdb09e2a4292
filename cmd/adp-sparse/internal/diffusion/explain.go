package diffusion

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/explain"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// explainFlags are the flags of `explain`.
type explainFlags struct {
	flags
	nodes  []string
	top    int
	asJSON bool
}

func NewExplain(std streams.Stdio) *cobra.Command {
	f := explainFlags{flags: flags{Flags: source.Flags{OneLabelFor: "explain"}}}
	cmd := &cobra.Command{
		Use:   "explain (--edges | --graph | --features) FILE --labels FILE --node ID",
		Short: "Say why a node has its label: known labels, paths, features",
		Long: `Explain the label of a node. Give what run was given.

The label is that of run, a mixture of methods. A table has the label and the probability
that each gives, its weight, and the lead: the weight times by how much it prefers the
label to the second one. The leads add up to that of the answer. Then come the reasons of
the methods that lead most: known labels, columns, neighbours, and degrees.

By a graph alone (--combine none, --learned) the score is an exact sum of what each known
label contributes; the strongest path from each is shown too. The last line says how many
known labels must go before another label wins. If run learned a graph, give it as
--learned, from run --graph-out FILE.csr, with the α of run's summary. That result is a
mean over rounds, so a node on which the rounds disagree can have another label here.`,
		Example: `  adp-sparse explain --edges graph.tsv.gz --labels seeds.tsv --node n17
  adp-sparse run --edges graph.tsv.gz --labels seeds.tsv --combine none --out labels.tsv --graph-out learned.csr
  adp-sparse explain --edges graph.tsv.gz --learned learned.csr --labels seeds.tsv --node n17 --node n42`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), std) },
	}
	f.bindFlags(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.nodes, "node", nil, "node to explain; may be given several times")
	flags.IntVar(&f.top, "top", 5, "known labels to list, with their paths\nOf a mixture also neighbours and features.")
	flags.BoolVar(&f.asJSON, "json", false, "write JSON, a line a node, with all contributions")
	return cmd
}

func (f *explainFlags) run(ctx context.Context, std streams.Stdio) error {
	switch {
	case f.Labels == "":
		return usage.Errorf("say where the known labels are: --labels FILE")
	case len(f.nodes) == 0:
		return usage.Errorf("say which node to explain: --node ID")
	case f.top < 1:
		return usage.Errorf("--top %d, expected at least 1", f.top)
	}
	if err := f.checkFlags(); err != nil {
		return err
	}
	return f.with(ctx, std, func(s *problem) error { return f.explain(ctx, std, s) })
}

// explain explains the labels of the nodes on the learned graph.
func (f *explainFlags) explain(ctx context.Context, std streams.Stdio, s *problem) error {
	nodes := make([]int, len(f.nodes))
	for k, name := range f.nodes {
		i, ok := s.graph.IDs.Lookup([]byte(name))
		if !ok {
			return usage.Errorf("--node %s is not in the graph", lines.Quote([]byte(name)))
		}
		nodes[k] = int(i)
	}
	told := 0
	tell := func(a answer) error {
		if f.asJSON {
			return json.NewEncoder(std.Out).Encode(a.record())
		}
		if told++; told > 1 {
			fmt.Fprintln(std.Out)
		}
		return a.print(std.Out, f.top)
	}
	if s.mixes != nil {
		return f.byMixture(ctx, std, s, nodes, tell)
	}
	// A column of the solver, then the paths: a node's distance and place, and the entries passed.
	if err := f.Memory.Admits("explain", s.bytes()+64*int64(s.graph.IDs.Len())+16*int64(s.learned.W.NNZ())); err != nil {
		return err
	}
	for _, i := range nodes {
		e, err := explain.Node(ctx, s.normal, s.seeds, i, f.top, s.opt)
		if err != nil {
			return err
		}
		if err := tell(&namedExplanation{e, s}); err != nil {
			return err
		}
	}
	return nil
}

// answer is why a node has its label.
type answer interface {
	record() ExplainRecord
	print(w io.Writer, top int) error
}

// namedExplanation is an explanation by a graph, with the names of nodes and classes.
type namedExplanation struct {
	*explain.Explanation
	*problem
}

// ExplainRecord is what `explain --json` writes.
type ExplainRecord struct {
	Node     string             `json:"node"`
	Label    string             `json:"label"`
	RunnerUp string             `json:"runner_up,omitempty"`
	Known    []string           `json:"known,omitempty"` // its own known labels: run keeps one alone
	Scores   map[string]float64 `json:"scores"`
	*SeedRecord
	*MixtureRecord
}

// SeedRecord is how known labels give a score.
type SeedRecord struct {
	Parts     []partRecord `json:"contributions"`
	Flip      []string     `json:"flip,omitempty"`
	FlipTo    string       `json:"flip_to,omitempty"`
	Faint     bool         `json:"faint,omitempty"` // all seeds are too far to say why
	Converged bool         `json:"converged"`
}

type partRecord struct {
	Seed   string   `json:"seed"`
	Label  string   `json:"label"`
	Amount float64  `json:"amount"`
	Path   []string `json:"path,omitempty"`
	Share  float64  `json:"path_share,omitempty"`
}

func (t *namedExplanation) record() ExplainRecord {
	return ExplainRecord{
		Node: t.name(t.Node), Label: t.class(int32(t.Label)), RunnerUp: t.class(int32(t.RunnerUp)),
		Known: t.knownOf(t.Node), Scores: t.byClass(t.Scores), SeedRecord: t.seeds(),
	}
}

func (t *namedExplanation) seeds() *SeedRecord {
	r := &SeedRecord{Parts: []partRecord{}, Faint: t.Underflow, Converged: t.Converged}
	for _, p := range t.Parts {
		r.Parts = append(r.Parts, partRecord{t.name(int(p.Seed.Node)), t.class(int32(p.Seed.Class)), p.Amount, t.names(p.Path), p.Share})
	}
	for _, s := range t.Flip {
		r.Flip, r.FlipTo = append(r.Flip, t.name(int(s.Node))), t.class(int32(t.FlipTo))
	}
	return r
}

func (s *problem) name(i int) string { return s.graph.IDs.Name(i) }

func (s *problem) names(path []int) []string {
	var names []string
	for _, i := range path {
		names = append(names, s.name(i))
	}
	return names
}

// byClass returns numbers of the classes by their names.
func (s *problem) byClass(values []float64) map[string]float64 {
	by := map[string]float64{}
	for j, v := range values {
		by[s.class(int32(j))] = v
	}
	return by
}

// knownOf returns the known labels of a node, several where they have weights.
func (s *problem) knownOf(i int) (classes []string) {
	list := s.seeds.List() // in order of node
	at, _ := slices.BinarySearchFunc(list, i, func(seed diffuse.Seed, i int) int { return cmp.Compare(int(seed.Node), i) })
	for ; at < len(list) && int(list[at].Node) == i; at++ {
		classes = append(classes, s.class(int32(list[at].Class)))
	}
	return classes
}

// owner is the name of a node, with its known labels.
func (s *problem) owner(i int) string {
	known := s.knownOf(i)
	if len(known) == 0 {
		return s.shown(i)
	}
	for k := range known {
		known[k] = streams.Shown(known[k])
	}
	return fmt.Sprintf("%s (known %s)", s.shown(i), strings.Join(known, " and "))
}

func (s *problem) shown(i int) string { return streams.Shown(s.name(i)) }

func (s *problem) label(j int) string { return streams.Shown(s.class(int32(j))) }

func (s *problem) way(path []int) []string {
	var names []string
	for _, i := range path {
		names = append(names, s.shown(i))
	}
	return names
}

func (t *namedExplanation) print(w io.Writer, top int) error {
	var b strings.Builder
	all, name, known := 0.0, t.shown(t.Node), t.knownOf(t.Node)
	if len(known) > 1 {
		name = t.owner(t.Node)
	}
	for _, v := range t.Scores {
		all += v
	}
	switch {
	case t.Underflow:
		fmt.Fprintf(&b, "%s: all known labels are too far to say why: their scores underflow; run gives it the label of its nearest neighbours\n", t.shown(t.Node))
	case t.Label < 0 && t.learned != t.graph:
		fmt.Fprintf(&b, "%s: no known label reaches it on the learned graph; if one does on the given graph, run takes the label of its neighbours there\n", t.shown(t.Node))
	case t.Label < 0:
		fmt.Fprintf(&b, "%s: no label, no seed reaches it\n", t.shown(t.Node))
	case t.RunnerUp < 0:
		fmt.Fprintf(&b, "%s: %s, the only label that reaches it\n", name, t.label(t.Label))
	default:
		fmt.Fprintf(&b, "%s: %s, %.1f %% of the score; then %s, %.1f %%\n", name,
			t.label(t.Label), 100*t.Scores[t.Label]/all, t.label(t.RunnerUp), 100*t.Scores[t.RunnerUp]/all)
	}
	if t.mixes == nil && t.Label >= 0 && len(known) == 1 && known[0] != t.class(int32(t.Label)) {
		fmt.Fprintf(&b, "run keeps its known label, %s\n", streams.Shown(known[0]))
	}
	if _, err := io.WriteString(w, b.String()); err != nil || t.Label < 0 {
		return err
	}
	if err := t.printParts(w, top, all); err != nil {
		return err
	}
	switch {
	case len(t.Flip) == 1:
		flip, of := t.Flip[0], "of"
		if len(t.knownOf(int(flip.Node))) > 1 {
			of = t.label(int(flip.Class)) + " of"
		}
		_, err := fmt.Fprintf(w, "without the label %s %s it would be %s\n", of, t.shown(int(flip.Node)), t.label(t.FlipTo))
		return err
	case len(t.Flip) > 1:
		_, err := fmt.Fprintf(w, "at least %d known labels must go before another label wins\n", len(t.Flip))
		return err
	}
	return nil
}

// printParts writes a row for each of the largest contributions.
func (t *namedExplanation) printParts(w io.Writer, top int, all float64) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "known\tlabel\tof the score\tstrongest path (its part of the contribution)")
	for _, p := range t.Parts[:min(top, len(t.Parts))] {
		fmt.Fprintf(table, "%s\t%s\t%.1f %%\t%s (%.3g %%)\n", t.shown(int(p.Seed.Node)), t.label(int(p.Seed.Class)),
			100*p.Amount/all, strings.Join(t.way(p.Path), " – "), 100*p.Share)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if rest := t.Parts[min(top, len(t.Parts)):]; len(rest) > 0 {
		sum := 0.0
		for _, p := range rest {
			sum += p.Amount
		}
		_, err := fmt.Fprintf(w, "and %d more known labels with %.1f %%\n", len(rest), 100*sum/all)
		return err
	}
	return nil
}
