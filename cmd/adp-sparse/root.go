package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, std stdio) int {
	log := consoleOf(std.err)
	log.json = strings.Contains(strings.Join(args, " ")+" ", "--log json ") || slices.Contains(args, "--log=json") // for errors of flags too
	defer log.flush()
	std.err = log
	std.in = newInput(ctx, std.in)
	root := newRoot(std)
	if slices.Equal(args, []string{"--version"}) {
		args = []string{"version"}
	}
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	return report(ctx, std.err, root.ExecuteContext(ctx))
}

func newRoot(std stdio) *cobra.Command {
	var log, configFile string
	var quiet bool
	root := &cobra.Command{
		Use:   "adp-sparse",
		Short: "Label the nodes of a large graph from a few known labels, and learn the graph",
		Long: `adp-sparse takes a graph and the labels of a few of its nodes. It gives every
other node a label and a confidence, and returns the learned graph, by the
alternating diffusion process: labels diffuse over the graph, the graph is
rebuilt with the labels' help, again and again.

Exit codes: 0 ok, 1 bad data, 2 usage, 3 input/output, 4 memory limit,
5 internal error, 6 not converged (--require-converged), 130/143 interrupted.`,
		Example: `  adp-sparse demo
  adp-sparse run --edges graph.tsv.gz --labels seeds.tsv --out labels.tsv
  adp-sparse run --config study.toml --log json 2>log.jsonl
  source <(adp-sparse completion bash)`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	flags := root.PersistentFlags()
	flags.StringVar(&configFile, configFlag, "", "TOML file with flags, those of a command in a table of its name; the command line wins")
	flags.StringVar(&log, "log", "text", "standard error: text, or json (a JSON object a line: time, event, data)")
	flags.BoolVar(&quiet, "quiet", false, "nothing on standard error but errors; with --log json the events, without messages")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if configFile != "" {
			if err := loadConfig(cmd, configFile); err != nil {
				return err
			}
			if err := spareConfig(cmd, configFile, std); err != nil {
				return err
			}
		}
		if err := checkGiven(cmd); err != nil {
			return err
		}
		c := consoleOf(std.err)
		asJSON, err := choose("log", log, map[string]bool{"text": false, "json": true})
		if err != nil {
			return err
		}
		c.json, c.quiet = asJSON, quiet
		c.still, _ = cmd.Flags().GetBool("quiet") // that of the command where it has one
		if cmd.Name() == "run" && launchedAs() > 0 {
			return nil // one run over several processes begins once
		}
		c.event("start", map[string]string{"version": version(), "command": cmd.CommandPath()})
		return nil
	}
	usageInGroups(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{advised(cmd, err)} })
	root.AddCommand(newRun(std), newPredict(std), newTune(std), newKNN(std), newConvert(std), newPartition(std), newGen(std), newEval(std), newExplain(std), newSuggest(std), newServe(std), newInspect(std), newDemo(std), newBench(std), newMan(std), newVersion(std))
	return root
}

// flagNames are the names of all flags that a command takes.
func flagNames(cmd *cobra.Command) (names []string) {
	note := func(flag *pflag.Flag) { names = append(names, flag.Name) }
	cmd.Flags().VisitAll(note)
	cmd.InheritedFlags().VisitAll(note)
	return names
}

// otherwise are flags that had other names, or have them in other programs.
var otherwise = map[string]string{"neighbours": "ks", "n_neighbors": "k", "n-neighbors": "k"}

// advised adds to the error of an unknown flag the one that may be meant.
func advised(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	meant, least := "", 1+len(name)/4
	for _, flag := range flagNames(cmd) {
		if otherwise[name] == flag {
			meant = flag
			break
		}
		if d := distance(name, flag); d < least || d == least && meant == "" && len(name) > 2 {
			meant, least = flag, d
		}
	}
	command, sub, _ := strings.Cut(cmd.CommandPath(), " ")
	help := strings.TrimSpace(command + " help " + sub)
	if meant == "" {
		return fmt.Errorf("%w; see %s", err, help)
	}
	return fmt.Errorf("%w; did you mean --%s? See %s", err, meant, help)
}

// distance is the number of letters to insert, remove or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

// noArgs refuses arguments that are no flags.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("unexpected argument %q; see %s --help", args[0], cmd.CommandPath())}
	}
	return nil
}

func newVersion(std stdio) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(std.out, "adp-sparse", version())
			return err
		},
	}
}

// release is the version that `make dist` embeds.
var release string

// version is the version embedded, or the module's as the Go tool recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case ok && release != "":
		return release + " " + info.GoVersion
	case !ok || info.Main.Version == "":
		return "(devel)"
	}
	return info.Main.Version + " " + info.GoVersion
}
