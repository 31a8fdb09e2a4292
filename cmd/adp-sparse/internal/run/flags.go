package run

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
)

// flags are the flags of `run`, as they are bound. [flags.settings] reads them once.
type flags struct {
	source.Flags
	checkpoint                           checkpointFlags
	reports                              report.Flags
	out, graphOut, nodesOut, model, warm string
	words                                words
	prior, hubs, pick, reorder           string
	proba, quiet, requireConverged       bool
	guard                                bool
	diagnose                             bool
	share                                float64 // θ of --multilabel
	combine                              string
	opt                                  adp.Options // the numbers
	given                                func(flag string) bool
}

// words are values of flags that the report repeats.
type words struct{ method, harden, balance, solver, faint, calibrate string }

// bindFiles binds the flags of files, and of the terminal.
func (f *flags) bindFiles(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "-", "labels of all nodes: node label confidence margin status, as text (.csv separates by commas; .gz and .zst compress), or in a file .parquet or .npz (- is standard output)")
	flags.StringVar(&f.graphOut, "graph-out", "", "the learned graph, or the graph as given where the result is LGC (--select none always learns one): "+format.LearnedHelp())
	flags.StringVar(&f.model, "model", "", "what the run found, for predict and for --warm (.npz)")
	flags.StringVar(&f.warm, "warm", "", "start from the --model of another run, with other labels or edges: for lgc the same solution, to within --tolerance, by fewer products; for adp with the setting that the other run chose, or lgc where it chose that. Nothing is chosen anew by left-out seeds: a graph of --features has the kind, k, metric, scale and weights that the model records and no flag says otherwise, and is the first graph of knn where it records none; --graph-kind auto, said, chooses it anew")
	flags.StringVar(&f.combine, "combine", "auto", "where there are --features: auto (the answer is a mixture of label spreading on the edges, on the graph of the features and on both, and of regression on the features themselves and diffused over these graphs, weighed by left-out labels), or none (--method alone, on one graph). Not with settings of one learned graph (--topk, --anchor, --alpha …), --calibrate, --diagnose, --warm, --scratch and --select none: these take --method alone")
	flags.StringVar(&f.opt.Scratch, "scratch", "", "keep the graphs that the run makes in temporary files in this folder, mapped, where they do not fit the memory: the same outputs; best with --graph FILE.csr")
	flags.BoolVar(&f.quiet, "quiet", false, "no summary on standard error")
}

// bindMethod binds the flags of methods on a given graph.
func (f *flags) bindMethod(flags *pflag.FlagSet) {
	flags.StringVar(&f.words.method, "method", "adp", adp.ListMethods(adp.Methods(), "or", adp.Method.Described))
	flags.Float64Var(&f.opt.Alpha, "alpha", 0.99, "diffusion weight α of the labels, between 0 and 1")
	flags.IntVar(&f.opt.Rounds, "rounds", 0, "most rounds of a setting (default "+roundsByDefault()+")")
	flags.StringVar(&f.words.balance, "balance", "degree", "weigh classes by the degrees of their seeds: degree or none")
	flags.StringVar(&f.prior, "class-prior", "auto", "expected class sizes: equal, seeds (as the numbers of seeds tell, drawn together as far as chance would make them differ), "+methodflags.PriorPairs+", or auto: equal, but with --method adp those of the seeds where these are clearly better on left-out seeds")
	flags.StringVar(&f.words.solver, "solver", "cg", "cg (conjugate gradients) or power (the paper's iteration)")
	flags.Float64Var(&f.opt.Tolerance, "tolerance", 1e-6, "relative residual at which the label diffusion ends; one that is the rounding of scores in float32, which can be larger, counts as converged too")
	flags.IntVar(&f.opt.MaxIterations, "max-iterations", 0, "most iterations of the label diffusion (default 2000; 20000 for power)")
	flags.StringVar(&f.words.faint, "faint", "auto", fmt.Sprintf("nodes so far from all labels that what reaches them is below --tolerance: solve (for them again: up to three times the time where there are many, nothing where there are none), leave, or auto (solve, but on learned graphs of more than %d nodes); --warm solves always", adp.FullNodes))
	flags.StringVar(&f.reorder, "reorder", "auto", fmt.Sprintf("order of the nodes while they are worked on: cluster (densely joined ones near each other), degree, none, or auto (cluster for %s with at least %d nodes)", adp.LearnsSparse.Names("and"), adp.OrderNodes))
}

