package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// flagGroups are the flags of commands that have many, in the order in which help and
// manual pages show them. Each is in one group.
var flagGroups = []struct{ title, flags string }{
	{"Used most", "edges features labels out report"},
	{"Graph", "graph columns comment header directed bipartite duplicates weight-key name-key nodes index-base"},
	{"Labels", "label-column label-id label-weight labels-header unknown-labels missing match multilabel label-share"},
	{"Vectors from a file", "points format array id-column feature-columns drop-columns neighbors distances similarities"},
	{"Graph of vectors", "k graph-kind metric scale weights knn recall symmetrize connect gamma feature-share"},
	{"Method", "method alpha balance class-prior warm solver tolerance max-iterations faint"},
	{"Learned graph", "combine select rounds topk graph-alpha anchor zeta harden hubs diagnose"},
	{"What to try", "methods alphas zetas topks graph-kinds ks metrics scales feature-shares folds repeats"},
	{"What to explain", "learned node top"},
	{"What to suggest", "count"},
	{"Parts", "parts part-of"},
	{"Random graph", "kind degree classes inside lambda mu dims seeds-per-class"},
	{"Confidence", "proba min-confidence calibrate"},
	{"Service", "items items-id items-root items-image image-shape listen token-file request-timeout"},
	{"Result files", "graph-out nodes-out neighbors-out distances-out features-out labels-out seeds-out model pictures json csv-safe"},
	{"Limits and running", "threads memory-limit block scratch reorder checkpoint checkpoint-every resume require-converged seed quiet help"},
}

// otherFlags is the title of flags that are in no group.
const otherFlags = "Other"

// manyFlags is the least number of flags that are shown in groups.
const manyFlags = 16

// flagGroup is a group of the flags of a command.
type flagGroup struct {
	title string
	*pflag.FlagSet
}

// groupsOf returns the flags of a command by group; nil where they are few.
func groupsOf(cmd *cobra.Command) (groups []flagGroup) {
	flags := cmd.NonInheritedFlags()
	left := map[string]bool{}
	flags.VisitAll(func(flag *pflag.Flag) { left[flag.Name] = !flag.Hidden })
	if len(left) < manyFlags {
		return nil
	}
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
			groups = append(groups, flagGroup{title, group})
		}
	}
	for _, g := range flagGroups {
		add(g.title, strings.Fields(g.flags))
	}
	add(otherFlags, usage.FlagNames(cmd))
	return groups
}

// helpWidth is the width of a line of help on flags in groups.
const helpWidth = 110

// usageInGroups makes a command and those below it show many flags in groups.
func usageInGroups(root *cobra.Command) {
	plain := root.UsageFunc()
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		groups := groupsOf(cmd)
		if groups == nil {
			return plain(cmd)
		}
		w := cmd.OutOrStderr()
		fmt.Fprintf(w, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
		for _, g := range groups {
			fmt.Fprintf(w, "\n%s:\n%s", g.title, g.FlagUsagesWrapped(helpWidth))
		}
		_, err := fmt.Fprintf(w, "\nAll commands:\n%s", cmd.InheritedFlags().FlagUsagesWrapped(helpWidth))
		return err
	})
}
