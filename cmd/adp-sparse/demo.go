package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

//go:embed karate.edges.tsv
var karateEdges []byte

//go:embed karate.labels.tsv
var karateLabels []byte

// demoSeeds are the two whose quarrel split the club: the instructor Mr. Hi
// and the officer.
const demoSeeds = "0 Mr.Hi\n33 Officer\n"

func newDemo(std streams.Stdio) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Label the karate club from two of its members",
		Long: `Zachary's karate club (34 members, 78 friendships) split in two after a quarrel
between its instructor (member 0) and its officer (member 33). The demo knows
the side of these two and finds the side of the other 32 from the friendships.
The data are inside the program.`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), std.Out) },
	}
}

// demoMethods are shown side by side.
var demoMethods = []struct {
	name string
	opt  adp.Options
}{
	{"adp", adp.Options{}},
	{"lgc", adp.Options{Method: adp.LGC}},
	{"lgc --balance none", adp.Options{Method: adp.LGC, Balance: diffuse.Unbalanced}},
	{"gfhf", adp.Options{Method: adp.GFHF}},
}

func demo(ctx context.Context, w io.Writer) error {
	graph, err := edgelist.Read(bytes.NewReader(karateEdges), "karate.edges.tsv", edgelist.Options{})
	if err != nil {
		return err
	}
	truth, err := labelfile.Read(bytes.NewReader(karateLabels), "karate.labels.tsv", graph.IDs, labelfile.Options{})
	if err != nil {
		return err
	}
	known, err := labelfile.Read(strings.NewReader(demoSeeds), "seeds", graph.IDs, labelfile.Options{})
	if err != nil {
		return err
	}
	seeds, err := diffuse.NewSeeds(graph.IDs.Len(), len(known.Classes), known.Seeds)
	if err != nil {
		return err
	}
	side := make([]int32, graph.IDs.Len())
	for _, s := range truth.Seeds {
		side[s.Node] = int32(s.Class)
	}
	results := make([]*adp.Result, len(demoMethods))
	for k, m := range demoMethods {
		if results[k], err = adp.Run(ctx, graph.W, seeds, m.opt); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "Zachary's karate club: %d members, %d friendships, 2 known sides, %d to find.\n\n", graph.IDs.Len(), graph.W.NNZ()/2, graph.IDs.Len()-2)
	demoMembers(w, graph, known.Classes, side, results[0])
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "method\tright of 32\tweight of ties inside the found sides")
	for k, m := range demoMethods {
		accuracy, nodes := score.Accuracy(results[k].Labels, side, seeds.Mask())
		fmt.Fprintf(t, "%s\t%.0f\t%.3f\n", m.name, accuracy*float64(nodes), report.InsideShare(diffusedOn(results[k]), report.SameLabel(results[k].Labels)))
	}
	return t.Flush()
}

// diffusedOn returns S of the graph of the result: the ties that labels diffuse over.
func diffusedOn(r *adp.Result) *csr.Matrix { return diffuse.Normalize(r.Graph, 1).S }

// demoMembers prints a row a member: its label, margin and strongest ties.
func demoMembers(w io.Writer, graph *edgelist.Graph, classes []string, side []int32, r *adp.Result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	s := diffusedOn(r)
	fmt.Fprintln(t, "member\tlabel\tmargin\t\tstrongest ties\ttook the side of")
	for i, label := range r.Labels {
		bar := "known"
		if r.Status[i] != adp.Seed {
			bar = strings.Repeat("█", int(20*r.Margin[i]+0.5))
		}
		actual := classes[side[i]]
		if side[i] != label {
			actual += "  ← wrong"
		}
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%s\t%s\t%s\n", graph.IDs.Name(i), classes[label], r.Margin[i], bar, demoTies(graph, s, i), actual)
	}
	t.Flush()
}

// demoTies names the three other nodes with the largest weights in row i of s.
func demoTies(graph *edgelist.Graph, s *csr.Matrix, i int) string {
	cols, vals := s.Row(i)
	used := map[int]bool{}
	var names []string
	for len(names) < 3 {
		best := -1
		for k, j := range cols {
			if int(j) != i && !used[k] && (best < 0 || vals[k] > vals[best]) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		used[best] = true
		names = append(names, graph.IDs.Name(int(cols[best])))
	}
	return strings.Join(names, " ")
}