// bindLearning binds the flags of the learned graph.
func (f *flags) bindLearning(flags *pflag.FlagSet) {
	flags.Float64Var(&f.opt.GraphAlpha, "graph-alpha", 0.9, "diffusion weight α_A of the graph, between 0 and 1; for one setting, see --select")
	flags.Float64Var(&f.opt.Zeta, "zeta", 0.5, "weight of the label similarity in the graph, relative to it; 0 is none")
	flags.IntVar(&f.opt.TopK, "topk", 0, "entries kept in each row of the learned graph (default 5, or all other nodes of a smaller graph); for one setting, see --select")
	flags.Float64Var(&f.opt.Anchor, "anchor", 0.5, "multiple of the original graph added to the learned one, 0 is none; for one setting, see --select")
	flags.StringVar(&f.hubs, "hubs", "cut", "rows of the learned graph next to hubs, where whole ones would take long: cut (made of their largest terms) or whole")
	flags.StringVar(&f.words.harden, "harden", "sqrt-margin", "how labels enter the learned graph: sqrt-margin (by the root of the lead of the first class), hard or soft")
	flags.StringVar(&f.pick, "select", "auto", fmt.Sprintf("choice of the result by its cut on the original graph and by left-out seeds: full (among the rounds of up to five settings; up to 72 rounds of work), fast (among those of --topk, --anchor and --graph-alpha; 16), none (the last round; 8), or auto (full for up to %d nodes where those three are not given, else fast)", adp.FullNodes))
}

// bindResult binds the flags of the labels of nodes and their confidence.
func (f *flags) bindResult(flags *pflag.FlagSet) {
	flags.BoolVar(&f.proba, "proba", false, "add a column for each class to --out, as text or .npz")
	flags.BoolVar(&f.guard, format.GuardFlag, false, format.GuardText)
	flags.BoolVar(&f.Multilabel, "multilabel", false, "a node may have several labels, in --labels (a row each) and in --out; by "+adp.ListMethods(adp.TakesSeveral.Methods(), "or", defaultThen)+", with the classes of the seeds as --class-prior unless it is given. Not with --method "+adp.ListMethods(adp.TakesSeveral.Without(), "or", adp.Method.String)+", --proba, --calibrate, --min-confidence, --report FILE.html and --pictures; its --model is not for predict")
	flags.Float64Var(&f.share, "label-share", multilabel.DefaultThreshold, "labels of a node with --multilabel: those whose share of F exceeds their mean by at least this part of the largest excess, above 0 and at most 1")
	flags.Float64Var(&f.opt.MinConfidence, "min-confidence", 0, "a label of less confidence has the status uncertain")
	flags.StringVar(&f.words.calibrate, "calibrate", "off", fmt.Sprintf("confidence as the probability of being right, on average over the nodes (of those of the smallest margins it can say far too much): auto (from seeds left out in %d more runs, of the chosen setting; where fewer than %d can be left out it stays raw) or off", adp.CalibrationFolds, calibrate.MinCases))
	flags.BoolVar(&f.diagnose, "diagnose", false, "say what truncation costs: the learned graph against the untruncated one, by about 150 sparse products at the default --graph-alpha ("+adp.LearnsSparse.Names("and")+")")
	flags.BoolVar(&f.requireConverged, "require-converged", false, "exit 6 if a limit was reached before convergence")
}

// severalBy is the method of --multilabel without --method.
const severalBy = adp.LGC

func defaultThen(m adp.Method) string {
	if m == severalBy {
		return m.String() + " (default then)"
	}
	return m.String()
}

// roundsByDefault lists the defaults of --rounds: of the first method, and of methods with others.
func roundsByDefault() string {
	usual := adp.Repeats.Methods()[0].Rounds()
	text := strconv.Itoa(usual)
	others := map[int][]adp.Method{}
	for _, m := range adp.Repeats.Methods() {
		others[m.Rounds()] = append(others[m.Rounds()], m)
	}
	for _, rounds := range slices.Sorted(maps.Keys(others)) {
		if rounds != usual {
			text += fmt.Sprintf("; %d for %s", rounds, adp.ListMethods(others[rounds], "and", adp.Method.String))
		}
	}
	return text
}
