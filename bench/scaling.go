package bench

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/bench/gen"
)

// Scaling is an experiment: whole runs on random graphs of growing size, each a
// process of its own, so that its peak memory is that of one run.
type Scaling struct {
	Program string // path of the binary
	Kind    gen.Kind
	Nodes   []int
	Degree  float64 // entries a row
	Classes int
	Labels  int // labelled nodes a class
	Seed    uint64
	Methods []string // of run, or Features
	Threads []int
	Rounds  int
	CSR     bool // runs map a .csr file instead of reading an edge list
	Args    []string
	Dir     string // for the graphs; empty for the system's temporary folder
	Log     func(format string, args ...any)
}

// Features is the method of [Scaling] that is the default on edges and features: contextual block models of
// degree 20, 100 features, and approximate neighbours (docs/decisions/0014-feature-step.md).
const Features = "features"

// ScalingPoint is what runs of one size, method and number of threads took.
type ScalingPoint struct {
	Method         string
	Threads        int
	Nodes, Entries int
	Runs           []sample
	Spent          Spent
	Estimated      int64 // bytes, the formula of docs/trust.md
	Rounds         int   // A-steps
}

// Seconds is the median wall time, Peak the largest memory of the runs.
func (p ScalingPoint) Seconds() float64 { return medianOf(p.Runs, wallOf) }

// CPU is the median processor time in seconds.
func (p ScalingPoint) CPU() float64 { return medianOf(p.Runs, cpuOf) }

// Peak is the largest resident memory of the runs in bytes.
func (p ScalingPoint) Peak() int64 { return peakOf(p.Runs) }

// Run does the experiment, size after size.
func (e Scaling) Run(ctx context.Context) (points []ScalingPoint, err error) {
	dir, err := os.MkdirTemp(e.Dir, "adp-sparse-bench")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, n := range e.Nodes {
		more, err := e.size(ctx, dir, n)
		if err != nil {
			return points, fmt.Errorf("%d nodes: %w", n, err)
		}
		points = append(points, more...)
	}
	return points, nil
}

// size measures all methods and threads on graphs of one size: those of one graph in turn.
func (e Scaling) size(ctx context.Context, dir string, n int) (points []ScalingPoint, err error) {
	graph, input := filepath.Join(dir, "graph.tsv"), "--edges"
	if e.CSR {
		graph, input = filepath.Join(dir, "graph.csr"), "--graph"
	}
	seedFile, vectors := filepath.Join(dir, "seeds.tsv"), filepath.Join(dir, "vectors.npy")
	defer func() { os.Remove(graph); os.Remove(vectors) }()
	for _, g := range []struct{ made, run []string }{
		{[]string{"--kind", string(e.Kind), "--degree", fmt.Sprint(e.Degree)}, nil},
		{
			[]string{"--kind", string(gen.CSBM), "--degree", "20", "--lambda", "2.5", "--mu", fmt.Sprint(0.3 * float64(n)), "--dims", "100", "--features-out", vectors},
			[]string{"--features", vectors, "--knn", "approx", "--recall", "0.8"},
		},
	} {
		methods := slices.DeleteFunc(slices.Clone(e.Methods), func(m string) bool { return (m == Features) != (g.run != nil) })
		if len(methods) == 0 {
			continue
		}
		if _, err := child(ctx, e.Program, slices.Concat([]string{
			"gen", "--nodes", fmt.Sprint(n), "--classes", fmt.Sprint(e.Classes), "--seed", fmt.Sprint(e.Seed), "--seeds-per-class", fmt.Sprint(e.Labels),
			"--out", graph, "--seeds-out", seedFile, "--quiet",
		}, g.made)...); err != nil {
			return nil, err
		}
		more, err := e.runs(ctx, dir, n, methods, slices.Concat([]string{input, graph, "--labels", seedFile}, g.run))
		if err != nil {
			return nil, err
		}
		points = append(points, more...)
	}
	return points, nil
}

// runs measures methods and threads in turn on an input. Those that need more memory than there is are left
// out with a word.
func (e Scaling) runs(ctx context.Context, dir string, n int, methods, input []string) ([]ScalingPoint, error) {
	var points []ScalingPoint
	var all []contestant
	facts := map[string][]runFacts{}
	for _, method := range methods {
		for _, threads := range e.Threads {
			name := threaded(method, threads)
			points = append(points, ScalingPoint{Method: method, Threads: threads})
			all = append(all, contestant{name, func() (sample, error) {
				args := slices.Concat(input, []string{"--threads", fmt.Sprint(threads)}, argsFor(method, e.Args))
				if method != Features {
					args = append(args, "--method", method)
				}
				s, f, err := wholeRun(ctx, e.Program, dir, args...)
				facts[name] = append(facts[name], f)
				if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == exitMemory {
					e.Log("%d nodes, %s is left out: %v", n, name, err)
					return sample{Wall: math.NaN()}, nil
				}
				if err == nil {
					e.Log("%d nodes, %s: %s s, CPU %s s, %s MiB of %s estimated", n, name, seconds(s.Wall), seconds(s.CPU), mebibytes(s.Peak), mebibytes(f.Estimated))
				}
				return s, err
			}})
		}
	}
	times, err := alternate(ctx, e.Rounds, false, all, nil)
	if err != nil {
		return nil, err
	}
	for k := range points {
		p, runs, found := &points[k], times[all[k].name], facts[all[k].name]
		f := found[0]
		p.Runs, p.Estimated, p.Rounds = runs, f.Estimated, len(f.Rounds)-1
		p.Nodes, p.Entries = f.Graph.Nodes, 2*f.Graph.Edges
		p.Spent = spent(threaded(p.Method, p.Threads), runs, found)
	}
	return slices.DeleteFunc(points, func(p ScalingPoint) bool { return math.IsNaN(p.Seconds()) }), nil
}

