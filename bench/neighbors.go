package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Neighbors is an experiment: the k nearest neighbours of all points, exact and
// approximate, beside faiss and hnswlib, in turn. Points are in memory; an
// index that a peer builds counts.
type Neighbors struct {
	Set      *Set // features; nil for [Points]
	Nodes    int  // of Points
	Dims     int
	K        int
	Recall   float64 // asked of the approximate searches
	Programs []string
	Threads  int
	Rounds   int
	Seed     uint64
	Peers    string // folder of the peers' sources; empty for none
	Python   string
	Log      func(format string, args ...any)
}

// NeighborPrograms are the programs that [Neighbors] knows.
var NeighborPrograms = []string{"exact", "approx", "faiss", "hnswlib"}

// NeighborTimes is what was measured: runs by program.
type NeighborTimes struct {
	Name         string
	Points, Dims int
	K, Threads   int
	Runs         map[string][]sample // Sum is the recall
}

// Run does the experiment.
func (e Neighbors) Run(ctx context.Context) (t *NeighborTimes, err error) {
	x, name, err := e.points()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "adp-sparse-bench")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	t = &NeighborTimes{Name: name, Points: x.Rows, Dims: x.Cols, K: e.K, Threads: e.Threads}
	var all []contestant
	for _, program := range e.Programs {
		switch program {
		case "exact":
			all = append(all, e.search(ctx, ours+" exact", x, knn.Exact))
		case "approx":
			all = append(all, e.search(ctx, ours+" approx", x, knn.Approx))
		case "faiss", "hnswlib":
			p, err := e.start(ctx, program, dir, x)
			if err != nil {
				return nil, err
			}
			if p != nil {
				defer p.stop()
				all = append(all, p.contestants()...)
			}
		default:
			return nil, fmt.Errorf("program %q, expected some of %q", program, NeighborPrograms)
		}
	}
	t.Runs, err = alternate(ctx, e.Rounds, false, all, func(name string, s sample) error {
		e.Log("%s: %s s, CPU %s s, recall %.4f", name, seconds(s.Wall), seconds(s.CPU), s.Sum)
		return nil
	})
	return t, err
}

func (e Neighbors) points() (*csr.Dense, string, error) {
	if e.Set == nil {
		x, _ := Points(e.Nodes, e.Dims, e.Seed)
		return x, "clustered points", nil
	}
	f, err := e.Set.readFeatures()
	if err == nil && f.Dense == nil {
		err = fmt.Errorf("set %s: sparse features", e.Set.Name)
	}
	if err != nil {
		return nil, "", err
	}
	return f.Dense, e.Set.Name, nil
}

func (e Neighbors) search(ctx context.Context, name string, x *csr.Dense, method knn.Method) contestant {
	return contestant{name, func() (sample, error) {
		return timedSearch(ctx, x, knn.Options{K: e.K, Method: method, Recall: e.Recall, Seed: e.Seed, Threads: e.Threads})
	}}
}

// timedSearch is one search; the checksum is its recall.
func timedSearch(ctx context.Context, x *csr.Dense, opt knn.Options) (sample, error) {
	return timed(func() (float64, error) {
		_, report, err := knn.Search(ctx, x, opt)
		if err != nil {
			return 0, err
		}
		return report.Recall, nil
	})
}

// start starts a peer, nil where it cannot run here.
func (e Neighbors) start(ctx context.Context, program, dir string, x *csr.Dense) (*peer, error) {
	if e.Peers == "" {
		return nil, nil
	}
	p := peers{Folder: e.Peers, Python: e.Python, Log: e.Log}
	command := p.script(ctx, program, "knn.py", "numpy", program)
	if command == nil {
		return nil, nil
	}
	if err := writeArray(dir, "x.f32", x.Data); err != nil {
		return nil, err
	}
	return startPeer(ctx, program, append(command, program, dir,
		fmt.Sprint(x.Rows), fmt.Sprint(x.Cols), fmt.Sprint(e.K), fmt.Sprint(e.Threads), fmt.Sprint(e.Recall))...)
}

// Write writes a row a program: time, recall, and how many times longer it
// takes than this program's search of the same kind.
func (t *NeighborTimes) Write(w io.Writer) error {
	table := NewTable("points", "k", "threads", "program", "recall", "s", "CPU s", "s / ours exact", "s / ours approx")
	for _, name := range byFirst(slices.Collect(maps.Keys(t.Runs))) {
		runs := t.Runs[name]
		table.Add(fmt.Sprintf("%s (%d×%d)", t.Name, t.Points, t.Dims), fmt.Sprint(t.K), fmt.Sprint(t.Threads), name,
			fmt.Sprintf("%.4f", medianOf(runs, sumOf)), seconds(medianOf(runs, wallOf)), seconds(medianOf(runs, cpuOf)),
			number("%.2f", ratioOf(runs, t.Runs[ours+" exact"], wallOf)), number("%.2f", ratioOf(runs, t.Runs[ours+" approx"], wallOf)))
	}
	return table.Write(w)
}
