package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// LabelSteps is an experiment: labels spread over a set's graph to a relative
// residual, beside scikit-learn's LabelSpreading where the set has features and
// networkx where it has edges, in turn; and the whole way from the file to the
// labels, each as a process.
//
// The peers do as many iterations as the residual takes on their own matrix
// (bench/peers/fstep.py). scikit-learn's graph is not ours: k neighbours a
// point, directed, without weights.
type LabelSteps struct {
	Program   string // path of the binary
	Set       Set
	PerClass  int
	Alpha     float64
	Tolerance float64
	K         int // neighbours, where the graph is made of features
	Threads   int
	Rounds    int
	Seed      uint64
	Peers     string // folder of the peers' sources; empty for none
	Python    string
	Args      []string // further arguments of run
	Log       func(format string, args ...any)
}

// LabelStepTimes is what was measured: runs by program.
type LabelStepTimes struct {
	Set                     string
	Nodes, Entries, Classes int
	Threads                 int
	Iterations              int // of conjugate gradients
	Runs                    map[string][]sample
}

// The contestants of this program.
const (
	ourIterate = ours + " iterate"
	ourWhole   = ours + " whole"
)

// Run does the experiment.
func (e LabelSteps) Run(ctx context.Context) (t *LabelStepTimes, err error) {
	g, err := e.Set.Load(ctx)
	if err != nil {
		return nil, err
	}
	seeds := g.seeds(e.PerClass, e.Seed)
	classes := g.classes()
	y, err := diffuse.NewSeeds(len(g.Truth), classes, slices.Clone(seeds))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "adp-sparse-bench")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	seedFile := filepath.Join(dir, "seeds.tsv")
	if err := os.WriteFile(seedFile, seedLines(g, seeds), 0o644); err != nil {
		return nil, err
	}
	t = &LabelStepTimes{Set: e.Set.Name, Nodes: y.Nodes, Entries: g.W.NNZ(), Classes: classes, Threads: e.Threads}

	graph := diffuse.Normalize(g.W, e.Threads)
	work := diffuse.NewWorkspace(y.Nodes, classes, e.Threads)
	f := csr.NewDense(y.Nodes, classes)
	opt := diffuse.Options{Alpha: e.Alpha, Tolerance: e.Tolerance, Balance: diffuse.Unbalanced, Threads: e.Threads}
	whole, err := e.whole(ctx, dir, seedFile, g)
	if err != nil {
		return nil, err
	}
	all := []contestant{whole, {ourIterate, func() (sample, error) {
		return timed(func() (float64, error) {
			clear(f.Data)
			stats, err := work.LGC(ctx, f, graph, graph.Degrees, y, opt)
			t.Iterations = stats.Iterations
			return 0, err
		})
	}}}
	p, err := e.start(ctx, dir, seedFile, seeds)
	if err != nil {
		return nil, err
	}
	if p != nil {
		defer p.stop()
		all = append(all, p.contestants()...)
	}
	t.Runs, err = alternate(ctx, e.Rounds, false, all, func(name string, s sample) error {
		e.Log("%s: %s s, CPU %s s, %s MiB", name, seconds(s.Wall), seconds(s.CPU), mebibytes(s.Peak))
		return nil
	})
	return t, err
}

// classes is the number of classes of the seeds.
func (g *Graph) classes() int {
	if len(g.Classes) == 0 {
		return madeUpClasses
	}
	return len(g.Classes)
}

// seeds draws labelled nodes, or makes some up for a set without labels.
func (g *Graph) seeds(perClass int, seed uint64) []diffuse.Seed {
	if len(g.Classes) == 0 {
		return madeUp(len(g.Truth))
	}
	return Draw(g.Truth, len(g.Classes), perClass, seed, 0)
}

// whole returns the contestant that runs the program on the set's file.
func (e LabelSteps) whole(ctx context.Context, dir, seedFile string, g *Graph) (contestant, error) {
	var input []string
	if e.Set.FromFeatures() {
		var err error
		if input, err = e.Set.input(); err != nil {
			return contestant{}, err
		}
		input = append(input, "--k", fmt.Sprint(e.K))
	} else {
		path, err := plainEdges(dir, g)
		if err != nil {
			return contestant{}, err
		}
		input = []string{"--edges", path}
	}
	args := slices.Concat([]string{
		"--labels", seedFile, "--method", "lgc", "--alpha", fmt.Sprint(e.Alpha), "--tolerance", fmt.Sprint(e.Tolerance),
		"--threads", fmt.Sprint(e.Threads),
	}, input, e.Args)
	return contestant{ourWhole, func() (sample, error) {
		s, _, err := wholeRun(ctx, e.Program, dir, args...)
		return s, err
	}}, nil
}

