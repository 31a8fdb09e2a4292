package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/adp-sparse/adp-sparse/bench/gen"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Stages is an experiment: what each stage of a run takes with several numbers
// of threads, in turn, beside what the machine can do at most. Reading an edge
// list and whole runs are processes of their own; the other stages are done in
// memory.
//
// The input is a set, an edge list, or a random graph.
type Stages struct {
	Program  string // path of the binary
	Set      *Set
	Edges    string       // an edge list
	Random   *gen.Options // used where the others are not given
	Points   int          // clustered points for the kNN stages where there are no features; 0 leaves them out
	Dims     int
	K        int
	Recall   float64
	TopK     int
	PerClass int
	Seed     uint64
	Threads  []int
	Rounds   int
	RunsOnly bool     // whole runs alone
	Methods  []string // of whole runs
	Args     []string // further arguments of whole runs
	Peers    string   // folder of the peers' sources, for the roofline; empty for none
	Log      func(format string, args ...any)
}

// Stage is what was measured of one stage.
type Stage struct {
	Name    string
	Threads []int
	Runs    map[int][]sample // by threads
	// Work is what one run does, in units of Unit; 0 where a number would say
	// nothing.
	Work float64
	Unit string
	// Bound is the time that the machine needs at least, by threads, from
	// Limits; nil where there is no bound that is known.
	Bound map[int]float64
	// PerEdge is the divisor of Peak for the bytes an edge; 0 for none.
	PerEdge float64
}

// Limits are what the machine can do with some number of threads, the best of
// all rounds.
type Limits struct {
	Read   float64 // bytes/s of memory in order
	Gather float64 // seconds to gather the rows of an n×c block for each entry
	FMA    float64 // float32 operations/s
}

// StageTimes is the result of [Stages].
type StageTimes struct {
	Name                    string
	Nodes, Entries, Classes int
	Iterations              int // of the F-step
	Limits                  map[int]Limits
	Stages                  []*Stage
	Spent                   []Spent // of the whole runs
}

// problem is what the stages work on.
type problem struct {
	name     string
	dir      string
	edges    string     // an edge list that is not compressed
	x        *csr.Dense // nil without features
	input    []string   // the arguments of run
	seedFile string
	w        *csr.Matrix
	y        *diffuse.Seeds
	f        *csr.Dense // of the last F-step
}

