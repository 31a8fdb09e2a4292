package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
)

// graphFlags are the flags that say where a graph and labels come from.
type graphFlags struct {
	edges, labels     string
	directed          bool
	duplicates        string
	header            string
	labelsHeader      bool
	unknown           string
	threads           int
	duplicatesBy      csr.Duplicates
	headerBy          edgelist.Header
	skipUnknownLabels bool
}

func (g *graphFlags) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&g.edges, "edges", "", "edge list: src dst [weight] (- is standard input; gzip and zstd are recognised)")
	f.StringVar(&g.labels, "labels", "", "known labels: id label [weight]")
	f.BoolVar(&g.directed, "directed", false, "a-b and b-a are different edges; then W ← (W+Wᵀ)/2")
	f.StringVar(&g.duplicates, "duplicates", "sum", "edges given more than once: sum, max or error")
	f.StringVar(&g.header, "header", "check", "first data line of the edge list is a header: yes, no, or check")
	f.BoolVar(&g.labelsHeader, "labels-header", false, "the first data line of the labels is a header")
	f.StringVar(&g.unknown, "unknown-labels", "error", "labels of nodes that are not in the graph: error or skip")
	f.IntVar(&g.threads, "threads", 0, "worker threads; the result does not depend on it (default: all cores)")
}

// choose is a flag with a fixed set of values.
func choose[T any](flag, value string, values map[string]T) (T, error) {
	v, ok := values[value]
	if !ok {
		return v, usagef("--%s %q is not one of its values; see --help", flag, value)
	}
	return v, nil
}

func (g *graphFlags) check() (err error) {
	if g.edges == "" {
		return usagef("say where the graph is: --edges FILE")
	}
	if g.edges == "-" && g.labels == "-" {
		return usagef("only one of --edges and --labels can be standard input")
	}
	if g.threads < 0 || g.threads > 4096 {
		return usagef("--threads %d, expected 0 to 4096", g.threads)
	}
	if g.duplicatesBy, err = choose("duplicates", g.duplicates, map[string]csr.Duplicates{
		"sum": csr.DuplicatesSum, "max": csr.DuplicatesMax, "error": csr.DuplicatesError,
	}); err != nil {
		return err
	}
	if g.headerBy, err = choose("header", g.header, map[string]edgelist.Header{
		"check": edgelist.HeaderCheck, "yes": edgelist.HeaderYes, "no": edgelist.HeaderNo,
	}); err != nil {
		return err
	}
	g.skipUnknownLabels, err = choose("unknown-labels", g.unknown, map[string]bool{"error": false, "skip": true})
	return err
}

func (g *graphFlags) readGraph(std stdio) (graph *edgelist.Graph, err error) {
	err = readInput(g.edges, std, func(r io.Reader, name string) error {
		graph, err = edgelist.Read(r, name, edgelist.Options{
			Directed: g.directed, Duplicates: g.duplicatesBy, Header: g.headerBy, Threads: g.threads,
		})
		return err
	})
	return graph, err
}

func (g *graphFlags) readLabels(std stdio, graph *edgelist.Graph) (labels *labelfile.Labels, err error) {
	err = readInput(g.labels, std, func(r io.Reader, name string) error {
		labels, err = labelfile.Read(r, name, graph.IDs, labelfile.Options{
			Header: g.labelsHeader, SkipUnknown: g.skipUnknownLabels,
		})
		return err
	})
	return labels, err
}
