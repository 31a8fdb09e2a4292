package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// AffinitySteps is an experiment: the k largest entries of each row of S·A·Sᵀ,
// A = S, by this program and by a C program with a dense accumulator, in turn.
type AffinitySteps struct {
	Nodes, Degree int    // of a [Pattern]; made symmetric, a row has about twice as many entries
	Pattern       string // of [Patterns]
	TopK          int
	Classes       int // of the label factor of the whole A-step
	Threads       int
	Rounds        int
	Seed          uint64
	Peers         string // folder of the peers' sources; empty for none
	Log           func(format string, args ...any)
}

// AffinityStepTimes is what was measured: runs by program.
type AffinityStepTimes struct {
	Pattern        string
	Nodes, Entries int
	TopK, Threads  int
	Products       float64 // multiply-adds a row, mean
	Candidates     float64 // different columns a row, mean
	Runs           map[string][]sample
}

// The contestants of this program: what C does, and the A-step as it is in a
// run, with the label factor, and made symmetric.
const (
	ourProduct = ours + " product, top k"
	ourAStep   = ours + " A-step"
)

// Run does the experiment.
func (e AffinitySteps) Run(ctx context.Context) (t *AffinityStepTimes, err error) {
	w, err := Pattern(e.Pattern, e.Nodes, e.Degree, e.Seed)
	if err != nil {
		return nil, err
	}
	w, _ = csr.WithoutDiagonal(w)
	s := diffuse.Normalize(csr.Symmetrize(w, csr.Mean, e.Threads), e.Threads).S
	t = &AffinityStepTimes{Pattern: e.Pattern, Nodes: e.Nodes, Entries: s.NNZ(), TopK: e.TopK, Threads: e.Threads}
	t.Products, t.Candidates = candidatesOf(s)
	dir, err := os.MkdirTemp("", "adp-sparse-bench")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	// With ζ = 0 and α_A = 1 the A-step is the product.
	factor := diffuse.NewFactor(randomBlock(e.Nodes, e.Classes, e.Seed), diffuse.SqrtMargin)
	ourStep := func(opt diffuse.AffinityOptions) func() (sample, error) {
		opt.TopK, opt.Threads = e.TopK, e.Threads
		return func() (sample, error) {
			return timed(func() (float64, error) {
				a, err := diffuse.AStep(ctx, s, s, factor, opt)
				if err != nil {
					return 0, err
				}
				return sumWithoutDiagonal(a), nil
			})
		}
	}
	zeta := 0.5 / max(factor.MeanRowSum(nil), 1e-12)
	all := []contestant{
		{ourProduct, ourStep(diffuse.AffinityOptions{Alpha: 1, Hubs: diffuse.HubRows{Above: -1}})}, // as C has it
		{ourAStep, ourStep(diffuse.AffinityOptions{Alpha: 0.9, Zeta: zeta})},
	}
	if e.Peers != "" {
		p := peers{Folder: e.Peers, Log: e.Log}
		if program := p.compile(ctx, dir, "astep", "astep.c"); program != "" {
			if err := writeMatrix(dir, s); err != nil {
				return nil, err
			}
			p, err := startPeer(ctx, "c", program, dir, fmt.Sprint(e.Nodes), fmt.Sprint(s.NNZ()), fmt.Sprint(e.TopK), fmt.Sprint(e.Threads))
			if err != nil {
				return nil, err
			}
			defer p.stop()
			all = append(all, p.contestants()...)
		}
	}
	kept := math.NaN()
	t.Runs, err = alternate(ctx, e.Rounds, true, all, func(name string, s sample) error {
		e.Log("%s: %s s, CPU %s s", name, seconds(s.Wall), seconds(s.CPU))
		if name == ourAStep {
			return nil
		}
		if math.IsNaN(kept) {
			kept = s.Sum
		}
		if math.Abs(s.Sum-kept) > 1e-4*kept {
			return fmt.Errorf("the kept values sum to %v, another program's to %v", s.Sum, kept)
		}
		return nil
	})
	return t, err
}

// candidatesOf returns how many multiply-adds a row of S·S·S takes, and how
// many different columns it has, as means over a sample of rows.
func candidatesOf(s *csr.Matrix) (products, candidates float64) {
	n, _ := s.Dims()
	u, v := csr.NewAccumulator(n), csr.NewAccumulator(n)
	step := max(n/1000, 1)
	count := 0
	for i := 0; i < n; i += step {
		u.Reset()
		u.AddRowTimes(s, i, s)
		v.Reset()
		v.AddProduct(u, s)
		for _, l := range u.Columns() {
			cols, _ := s.Row(int(l))
			products += float64(len(cols))
		}
		candidates += float64(len(v.Columns()))
		count++
	}
	return products / float64(count), candidates / float64(count)
}

// sumWithoutDiagonal returns Σ_{i≠j} a_ij, which symmetrising by the mean
// leaves as it was.
func sumWithoutDiagonal(a *csr.Matrix) (sum float64) {
	n, _ := a.Dims()
	for i := range n {
		cols, vals := a.Row(i)
		for k, j := range cols {
			if int(j) != i {
				sum += float64(vals[k])
			}
		}
	}
	return sum
}

// Write writes a row a program.
func (t *AffinityStepTimes) Write(w io.Writer) error {
	table := NewTable("pattern", "n", "entries a row", "multiply-adds a row", "candidates a row", "k", "threads", "program", "s", "CPU s", "rows/s a core", "speed / C (CPU)", "(wall)")
	for _, name := range byFirst(slices.Collect(maps.Keys(t.Runs))) {
		runs, best := t.Runs[name], t.Runs["c dense"]
		cpu := medianOf(runs, cpuOf)
		table.Add(t.Pattern, fmt.Sprint(t.Nodes), fmt.Sprintf("%.1f", float64(t.Entries)/float64(t.Nodes)),
			fmt.Sprintf("%.0f", t.Products), fmt.Sprintf("%.0f", t.Candidates), fmt.Sprint(t.TopK), fmt.Sprint(t.Threads),
			name, seconds(medianOf(runs, wallOf)), seconds(cpu), fmt.Sprintf("%.0f", float64(t.Nodes)/cpu),
			number("%.2f", ratioOf(best, runs, cpuOf)), number("%.2f", ratioOf(best, runs, wallOf)))
	}
	return table.Write(w)
}
