// Package tables has the commands that read and write graphs and tables of labels, and run no
// method on them: convert, knn, partition, inspect, gen and eval.
package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
)

// convertFlags are the flags of `convert`.
type convertFlags struct {
	source.Flags
	out, nodesOut string
	report, limit string
	memory        int64
	quiet         bool
}

func NewConvert(std streams.Stdio) *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert (--edges | --graph) FILE --out FILE",
		Short: "Write a graph in another format",
		Long: usage.Wrap("Write a graph in another format: "+format.ConvertHelp()+" docs/formats.md has an example of each.", 81) + `

From an edge list to .csr the graph is never whole in memory; with
--memory-limit it may be any number of times larger. Temporary files are then
made beside the output and need up to 28 bytes a line (40 with weights).`,
		Example: `  adp-sparse convert --edges graph.tsv.gz --out graph.csr --memory-limit 8GiB
  adp-sparse convert --graph graph.mtx --out graph.tsv.zst
  adp-sparse convert --graph graph.csr --out graph.npz
  adp-sparse convert --edges friends.tsv --out graph.npz --nodes-out names.txt
  adp-sparse convert --graph network.graphml --weight-key strength --out edges.parquet
  adp-sparse convert --edges edges.parquet --columns from,to,n --out graph.graph`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.run(cmd.Context(), std)
		},
	}
	f.BindFiles(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "the graph: an edge list or another format by its ending\n"+format.OutHelp()+".")
	opened.BindNodesOut(cmd, &f.nodesOut)
	flags.StringVar(&f.limit, "memory-limit", "", "memory to use, such as 8GiB (default: the need)\nFor --edges and --out FILE.csr.")
	flags.StringVar(&f.report, "report", "", "counts of the files read and written, as JSON")
	flags.BoolVar(&f.quiet, "quiet", false, "no summary on standard error")
	return cmd
}

func (f *convertFlags) check() (err error) {
	switch {
	case (f.Edges == "") == (f.Graph == ""):
		return usage.Errorf("say where the graph is, once: --edges FILE or --graph FILE")
	case f.out == "":
		return usage.Errorf("say where the graph goes: --out FILE")
	}
	if f.limit != "" {
		if !f.streams() {
			return usage.Errorf("--memory-limit is for --edges FILE and --out FILE.csr; other formats are made in memory")
		}
		if f.memory, err = limit.ParseBytes(f.limit, limit.LeastStreamed); err != nil {
			return err
		}
		debug.SetMemoryLimit(f.memory)
	}
	if err := cmp.Or(format.CheckWritten("out", f.out, true), format.CheckReport(f.report, false)); err != nil {
		return err
	}
	return f.CheckFiles()
}

// streams reports whether the graph goes from edges to the file row by row.
func (f *convertFlags) streams() bool {
	of, _ := format.ByFlag("edges", f.Edges)
	return f.Edges != "" && of == format.EdgeList && format.IsPlainCSR(f.out)
}

// converted is what --report writes.
type converted struct {
	Version   string             `json:"version"`
	Nodes     int                `json:"nodes"`
	Entries   int64              `json:"entries"`
	Read      edgelist.Stats     `json:"read"`
	Notes     notes.List         `json:"notes,omitempty"`
	Warnings  report.Warnings    `json:"warnings"` // see docs/errors.md
	Seconds   map[string]float64 `json:"seconds"`
	PeakBytes int64              `json:"peak_bytes"`
}

