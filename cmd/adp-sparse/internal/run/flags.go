package run

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/adp/multilabel"

	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
)

// flags are the flags of `run`, as they are bound. [flags.settings] reads them once.
type flags struct {
	source.Flags
	reports                report.Flags
	pick, reorder, combine string
	asIs
}

// asIs are values of flags that settings take over as they are, or begin from.
type asIs struct {
	checkpoint                           checkpointFlags
	out, graphOut, nodesOut, model, warm string
	words                                words
	opt                                  adp.Options // of flags the numbers
	prior                                string      // of the classes, which are not known yet
	share                                float64     // θ of --multilabel
	diagnose                             bool
	proba, quiet, verbose                bool
	requireConverged                     bool
	guard                                bool
	given                                func(flag string) bool
}

// words are values of flags that the report repeats.
type words struct{ method, solver, faint, calibrate string }

// bindFiles binds the flags of files, and of the terminal.
func (f *flags) bindFiles(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "-", "file of the labels (- is standard output)\nColumns: node label confidence margin status. Text (.csv separates by commas; .gz and .zst compress), .parquet or .npz.")
	flags.StringVar(&f.graphOut, "graph-out", "", "file of the learned graph\nWhere the result is LGC it is the graph as given (--select none always learns one). "+format.LearnedHelp()+".")
	flags.StringVar(&f.model, "model", "", "keep what the run found, for predict and for --warm\nA .npz file.")
	flags.StringVar(&f.warm, "warm", "", "start from the --model of another run, and keep its choices\nFor other labels or edges. lgc finds the same solution, to within --tolerance, by fewer products. adp keeps the setting that the other run chose, or LGC where it chose that. A graph of --features keeps the kind, k, metric, scale and weights that the model records, unless a flag says otherwise. --graph-kind auto chooses it anew.")
	flags.StringVar(&f.combine, "combine", "auto", "mix methods by cross-validation, or none\nauto mixes label spreading on the edges, on the graph of the features and on both with regression on the features, and weighs them by cross-validation. Of edges alone it mixes the run with regression on neighbours in common and on where random walks end. none takes --method alone. So do the settings of one learned graph (--topk, --anchor, --alpha …), --diagnose, --warm, --scratch and --select none.")
	flags.StringVar(&f.opt.Scratch, "scratch", "", "folder for graphs that do not fit the memory\nThey are temporary files, mapped. The outputs are those of --combine none. Best with --graph FILE.csr.")
	flags.BoolVar(&f.quiet, "quiet", false, "no summary on standard error")
	flags.BoolVar(&f.verbose, "verbose", false, "a longer summary: rounds, all classes, memory and time")
}

// bindMethod binds the flags of methods on a given graph.
func (f *flags) bindMethod(flags *pflag.FlagSet) {
	flags.StringVar(&f.words.method, "method", "adp", adp.Trait(0).Names("or")+"\n"+methodflags.List(adp.Methods(), "or", adp.Method.Described)+".")
	flags.Float64Var(&f.opt.Alpha, "alpha", 0.99, "diffusion weight α of the labels, between 0 and 1")
	flags.IntVar(&f.opt.Rounds, "rounds", 0, "most rounds of a setting (default "+roundsByDefault()+")")
	methodflags.BindPrior(flags, &f.prior, "class sizes: auto, equal, seeds, none, or label=share,…\nseeds takes the numbers of known labels, shrunk towards equal sizes as far as chance explains the difference. auto is equal in the methods of a mixture, whose labels then lean towards the sizes that known labels and unlabelled nodes suggest. Without a mixture it is equal, but with --method adp seeds where cross-validation clearly prefers it. none does not weigh classes. Shares: "+methodflags.PriorPairs+".")
	flags.StringVar(&f.words.solver, "solver", "cg", "cg (conjugate gradients) or power (of the paper)")
	flags.Float64Var(&f.opt.Tolerance, "tolerance", 0, "relative residual at which the diffusion ends\nThe default is 1e-6, and 1e-5 where the answer is a mixture of methods. Scores are float32. A larger residual counts as converged where float32 cannot hold better scores.")
	flags.IntVar(&f.opt.MaxIterations, "max-iterations", 0, "most iterations of the diffusion (default 2000; 20000 for power)")
	flags.StringVar(&f.words.faint, "faint", "auto", fmt.Sprintf("scores that underflow far from labels: solve, leave or auto\nScores below --tolerance say nothing. solve computes these nodes again: up to three times the time where there are many, nothing where there are none. leave keeps them. auto solves, but on learned graphs of more than %d nodes it leaves. --warm always solves.", adp.FullNodes))
	flags.StringVar(&f.reorder, "reorder", "auto", fmt.Sprintf("order of nodes in memory: cluster, degree, none or auto\ncluster puts densely joined nodes near each other. auto is cluster for %s with at least %d nodes, but none for adp where degrees differ much.", adp.LearnsSparse.Names("and"), adp.OrderNodes))
}

