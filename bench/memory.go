package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// Memory is an experiment: what `run` says that it needs beside what it took,
// on made-up graphs, each run in a process of its own, and how runs end that
// have less.
type Memory struct {
	Program string // path of the binary
	Dir     string // where graphs are made, and stay
	Graphs  []MemoryGraph
	// Limits is the number of runs of each graph under a random limit, from a
	// third to five thirds of the estimate, in turn by each of Kinds, which are of
	// [LimitKinds].
	Limits int
	Kinds  []string
	Seed   uint64
	Args   []string // further arguments of run
	Each   func(MemoryRecord)
}

// MemoryGraph is a graph of [Memory] and the work on it.
type MemoryGraph struct {
	Name    string
	Kind    string // of gen, or vectors: points about a centre a class, Degree numbers each
	Nodes   int
	Degree  float64
	Classes int
	Ending  string   // of the file: tsv, csr or npy
	Args    []string // of run
}

// MemoryRecord is what the runs on one graph took.
type MemoryRecord struct {
	MemoryGraph
	Entries   int
	Estimated int64
	Peak      int64 // largest resident memory of the process
	Seconds   float64
	Ended     map[int]int // runs under a limit by their exit code
}

// Ratio is the estimate over the peak.
func (r MemoryRecord) Ratio() float64 { return float64(r.Estimated) / float64(r.Peak) }

// LimitKinds are the ways to limit memory: the program's own, and those of the
// system, of data and of addresses (ulimit -d and -v), and of a control group, which
// ends what goes past it and which takes the rights of root.
var LimitKinds = []string{"--memory-limit", "ulimit -d", "ulimit -v", "cgroup"}

// leastLimit is the least --memory-limit that run takes.
const leastLimit = 24 << 20

// startBytes is what each kind of limit must leave for the program to start, on
// Linux: Go's runtime reserves addresses.
var startBytes = map[string]int64{"ulimit -d": 192 << 20, "ulimit -v": 3 << 29}

// ErrLimits is wrapped when a run under a limit ended otherwise than well or
// refused.
var ErrLimits = errors.New("bench: a run under a memory limit")

// MemoryGraphs are the graphs of the figures in docs/trust.md. Rounds and
// accuracy are few: they take time and no memory.
var MemoryGraphs = []MemoryGraph{
	{"1e4 adp text", "planted", 10_000, 10, 4, "tsv", quick("adp", "--rounds", "2")},
	{"1e4 adp1 csr", "planted", 10_000, 20, 32, "csr", quick("adp1", "--rounds", "3")},
	{"2e4 adp vectors", "vectors", 20_000, 64, 10, "npy", quick("adp", "--rounds", "1")},
	{"3e3 lgc vectors, wide", "vectors", 3_000, 1000, 5, "npy", quick("lgc")},
	{"2e5 lgc vectors", "vectors", 200_000, 32, 10, "npy", quick("lgc")},
	{"1e5 adp text, weights", "geometric", 100_000, 8, 10, "tsv", quick("adp", "--rounds", "1")},
	{"1e5 adp csr, calibrated, diagnosed", "planted", 100_000, 10, 3, "csr", quick("adp", "--rounds", "1", "--calibrate", "auto", "--diagnose", "--graph-alpha", "0.5")},
	{"5e4 adp text, hubs", "rmat", 50_000, 8, 2, "tsv", quick("adp", "--rounds", "1")},
	{"1e6 lgc text", "planted", 1_000_000, 10, 2, "tsv", quick("lgc")},
	{"1e6 adp csr", "planted", 1_000_000, 6, 32, "csr", quick("adp", "--rounds", "1", "--select", "none")},
	{"3e5 adp text", "planted", 300_000, 8, 5, "tsv", quick("adp", "--rounds", "1")},
	{"1e7 lgc csr", "planted", 10_000_000, 4, 4, "csr", quick("lgc")},
	{"1e7 lgc text", "planted", 10_000_000, 4, 2, "tsv", quick("lgc")},
}

func quick(method string, more ...string) []string {
	args := []string{"--method", method, "--alpha", "0.5"}
	if of, err := adp.ParseMethod(method); err == nil && of.Has(adp.Iterates) {
		args = append(args, "--tolerance", "0.01")
	}
	return append(args, more...)
}

// Run does the experiment.
func (e Memory) Run(ctx context.Context) ([]MemoryRecord, error) {
	rng := rand.New(rand.NewPCG(e.Seed, 0))
	var records []MemoryRecord
	for _, g := range e.Graphs {
		base := filepath.Join(e.Dir, strings.ReplaceAll(strings.ReplaceAll(g.Name, ",", ""), " ", "-"))
		if err := e.build(ctx, g, base); err != nil {
			return nil, fmt.Errorf("%s: %w", g.Name, err)
		}
		g.Args = slices.Concat(g.Args, e.Args)
		r := MemoryRecord{MemoryGraph: g, Ended: map[int]int{}}
		if err := e.measure(ctx, &r, base); err != nil {
			return nil, fmt.Errorf("%s: %w", g.Name, err)
		}
		for k := range e.Limits {
			limit := max(int64(float64(r.Estimated)*(1+4*rng.Float64())/3), leastLimit)
			code, err := e.limited(ctx, g, base, e.Kinds[k%len(e.Kinds)], limit)
			if r.Ended[code]++; err != nil {
				return nil, fmt.Errorf("%s: %w", g.Name, err)
			}
		}
		records = append(records, r)
		if e.Each != nil {
			e.Each(r)
		}
	}
	return records, nil
}

