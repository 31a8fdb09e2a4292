package tables

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/parts"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// partitionFlags are the flags of `partition`.
type partitionFlags struct {
	source.Flags
	out, reorder, partOf string
	parts                int
	quiet                bool
}

func NewPartition(std streams.Stdio) *cobra.Command {
	var f partitionFlags
	cmd := &cobra.Command{
		Use:   "partition (--edges | --graph) FILE --parts P --out FOLDER",
		Short: "Cut a graph into parts for several processes",
		Long: `Cut a graph into parts for several processes (see docs/cluster.md).

The folder is what "run --graph FOLDER" takes, under mpirun with up to P
processes. Rows are put in the order that one process would work in, and cut
where the parts have about the same work; --part-of takes a partition of METIS
or Scotch instead.`,
		Example: `  adp-sparse partition --graph graph.csr --parts 16 --out graph.parts
  adp-sparse partition --graph graph.csr --parts 16 --part-of graph.metis.part.16 --out graph.parts
  mpirun -n 16 adp-sparse run --graph graph.parts --labels seeds.tsv --out labels.tsv`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.run(cmd.Context(), std)
		},
	}
	f.BindFiles(cmd)
	f.BindLimit(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "the folder to make")
	flags.IntVar(&f.parts, "parts", 0, "how many parts; processes take one or more each")
	flags.StringVar(&f.reorder, "reorder", "auto", fmt.Sprintf("order of the rows: cluster, degree, none or auto\nauto is cluster with at least %d nodes. none gives the bits of run --method lgc.", adp.OrderNodes))
	flags.StringVar(&f.partOf, "part-of", "", "file with the part of each node, from 0 on\nA line each, in the order of nodes.")
	flags.BoolVar(&f.quiet, "quiet", false, "no summary on standard error")
	return cmd
}

func (f *partitionFlags) check() error {
	switch {
	case (f.Edges == "") == (f.Graph == ""):
		return usage.Errorf("say where the graph is, once: --edges FILE or --graph FILE")
	case f.out == "" || f.out == "-":
		return usage.Errorf("say where the parts go: --out FOLDER")
	case f.parts < 1 || f.parts > parts.MostParts:
		return usage.Errorf("--parts %d, expected 1 to %d", f.parts, parts.MostParts)
	}
	if _, err := usage.Choose("reorder", f.reorder, methodflags.Orders); err != nil {
		return err
	}
	return cmp.Or(outputs.CheckInputs(f.Edges, f.Graph, f.Features.Names.File, f.partOf), f.CheckFiles())
}

func (f *partitionFlags) run(ctx context.Context, std streams.Stdio) error {
	g, err := f.Read(ctx, std)
	if err != nil {
		return err
	}
	defer g.Close()
	return g.Guard(func() error { return f.write(ctx, std, g) })
}

func (f *partitionFlags) write(ctx context.Context, std streams.Stdio, g *opened.Graph) error {
	n := g.IDs.Len()
	if blocks := (n + rows.BlockSize - 1) / rows.BlockSize; f.parts > blocks {
		return usage.Errorf("--parts %d, expected at most %d: the graph has %d nodes, and rows are cut in blocks of %d", f.parts, blocks, n, rows.BlockSize)
	}
	sort := methodflags.Orders[f.reorder]
	if sort == adp.AutoOrder && n >= adp.OrderNodes { // parts gain from it on any graph
		sort = adp.ClusterOrder
	}
	entries, nodes := int64(g.W.NNZ()), int64(n)
	bytes := 8*entries + 24*nodes // the rows in their order, and their places
	if sort == adp.ClusterOrder {
		bytes = max(bytes, 16*entries+108*nodes)
	}
	if err := f.Memory.Admits("partition", g.Held()+bytes); err != nil {
		return err
	}
	order, err := adp.Options{Order: sort}.NodeOrder(ctx, g.W)
	if err != nil {
		return err
	}
	var bounds []int
	if f.partOf != "" {
		var of []int
		if err := inputs.Read(f.partOf, std, func(r io.Reader, name string, _ int64) (err error) {
			of, err = readPartOf(r, name, n, f.parts)
			return err
		}); err != nil {
			return err
		}
		order, bounds = dist.Group(order, of, f.parts)
	}
	w, place := g.W, []uint32(nil)
	if order != nil {
		w, place = csr.Permute(g.W, order, f.Threads), make([]uint32, n)
		for at, i := range order {
			place[i] = uint32(at)
		}
	}
	if bounds == nil {
		indptr, _, _ := w.Arrays()
		bounds = dist.Split(indptr, f.parts)
	}
	if err := parts.Write(ctx, f.out, w, g.IDs, place, bounds, f.orderName(order != nil), g.Unchanged); err != nil {
		return format.NameError(f.out, err)
	}
	if !f.quiet {
		summarizeParts(std.Err, w, bounds)
		if text := report.NotesText(g.Notes, nil, nil); text != "" {
			fmt.Fprintf(std.Err, "read   %s\n", text)
		}
		var found report.Warnings
		found.AddRead(g.Read)
		found.AddNotes("edges", g.Notes)
		found.Print(std.Err)
	}
	return nil
}

// orderName says how the rows are ordered.
func (f *partitionFlags) orderName(moved bool) string {
	name := f.reorder
	switch {
	case f.partOf != "":
		name += ", by parts of a file"
	case !moved:
		name = "none"
	case name == "auto":
		name = "cluster"
	}
	return name
}

// readPartOf reads the part of each of n nodes.
func readPartOf(r io.Reader, name string, n, most int) ([]int, error) {
	of := make([]int, 0, n)
	in := numtext.NewScanner(r, name)
	in.KeepBlank = true
	for in.Scan() {
		text := bytes.Join(in.Fields(), []byte(" "))
		part, err := strconv.Atoi(string(text))
		if err != nil || part < 0 || part >= most {
			return nil, in.Errorf("%s, expected a part from 0 to %d", lines.Quote(text), most-1)
		}
		if len(of) == n {
			return nil, in.Errorf("a line more than the %d nodes", n)
		}
		of = append(of, part)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(of) != n {
		return nil, &lines.Error{File: name, Msg: fmt.Sprintf("%d lines, expected one for each of %d nodes", len(of), n)}
	}
	return of, nil
}

// summarizeParts writes how even the parts are, and how many rows they exchange.
func summarizeParts(to io.Writer, w *csr.Matrix, bounds []int) {
	n, _ := w.Dims()
	halo, entries := make([]int, len(bounds)-1), make([]int, len(bounds)-1)
	total := 0
	for k := range halo {
		own := csr.Slice(w, bounds[k], bounds[k+1])
		halo[k], entries[k] = dist.HaloRows(own, bounds[k]), own.NNZ()
		total += halo[k]
	}
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "graph\t%s nodes, %s entries\n", figures.Count(n), figures.Count(w.NNZ()))
	fmt.Fprintf(t, "parts\t%d, the largest with %.2f times the mean of entries; rows are cut in blocks of %d\n", len(halo), float64(slices.Max(entries))*float64(len(halo))/float64(max(w.NNZ(), 1)), rows.BlockSize)
	fmt.Fprintf(t, "halo\t%s rows, %.3g of the nodes; at most %s in a part\n", figures.Count(total), float64(total)/float64(n), figures.Count(slices.Max(halo)))
	t.Flush()
}
