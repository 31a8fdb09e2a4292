package tables

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

func NewInspect(std streams.Stdio) *cobra.Command {
	var g source.Flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect (--edges | --graph | --features) FILE [--labels FILE]",
		Short: "Tell what a graph file holds and what a run on it needs",
		Example: `  adp-sparse inspect --edges graph.tsv.gz
  adp-sparse inspect --edges graph.tsv.gz --labels seeds.tsv --json`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := g.Check(); err != nil {
				return err
			}
			g.Features.Combine, g.Features.Unlabelled = !g.Multilabel, true // keeps the features, whose mixture is estimated
			graph, err := g.Read(cmd.Context(), std)
			if err != nil {
				return err
			}
			defer graph.Close()
			return graph.Guard(func() error { return inspect(std, &g, graph, asJSON) })
		},
	}
	g.Bind(cmd)
	g.BindLimit(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON\nHomophily is absent where no edge joins two labelled nodes.")
	cmd.Flags().BoolVar(&g.Multilabel, "multilabel", false, "nodes may have several labels, a row each")
	return cmd
}

// Inspection is what `inspect` prints.
type Inspection struct {
	Nodes      int            `json:"nodes"`
	Edges      int            `json:"edges"`
	Read       edgelist.Stats `json:"read"`
	Notes      notes.List     `json:"notes,omitempty"`
	LabelNotes notes.List     `json:"labels_notes,omitempty"`
	Built      *opened.Built  `json:"built,omitempty"` // of features
	Components int            `json:"components"`
	Largest    []int          `json:"largest_components"`
	Isolated   int            `json:"isolated"`
	// Degree is in neighbours, Strength in weight: smallest, quartiles, 99 %
	// and largest.
	Degree   [6]float64 `json:"degree"`
	Strength [6]float64 `json:"strength"`

	Classes       []report.Class   `json:"classes,omitempty"`
	LabelsRead    *labelfile.Stats `json:"labels_read,omitempty"`
	Seedless      int              `json:"components_without_seed,omitempty"`
	SeedlessNodes int              `json:"nodes_without_seed,omitempty"`
	// Labelled is the share of the weight between two labelled nodes, Homophily the share of that
	// weight between equal labels: of several, one in common; of soft ones, the largest. Both are
	// nil without labels, Homophily also without an edge between labelled nodes.
	Homophily *float64 `json:"homophily,omitempty"`
	Labelled  *float64 `json:"labelled_weight,omitempty"`

	// Bytes are what run estimates for each method, of the labels or of ten for each of 10 classes.
	ClassesAssumed int              `json:"classes_assumed"`
	Bytes          map[string]int64 `json:"estimated_bytes"`
}

func inspect(std streams.Stdio, g *source.Flags, graph *opened.Graph, asJSON bool) (err error) {
	var labels *labelfile.Labels
	if g.Labels != "" {
		if labels, err = g.ReadLabels(std, graph); err != nil {
			return err
		}
	}
	if err := g.Memory.Admits("inspect", max(graph.Peak, graph.Held()+28*int64(graph.IDs.Len()))); err != nil {
		return err
	}
	facts, err := inspectGraph(graph, labels, g)
	if err != nil {
		return err
	}
	report.Notes(graph, labels).Print(std.Err)
	if asJSON {
		return report.PrintJSON(std.Out, facts)
	}
	return facts.print(std.Out)
}

func inspectGraph(graph *opened.Graph, labels *labelfile.Labels, g *source.Flags) (facts *Inspection, err error) {
	of, sizes := csr.Components(graph.W, g.Threads)
	n := graph.IDs.Len()
	facts = &Inspection{
		Nodes: n, Edges: graph.W.NNZ() / 2, Read: graph.Read, Notes: graph.Notes, Built: graph.Built, Components: len(sizes), Isolated: report.CountOnes(sizes),
		ClassesAssumed: 10, Bytes: map[string]int64{},
	}
	seeds := assumedSeeds(n, facts.ClassesAssumed)
	if labels != nil {
		if seeds, err = facts.addLabels(n, of, sizes, labels); err != nil {
			return nil, err
		}
		facts.measureHomophily(graph.W, labels.Seeds, g.Multilabel)
	}
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
	facts.Largest = sizes[:min(5, len(sizes))]
	degrees := make([]float64, n)
	for i := range degrees {
		cols, _ := graph.W.Row(i)
		degrees[i] = float64(len(cols))
	}
	facts.Degree = quantiles(degrees)
	facts.Strength = quantiles(csr.Degrees(graph.W, g.Threads))
	for _, method := range []adp.Method{adp.ADP, adp.LGC} {
		work := needs.Work{Opt: methodflags.PlainRun(g.Threads).Run}
		if work.Opt.Method = method; method.Has(adp.Tries) && seeds.Classes > 1 {
			work.Input = graph.Mixes(seeds)
		}
		facts.Bytes[method.String()] = work.Estimate(graph, seeds.Classes)
	}
	return facts, nil
}

// assumedSeeds are ten of each class, as far as there are nodes: memory depends on numbers alone.
func assumedSeeds(n, classes int) *diffuse.Seeds {
	var list []diffuse.Seed
	for i := range min(n, 10*classes) {
		list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(i % classes), Weight: 1})
	}
	seeds, _ := diffuse.NewSeeds(n, classes, list) // of as many classes as said
	return seeds
}

