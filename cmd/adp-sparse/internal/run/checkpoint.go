package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/checkpoint"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// checkpointFlags are the flags about the state of a run.
type checkpointFlags struct {
	file   string
	resume bool
	every  time.Duration
}

func (c *checkpointFlags) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.file, "checkpoint", "", "keep the state of the run in this file, for --resume\nStates are saved at the ends of rounds, as far apart as --checkpoint-every says. It is removed when the run has ended well and all outputs are written.")
	f.BoolVar(&c.resume, "resume", false, "go on from the state in --checkpoint\nGraph, labels and options must be the same; --threads, --scratch, outputs, --verbose and --quiet may differ. The outputs are those of a run without a stop. If the file is not there, the run begins from the start.")
	f.DurationVar(&c.every, "checkpoint-every", 5*time.Second, "least time between two saves; 0s saves every round\nSaves come at the end of rounds. With slow disks they are rarer, so that saving takes at most a tenth of the time.")
}

// check validates the flags; the state must not take the place of an input or an
// output.
func (c *checkpointFlags) check(inputs []outputs.File, outs ...string) error {
	switch {
	case c.file == "" && c.resume:
		return usage.Errorf("say where the state is: --checkpoint FILE --resume")
	case c.file == "":
		return nil
	case c.file == "-":
		return usage.Errorf("--checkpoint - is no file; the state cannot be written to standard output")
	case c.every < 0:
		return usage.Errorf("--checkpoint-every %v, expected at least 0s", c.every)
	}
	for _, name := range outs {
		if name != "" && filepath.Clean(name) == filepath.Clean(c.file) {
			return usage.Errorf("--checkpoint %s is also an output", c.file)
		}
		if name == "" || name == "-" {
			continue
		}
		out, state := outputs.File{Flag: "out", Name: name}, outputs.File{Flag: "checkpoint", Name: c.file}
		if err := cmp.Or(out.Reserves(state), state.Reserves(out)); err != nil {
			return err
		}
	}
	for _, in := range inputs {
		if err := (outputs.File{Flag: "checkpoint", Name: c.file}).Spares(in, streams.Stdio{}); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(c.file); err == nil && !c.resume {
		return usage.Errorf("--checkpoint %s is there: --resume goes on from it; remove it to begin anew", c.file)
	}
	return nil
}

// keeper keeps the state of a run in a file; without one it does nothing.
type keeper struct {
	file *checkpoint.File // nil for none
	from *adp.Snapshot    // where the run goes on; nil for the start
	name string
	ran  bool // the rounds began
	// unchanged is called before a state is saved: a state on a graph that another process has
	// changed must not be kept.
	unchanged func() error
	// A state is saved when wait has passed since the last one.
	every, wait time.Duration
	last        time.Time
}

// open creates the file, or opens it and reads its state. It writes to w what it found.
func (c *checkpointFlags) open(w io.Writer, quiet bool) (*keeper, error) {
	k := &keeper{name: c.file, every: c.every, wait: c.every, last: time.Now()}
	if c.file == "" {
		return k, nil
	}
	// Rounding depends on the processor's family.
	program := program.Version() + " " + runtime.GOARCH
	var err error
	if c.resume {
		k.file, k.from, err = checkpoint.OpenOn(outputs.Disk, c.file, program)
		if err == nil {
			if k.file.Damage != nil {
				fmt.Fprintf(w, "%s\n", streams.Clean(fmt.Sprintf("%s: the newest state is damaged, going on from the one before: %v", c.file, k.file.Damage)))
			}
			if !quiet {
				fmt.Fprintf(w, "%s\n", streams.Clean(fmt.Sprintf("going on from %s: %s", c.file, where(k.from))))
			}
			return k, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return k, err
		}
		fmt.Fprintf(w, "%s\n", streams.Clean(c.file+" is not there: the run begins from the start"))
	}
	k.file, err = checkpoint.CreateOn(outputs.Disk, c.file, program)
	return k, err
}

// where names the last round of a state.
func where(s *adp.Snapshot) string {
	round, folds, foldRound := s.At()
	text := fmt.Sprintf("after round %d", round)
	switch {
	case foldRound >= 0:
		text += fmt.Sprintf(" and, in fold %d of the trial, round %d", folds, foldRound)
	case folds > 0:
		text += " and " + figures.Counted(folds, "fold") + " of the trial"
	}
	return text
}

// run labels the nodes, from the state in the file if it has one.
func (k *keeper) run(ctx context.Context, g *opened.Graph, y *diffuse.Seeds, opt fit.Options) (*fit.Result, error) {
	if k.file == nil {
		return label(ctx, g, y, opt)
	}
	opt.Run.Checkpoint, opt.From = k.save, k.from
	k.from = nil // its blocks are the run's now
	result, err := label(ctx, g, y, opt)
	if errors.Is(err, adp.ErrSnapshot) {
		err = fmt.Errorf("%s: %w%s", k.name, err, otherMixture(err, g))
	}
	return result, err
}

// otherMixture is advice in flags, where the error of a state may come from a run that mixes methods and one that does
// not. A mixture of edges and features begins with lgc, on a graph that no left-out label chose; others keep folds, and any has another tolerance.
func otherMixture(err error, g *opened.Graph) string {
	says := func(text string) bool { return strings.Contains(err.Error(), text) }
	both := g.Built != nil && g.Built.Edges > 0
	if !says(`"KeepFolds `) && !says(`"Tolerance `) && !(both && (says(`"Method lgc"`) || says("another graph of as many nodes"))) {
		return ""
	}
	return "; perhaps one of the two runs mixes methods and the other does not: say --combine, --method and flags such as --alpha and --tolerance as in the run that was stopped"
}

// label labels the nodes of a graph, with the features that it has.
func label(ctx context.Context, g *opened.Graph, y *diffuse.Seeds, opt fit.Options) (*fit.Result, error) {
	if g.Input == nil {
		r, err := fit.Label(ctx, g.W, y, opt)
		if err == nil {
			r.Affinity = g.Affinity()
		}
		return r, err
	}
	in := g.Mixes(y)
	g.Input = nil // the step lets go of what it has no more use for
	return fit.LabelInput(ctx, *in, g.Affinity(), opt)
}

// AfterSave is called after each save, in tests.
var AfterSave func()

// save saves the state at the end of a round, if enough time has passed. Slow saves are made less
// often.
func (k *keeper) save(s *adp.Snapshot) error {
	start := time.Now()
	if start.Sub(k.last) < k.wait {
		return nil
	}
	if err := k.unchanged(); err != nil {
		return err
	}
	if err := k.file.Save(s); err != nil {
		return err
	}
	if AfterSave != nil {
		AfterSave()
	}
	k.last = time.Now()
	if k.every > 0 {
		k.wait = max(k.every, 10*k.last.Sub(start))
	}
	return nil
}

// end removes the file, once the outputs are written.
func (k *keeper) end() error {
	if k.file == nil {
		return nil
	}
	return k.file.Remove()
}

// close closes the file. Where it holds a state, the error of the run gets the command line that
// resumes it.
func (k *keeper) close(err error, command string) error {
	if k.file == nil {
		return err
	}
	saved := k.file.Saved()
	err = errors.Join(err, k.file.Close())
	switch {
	case saved && errors.Is(err, context.Canceled):
		return goOn(err, k.name, command)
	case err == nil || !k.ran || errors.Is(err, adp.ErrSnapshot) || errors.Is(err, exits.ErrNotConverged):
		return err
	case saved:
		return goOn(err, k.name, command)
	case errors.Is(err, context.Canceled):
		advice := "no round was saved yet"
		if k.every > 0 {
			advice += fmt.Sprintf(": saves are %v apart or more (--checkpoint-every)", k.every)
		}
		return resumableError{err, advice}
	}
	return err
}

// untouched adds the state to an interruption that came before it was opened.
func (c *checkpointFlags) untouched(err error, command string) error {
	if _, missing := os.Lstat(c.file); !c.resume || missing != nil || !errors.Is(err, context.Canceled) {
		return err
	}
	return goOn(err, c.file, command)
}

// goOn adds the command line that resumes from a state.
func goOn(err error, state, command string) error {
	return resumableError{err, fmt.Sprintf("the state is in %s; go on with\n  %s", state, command)}
}

// resumableError is an error of a run with advice on how to go on.
type resumableError struct {
	error
	advice string
}

func (r resumableError) Unwrap() error { return r.error }

// Advice says how to go on.
func (r resumableError) Advice() string { return r.advice }