// bindLearning binds the flags of the learned graph.
func (f *flags) bindLearning(flags *pflag.FlagSet) {
	flags.Float64Var(&f.opt.GraphAlpha, "graph-alpha", 0.9, "diffusion weight α_A of the learned graph, between 0 and 1\nIt fixes one setting, see --select.")
	flags.Float64Var(&f.opt.Zeta, "zeta", 0.5, "weight ζ of the label similarity in the learned graph; 0 is none")
	flags.IntVar(&f.opt.TopK, "topk", 0, "largest entries kept in each row of the learned graph (default 5)\nThe default is all other nodes in a smaller graph. The flag fixes one setting, see --select.")
	flags.Float64Var(&f.opt.Anchor, "anchor", 0.5, "weight of the given graph added to the learned one; 0 is none\nIt fixes one setting, see --select.")
	flags.StringVar(&f.pick, "select", "auto", fmt.Sprintf("how the result is chosen among rounds: auto, full, fast or none\nThe choice is by association on the given graph and by cross-validation. full tries up to five settings (72 rounds of work), fast the one of --topk, --anchor and --graph-alpha (16 rounds). none takes the last round (8). auto is full for up to %d nodes where those three are not given, else fast.", adp.FullNodes))
}

// bindResult binds the flags of the labels of nodes and their confidence.
func (f *flags) bindResult(flags *pflag.FlagSet) {
	flags.BoolVar(&f.proba, "proba", false, "add a column of scores for each class to --out\nAs text or .npz, of --multilabel as .npz alone.")
	flags.BoolVar(&f.guard, format.GuardFlag, false, format.GuardText)
	flags.BoolVar(&f.Multilabel, "multilabel", false, "nodes may have several labels, a row each in --labels and in --out\nBy a mixture of methods whose run is "+fit.Options{Several: true}.Method().String()+", or by --method "+methodflags.List(adp.TakesSeveral.Methods(), "or", adp.Method.String)+" alone, with the class sizes of the known labels. Not with --method "+methodflags.List(adp.TakesSeveral.Without(), "or", adp.Method.String)+", --calibrate, --min-confidence, --report FILE.html and --pictures.")
	flags.Float64Var(&f.share, "label-share", 0, fmt.Sprintf("threshold of --multilabel, above 0 and at most 1 (default %g for one method)\nA node has the labels whose share of F exceeds their mean by at least this part of the largest excess. A mixture of methods needs none: left-out nodes tell how probable each label is.", multilabel.DefaultThreshold))
	flags.Float64Var(&f.opt.MinConfidence, "min-confidence", 0, "a label of less confidence has the status uncertain")
	flags.StringVar(&f.words.calibrate, "calibrate", "off", fmt.Sprintf("confidence of a single method as a probability: auto or off\nA mixture of methods (--combine auto) has the probability of being right as it is. For another result auto makes %d more runs of the chosen setting. It is then the probability of being right on average over all nodes. For nodes with the smallest margins it can be far too high. With fewer than %d labels to leave out auto warns, and the confidence is raw.", adp.CalibrationFolds, calibrate.MinCases))
	flags.BoolVar(&f.diagnose, "diagnose", false, "measure what cutting rows to --topk entries costs\nIt compares the learned graph with the one of whole rows, by about 150 sparse products at the default --graph-alpha ("+adp.LearnsSparse.Names("and")+").")
	flags.BoolVar(&f.requireConverged, "require-converged", false, "exit 6 if a limit was reached before convergence")
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
			text += fmt.Sprintf("; %d for %s", rounds, methodflags.List(others[rounds], "and", adp.Method.String))
		}
	}
	return text
}
