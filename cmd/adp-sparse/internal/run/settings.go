package run

import (
	"cmp"
	"os"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// settings are what a run is asked for: values that were read and checked once. They do not
// change.
type settings struct {
	source    *source.Flags
	reports   *report.Flags
	calibrate bool
	combine   fit.Combine
	alone     string // the flag that alone keeps the run from mixing methods: warm, scratch, or none
	asIs
}

// settings reads the flags and refuses what needs no file to be refused.
func (f *flags) settings() (*settings, error) {
	s := &settings{source: &f.Flags, reports: &f.reports, calibrate: f.words.calibrate == "auto", asIs: f.asIs}
	for _, read := range []func(*settings) error{
		f.checkFiles, f.readMethod, f.checkMultilabel, f.checkMethod, f.readChoices, f.checkCheckpoint, f.checkDiagnose,
		f.readFaint, f.checkWarm, f.checkScratch, f.checkModel, f.readNumbers, f.readCombine,
	} {
		if err := read(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// checkFiles checks the inputs, and the formats of the outputs.
func (f *flags) checkFiles(*settings) error {
	if err := f.Check(); err != nil {
		return err
	}
	if f.Labels == "" {
		return usage.Errorf("say where the known labels are: --labels FILE")
	}
	if err := cmp.Or(format.CheckRowsOut("out", f.out, "labels", format.Parquet, format.NPZ), format.CheckGuard(f.guard, f.out), format.CheckProba(f.proba, f.out), f.reports.Check()); err != nil {
		return err
	}
	if f.quiet && f.verbose {
		return usage.Errorf("--quiet and --verbose: say one")
	}
	return format.CheckWritten("graph-out", f.graphOut, false)
}

// readMethod reads the method.
func (f *flags) readMethod(s *settings) (err error) {
	if s.opt.Method, err = adp.ParseMethod(s.words.method); err != nil {
		return usage.Errorf("--method %q, expected %s", s.words.method, adp.Trait(0).Names("or"))
	}
	return nil
}

// checkMultilabel refuses what several labels a node do not go with.
func (f *flags) checkMultilabel(s *settings) error {
	of, _ := format.ByName(f.out)
	switch {
	case !f.Multilabel && f.given("label-share"):
		return usage.Errorf("--label-share is for --multilabel")
	case !f.Multilabel:
		return nil
	case f.given("method") && !s.opt.Method.Has(adp.TakesSeveral):
		return usage.Errorf("--multilabel with --method %s, expected %s, or no --method: the graph is learned from one label a node", s.words.method, adp.TakesSeveral.Names("or"))
	case f.proba && of != format.NPZ:
		return usage.Errorf("--proba is written to .npz where nodes may have several labels (--multilabel), and --out is %s", f.out)
	case s.words.calibrate != "off" || f.given("min-confidence"):
		return usage.Errorf("--multilabel does not go with --calibrate and --min-confidence, which are for one label a node")
	case f.reports.Drawn():
		return usage.Errorf("--multilabel does not go with --pictures and --report %s, which are of one label a node; --report FILE.json does", cmp.Or(f.reports.Page(), "FILE.html"))
	case f.given("label-share") && !(f.share > 0 && f.share <= 1):
		return usage.Errorf("--label-share %v, expected above 0 and at most 1", f.share)
	}
	return nil
}

// LookedAt are the flags that some methods do not look at, and what those have that do.
var LookedAt = []struct {
	Trait adp.Trait
	Flags []string
}{
	{adp.LearnsSparse, []string{"topk", "zeta", "anchor", "graph-alpha"}},
	{adp.Repeats, []string{"rounds"}},
	{adp.LooksAtAlpha, []string{"alpha"}},
	{adp.SolvesLGC, []string{"solver", "faint"}},
	{adp.Iterates, []string{"tolerance", "max-iterations"}},
	{adp.Weighs, []string{"class-prior"}},
	{adp.KeepsSparse, []string{"reorder"}},
	{adp.LearnsSparse, []string{"select"}},
}

// checkMethod refuses flags that the method does not look at.
func (f *flags) checkMethod(s *settings) error {
	for _, part := range LookedAt {
		if s.options().Method().Has(part.Trait) {
			continue
		}
		for _, flag := range part.Flags {
			if f.given(flag) {
				return usage.Errorf("--%s is for --method %s; this is %v", flag, part.Trait.Names("or"), s.options().Method())
			}
		}
	}
	return nil
}

// The values of flags that only run has.
var (
	solvers = map[string]diffuse.Solver{"cg": diffuse.CG, "power": diffuse.Power}
	faints  = map[string]adp.Underflow{"auto": adp.AutoUnderflow, "solve": adp.SolveUnderflow, "leave": adp.LeaveUnderflow}
)

// readChoices reads the flags that are one of several words.
func (f *flags) readChoices(s *settings) (err error) {
	if s.opt.Select, err = usage.Choose("select", f.pick, methodflags.Selects); err != nil {
		return err
	}
	if s.opt.Order, err = usage.Choose("reorder", f.reorder, methodflags.Orders); err != nil {
		return err
	}
	s.opt.Balance = methodflags.BalanceOf(f.prior)
	if s.opt.Solver, err = usage.Choose("solver", f.words.solver, solvers); err != nil {
		return err
	}
	if f.words.calibrate != "auto" && f.words.calibrate != "off" {
		return usage.Errorf("--calibrate %q, expected auto or off", f.words.calibrate)
	}
	return nil
}

// checkCheckpoint keeps the state apart from inputs and outputs.
func (f *flags) checkCheckpoint(*settings) error {
	if err := f.checkpoint.check(f.Inputs(), append(f.reports.Names(), f.out, f.graphOut, f.nodesOut, f.model)...); err != nil {
		return err
	}
	if f.checkpoint.file == "" && f.given("checkpoint-every") {
		return usage.Errorf("--checkpoint-every is for --checkpoint")
	}
	return nil
}

// checkDiagnose refuses --diagnose of a graph that is not truncated, and --warm where nothing
// starts from an earlier F.
func (f *flags) checkDiagnose(s *settings) error {
	if f.diagnose && !s.options().Method().Has(adp.LearnsSparse) {
		return usage.Errorf("--diagnose with --method %v, expected %s: only these truncate the graph they learn", s.options().Method(), adp.LearnsSparse.Names("or"))
	}
	if f.warm != "" && (f.checkpoint.file != "" || !s.diffuses()) {
		return usage.Errorf("--warm goes with --method %s, --solver cg and no --checkpoint", adp.SolvesLGC.Names("or"))
	}
	return nil
}

// readFaint reads how nodes far from all seeds are solved for.
func (f *flags) readFaint(s *settings) (err error) {
	if s.opt.Underflow, err = usage.Choose("faint", f.words.faint, faints); err != nil {
		return err
	}
	if s.opt.Underflow == adp.SolveUnderflow && !s.diffuses() {
		return usage.Errorf("--faint solve goes with --method %s and --solver cg", adp.SolvesLGC.Names("or"))
	}
	return nil
}

// readCombine reads whether methods are combined. A diagnosis is of one learned graph, and a
// start of the run that it is from.
func (f *flags) readCombine(s *settings) (err error) {
	if s.combine, err = usage.Choose("combine", f.combine, methodflags.Combines); err != nil {
		return err
	}
	plain := s.options()
	plain.Run.Scratch = ""
	if !f.diagnose && plain.MayCombine() { // of numbers that are read
		switch {
		case f.warm != "" && f.opt.Scratch != "":
			s.alone = "warm and --scratch"
		case f.warm != "":
			s.alone = "warm"
		case f.opt.Scratch != "":
			s.alone = "scratch"
		}
	}
	if f.diagnose || f.warm != "" {
		s.combine = fit.NoCombine
	}
	return nil
}

// options are those of the fit, before the classes are known.
func (s *settings) options() fit.Options {
	return fit.Options{Run: s.opt, Calibrate: s.calibrate, Combine: s.combine, Several: s.source.Multilabel}
}

// diffuses reports whether F-steps are solved by conjugate gradients.
func (s *settings) diffuses() bool {
	return s.opt.Solver == diffuse.CG && s.opt.Method.Has(adp.SolvesLGC)
}

// checkWarm refuses settings that --warm takes from the other run.
func (f *flags) checkWarm(s *settings) error {
	if f.warm == "" || !s.opt.Method.Has(adp.Tries) {
		return nil
	}
	for _, flag := range []string{"select", "topk", "anchor", "graph-alpha", "alpha"} {
		if f.given(flag) {
			return usage.Errorf("--%s with --warm: adp takes over the setting of the other run", flag)
		}
	}
	return nil
}

// checkScratch refuses a --scratch that cannot be used before anything is read.
func (f *flags) checkScratch(s *settings) error {
	switch dir := s.opt.Scratch; {
	case dir == "":
		return nil
	case !s.opt.Method.Has(adp.KeepsSparse):
		return usage.Errorf("--scratch does not go with --method %v, whose matrices are dense", s.opt.Method)
	default:
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return usage.Errorf("--scratch %s is a file, expected a folder", dir)
		}
		return err
	}
}

// checkModel refuses models that could not be read back.
func (f *flags) checkModel(*settings) error {
	switch f.model {
	case "":
		return nil
	case "-":
		return usage.Errorf("--model - is no file; a model is not text for standard output")
	}
	return f.Features.CheckForModel()
}

// readNumbers checks the numbers. Numbers that are not given are left to the choice.
func (f *flags) readNumbers(s *settings) error {
	o := &s.opt
	for _, open := range []struct {
		flag  string
		value float64
	}{{"alpha", o.Alpha}, {"graph-alpha", o.GraphAlpha}, {"tolerance", o.Tolerance}} {
		if f.given(open.flag) && !(open.value > 0 && open.value < 1) {
			return usage.Errorf("--%s %v, expected between 0 and 1, both excluded", open.flag, open.value)
		}
	}
	for _, whole := range []struct {
		flag  string
		value int
	}{{"topk", o.TopK}, {"rounds", o.Rounds}, {"max-iterations", o.MaxIterations}} {
		if whole.value < 1 && f.given(whole.flag) { // zero means the default in Options
			return usage.Errorf("--%s %d, expected at least 1", whole.flag, whole.value)
		}
	}
	switch {
	case !(o.Zeta >= 0) || !(o.Anchor >= 0) || o.Zeta > 1e6 || o.Anchor > 1e6:
		return usage.Errorf("--zeta %v and --anchor %v, expected 0 to 1e6", o.Zeta, o.Anchor)
	case !(o.MinConfidence >= 0 && o.MinConfidence <= 1):
		return usage.Errorf("--min-confidence %v, expected 0 to 1", o.MinConfidence)
	}
	for _, value := range []*float64{&o.Zeta, &o.Anchor} {
		if *value == 0 {
			*value = -1 // zero means the default in Options
		}
	}
	// What the user leaves open, the choice may vary.
	for flag, value := range map[string]*float64{"alpha": &o.Alpha, "graph-alpha": &o.GraphAlpha, "anchor": &o.Anchor, "zeta": &o.Zeta} {
		if !f.given(flag) {
			*value = 0
		}
	}
	return nil
}