// Run does the experiment.
func (e Stages) Run(ctx context.Context) (t *StageTimes, err error) {
	dir, err := os.MkdirTemp("", "adp-sparse-bench")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p, err := e.prepare(ctx, dir)
	if err != nil {
		return nil, err
	}
	t = &StageTimes{Name: p.name, Nodes: p.y.Nodes, Entries: p.w.NNZ(), Classes: p.y.Classes}
	if t.Limits, err = e.limits(ctx, p); err != nil {
		return nil, err
	}
	stages := []func(context.Context, *problem, *StageTimes) error{e.load, e.neighbors, e.normalize, e.labelStep, e.affinityStep, e.wholeRuns}
	if e.RunsOnly {
		stages = stages[len(stages)-1:]
	}
	for _, measure := range stages {
		if err := measure(ctx, p, t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// prepare makes the files and the matrices.
func (e Stages) prepare(ctx context.Context, dir string) (p *problem, err error) {
	p = &problem{dir: dir}
	g := &Graph{}
	switch {
	case e.Set != nil:
		p.name = e.Set.Name
		if g, err = e.Set.Load(ctx); err != nil {
			return nil, err
		}
		if p.edges, err = plainEdges(dir, g); err != nil {
			return nil, err
		}
		p.input = []string{"--edges", p.edges}
		if e.Set.FromFeatures() {
			x, err := e.Set.readFeatures()
			if err != nil {
				return nil, err
			}
			p.x = x.Dense
			if p.input, err = e.Set.input(); err != nil {
				return nil, err
			}
		}
	case e.Edges != "":
		p.name, p.edges, p.input = filepath.Base(e.Edges), e.Edges, []string{"--edges", e.Edges}
		if err := g.readEdges(e.Edges); err != nil {
			return nil, err
		}
		g.Truth = make([]int32, g.IDs.Len())
	default:
		p.name = string(e.Random.Kind)
		p.edges = filepath.Join(dir, "edges.tsv")
		p.input = []string{"--edges", p.edges}
		if g, err = randomGraph(ctx, *e.Random, p.edges); err != nil {
			return nil, err
		}
	}
	if p.x == nil && e.Points > 0 {
		p.x, _ = Points(e.Points, e.Dims, e.Seed)
	}
	p.w = g.W
	seeds := g.seeds(e.PerClass, e.Seed)
	p.seedFile = filepath.Join(dir, "seeds.tsv")
	if err := os.WriteFile(p.seedFile, seedLines(g, seeds), 0o644); err != nil {
		return nil, err
	}
	p.y, err = diffuse.NewSeeds(g.IDs.Len(), g.classes(), seeds)
	return p, err
}

// randomGraph writes a random graph as an edge list and reads it, with its
// classes.
func randomGraph(ctx context.Context, opt gen.Options, path string) (*Graph, error) {
	random, err := gen.New(opt)
	if err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(random.WriteEdges(ctx, f, '\t', 0), f.Close()); err != nil {
		return nil, err
	}
	g := &Graph{}
	if err := g.readEdges(path); err != nil {
		return nil, err
	}
	g.Truth = make([]int32, g.IDs.Len())
	if !random.HasLabels() {
		return g, nil
	}
	for i := range g.Truth { // ids are 0 to n-1, and all occur
		g.Truth[i] = int32(random.Label(i))
	}
	for c := range opt.Classes {
		g.Classes = append(g.Classes, fmt.Sprintf("class%d", c))
	}
	return g, nil
}

// limits measures what the machine can do.
func (e Stages) limits(ctx context.Context, p *problem) (map[int]Limits, error) {
	limits := map[int]Limits{}
	if e.Peers == "" || e.RunsOnly {
		return limits, nil
	}
	programs := peers{Folder: e.Peers, Log: e.Log}
	program := programs.compile(ctx, p.dir, "limits", "limits.c", fmt.Sprintf("-DCOLUMNS=%d", p.y.Classes))
	if program == "" {
		return limits, nil
	}
	if err := writeMatrix(p.dir, p.w); err != nil {
		return nil, err
	}
	for _, threads := range e.Threads {
		c, err := startPeer(ctx, "limits", program, p.dir, fmt.Sprint(p.y.Nodes), fmt.Sprint(p.w.NNZ()), fmt.Sprint(threads))
		if err != nil {
			return nil, err
		}
		times, err := alternate(ctx, e.Rounds, true, c.contestants(), nil)
		c.stop()
		if err != nil {
			return nil, err
		}
		rate := func(name string) (best float64) {
			for _, s := range times["limits "+name] {
				best = max(best, s.Sum/s.Wall)
			}
			return best
		}
		l := Limits{Read: rate("read"), Gather: times["limits gather"][0].Sum / rate("gather"), FMA: rate("fma")}
		limits[threads] = l
		e.Log("limits, %d threads: %.1f GB/s in order, rows gathered in %s s, %.0f GFLOP/s", threads, l.Read/1e9, seconds(l.Gather), l.FMA/1e9)
	}
	return limits, nil
}

// add measures a stage with all numbers of threads in turn. Bound says what the
// machine needs at least, and may be nil.
func (e Stages) add(ctx context.Context, t *StageTimes, s *Stage, bound func(Limits) float64, run func(threads int) (sample, error)) error {
	var all []contestant
	for _, threads := range e.Threads {
		all = append(all, contestant{fmt.Sprint(threads), func() (sample, error) { return run(threads) }})
	}
	times, err := alternate(ctx, e.Rounds, false, all, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	s.Threads, s.Runs, s.Bound = e.Threads, map[int][]sample{}, map[int]float64{}
	for _, threads := range e.Threads {
		s.Runs[threads] = times[fmt.Sprint(threads)]
		if l, ok := t.Limits[threads]; ok && bound != nil {
			s.Bound[threads] = bound(l)
		}
		e.Log("%s, %d threads: %s s, CPU %s s", s.Name, threads, seconds(medianOf(s.Runs[threads], wallOf)), seconds(medianOf(s.Runs[threads], cpuOf)))
	}
	t.Stages = append(t.Stages, s)
	return nil
}

// load converts the edge list to a .csr file, in a process of its own.
func (e Stages) load(ctx context.Context, p *problem, t *StageTimes) error {
	info, err := os.Stat(p.edges)
	if err != nil {
		return err
	}
	text, graph := float64(info.Size()), 8*float64(p.w.NNZ())+8*float64(p.y.Nodes)
	out, report := filepath.Join(p.dir, "graph.csr"), filepath.Join(p.dir, "report.json")
	parse := &Stage{Name: "load: parse", Work: text / 1e9, Unit: "GB", Runs: map[int][]sample{}, Bound: map[int]float64{}, Threads: e.Threads}
	stage := &Stage{Name: "load: edge list → .csr", Work: text / 1e9, Unit: "GB", PerEdge: float64(p.w.NNZ()) / 2}
	err = e.add(ctx, t, stage, func(l Limits) float64 { return (text + graph) / l.Read }, func(threads int) (sample, error) {
		s, err := child(ctx, e.Program, "convert", "--edges", p.edges, "--out", out, "--report", report, "--threads", fmt.Sprint(threads), "--quiet")
		if err != nil {
			return s, err
		}
		var facts runFacts
		if err := readJSON(report, &facts); err != nil {
			return s, err
		}
		s.Peak = facts.Peak
		parse.Runs[threads] = append(parse.Runs[threads], sample{Wall: facts.Seconds["read"], CPU: math.NaN()})
		return s, nil
	})
	for threads, l := range t.Limits {
		parse.Bound[threads] = text / l.Read
	}
	t.Stages = append(t.Stages, parse)
	return err
}

// neighbors searches for the nearest neighbours, exact and approximate. Exact
// search does n²d/2 multiply-adds.
func (e Stages) neighbors(ctx context.Context, p *problem, t *StageTimes) error {
	if p.x == nil {
		return nil
	}
	work := float64(p.x.Rows) * float64(p.x.Rows) * float64(p.x.Cols)
	search := func(name string, method knn.Method, work float64, bound func(Limits) float64) error {
		s := &Stage{Name: fmt.Sprintf("kNN %s (%d×%d)", name, p.x.Rows, p.x.Cols), Work: work / 1e9, Unit: "GFLOP"}
		return e.add(ctx, t, s, bound, func(threads int) (sample, error) {
			return timedSearch(ctx, p.x, knn.Options{K: e.K, Method: method, Recall: e.Recall, Seed: e.Seed, Threads: threads})
		})
	}
	if err := search("exact", knn.Exact, work, func(l Limits) float64 { return work / l.FMA }); err != nil {
		return err
	}
	return search(fmt.Sprintf("approximate, recall %v", e.Recall), knn.Approx, 0, nil)
}

// normalize makes S of W: W read twice, S written.
func (e Stages) normalize(ctx context.Context, p *problem, t *StageTimes) error {
	bytes := 16*float64(p.w.NNZ()) + 24*float64(p.y.Nodes)
	s := &Stage{Name: "S", Work: float64(p.w.NNZ()) / 1e6, Unit: "M entries"}
	return e.add(ctx, t, s, func(l Limits) float64 { return bytes / l.Read }, func(threads int) (sample, error) {
		return timed(func() (float64, error) {
			diffuse.Normalize(p.w, threads)
			return 0, nil
		})
	})
}

// labelStep solves for F by conjugate gradients to 1e-6. An iteration gathers
// a row of P for each entry, reads S and passes nine times over n×c blocks: Q
// written; Q, R read and R written; X, P, R read and X, P written.
func (e Stages) labelStep(ctx context.Context, p *problem, t *StageTimes) error {
	n, c := p.y.Nodes, p.y.Classes
	p.f = csr.NewDense(n, c)
	passes := 4*float64(p.w.NNZ()) + 36*float64(n)*float64(c)
	s := &Stage{Name: "F-step (CG to 1e-6)", Unit: "products"}
	err := e.add(ctx, t, s, nil, func(threads int) (sample, error) {
		g := diffuse.Normalize(p.w, threads)
		work := diffuse.NewWorkspace(n, c, threads)
		return timed(func() (float64, error) {
			clear(p.f.Data)
			stats, err := work.LGC(ctx, p.f, g, g.Degrees, p.y, diffuse.Options{Threads: threads})
			t.Iterations = stats.Iterations
			return 0, err
		})
	})
	s.Work = float64(t.Iterations)
	for threads, l := range t.Limits {
		s.Bound[threads] = s.Work * (l.Gather + passes/l.Read)
	}
	return err
}

// affinityStep makes A of S, with A = S. What bounds it is not the memory.
func (e Stages) affinityStep(ctx context.Context, p *problem, t *StageTimes) error {
	graph := diffuse.Normalize(p.w, 0)
	products, _ := candidatesOf(graph.S)
	h := diffuse.NewFactor(p.f, diffuse.SqrtMargin)
	opt := diffuse.AffinityOptions{TopK: e.TopK, Alpha: 0.9}
	if mean := h.MeanRowSum(nil); mean > 0 {
		opt.Zeta = 0.5 / mean
	}
	s := &Stage{Name: fmt.Sprintf("A-step (top %d)", e.TopK), Work: products * float64(p.y.Nodes) / 1e6, Unit: "M multiply-adds"}
	return e.add(ctx, t, s, nil, func(threads int) (sample, error) {
		opt := opt
		opt.Threads = threads
		return timed(func() (float64, error) {
			_, err := diffuse.AStep(ctx, graph.S, graph.S, h, opt)
			return 0, err
		})
	})
}

// wholeRuns runs the program from the files to the labels.
func (e Stages) wholeRuns(ctx context.Context, p *problem, t *StageTimes) error {
	for _, method := range e.Methods {
		s, facts := &Stage{Name: "whole run, " + method, PerEdge: float64(p.w.NNZ()) / 2}, map[int][]runFacts{}
		if err := e.add(ctx, t, s, nil, func(threads int) (sample, error) {
			args := slices.Concat([]string{"--labels", p.seedFile, "--method", method, "--threads", fmt.Sprint(threads)}, p.input, argsFor(method, e.Args))
			s, found, err := wholeRun(ctx, e.Program, p.dir, args...)
			facts[threads] = append(facts[threads], found)
			return s, err
		}); err != nil {
			return err
		}
		for _, threads := range e.Threads {
			t.Spent = append(t.Spent, spent(threaded(method, threads), s.Runs[threads], facts[threads]))
		}
	}
	return nil
}

// Write writes what the machine can do, a row a stage and number of threads, and where the time of
// the whole runs went.
func (t *StageTimes) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d nodes, %d entries, %d classes\n\n", t.Name, t.Nodes, t.Entries, t.Classes)
	if len(t.Limits) > 0 {
		table := NewTable("threads", "memory in order, GB/s", "rows gathered, GB/s", "float32, GFLOP/s")
		for _, threads := range t.Stages[0].Threads {
			l := t.Limits[threads]
			table.Add(fmt.Sprint(threads), number("%.1f", l.Read/1e9), number("%.1f", 4*float64(t.Entries)*float64(t.Classes)/l.Gather/1e9), number("%.0f", l.FMA/1e9))
		}
		if err := table.Write(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	table := NewTable("stage", "threads", "s", "CPU s", "speed-up", "work/s", "work/s a core", "least s by the machine", "share of the roofline", "peak MiB", "bytes an edge")
	for _, s := range t.Stages {
		for _, threads := range s.Threads {
			runs := s.Runs[threads]
			wall, cpu := medianOf(runs, wallOf), medianOf(runs, cpuOf)
			work, core, perEdge, share, bound := "–", "–", "–", "–", "–"
			if s.Work > 0 {
				work, core = number("%.3g "+s.Unit, s.Work/wall), number("%.3g", s.Work/cpu)
			}
			if least, ok := s.Bound[threads]; ok {
				bound, share = seconds(least), number("%.2f", least/wall)
			}
			if peak := peakOf(runs); s.PerEdge > 0 && peak > 0 {
				perEdge = number("%.1f", float64(peak)/s.PerEdge)
			}
			table.Add(s.Name, fmt.Sprint(threads), seconds(wall), seconds(cpu), number("%.2f", ratioOf(s.Runs[s.Threads[0]], runs, wallOf)),
				work, core, bound, share, mebibytes(peakOf(runs)), perEdge)
		}
	}
	if err := table.Write(w); err != nil || len(t.Spent) == 0 {
		return err
	}
	fmt.Fprintln(w)
	return WriteSpent(w, t.Spent)
}