func (facts *Inspection) addLabels(n int, of []uint32, sizes []int, labels *labelfile.Labels) (*diffuse.Seeds, error) {
	seeds, err := diffuse.NewSeeds(n, len(labels.Classes), labels.Seeds)
	if err != nil {
		return nil, err
	}
	facts.LabelsRead, facts.LabelNotes = &labels.Stats, labels.Notes
	facts.ClassesAssumed = seeds.Classes
	for j, count := range seeds.PerClass() {
		facts.Classes = append(facts.Classes, report.Class{Label: labels.Classes[j], Seeds: count})
	}
	seeded := map[uint32]bool{}
	for _, seed := range seeds.List() {
		seeded[of[seed.Node]] = true
	}
	for c, size := range sizes {
		if !seeded[uint32(c)] {
			facts.Seedless++
			facts.SeedlessNodes += size
		}
	}
	return seeds, nil
}

// measureHomophily fills Homophily and Labelled. Of soft labels the largest counts, of several all.
func (facts *Inspection) measureHomophily(w *csr.Matrix, seeds []diffuse.Seed, several bool) {
	labels, largest := make(map[uint32][]uint32, len(seeds)), make(map[uint32]float32)
	for _, s := range seeds {
		switch {
		case several:
			labels[s.Node] = append(labels[s.Node], s.Class)
		case s.Weight > largest[s.Node]:
			labels[s.Node], largest[s.Node] = []uint32{s.Class}, s.Weight
		}
	}
	n, _ := w.Dims()
	all, labelled, equal := 0.0, 0.0, 0.0
	for i := range n {
		mine := labels[uint32(i)]
		cols, vals := w.Row(i)
		for k, j := range cols {
			v := float64(vals[k])
			all += v
			other := labels[j]
			if mine == nil || other == nil {
				continue
			}
			labelled += v
			if slices.ContainsFunc(mine, func(class uint32) bool { return slices.Contains(other, class) }) {
				equal += v
			}
		}
	}
	facts.Labelled = new(float64)
	if labelled > 0 {
		equal /= labelled
		facts.Homophily, *facts.Labelled = &equal, labelled/all
	}
}

// quantiles sorts v and returns its smallest value, quartiles, 99 % and
// largest value.
func quantiles(v []float64) (q [6]float64) {
	slices.Sort(v)
	for k, p := range [6]float64{0, 0.25, 0.5, 0.75, 0.99, 1} {
		q[k] = v[int(p*float64(len(v)-1))]
	}
	return q
}

func (facts *Inspection) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t"+format+"\n", append([]any{name}, args...)...)
	}
	row("nodes", "%s", figures.Count(facts.Nodes))
	row("edges", "%s (from %s lines)", figures.Count(facts.Edges), figures.Count(facts.Read.Edges))
	row("duplicates", "%s merged", figures.Count(facts.Read.Duplicates))
	row("self-loops", "%s dropped", figures.Count(facts.Read.SelfLoops))
	row("weight 0", "%s dropped", figures.Count(facts.Read.ZeroWeight))
	if text := report.NotesText(facts.Notes, facts.LabelNotes, facts.Built); text != "" {
		row("read", "%s", text)
	}
	row("components", "%s, largest %v; %s isolated nodes", figures.Count(facts.Components), facts.Largest, figures.Count(facts.Isolated))
	row("", "least\t25 %%\t50 %%\t75 %%\t99 %%\tmost")
	for _, line := range []struct {
		name string
		q    [6]float64
	}{{"degree", facts.Degree}, {"strength", facts.Strength}} {
		row(line.name, "%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g", line.q[0], line.q[1], line.q[2], line.q[3], line.q[4], line.q[5])
	}
	if facts.LabelsRead != nil {
		row("seedless", "%s components with %s nodes have no seed", figures.Count(facts.Seedless), figures.Count(facts.SeedlessNodes))
		row("labels", "%s lines, %s of unknown nodes", figures.Count(facts.LabelsRead.Lines), figures.Count(facts.LabelsRead.Unknown))
		if n := facts.LabelsRead.MissingLike; n > 0 {
			row("", "%s like unknown ones: %s; --missing makes them none", figures.Counted(n, "label"), facts.LabelsRead.MissingTexts)
		}
		if facts.Homophily != nil {
			row("homophily", "%.4f of the weight between labelled nodes joins equal labels; %.3g of all weight is between labelled nodes", *facts.Homophily, *facts.Labelled)
		} else {
			row("homophily", "– (no edge joins two labelled nodes)")
		}
		for _, c := range facts.Classes {
			row("class", "%s\t%s", streams.Shown(c.Label), figures.Counted(c.Seeds, "seed"))
		}
	}
	assumed := ""
	if facts.LabelsRead == nil {
		assumed = " of ten known labels"
	}
	row("memory", "%s for adp, %s for lgc, with %d classes%s", figures.Bytes(facts.Bytes["adp"]), figures.Bytes(facts.Bytes["lgc"]), facts.ClassesAssumed, assumed)
	return t.Flush()
}