// exitMemory is the exit code of a run that needs more memory than there is (docs/errors.md).
const exitMemory = 4

// threaded names a run by its method and threads.
func threaded(method string, threads int) string {
	if threads == 1 {
		return method + ", 1 thread"
	}
	return fmt.Sprintf("%s, %d threads", method, threads)
}

// Exponent fits value = a·n^b to points by least squares of the logarithms and
// returns b, NaN for fewer than two sizes.
func Exponent(points []ScalingPoint, value func(ScalingPoint) float64) float64 {
	var x, y []float64
	for _, p := range points {
		x, y = append(x, math.Log(float64(p.Nodes))), append(y, math.Log(value(p)))
	}
	mean := func(v []float64) (sum float64) {
		for _, a := range v {
			sum += a / float64(len(v))
		}
		return sum
	}
	mx, my, top, bottom := mean(x), mean(y), 0.0, 0.0
	for k := range x {
		top += (x[k] - mx) * (y[k] - my)
		bottom += (x[k] - mx) * (x[k] - mx)
	}
	if bottom == 0 {
		return math.NaN()
	}
	return top / bottom
}

// Series are the points of one method and number of threads.
type Series struct {
	Name   string
	Points []ScalingPoint
}

// SeriesOf sorts points into series, in the order of the first of each.
func SeriesOf(points []ScalingPoint) (all []Series) {
	for _, p := range points {
		name := threaded(p.Method, p.Threads)
		at := slices.IndexFunc(all, func(s Series) bool { return s.Name == name })
		if at < 0 {
			at = len(all)
			all = append(all, Series{Name: name})
		}
		all[at].Points = append(all[at].Points, p)
	}
	return all
}

// WriteScaling writes a row a size, method and number of threads, the exponents, and where the time
// went for each size.
func WriteScaling(w io.Writer, points []ScalingPoint) error {
	table := NewTable("run", "nodes", "entries", "A-steps", "s", "CPU s", "peak MiB", "formula MiB", "peak / formula", "bytes an entry")
	exponents := NewTable("run", "s ∝ n^", "CPU s ∝ n^", "peak ∝ n^")
	for _, s := range SeriesOf(points) {
		for _, p := range s.Points {
			table.Add(s.Name, fmt.Sprint(p.Nodes), fmt.Sprint(p.Entries), fmt.Sprint(p.Rounds), seconds(p.Seconds()), seconds(p.CPU()),
				mebibytes(p.Peak()), mebibytes(p.Estimated),
				number("%.2f", float64(p.Peak())/float64(p.Estimated)), number("%.1f", float64(p.Peak())/float64(p.Entries)))
		}
		exponents.Add(s.Name, number("%.3f", Exponent(s.Points, ScalingPoint.Seconds)), number("%.3f", Exponent(s.Points, ScalingPoint.CPU)),
			number("%.3f", Exponent(s.Points, func(p ScalingPoint) float64 { return float64(p.Peak()) })))
	}
	if err := table.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := exponents.Write(w); err != nil {
		return err
	}
	for at := 0; at < len(points); {
		var runs []Spent
		nodes := points[at].Nodes
		for ; at < len(points) && points[at].Nodes == nodes; at++ {
			runs = append(runs, points[at].Spent)
		}
		fmt.Fprintf(w, "\n%d nodes\n\n", nodes)
		if err := WriteSpent(w, runs); err != nil {
			return err
		}
	}
	return nil
}

// WriteScalingCSV writes a line a run.
func WriteScalingCSV(w io.Writer, points []ScalingPoint) error {
	out := csv.NewWriter(w)
	rows := [][]string{strings.Split("method,threads,nodes,entries,round,seconds,cpu_seconds,peak_bytes,estimated_bytes", ",")}
	for _, p := range points {
		for round, s := range p.Runs {
			rows = append(rows, []string{
				p.Method, strconv.Itoa(p.Threads), strconv.Itoa(p.Nodes), strconv.Itoa(p.Entries), strconv.Itoa(round),
				strconv.FormatFloat(s.Wall, 'g', 6, 64), strconv.FormatFloat(s.CPU, 'g', 6, 64), strconv.FormatInt(s.Peak, 10), strconv.FormatInt(p.Estimated, 10),
			})
		}
	}
	return out.WriteAll(rows)
}
