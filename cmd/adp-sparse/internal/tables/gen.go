package tables

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench/gen"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
	"github.com/adp-sparse/adp-sparse/internal/scratch"
)

// genFlags are the flags of `gen`.
type genFlags struct {
	opt                       gen.Options
	out, labels, seeds, limit string
	features                  string
	perClass, threads         int
	memory                    int64
	quiet                     bool
	given                     func(flag string) bool
}

func NewGen(std streams.Stdio) *cobra.Command {
	var f genFlags
	var kind string
	cmd := &cobra.Command{
		Use:   "gen --kind KIND --nodes N --out FILE",
		Short: "Make a random graph with known classes, of any size",
		Long: `Make a random graph: planted (classes that are denser inside), rmat (hubs, no
classes), geometric (points of a plane joined to near ones, with weights) or csbm
(contextual stochastic block model: edges and features of the same two classes, with
the signals --lambda and --mu; the classes can be found exactly where
lambda² + mu²·dims/nodes > 1). The same options give the same bytes for any number of
threads.`,
		Example: `  adp-sparse gen --kind planted --nodes 1000000 --out graph.tsv.gz --seeds-out seeds.tsv --labels-out truth.tsv
  adp-sparse gen --kind geometric --nodes 100000000 --out graph.csr --memory-limit 4GiB
  adp-sparse gen --kind csbm --nodes 5000 --degree 5 --lambda -1.2 --mu 2 --dims 2000 --out graph.tsv.gz --features-out graph.npy --labels-out truth.tsv`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.opt.Kind, f.given = gen.Kind(kind), cmd.Flags().Changed
			return f.run(cmd.Context(), std)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", "planted", "planted, rmat, geometric or csbm")
	flags.IntVar(&f.opt.Nodes, "nodes", 0, "nodes, called 0 to n-1")
	flags.Float64Var(&f.opt.Degree, "degree", 10, "mean number of neighbours")
	flags.IntVar(&f.opt.Classes, "classes", 10, "classes (csbm: 2)")
	flags.Float64Var(&f.opt.Inside, "inside", 0.8, "planted: share of the edges inside a class")
	flags.Float64Var(&f.opt.Lambda, "lambda", 0, "csbm: signal of the edges; below 0 they join unlike nodes\nEdges have the probabilities (degree ± lambda·√degree)/nodes for two classes.")
	flags.Float64Var(&f.opt.Mu, "mu", 0, "csbm: signal of the features")
	flags.IntVar(&f.opt.Dims, "dims", 0, "csbm: features of a node")
	flags.IntVar(&f.opt.Words, "words", 0, "csbm: words of a node, of --dims ones, as sparse features\nTheir frequencies fall as 1/rank. --mu is then the share, 0 to 1, that has ranks of the class.")
	flags.Uint64Var(&f.opt.Seed, "seed", 1, "seed of every random choice")
	flags.StringVar(&f.out, "out", "", "the graph: .csr, or an edge list\n.gz and .zst compress; .csv separates by commas.")
	flags.StringVar(&f.features, "features-out", "", "csbm: the features of all nodes, .npy, or .npz with --words\n.gz and .zst compress.")
	flags.StringVar(&f.labels, "labels-out", "", "the classes of all nodes")
	flags.StringVar(&f.seeds, "seeds-out", "", "the classes of some nodes, as labels for run")
	flags.IntVar(&f.perClass, "seeds-per-class", 10, "nodes of each class in --seeds-out")
	flags.StringVar(&f.limit, "memory-limit", "2GiB", "memory to use for --out FILE.csr\nThe rest goes to a temporary file beside it.")
	flags.IntVar(&f.threads, "threads", 0, "worker threads; any number gives the same result (default: all cores)")
	flags.BoolVar(&f.quiet, "quiet", false, "no summary on standard error")
	return cmd
}

func (f *genFlags) check(g *gen.Graph) (err error) {
	of, _ := format.ByName(f.out)
	labels := cmp.Or(format.CheckRowsOut("labels-out", f.labels, "labels"), format.CheckRowsOut("seeds-out", f.seeds, "labels"))
	switch {
	case f.out == "":
		return usage.Errorf("say where the graph goes: --out FILE")
	case format.CheckRowsOut("out", f.out, "edges", format.CSR) != nil || of == format.CSR && !format.IsPlainCSR(f.out):
		return usage.Errorf("--out %s, expected an edge list or .csr; convert makes the other formats of it", f.out)
	case labels != nil:
		return labels
	case !g.HasLabels() && (f.labels != "" || f.seeds != ""):
		return usage.Errorf("--kind %s has no classes for --labels-out and --seeds-out", f.opt.Kind)
	case !g.HasLabels() && f.given("classes"):
		return usage.Errorf("--classes is for --kind planted, geometric and csbm; %s has none", f.opt.Kind)
	case f.opt.Kind != gen.Planted && f.given("inside"):
		return usage.Errorf("--inside is for --kind planted; this is %s", f.opt.Kind)
	case f.opt.Kind != gen.CSBM && (f.given("lambda") || f.given("mu") || f.given("dims") || f.given("words") || f.features != ""):
		return usage.Errorf("--lambda, --mu, --dims, --words and --features-out are for --kind csbm; this is %s", f.opt.Kind)
	case f.features != "" && f.opt.Dims == 0:
		return usage.Errorf("say how many features --features-out has: --dims")
	case f.features != "" && format.Ending(f.features) != f.ending():
		return usage.Errorf("--features-out %s, expected %s", f.features, f.ending())
	case f.features == "" && (f.given("mu") || f.given("dims") || f.given("words")):
		return usage.Errorf("--mu, --dims and --words are of features: say where they go, --features-out FILE%s", f.ending())
	case f.seeds == "" && f.given("seeds-per-class"):
		return usage.Errorf("--seeds-per-class is for --seeds-out")
	case f.perClass < 1:
		return usage.Errorf("--seeds-per-class %d, expected at least 1", f.perClass)
	case usage.CheckThreads(f.threads) != nil:
		return usage.CheckThreads(f.threads)
	}
	f.memory, err = limit.ParseBytes(f.limit, limit.LeastStreamed)
	return err
}

// ending is that of the file of features.
func (f *genFlags) ending() string {
	if f.opt.Words > 0 {
		return ".npz"
	}
	return ".npy"
}

// checkZeros refuses flags given as 0, which package gen takes for its defaults.
func (f *genFlags) checkZeros() error {
	switch {
	case f.opt.Degree == 0 && f.given("degree"):
		return usage.Errorf("--degree 0, expected above 0")
	case f.opt.Classes == 0 && f.given("classes"):
		return usage.Errorf("--classes 0, expected at least 1")
	case f.opt.Words == 0 && f.given("words"):
		return usage.Errorf("--words 0, expected at least 1")
	case f.opt.Inside == 0 && f.given("inside"):
		return usage.Errorf("--inside 0, expected above 0 and at most 1")
	}
	return nil
}

func (f *genFlags) run(ctx context.Context, std streams.Stdio) error {
	if err := f.checkZeros(); err != nil {
		return err
	}
	if f.opt.Kind == gen.CSBM && !f.given("classes") {
		f.opt.Classes = 2
	}
	g, err := gen.New(f.opt)
	if err != nil {
		return usage.Error{Err: err}
	}
	if err := f.check(g); err != nil {
		return err
	}
	clock := clock.New()
	made := fmt.Sprintf("about %s edges", figures.Count(int(g.Edges())))
	outs := []outputs.File{{Flag: "out", Name: f.out}, {Flag: "features-out", Name: f.features}, {Flag: "labels-out", Name: f.labels}, {Flag: "seeds-out", Name: f.seeds}}
	if err := outputs.With(std, nil, outs, func(out *outputs.Set) error {
		if format.IsPlainCSR(f.out) {
			entries, err := f.writeCSR(ctx, g, out)
			if err != nil {
				return err
			}
			made = figures.Count(int(entries)) + " entries"
		} else if err := out.Write(f.out, func(w io.Writer) error {
			return g.WriteEdges(ctx, w, format.Separator(f.out), f.threads)
		}); err != nil {
			return err
		}
		write := g.WriteFeatures
		if g.HasWords() {
			write = g.WriteWords
		}
		if err := out.Write(f.features, func(w io.Writer) error { return write(ctx, w, f.threads) }); err != nil {
			return err
		}
		if err := out.Write(f.labels, g.WriteLabels); err != nil {
			return err
		}
		return out.Write(f.seeds, func(w io.Writer) error { return g.WriteSeeds(w, f.perClass) })
	}); err != nil {
		return err
	}
	clock.Lap("write")
	if !f.quiet {
		fmt.Fprintf(std.Err, "%s nodes, %s, in %.2f s, %s peak\n", figures.Count(g.Nodes()), made, clock.Seconds["total"], figures.Bytes(machine.PeakResident()))
	}
	return nil
}

func (f *genFlags) writeCSR(ctx context.Context, g *gen.Graph, to *outputs.Set) (entries int64, err error) {
	debug.SetMemoryLimit(f.memory)
	temporary, err := scratch.New(filepath.Dir(f.out))
	if err != nil {
		return 0, err
	}
	defer temporary.Close()
	err = to.WriteAt(f.out, func(out *outfile.Output) error {
		entries, _, err = g.WriteCSR(ctx, out, csr.BuildOptions{Threads: f.threads, Memory: (f.memory - limit.LeastStreamed/2) / 2, Scratch: temporary})
		return err
	})
	return entries, err
}