func (f *convertFlags) run(ctx context.Context, std streams.Stdio) error {
	clock := clock.New()
	r := &converted{Version: program.Version(), Warnings: report.Warnings{}}
	err := outputs.With(std, f.Inputs(), []outputs.File{{Flag: "out", Name: f.out}, {Flag: "nodes-out", Name: f.nodesOut}, {Flag: "report", Name: f.report}}, func(out *outputs.Set) (err error) {
		out.Stops = true
		if f.streams() {
			err = f.stream(ctx, std, out, r, clock)
		} else {
			err = f.writeCopy(ctx, std, out, r, clock)
		}
		if err != nil {
			return err
		}
		clock.Lap("write")
		r.Seconds, r.PeakBytes = clock.Seconds, machine.PeakResident()
		r.Warnings.AddRead(r.Read)
		r.Warnings.AddNotes("edges", r.Notes)
		return report.WriteJSON(out, f.report, r)
	})
	if err != nil || f.quiet {
		return err
	}
	t := tabwriter.NewWriter(std.Err, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "graph\t%s nodes, %s entries\n", figures.Count(r.Nodes), figures.Count(int(r.Entries)))
	if text := report.NotesText(r.Notes, nil, nil); text != "" {
		fmt.Fprintf(t, "read\t%s\n", text)
	}
	fmt.Fprintf(t, "memory\t%s peak\n", figures.Bytes(r.PeakBytes))
	fmt.Fprintf(t, "time\t%.2f s: read %.2f, write %.2f\n", r.Seconds["total"], r.Seconds["read"], r.Seconds["write"])
	t.Flush()
	r.Warnings.Print(std.Err)
	return nil
}

// stream writes a .csr file of an edge list, row by row.
func (f *convertFlags) stream(ctx context.Context, std streams.Stdio, to *outputs.Set, r *converted, clock *clock.Stopwatch) error {
	opt := f.EdgeOptions()
	opt.Memory, opt.Dir = f.memory, filepath.Dir(f.out)
	if f.memory > 0 {
		opt.Memory, opt.Most = f.memory-limit.RuntimeBytes, 0 // the rest goes to temporary files
	}
	return inputs.Read(f.Edges, std, func(in io.Reader, name string, size int64) error {
		head, in := format.Peek(in, size)
		if of, err := format.Decide("edges", f.Edges, head); err != nil {
			return err
		} else if of != format.EdgeList {
			return usage.Errorf("--edges %s is %s; name it %s", name, of.What, of.Endings[0])
		}
		list, err := edgelist.Parse(in, name, opt)
		if errors.Is(err, edgelist.ErrMemory) {
			return opened.TooMuch(f.Flags.Memory, err, opened.LessForEdges)
		}
		if err != nil {
			return err
		}
		defer list.Close()
		clock.Lap("read")
		return to.WriteAt(f.out, func(out *outfile.Output) error {
			b, err := list.Builder(ctx)
			if err != nil {
				return err
			}
			entries, stats, err := store.Build(ctx, out, b, list.IDs)
			if err := list.Built(stats, err); err != nil {
				return format.NameError(f.out, err)
			}
			r.Nodes, r.Entries, r.Read, r.Notes = list.IDs.Len(), entries, list.Stats, list.Notes.Reword(exits.AsFlags.Replace)
			return opened.WriteNodes(to, f.nodesOut, list.IDs)
		})
	})
}

// writeCopy reads a graph into memory and writes it.
func (f *convertFlags) writeCopy(ctx context.Context, std streams.Stdio, to *outputs.Set, r *converted, clock *clock.Stopwatch) error {
	g, err := f.Read(ctx, std)
	if err != nil {
		return err
	}
	defer g.Close()
	clock.Lap("read")
	return g.Guard(func() error { return f.write(to, g, r) })
}

func (f *convertFlags) write(to *outputs.Set, g *opened.Graph, r *converted) error {
	if err := format.CheckNamed("out", f.out, f.nodesOut, g.IDs); err != nil {
		return err
	}
	if err := opened.WriteNodes(to, f.nodesOut, g.IDs); err != nil {
		return err
	}
	r.Nodes, r.Entries, r.Read, r.Notes = g.IDs.Len(), int64(g.W.NNZ()), g.Read, g.Notes
	return format.WriteGraph(to, f.out, g.W, g.IDs)
}
