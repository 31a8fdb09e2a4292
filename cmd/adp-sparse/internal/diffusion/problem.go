// Package diffusion has the commands that ask about the labels of run: explain and suggest. They are those
// of the mixture of methods where run mixes, else of LGC on a given or a learned graph.
package diffusion

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// flags are the flags of commands about labels: of the mixture of run, or by LGC on a graph or on the graph
// that run learned from it.
type flags struct {
	source.Flags
	learned, prior string
	combineBy      string
	combine        fit.Combine
	opt            diffuse.Options
}

func (f *flags) bindFlags(cmd *cobra.Command) {
	f.Bind(cmd)
	f.BindLimit(cmd)
	flags := cmd.Flags()
	flags.Float64Var(&f.opt.Alpha, "alpha", 0.99, "diffusion weight α of the labels, between 0 and 1\nIt turns the mixture off, as in run.")
	flags.StringVar(&f.combineBy, "combine", "auto", "auto (the mixture of run) or none\nAs in run. none, --alpha, --learned and --neighbors take label spreading alone.")
	flags.StringVar(&f.learned, "learned", "", "learned graph that run --graph-out wrote: "+format.Learned()+"\nLabels spread on it, as in the run.")
	methodflags.BindPrior(flags, &f.prior, "class sizes of the run: equal, seeds, none, or label=share,…\n"+methodflags.PriorPairs+". auto is that of run for a mixture, else equal.")
}

func (f *flags) checkFlags() (err error) {
	if !(f.opt.Alpha > 0 && f.opt.Alpha < 1) {
		return usage.Errorf("--alpha %v, expected between 0 and 1, both excluded", f.opt.Alpha)
	}
	if f.combine, err = usage.Choose("combine", f.combineBy, methodflags.Combines); err != nil {
		return err
	}
	if f.learned != "" || f.Features.Given("alpha") {
		f.combine = fit.NoCombine
	}
	f.Features.Combine = f.combine == fit.AutoCombine // keeps the features
	f.opt.Balance = methodflags.BalanceOf(f.prior)
	return f.Check()
}

// problem is a graph, with the labels that diffuse on it.
type problem struct {
	graph   *opened.Graph  // as given
	learned *opened.Graph  // the given graph where none was learned
	normal  *diffuse.Graph // S of the learned one
	labels  *labelfile.Labels
	seeds   *diffuse.Seeds
	opt     diffuse.Options
	mixes   *fit.Options // of the run that has the labels; nil where they are by LGC
}

// with reads the graphs and the labels, if any, and calls do with them.
func (f *flags) with(ctx context.Context, std streams.Stdio, do func(*problem) error) error {
	given, err := f.Read(ctx, std)
	if err != nil {
		return err
	}
	defer given.Close()
	if f.learned == "" {
		return given.Guard(func() error { return f.prepare(std, given, given, do) })
	}
	var learned *opened.Graph
	if err := given.Guard(func() error {
		learned, err = f.readLearned(std, given)
		return err
	}); err != nil {
		return err
	}
	defer learned.Close()
	return given.Guard(func() error {
		return learned.Guard(func() error { return f.prepare(std, given, learned, do) })
	})
}

// prepare reads the labels, normalizes the graph and calls do.
func (f *flags) prepare(std streams.Stdio, given, learned *opened.Graph, do func(*problem) error) (err error) {
	s := &problem{graph: given, learned: learned, opt: f.opt}
	s.opt.Threads = f.Threads
	if f.Labels != "" {
		if s.labels, err = f.ReadLabels(std, given); err != nil {
			return err
		}
		if s.seeds, err = diffuse.NewSeeds(given.IDs.Len(), len(s.labels.Classes), s.labels.Seeds); err != nil {
			return err
		}
		if s.opt.Prior, err = methodflags.StatedPrior(f.prior, s.labels.Classes, s.seeds); err != nil {
			return err
		}
		if in := given.Mixes(s.seeds); in != nil && in.Combines() {
			mixes := methodflags.PlainRun(f.Threads)
			if mixes.Run.Prior, mixes.Prior, err = methodflags.ParsePrior(f.prior, s.labels.Classes); err != nil {
				return err
			}
			mixes.Run.Balance = f.opt.Balance
			s.mixes = &mixes
		}
	}
	found := report.Notes(given, s.labels)
	if s.labels != nil && f.learned != "" && f.combineBy == "auto" {
		found.AddAlone(given, len(s.labels.Classes), "run without --combine none")
	}
	found.Print(std.Err)
	if err := f.Memory.Allows("spreading labels", s.bytes()); err != nil { // before S is made
		return err
	}
	s.normal = diffuse.Normalize(learned.W, f.Threads)
	if learned != given { // classes are balanced in the components of the given one
		s.opt.Within = diffuse.PartsOf(given.W, f.Threads)
	}
	return do(s)
}

// mixture labels the nodes as run does, and explains some of them. It lets go of the features.
func (s *problem) mixture(ctx context.Context, std streams.Stdio, memory limit.Memory, explain []int) (*fit.Result, error) {
	opt := *s.mixes
	opt.Explain = explain
	in := s.graph.Mixes(s.seeds)
	work := needs.Work{Opt: opt.Run, Input: in, Explain: explain, Beside: s.bytes() - s.graph.Held()}
	bytes := work.Bytes(s.graph, s.seeds.Classes)
	if err := memory.AllowsInAll("the mixture of methods, which --combine none does without,", bytes); err != nil {
		return nil, err
	}
	memory.Collect(bytes)
	shown := progress.New(std.Err, "labelling by the mixture of methods", progress.Unknown, false)
	defer shown.End()
	s.graph.Input = nil
	return fit.LabelInput(ctx, *in, s.graph.Affinity(), opt)
}

// bytes is the memory of the graphs, S, degrees and components.
func (s *problem) bytes() int64 {
	bytes := s.graph.Held() + 4*int64(s.learned.W.NNZ()) + 24*int64(s.graph.IDs.Len())
	if s.learned != s.graph {
		bytes += s.learned.Held()
	}
	return bytes
}

// class returns the name of a class, "" for none.
func (s *problem) class(j int32) string {
	if j < 0 {
		return ""
	}
	return s.labels.Classes[j]
}

// readLearned reads the learned graph of a graph, with the same nodes in any order.
func (f *flags) readLearned(std streams.Stdio, given *opened.Graph) (*opened.Graph, error) {
	of, ok := format.ByName(f.learned)
	if !ok || !format.KeepsLearned(of) {
		return nil, usage.Errorf("--learned %q, expected %s, as run --graph-out writes them: an edge list loses the diagonal of a learned graph", f.learned, format.Learned())
	}
	from := source.Flags{Graph: f.learned, Learned: true, Threads: f.Threads, Memory: f.Memory}
	learned, err := from.ReadGraph(std)
	if err != nil {
		return nil, err
	}
	if err := learned.Guard(func() error { return learned.OrderAs(given, of.Names, f.learned, f.Source(), f.Threads) }); err != nil {
		return nil, errors.Join(err, learned.Close())
	}
	return learned, nil
}
