package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// Runs is an experiment: whole runs of the program `adp-sparse run`, each in
// a process of its own, on the files of sets. Labelled nodes are those of the
// published split where the set has one, else PerClass drawn ones; a set
// without labels gets made-up labels on 100 nodes.
type Runs struct {
	Program  string // path of the binary
	Sets     []Set
	Methods  []string
	PerClass int
	Seed     uint64
	Args     []string // further arguments of `run`
	Each     func(RunRecord)
}

// RunRecord is what one run took and found.
type RunRecord struct {
	Set, Method  string
	Nodes, Edges int
	Classes      int
	Rounds       int
	Chosen       int
	Seconds      float64
	PeakBytes    int64
	Estimated    int64
	Accuracy     float64 // on Tested nodes; not counted when Tested is 0
	Tested       int
	Unreached    int // of the tested nodes
	Warnings     []string
}

// Run does the experiment.
func (e Runs) Run(ctx context.Context) ([]RunRecord, error) {
	dir, err := os.MkdirTemp("", "adp-sparse-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var records []RunRecord
	for _, set := range e.Sets {
		g, err := set.Load(ctx)
		if err != nil {
			return nil, err
		}
		seeds, tested, err := e.split(set, g)
		if err != nil {
			return nil, err
		}
		seedFile := filepath.Join(dir, set.Name+".seeds.tsv")
		if err := os.WriteFile(seedFile, seedLines(g, seeds), 0o644); err != nil {
			return nil, err
		}
		for _, method := range e.Methods {
			record, err := e.one(ctx, set, g, method, seedFile, tested)
			if err != nil {
				return nil, fmt.Errorf("set %s, method %s: %w", set.Name, method, err)
			}
			records = append(records, record)
			if e.Each != nil {
				e.Each(record)
			}
		}
	}
	return records, nil
}

// split returns the labelled nodes and the mask of the nodes to test on. Nodes of a
// published split without a true label are neither.
func (e Runs) split(set Set, g *Graph) (seeds []diffuse.Seed, tested []bool, err error) {
	tested = make([]bool, len(g.Truth))
	if len(g.Classes) == 0 {
		return madeUp(len(g.Truth)), tested, nil
	}
	if parts, err := set.parts(g, splitEnding); err == nil && len(parts["train"]) > 0 {
		for _, i := range parts["train"] {
			if g.Truth[i] >= 0 {
				seeds = append(seeds, diffuse.Seed{Node: i, Class: uint32(g.Truth[i]), Weight: 1})
			}
		}
		for _, i := range parts["test"] {
			tested[i] = g.Truth[i] >= 0
		}
		return seeds, tested, nil
	}
	seeds = Draw(g.Truth, len(g.Classes), e.PerClass, e.Seed, 0)
	for i, y := range g.Truth {
		tested[i] = y >= 0
	}
	for _, s := range seeds {
		tested[s.Node] = false
	}
	return seeds, tested, nil
}

// madeUpClasses is the number of classes of [madeUp].
const madeUpClasses = 10

// madeUp puts 100 labels on evenly spaced nodes, or one on each of fewer.
func madeUp(n int) []diffuse.Seed {
	var seeds []diffuse.Seed
	count := min(100, n)
	for k := range count {
		seeds = append(seeds, diffuse.Seed{Node: uint32(k * n / count), Class: uint32(k % madeUpClasses), Weight: 1})
	}
	return seeds
}

func seedLines(g *Graph, seeds []diffuse.Seed) []byte {
	var b bytes.Buffer
	for _, s := range seeds {
		label := fmt.Sprint(s.Class)
		if len(g.Classes) > 0 {
			label = g.Classes[s.Class]
		}
		fmt.Fprintf(&b, "%s\t%s\n", g.IDs.Name(int(s.Node)), label)
	}
	return b.Bytes()
}

// argsFor leaves out --select for methods that have nothing to choose, which refuse it.
func argsFor(method string, args []string) (out []string) {
	of, err := adp.ParseMethod(method)
	for k := 0; k < len(args); k++ {
		switch {
		case err == nil && of.Has(adp.LearnsSparse):
			return args
		case args[k] == "--select":
			k++ // its value
		case !strings.HasPrefix(args[k], "--select="):
			out = append(out, args[k])
		}
	}
	return out
}

// one runs the program once and reads what it wrote.
func (e Runs) one(ctx context.Context, set Set, g *Graph, method, seedFile string, tested []bool) (RunRecord, error) {
	input, err := set.input()
	if err != nil {
		return RunRecord{}, err
	}
	out, reportFile := seedFile+".labels", seedFile+".json"
	args := append([]string{
		"run", "--labels", seedFile, "--out", out, "--report", reportFile, "--method", method, "--quiet",
	}, slices.Concat(input, argsFor(method, e.Args))...)
	cmd := exec.CommandContext(ctx, e.Program, args...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return RunRecord{}, fmt.Errorf("%w: %s", err, text)
	}
	var report runFacts
	if err := readJSON(reportFile, &report); err != nil {
		return RunRecord{}, err
	}
	record := RunRecord{
		Set: set.Name, Method: method, Nodes: report.Graph.Nodes, Edges: report.Graph.Edges, Classes: report.Labels.Classes,
		Rounds: len(report.Rounds) - 1, Chosen: report.Chosen, Seconds: report.Seconds[clock.Total],
		PeakBytes: report.Peak, Estimated: report.Estimated,
	}
	for _, w := range report.Warnings {
		record.Warnings = append(record.Warnings, w.Code)
	}
	return record, record.score(g, out, tested)
}

// input returns the arguments of run that name the set's files.
func (s Set) input() (args []string, err error) {
	if s.classes > 0 {
		return nil, fmt.Errorf("set %s: a part of a set has no file", s.Name)
	}
	var path string
	if !s.FromFeatures() || s.kind == "both" {
		if path, err = s.path(edgeEndings...); err != nil {
			return nil, err
		}
		args = append(args, "--edges", path)
	}
	if !s.FromFeatures() {
		return args, nil
	}
	if path, err = s.path(featureEndings...); err != nil {
		return nil, err
	}
	args = append(args, "--features", path)
	if s.kind == "both" {
		return args, nil // with what run chooses
	}
	if args = append(args, "--graph-kind", s.kind); strings.HasSuffix(path, ".npz") {
		args = append(args, "--metric", "cosine")
	}
	return args, nil
}

// score compares the written labels with the truth.
func (r *RunRecord) score(g *Graph, file string, tested []bool) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	predictions, err := labelfile.ReadPredictions(f, file)
	if err != nil {
		return err
	}
	right := 0
	for _, p := range predictions {
		i, ok := g.IDs.Lookup([]byte(p.Node))
		if !ok {
			return fmt.Errorf("%s: node %q is not in the graph", file, p.Node)
		}
		if !tested[i] {
			continue
		}
		r.Tested++
		switch p.Label {
		case "":
			r.Unreached++
		case g.Classes[g.Truth[i]]:
			right++
		}
	}
	if r.Tested > 0 {
		r.Accuracy = float64(right) / float64(r.Tested)
	}
	return nil
}

// WriteRuns writes the records as a Markdown table, a row a set, with the
// accuracy, time and memory of each method.
func WriteRuns(w io.Writer, records []RunRecord, methods []string) error {
	header := []string{"set", "nodes", "edges", "classes", "tested"}
	for _, m := range methods {
		header = append(header, m+": rounds (result)", "seconds", "peak MiB", "accuracy")
	}
	t := NewTable(header...)
	for k := 0; k < len(records); k += len(methods) {
		r := records[k]
		row := []string{r.Set, fmt.Sprint(r.Nodes), fmt.Sprint(r.Edges), fmt.Sprint(r.Classes), fmt.Sprint(r.Tested)}
		for _, r := range records[k : k+len(methods)] {
			accuracy := "–"
			if r.Tested > 0 {
				accuracy = fmt.Sprintf("%.3f", r.Accuracy)
			}
			row = append(row, fmt.Sprintf("%d (%d)", r.Rounds, r.Chosen), fmt.Sprintf("%.2f", r.Seconds), fmt.Sprintf("%.0f", float64(r.PeakBytes)/(1<<20)), accuracy)
		}
		t.Add(row...)
	}
	return t.Write(w)
}
