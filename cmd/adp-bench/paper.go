package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench/baseline"
	"github.com/adp-sparse/adp-sparse/bench/plot"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newPaper(std streams.Stdio) *cobra.Command {
	var out, protocol string
	var sets, methods []string
	var labels []int
	e := baseline.Paper{}
	cmd := &cobra.Command{
		Use:   "paper --data DIR --out DIR",
		Short: "The comparison of the ADP paper: every method that it names, on its sets",
		Long: `Rerun the comparison of Li, An, Li, Liu (IJCAI 2019): tables 1 and 2 as Markdown
and csv, one row a method with the paper's figure beside it, its wall time, and
why the two may differ; figures 1 and 2 as SVG and csv; every draw as csv.

--protocol published takes the published split of a set where there is one:
wikipedia.split.tsv, 2,173 labelled points and 693 to test on.

Sets: coil20, yaleb:15 (table 1, on the l1 graph), coil20@ssc, yaleb:15@ssc (the
same on the graph of the ADP authors' program), orl, orl@l1, wikipedia (table
2, on the neighbour graph but for orl@l1; wikipedia-txt, and wikipedia-img for
GD's teacher), pie, texture25, mpeg7 (figure 2), each as
NAME.features.npy[.gz] and NAME.labels.tsv. A set that is not in the folder is skipped. Methods marked †
in the tables rest on assumptions, which are listed below each.

--methods takes variants too, METHOD@SETTING, which show what a row's figures
depend on: KNN@2,3,4,8,10,raw-3,raw-5,raw-10,lgc; L1@5,100; SPG@5,100;
NNLRS@0,0.01,0.05,0.2,λ=1,λ=1.5,λ=2,λ=3,β=2,lgc;
SSNNLRS@λ=1,λ=1.5,λ=2,λ=3; FAML@all,k=5,0,0.1,ridge=1,sparse,lgc;
RDP@lgc; ADP@program, ADP1@program.

All of it takes hours; the outputs are written again after each row.`,
		Example: "  adp-bench paper --data sets --out paper --sets orl --methods LGC,GGMC,ADP --draws 2",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = baseline.SelectSets(sets); err != nil {
				return usage.Error{Err: err}
			}
			published, err := usage.Choose("protocol", protocol, map[string]bool{"drawn": false, "published": true})
			if err != nil {
				return err
			}
			if len(labels) > 0 && (published || slices.Min(labels) < 1) {
				return usage.Errorf("--labels %v, expected numbers of at least 1, and drawn labels", labels)
			}
			for k, set := range e.Sets {
				switch {
				case published:
					e.Sets[k] = set.Published()
				case len(labels) > 0:
					e.Sets[k].PerClass = labels
				}
			}
			if e.Methods, err = baseline.Select(methods); err != nil {
				return usage.Error{Err: err}
			}
			if e.Draws < 1 || e.Threads < 0 {
				return usage.Errorf("--draws %d and --threads %d, expected at least 1 and at least 0", e.Draws, e.Threads)
			}
			if out == "" {
				return usage.Errorf("--out is needed: the folder that the tables go to")
			}
			return runPaper(cmd, std, e, out)
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.Dir, "data", ".", "folder of the sets")
	f.StringVar(&out, "out", "", "folder that the tables go to; made if it is not there")
	f.StringSliceVar(&sets, "sets", nil, "sets (default all)")
	f.StringSliceVar(&methods, "methods", nil, "methods, by their names in the tables (default all)")
	f.IntSliceVar(&labels, "labels", nil, "labelled points a class (default those of the paper's tables)")
	f.StringVar(&protocol, "protocol", "drawn", "drawn labels, or published: the published splits of the sets that have one")
	f.IntVar(&e.Draws, "draws", 10, "draws of labelled points")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draws")
	f.IntVar(&e.Threads, "threads", 0, "threads of the sparse work; 0 for all (dense work follows GOMAXPROCS)")
	return cmd
}

func runPaper(cmd *cobra.Command, std streams.Stdio, e baseline.Paper, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	e.Skipped = func(s baseline.Set, err error) {
		fmt.Fprintf(std.Err, "%s: skipped: %v\n", s.Name, err)
	}
	e.Row = func(r baseline.Row) {
		fmt.Fprintf(std.Err, "%s %s:", r.Set.Name, r.Method.Name)
		for _, c := range r.Cells {
			mean, sd := c.Mean()
			fmt.Fprintf(std.Err, " %d: %.2f±%.2f", c.PerClass, 100*mean, 100*sd)
		}
		fmt.Fprintf(std.Err, " (%.1f s, %.1f s of a processor)\n", r.Seconds, r.CPU)
	}
	e.Known = func(o *baseline.Outcome) error { return writePaper(o, std, out) }
	outcome, err := e.Run(cmd.Context())
	if err != nil {
		return err
	}
	if len(outcome.Rows) == 0 {
		return usage.Errorf("no set of the paper is in %s", e.Dir)
	}
	return nil
}

func writePaper(o *baseline.Outcome, std streams.Stdio, dir string) error {
	type file struct {
		name  string
		write func(io.Writer) error
	}
	files := []file{
		{"table1.md", func(w io.Writer) error { return o.WriteTable(w, 1) }},
		{"table1.csv", func(w io.Writer) error { return o.WriteTableCSV(w, 1) }},
		{"table2.md", func(w io.Writer) error { return o.WriteTable(w, 2) }},
		{"table2.csv", func(w io.Writer) error { return o.WriteTableCSV(w, 2) }},
		{"figure1.csv", o.WriteFigure1},
		{"figure2.csv", o.WriteFigure2},
		{"draws.csv", o.WriteDraws},
	}
	if len(o.Traces) > 0 {
		files = append(files, file{"figure1.svg", func(w io.Writer) error { return writeFigure(w, "figure1.svg", o.Traces, plot.Convergence) }})
	}
	if cells := o.Figure2(); len(cells) > 0 {
		files = append(files, file{"figure2.svg", func(w io.Writer) error { return writeFigure(w, "figure2.svg", cells, plot.Accuracy) }})
	}
	for _, f := range files {
		if err := outputs.Write(filepath.Join(dir, f.name), std, f.write); err != nil {
			return err
		}
	}
	return nil
}
