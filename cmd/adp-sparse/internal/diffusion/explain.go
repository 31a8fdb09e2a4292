package diffusion

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/explain"
	"github.com/adp-sparse/adp-sparse/adp/fit"
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
		Short: "Say why a node has its label: which known labels, along which paths",
		Long: `Explain the label of a node by label spreading (LGC). The score is an exact sum of what
each known label contributes; the strongest path from each is shown too. The last line
says how many known labels must go before another label wins.

Give what run was given. If run learned a graph, give it as --learned, from run
--graph-out FILE.csr, with the α of run's summary. The result of run is a mean over
rounds, so a node with a margin near 0 can have another label here. With --features run
mixes methods, and the label here is by the graph alone, nearest to run --combine none;
the columns and the nodes are listed that speak most for it.`,
		Example: `  adp-sparse run --edges graph.tsv.gz --labels seeds.tsv --out labels.tsv --graph-out learned.csr
  adp-sparse explain --edges graph.tsv.gz --learned learned.csr --labels seeds.tsv --node n17 --node n42`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), std) },
	}
	f.bindFlags(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.nodes, "node", nil, "node to explain; may be given several times")
	flags.IntVar(&f.top, "top", 5, "known labels to list, with their paths")
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
	f.Features.Combine = true // keeps the features
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
	// A column of the solver, then the paths: a node's distance and place, and the entries passed.
	if err := f.Memory.Admits("explain", s.bytes()+64*int64(s.graph.IDs.Len())+16*int64(s.learned.W.NNZ())); err != nil {
		return err
	}
	features, err := f.featureScores(ctx, s)
	if err != nil {
		return err
	}
	for k, i := range nodes {
		e, err := explain.Node(ctx, s.normal, s.seeds, i, f.top, s.opt)
		if err != nil {
			return err
		}
		named := &namedExplanation{e, s, nil}
		if features != nil && e.Label >= 0 && e.RunnerUp >= 0 {
			if named.features, err = features.Sum(ctx, i, e.Label, e.RunnerUp); err != nil {
				return err
			}
		}
		if f.asJSON {
			err = json.NewEncoder(std.Out).Encode(named.record())
		} else {
			if k > 0 {
				fmt.Fprintln(std.Out)
			}
			err = named.print(std.Out, f.top)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// featureScores fits what the features say; nil where there are none, or more known labels than a
// kernel has.
func (f *explainFlags) featureScores(ctx context.Context, s *problem) (*fit.FeatureScores, error) {
	if s.graph.Input == nil || len(s.seeds.List()) > diffuse.MostDual {
		return nil, nil
	}
	in := *s.graph.Input
	in.Seeds = s.seeds
	if err := f.Memory.Admits("explaining features", s.bytes()+fit.PoolBytes(&in, s.graph.Made, fit.Options{})); err != nil {
		return nil, err
	}
	return fit.NewFeatureScores(ctx, in, s.graph.Made, f.Threads)
}

// namedExplanation is an explanation with the names of nodes and classes.
type namedExplanation struct {
	*explain.Explanation
	*problem
	features *fit.FeatureSum // nil for none
}

// ExplainRecord is what `explain --json` writes.
type ExplainRecord struct {
	Node      string             `json:"node"`
	Label     string             `json:"label"`
	RunnerUp  string             `json:"runner_up,omitempty"`
	Scores    map[string]float64 `json:"scores"`
	Parts     []partRecord       `json:"contributions"`
	Flip      []string           `json:"flip,omitempty"`
	FlipTo    string             `json:"flip_to,omitempty"`
	Faint     bool               `json:"faint,omitempty"` // all seeds are too far to say why
	Converged bool               `json:"converged"`
	// Features and FeatureNodes are the parts of FeatureLead: by how much diffused features speak for
	// the label over the runner-up.
	FeatureLead  float64         `json:"feature_lead,omitempty"`
	Features     []featureRecord `json:"features,omitempty"`
	FeatureNodes []featureRecord `json:"feature_nodes,omitempty"`
}

// featureRecord is a part of a sum: of a column, or of a node.
type featureRecord struct {
	Name   string  `json:"name"`
	Amount float64 `json:"amount"`
}

type partRecord struct {
	Seed   string   `json:"seed"`
	Label  string   `json:"label"`
	Amount float64  `json:"amount"`
	Path   []string `json:"path,omitempty"`
	Share  float64  `json:"path_share,omitempty"`
}

func (t *namedExplanation) name(i int) string { return t.graph.IDs.Name(i) }

func (t *namedExplanation) record() ExplainRecord {
	r := ExplainRecord{
		Node: t.name(t.Node), Label: t.class(int32(t.Label)), RunnerUp: t.class(int32(t.RunnerUp)),
		Scores: map[string]float64{}, Parts: []partRecord{}, Faint: t.Underflow, Converged: t.Converged,
	}
	for j, v := range t.Scores {
		r.Scores[t.class(int32(j))] = v
	}
	for _, p := range t.Parts {
		r.Parts = append(r.Parts, partRecord{t.name(int(p.Seed.Node)), t.class(int32(p.Seed.Class)), p.Amount, t.names(p.Path), p.Share})
	}
	for _, s := range t.Flip {
		r.Flip, r.FlipTo = append(r.Flip, t.name(int(s.Node))), t.class(int32(t.FlipTo))
	}
	if t.features != nil {
		r.FeatureLead = t.features.Total
		for _, part := range t.features.Columns {
			r.Features = append(r.Features, featureRecord{t.graph.Built.ColumnName(part.Index + 1), part.Amount})
		}
		for _, part := range t.features.Nodes {
			r.FeatureNodes = append(r.FeatureNodes, featureRecord{t.name(part.Index), part.Amount})
		}
	}
	return r
}

func (t *namedExplanation) names(path []int) []string {
	var names []string
	for _, i := range path {
		names = append(names, t.name(i))
	}
	return names
}

func (t *namedExplanation) shown(i int) string { return streams.Shown(t.name(i)) }

func (t *namedExplanation) label(j int) string { return streams.Shown(t.class(int32(j))) }

func (t *namedExplanation) way(path []int) []string {
	var names []string
	for _, i := range path {
		names = append(names, t.shown(i))
	}
	return names
}

func (t *namedExplanation) print(w io.Writer, top int) error {
	var b strings.Builder
	all := 0.0
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
		fmt.Fprintf(&b, "%s: %s, the only label that reaches it\n", t.shown(t.Node), t.label(t.Label))
	default:
		fmt.Fprintf(&b, "%s: %s, %.1f %% of the score; then %s, %.1f %%\n", t.shown(t.Node),
			t.label(t.Label), 100*t.Scores[t.Label]/all, t.label(t.RunnerUp), 100*t.Scores[t.RunnerUp]/all)
	}
	if _, err := io.WriteString(w, b.String()); err != nil || t.Label < 0 {
		return err
	}
	if err := t.printParts(w, top, all); err != nil {
		return err
	}
	if err := t.printFeatures(w, top); err != nil {
		return err
	}
	switch {
	case len(t.Flip) == 1:
		_, err := fmt.Fprintf(w, "without the label of %s it would be %s\n", t.shown(int(t.Flip[0].Node)), t.label(t.FlipTo))
		return err
	case len(t.Flip) > 1:
		_, err := fmt.Fprintf(w, "at least %d known labels must go before another label wins\n", len(t.Flip))
		return err
	}
	return nil
}

// printFeatures writes what the features near the node say, by the largest parts.
func (t *namedExplanation) printFeatures(w io.Writer, top int) error {
	if t.features == nil {
		return nil
	}
	verdict := "for"
	if t.features.Total < 0 {
		verdict = "against"
	}
	fmt.Fprintf(w, "features of the node and its neighbours speak %s %s over %s, by %.3g:\n", verdict, t.label(t.Label), t.label(t.RunnerUp), t.features.Total)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "feature\tamount\tnode\tamount")
	columns, nodes := t.features.Columns, t.features.Nodes
	for k := range min(top, max(len(columns), len(nodes))) {
		if k < len(columns) {
			fmt.Fprintf(table, "%s\t%+.3g\t", t.graph.Built.ColumnName(columns[k].Index+1), columns[k].Amount)
		} else {
			fmt.Fprint(table, "\t\t")
		}
		if k < len(nodes) {
			fmt.Fprintf(table, "%s\t%+.3g", t.shown(nodes[k].Index), nodes[k].Amount)
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
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
