package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// flagGroup is a group of flags in help and manual pages: the basic ones, and those of experts,
// which --help-all shows.
type flagGroup struct{ title, basic, expert string }

// flagGroups are the groups of all commands, in the order in which each shows those that it has.
// Each flag is in one group. What one command alone has comes first.
var flagGroups = []flagGroup{
	{"Nodes to explain", "node top", ""},
	{"Nodes to suggest", "count", ""},
	{"Demo", "write draws", ""},
	{"Service", "items image-shape listen token-file", "items-id items-root items-image request-timeout"},
	{"Settings to try", "methods alphas ks graph-kinds folds repeats", "zetas topks metrics scales feature-shares"},
	{"Parts", "parts part-of", ""},
	{"Random graph", "kind degree classes inside lambda mu dims words seeds-per-class", ""},
	{"Input", "edges graph features labels label-column id-column points learned predictions truth truth-header", "columns comment header directed bipartite duplicates weight-key name-key nodes index-base"},
	{"Known labels", "", "label-id label-rows label-weight labels-header unknown-labels missing match"},
	{"Vectors", "", "format array feature-columns drop-columns categories impute neighbors distances similarities"},
	{"Output", "out report graph-out model proba json neighbors-out distances-out features-out labels-out seeds-out dir with-seeds", "nodes-out pictures csv-safe"},
	{"Graph of vectors", "graph-kind k metric", "scale weights symmetrize connect knn recall gamma feature-share seed"},
	{"Method", "method class-prior multilabel min-confidence calibrate warm", "combine alpha label-share solver tolerance max-iterations faint"},
	{"Learned graph", "", "select rounds topk graph-alpha anchor zeta diagnose"},
	{"Running", "threads memory-limit checkpoint resume verbose quiet help help-all", "checkpoint-every require-converged scratch reorder block"},
}

// otherFlags is the title of flags that are in no group.
const otherFlags = "Other"

// manyFlags is the least number of flags of which the help shows the basic ones alone.
const manyFlags = 26

// helpAll is the flag that shows all flags.
const helpAll = "help-all"

// groupedFlags are the flags of a command that are in a group.
type groupedFlags struct {
	title string
	*pflag.FlagSet
}

// many reports whether a command has many flags.
func many(cmd *cobra.Command) bool { return cmd.NonInheritedFlags().Lookup(helpAll) != nil }

// groupsOf returns the flags of a command by group: all, or the basic ones.
func groupsOf(cmd *cobra.Command, all bool) (groups []groupedFlags) {
	flags := cmd.NonInheritedFlags()
	left := map[string]bool{}
	flags.VisitAll(func(flag *pflag.Flag) { left[flag.Name] = !flag.Hidden })
	add := func(title string, names []string) {
		group := pflag.NewFlagSet(title, pflag.ContinueOnError)
		group.SortFlags = false
		for _, name := range names {
			if left[name] {
				group.AddFlag(flags.Lookup(name))
				left[name] = false
			}
		}
		if group.HasFlags() {
			groups = append(groups, groupedFlags{title, group})
		}
	}
	for _, g := range flagGroups {
		names := strings.Fields(g.basic)
		if all {
			names = append(names, strings.Fields(g.expert)...)
		}
		add(g.title, names)
	}
	if all {
		add(otherFlags, usage.FlagNames(cmd))
	}
	return groups
}

// helpWidth is the most letters of a line of help on flags.
const helpWidth = 110

// lines are the lines of help on flags, one a flag.
func lines(flags *pflag.FlagSet) string {
	short := pflag.NewFlagSet("", pflag.ContinueOnError)
	short.SortFlags = flags.SortFlags
	flags.VisitAll(func(flag *pflag.Flag) {
		one := *flag
		one.Usage = usage.Line(flag)
		short.AddFlag(&one)
	})
	return short.FlagUsages()
}

// showAll is the value of --help-all: it asks for help too.
type showAll struct {
	cmd *cobra.Command
	set bool
}

func (s *showAll) String() string   { return fmt.Sprint(s.set) }
func (s *showAll) Type() string     { return "bool" }
func (s *showAll) IsBoolFlag() bool { return true }

func (s *showAll) Set(text string) error {
	s.set = text == "true"
	return s.cmd.Flags().Set("help", text)
}

// bindHelp makes the commands below root show their flags in groups, and gives --help-all to those
// with many.
func bindHelp(root *cobra.Command) {
	plain := root.UsageFunc()
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		if cmd.HasAvailableSubCommands() {
			return plain(cmd)
		}
		return writeUsage(cmd.OutOrStderr(), cmd)
	})
	for _, cmd := range root.Commands() {
		n := 0
		cmd.Flags().VisitAll(func(*pflag.Flag) { n++ })
		if n >= manyFlags {
			cmd.InitDefaultHelpFlag()
			cmd.Flags().Var(&showAll{cmd: cmd}, helpAll, "help with all flags")
			cmd.Flags().Lookup(helpAll).NoOptDefVal = "true"
		}
	}
}

// writeUsage writes how a command is called: with its basic flags, or with all.
func writeUsage(w io.Writer, cmd *cobra.Command) error {
	all := !many(cmd) || cmd.Flags().Changed(helpAll)
	fmt.Fprintf(w, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, g := range groupsOf(cmd, all) {
		fmt.Fprintf(w, "\n%s:\n%s", g.title, lines(g.FlagSet))
	}
	if !all {
		_, err := fmt.Fprintf(w, "\n%s --help-all lists all flags, %s man %s explains them.\n", cmd.CommandPath(), cmd.Root().Name(), cmd.Name())
		return err
	}
	_, err := fmt.Fprintf(w, "\nAll commands:\n%s", lines(cmd.InheritedFlags()))
	return err
}
