package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// setFlags are the flags of commands that read several sets.
type setFlags struct {
	dir, cache string
	names      []string
}

// asRun says of the kinds of sets what commands that label by the library add.
const asRun = " (the last two as run has them)"

// labelledSets are graphs with labels, graphSets those and one without.
var (
	labelledSets = graphSets[:len(graphSets)-1]
	graphSets    = []string{
		"karate", "football", "cora", "citeseer", "pubmed", "polblogs", "email-eu-core",
		"musae-facebook", "musae-github", "sbm-20000", "dblp-2010",
	}
)

func (f *setFlags) bind(cmd *cobra.Command, names []string, more string) {
	cmd.Flags().StringVar(&f.dir, "data", ".", "folder of the sets")
	cmd.Flags().StringSliceVar(&f.names, "sets", names, "sets: NAME[:CLASSES][@KIND], KIND one of edges, knn, l1, lle, auto, both"+more)
}

func (f *setFlags) bindCache(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.cache, "cache", "", "folder to keep graphs made of features in")
}

// read returns the sets, and refuses an experiment on them that draws nothing: numbers are those of a flag.
func (f *setFlags) read(flag string, numbers []int, draws int) ([]bench.Set, error) {
	sets, err := bench.ParseSets(f.dir, f.names)
	switch {
	case err != nil:
		return nil, usage.Error{Err: err}
	case len(sets) == 0:
		return nil, usage.Errorf("no sets, expected some")
	case len(numbers) == 0:
		return nil, usage.Errorf("--%s has no number, expected some", flag)
	case slices.Min(numbers) < 1:
		return nil, usage.Errorf("--%s %d, expected at least 1", flag, slices.Min(numbers))
	case draws < 1:
		return nil, usage.Errorf("--draws %d, expected at least 1", draws)
	}
	for k := range sets {
		sets[k].Cache = f.cache
	}
	return sets, nil
}

// setInputs are the files of sets, which no output may replace.
func setInputs(sets ...bench.Set) (in []outputs.File) {
	for _, set := range sets {
		for _, file := range set.Files() {
			in = append(in, outputs.File{Flag: "data", Name: file})
		}
	}
	return in
}
