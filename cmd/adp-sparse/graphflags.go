package main

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
)

// graphFlags are the flags that say where a graph and labels come from: an
// edge list, a graph file, or features.
type graphFlags struct {
	edges, graph, labels string
	directed             bool
	duplicates           string
	header               string
	labelsHeader         bool
	unknown              string
	threads              int
	features             featureFlags
	memory               memoryLimit // of reading, and of what follows

	duplicatesBy      csr.Duplicates
	headerBy          edgelist.Header
	skipUnknownLabels bool
}

func (g *graphFlags) bind(cmd *cobra.Command) {
	g.bindFiles(cmd)
	f := cmd.Flags()
	f.StringVar(&g.labels, "labels", "", "known labels: id label [weight]")
	f.BoolVar(&g.labelsHeader, "labels-header", false, "the first data line of the labels is a header")
	f.StringVar(&g.unknown, "unknown-labels", "error", "labels of nodes that are not in the graph: error or skip")
	g.features.bind(cmd)
}

// bindFiles binds the flags of graphs that are read from files.
func (g *graphFlags) bindFiles(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&g.edges, "edges", "", "edge list: src dst [weight] (- is standard input; gzip and zstd are recognised)")
	f.StringVar(&g.graph, "graph", "", "graph in a file .csr, .mtx or .npz (scipy); rows of the last two are nodes 0 to n-1")
	f.BoolVar(&g.directed, "directed", false, "a-b and b-a are different edges; then W ← (W+Wᵀ)/2")
	f.StringVar(&g.duplicates, "duplicates", "sum", "edges given more than once: sum, max or error")
	f.StringVar(&g.header, "header", "check", "first data line of the edge list is a header: yes, no, or check")
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
	sources, inputs := 0, 0
	for _, name := range []string{g.edges, g.graph, g.features.file} {
		if name != "" {
			sources++
		}
	}
	for _, name := range []string{g.edges, g.graph, g.features.file, g.labels} {
		if name == "-" {
			inputs++
		}
	}
	if g.features.neighbors != "" && g.features.file == "" {
		sources++
	}
	switch {
	case sources != 1:
		return usagef("say where the graph is, once: --edges FILE, --graph FILE, --features FILE or --neighbors FILE")
	case inputs > 1:
		return usagef("only one input can be standard input")
	}
	if err := g.checkFiles(); err != nil {
		return err
	}
	if g.skipUnknownLabels, err = choose("unknown-labels", g.unknown, map[string]bool{"error": false, "skip": true}); err != nil {
		return err
	}
	return g.features.check()
}

// checkFiles validates the flags of bindFiles.
func (g *graphFlags) checkFiles() (err error) {
	switch {
	case g.threads < 0 || g.threads > 4096:
		return usagef("--threads %d, expected 0 to 4096", g.threads)
	}
	if g.duplicatesBy, err = choose("duplicates", g.duplicates, map[string]csr.Duplicates{
		"sum": csr.DuplicatesSum, "max": csr.DuplicatesMax, "error": csr.DuplicatesError,
	}); err != nil {
		return err
	}
	g.headerBy, err = choose("header", g.header, map[string]edgelist.Header{
		"check": edgelist.HeaderCheck, "yes": edgelist.HeaderYes, "no": edgelist.HeaderNo,
	})
	return err
}

// source is the name of the input that the graph comes from.
func (g *graphFlags) source() string {
	return cmp.Or(g.edges, g.graph, g.features.file, g.features.neighbors)
}

// inputs are all files that are read.
func (g *graphFlags) inputs() []named {
	return append(g.features.inputs(), named{"edges", g.edges}, named{"graph", g.graph}, named{"labels", g.labels})
}

// read reads or builds the graph.
func (g *graphFlags) read(ctx context.Context, std stdio) (*graph, error) {
	switch {
	case g.edges != "":
		return g.readEdges(std)
	case g.graph != "":
		if err := g.memory.holds(g.graph); err != nil {
			return nil, err
		}
		return readGraphFile(g.graph, std, g.directed, g.threads)
	}
	g.features.memory = g.memory
	out, err := g.features.build(ctx, std, g.threads)
	if err == nil && out.KNN.KNN != nil {
		out.KNN.KNN.Found = nil // W is made of them
	}
	return out, err
}

func (g *graphFlags) readEdges(std stdio) (out *graph, err error) {
	err = readInput(g.edges, std, func(r io.Reader, name string, _ int64) error {
		read, err := edgelist.Read(r, name, g.edgeOptions())
		if errors.Is(err, edgelist.ErrMemory) {
			return g.memory.tooMuch(err)
		}
		if err == nil {
			out = &graph{W: read.W, IDs: read.IDs, Read: read.Stats, peak: read.Peak}
		}
		return err
	})
	return out, err
}

func (g *graphFlags) edgeOptions() edgelist.Options {
	return edgelist.Options{Directed: g.directed, Duplicates: g.duplicatesBy, Header: g.headerBy, Threads: g.threads, Most: g.memory.data()}
}

func (g *graphFlags) readLabels(std stdio, graph *graph) (labels *labelfile.Labels, err error) {
	err = readInput(g.labels, std, func(r io.Reader, name string, _ int64) error {
		labels, err = labelfile.Read(r, name, graph.IDs, labelfile.Options{
			Header: g.labelsHeader, SkipUnknown: g.skipUnknownLabels,
		})
		return err
	})
	return labels, err
}