// plainEdges writes the graph as an edge list that is not compressed.
func plainEdges(dir string, g *Graph) (path string, err error) {
	path = filepath.Join(dir, "edges.tsv")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(edgelist.Write(f, g.W, g.IDs, '\t'), f.Close())
}

// runFacts is what a benchmark takes of a run's report.
type runFacts struct {
	Graph     struct{ Nodes, Edges int }
	Labels    struct{ Classes int }
	Rounds    []struct{}
	Chosen    int                     `json:"chosen_round"`
	Estimated int64                   `json:"estimated_bytes"`
	Peak      int64                   `json:"peak_bytes"`
	Seconds   map[string]float64      `json:"seconds"` // by phase ([clock.Phases])
	Warnings  []struct{ Code string } `json:"warnings"`
}

// wholeRun runs `adp-sparse run` as a process and reads its report.
func wholeRun(ctx context.Context, program, dir string, args ...string) (s sample, facts runFacts, err error) {
	report := filepath.Join(dir, "report.json")
	args = append([]string{"run", "--out", filepath.Join(dir, "labels.tsv"), "--report", report, "--quiet"}, args...)
	if s, err = child(ctx, program, args...); err != nil {
		return s, facts, err
	}
	err = readJSON(report, &facts)
	s.Peak = facts.Peak
	return s, facts, err
}

func readJSON(path string, to any) error {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	return err
}

// start starts the peer for the kind of the set, nil where it cannot run here.
func (e LabelSteps) start(ctx context.Context, dir, seedFile string, seeds []diffuse.Seed) (*peer, error) {
	if e.Peers == "" {
		return nil, nil
	}
	p := peers{Folder: e.Peers, Python: e.Python, Log: e.Log}
	numbers := []string{fmt.Sprint(e.Alpha), fmt.Sprint(e.Tolerance)}
	if !e.Set.FromFeatures() {
		command := p.script(ctx, "networkx", "fstep.py", "networkx", "scipy")
		if command == nil {
			return nil, nil
		}
		return startPeer(ctx, "networkx", slices.Concat(command, []string{"networkx", filepath.Join(dir, "edges.tsv"), seedFile}, numbers)...)
	}
	command := p.script(ctx, "scikit-learn", "fstep.py", "sklearn", "scipy")
	if command == nil {
		return nil, nil
	}
	x, err := e.Set.readFeatures()
	if err != nil {
		return nil, err
	}
	if x.Dense == nil {
		e.Log("scikit-learn is left out: sparse features")
		return nil, nil
	}
	labels := make([]int64, x.Dense.Rows)
	for i := range labels {
		labels[i] = -1
	}
	for _, s := range seeds {
		labels[s.Node] = int64(s.Class)
	}
	if err := errors.Join(writeArray(dir, "x.f32", x.Dense.Data), writeArray(dir, "labels.i64", labels)); err != nil {
		return nil, err
	}
	return startPeer(ctx, "scikit-learn", slices.Concat(command, []string{"sklearn", dir, fmt.Sprint(x.Dense.Rows), fmt.Sprint(x.Dense.Cols), fmt.Sprint(e.K)}, numbers, []string{fmt.Sprint(e.Threads)})...)
}

// Write writes a row a program: the step alone, and whole ways.
func (t *LabelStepTimes) Write(w io.Writer) error {
	table := NewTable("set", "nodes", "entries", "classes", "threads", "program", "s", "CPU s", "peak MiB", "s / ours", "CPU / ours", "peak / ours")
	for _, name := range byFirst(slices.Collect(maps.Keys(t.Runs))) {
		us := ourIterate
		if strings.HasSuffix(name, " whole") {
			us = ourWhole
		}
		runs, own := t.Runs[name], t.Runs[us]
		shown, memory := mebibytes(peakOf(runs)), "–"
		if peakOf(own) > 0 && peakOf(runs) > 0 {
			memory = number("%.1f", float64(peakOf(runs))/float64(peakOf(own)))
		}
		if us == ourIterate {
			shown = "–" // the process holds more than the step
		}
		if name == ourIterate {
			name += fmt.Sprintf(" (CG, %d products)", t.Iterations)
		}
		table.Add(t.Set, fmt.Sprint(t.Nodes), fmt.Sprint(t.Entries), fmt.Sprint(t.Classes), fmt.Sprint(t.Threads), name,
			seconds(medianOf(runs, wallOf)), seconds(medianOf(runs, cpuOf)), shown,
			number("%.2f", ratioOf(runs, own, wallOf)), number("%.2f", ratioOf(runs, own, cpuOf)), memory)
	}
	return table.Write(w)
}