// build makes the graph and its seeds, unless they are there.
func (e Memory) build(ctx context.Context, g MemoryGraph, base string) error {
	if _, err := os.Stat(base + ".done"); err == nil {
		return nil
	}
	args := []string{"gen", "--quiet", "--kind", g.Kind, "--nodes", fmt.Sprint(g.Nodes), "--degree", fmt.Sprint(g.Degree), "--out", base + "." + g.Ending}
	switch g.Kind {
	case "vectors":
		if err := os.WriteFile(base+"."+g.Ending, vectors(g), 0o644); err != nil {
			return err
		}
	case "rmat": // has no classes
	default:
		args = append(args, "--classes", fmt.Sprint(g.Classes), "--seeds-out", base+".seeds")
	}
	if g.Kind != "vectors" {
		if text, err := exec.CommandContext(ctx, e.Program, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
	}
	if _, err := os.Stat(base + ".seeds"); err != nil {
		if err := os.WriteFile(base+".seeds", cyclic(g), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(base+".done", nil, 0o644)
}

// vectors are points about a random centre for each class, classes in turn.
func vectors(g MemoryGraph) []byte {
	rng := rand.New(rand.NewPCG(1, uint64(g.Nodes)))
	d := int(g.Degree)
	centres := make([]float64, g.Classes*d)
	for k := range centres {
		centres[k] = 2 * rng.NormFloat64()
	}
	b := npy.AppendHeader(nil, "<f4", int64(g.Nodes), int64(d))
	for i := range g.Nodes {
		for _, centre := range centres[i%g.Classes*d:][:d] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(centre+rng.NormFloat64())))
		}
	}
	return b
}

// cyclic gives ten nodes of each class that class, classes in turn.
func cyclic(g MemoryGraph) []byte {
	var b bytes.Buffer
	for k := range 10 * g.Classes {
		fmt.Fprintf(&b, "%d\tc%d\n", k, k%g.Classes)
	}
	return b.Bytes()
}

// command is a run on the graph.
func (g MemoryGraph) command(base string, more ...string) []string {
	input := map[string]string{"tsv": "--edges", "csr": "--graph", "npy": "--features"}[g.Ending]
	return slices.Concat([]string{"run", input, base + "." + g.Ending, "--labels", base + ".seeds", "--out", base + ".labels", "--quiet", "--unknown-labels", "skip"}, g.Args, more)
}

// measure runs without a limit.
func (e Memory) measure(ctx context.Context, r *MemoryRecord, base string) error {
	cmd := exec.CommandContext(ctx, e.Program, r.command(base, "--report", base+".json")...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	var report runFacts
	if err := readJSON(base+".json", &report); err != nil {
		return err
	}
	r.Entries, r.Estimated, r.Seconds = 2*report.Graph.Edges, report.Estimated, report.Seconds[clock.Total]
	r.Peak = largestResident(cmd.ProcessState)
	return nil
}

// limited runs under a limit and returns the exit code; an error for another
// than 0 and 4.
func (e Memory) limited(ctx context.Context, g MemoryGraph, base, kind string, limit int64) (int, error) {
	args := g.command(base)
	cmd := exec.CommandContext(ctx, e.Program, append(args, "--memory-limit", fmt.Sprint(limit))...)
	shell := fmt.Sprintf(`%s %d; exec "$0" "$@"`, kind, (limit+startBytes[kind])>>10)
	if kind == "cgroup" {
		group, err := newGroup("/sys/fs/cgroup")
		if err != nil {
			return 0, err
		}
		defer group.remove()
		if err := group.set(limit); err != nil {
			return 0, err
		}
		shell = group.shell()
	}
	if kind != LimitKinds[0] {
		cmd = exec.CommandContext(ctx, "sh", slices.Concat([]string{"-c", shell, e.Program}, args)...)
	}
	text, err := cmd.CombinedOutput()
	code := cmd.ProcessState.ExitCode()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return code, err
	}
	if code != 0 && code != 4 || bytes.Contains(text, []byte("goroutine ")) {
		return code, fmt.Errorf("%w of %d bytes (%s) exits %d: %.400s", ErrLimits, limit, kind, code, text)
	}
	return code, nil
}

// WriteMemory writes the records as a Markdown table.
func WriteMemory(w io.Writer, records []MemoryRecord) error {
	t := NewTable("graph", "nodes", "entries", "classes", "seconds", "estimate MiB", "peak MiB", "estimate/peak", "under limits: exit 0", "exit 4")
	for _, r := range records {
		mib := func(bytes int64) string { return fmt.Sprintf("%.0f", float64(bytes)/(1<<20)) }
		t.Add(r.Name, fmt.Sprint(r.Nodes), fmt.Sprint(r.Entries), fmt.Sprint(r.Classes), fmt.Sprintf("%.1f", r.Seconds),
			mib(r.Estimated), mib(r.Peak), fmt.Sprintf("%.2f", r.Ratio()), fmt.Sprint(r.Ended[0]), fmt.Sprint(r.Ended[4]))
	}
	return t.Write(w)
}
