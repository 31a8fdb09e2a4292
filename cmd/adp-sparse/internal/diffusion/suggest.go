package diffusion

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/suggest"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// suggestFlags are the flags of `suggest`.
type suggestFlags struct {
	flags
	out   string
	count int
	guard bool
}

func NewSuggest(std streams.Stdio) *cobra.Command {
	f := suggestFlags{flags: flags{Flags: source.Flags{OneLabelFor: "suggest"}}}
	cmd := &cobra.Command{
		Use:   "suggest (--edges | --graph | --features) FILE [--labels FILE] [--count N] [--out FILE]",
		Short: "Say which nodes to label next",
		Long: `List the nodes whose labels would help most: in doubt, and near to many nodes in doubt.
The uncertainty of a node is the score of its second label over that of the first (LGC).
Its coverage is the uncertainty that a label there reaches within about five steps. Nodes
are ordered by the product of both, without neighbours of an earlier one. Without --labels
the nodes come first from which a label reaches most others.

A line a node: node, value, uncertainty, coverage, label, runner_up. Value and coverage
are divided by the largest of all nodes. With --labels both labels are those of run's
mixture. Label these, add them to --labels, ask again.`,
		Example: `  adp-sparse suggest --edges graph.tsv --count 20
  adp-sparse suggest --edges graph.tsv --labels seeds.tsv --count 20
  adp-sparse suggest --edges graph.tsv --labels seeds.tsv --learned learned.csr --out next.csv`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), std) },
	}
	f.bindFlags(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.count, "count", 10, "most nodes to suggest")
	flags.StringVar(&f.out, "out", "-", "file of the nodes; - is standard output\nText: .csv separates by commas; .gz and .zst compress.")
	flags.BoolVar(&f.guard, format.GuardFlag, false, format.GuardText)
	return cmd
}

func (f *suggestFlags) run(ctx context.Context, std streams.Stdio) error {
	if f.count < 1 {
		return usage.Errorf("--count %d, expected at least 1", f.count)
	}
	for _, flag := range []string{"alpha", "class-prior", "combine"} {
		if f.Labels == "" && f.Features.Given(flag) {
			return usage.Errorf("--%s is for --labels", flag)
		}
	}
	if err := f.checkFlags(); err != nil {
		return err
	}
	if err := cmp.Or(format.CheckRowsOut("out", f.out, "suggestions"), format.CheckGuard(f.guard, f.out)); err != nil {
		return err
	}
	return outputs.With(std, append(f.Inputs(), outputs.File{Flag: "learned", Name: f.learned}), []outputs.File{{Flag: "out", Name: f.out}}, func(out *outputs.Set) error {
		return f.with(ctx, std, func(s *problem) error { return f.suggest(ctx, std, out, s) })
	})
}

// suggest writes the nodes to label next, and says why there are fewer than asked for.
func (f *suggestFlags) suggest(ctx context.Context, std streams.Stdio, out *outputs.Set, s *problem) error {
	n, bytes := int64(s.graph.IDs.Len()), s.bytes()
	if s.labels == nil {
		bytes += 60 * n
	} else { // F and the blocks of the solver, then F and what the rule has of each node
		classes := int64(len(s.labels.Classes))
		bytes += max(16*n*classes, 4*n*classes+60*n)
	}
	if err := f.Memory.Admits("suggest", bytes); err != nil {
		return err
	}
	next, scores, err := f.next(ctx, std, s)
	if err != nil {
		return err
	}
	if err := out.Write(f.out, func(w io.Writer) error {
		return writeSuggestions(w, next, s, scores, labelfile.Table{Comma: format.Commas(f.out), Guard: f.guard, Proba: false})
	}); err != nil {
		return err
	}
	if len(next) < f.count {
		fmt.Fprintf(std.Err, "%s of %s: all others have known labels or are neighbours of these\n", figures.Counted(len(next), "node"), figures.Count(f.count))
	}
	return nil
}

// next returns the nodes to label next, and the scores that they have their labels by; nil without labels.
func (f *suggestFlags) next(ctx context.Context, std streams.Stdio, s *problem) (next []suggest.Suggestion, scores *csr.Dense, err error) {
	var mixed *fit.Result
	if s.mixes != nil {
		if mixed, err = s.mixture(ctx, std, f.Memory, nil); err != nil {
			return nil, nil, err
		}
	}
	shown := progress.New(std.Err, "spreading labels", progress.Unknown, false)
	defer shown.End()
	known := make([]bool, s.graph.IDs.Len())
	if s.labels != nil {
		known = s.seeds.Mask()
		opt := s.opt
		opt.Underflow = diffuse.UnderflowAll // as run does: far nodes have a first and a second label too
		if scores, _, err = diffuse.LGC(ctx, s.normal, s.seeds, opt); err != nil {
			return nil, nil, err
		}
	}
	next, err = suggest.Next(ctx, s.normal, s.learned.W, suggest.Doubt(scores, known), f.count, f.Threads)
	if mixed != nil { // its doubt chooses worse: docs/decisions/0013-next-label.md
		scores = mixed.F
	}
	return next, scores, err
}

// writeSuggestions writes a row a node after a header.
func writeSuggestions(w io.Writer, next []suggest.Suggestion, s *problem, scores *csr.Dense, table labelfile.Table) (err error) {
	separator := "\t"
	if table.Comma {
		separator = ","
	}
	line := []byte(strings.Join([]string{"node", "value", "uncertainty", "coverage", "label", "runner_up"}, separator) + "\n")
	name := func(text string) {
		if err == nil && text != "" { // no label
			line, err = table.AppendName(line, []byte(text))
		}
	}
	for _, n := range next {
		top := diffuse.Top{Class: -1, Second: -1}
		if scores != nil {
			top = diffuse.TopOf(scores.Row(n.Node))
		}
		name(s.graph.IDs.Name(n.Node))
		for _, v := range []float64{n.Value, n.Uncertainty, n.Coverage} {
			line = strconv.AppendFloat(append(line, separator...), v, 'f', 6, 64)
		}
		for _, class := range []int32{top.Class, top.Second} {
			line = append(line, separator...)
			name(s.class(class))
		}
		line = append(line, '\n')
	}
	if err != nil {
		return err
	}
	_, err = w.Write(line)
	return err
}
