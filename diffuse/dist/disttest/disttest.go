// Package disttest is the battery of tests that every [dist.Comm] passes.
package disttest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Ranks runs body on some ranks, and fails t with the error of any of them.
type Ranks func(t *testing.T, body func(c dist.Comm, threads int) error)

// Run runs the battery.
func Run(t *testing.T, on Ranks) {
	t.Run("messages", func(t *testing.T) { messages(t, on) })
	t.Run("components", func(t *testing.T) { components(t, on) })
	t.Run("LGC", func(t *testing.T) { solutions(t, on) })
	t.Run("AStep", func(t *testing.T) { learned(t, on) })
}

// messages: every rank gets what each sent it, empty messages too, and sums go
// through the ranks in their order.
func messages(t *testing.T, on Ranks) {
	on(t, func(c dist.Comm, _ int) error {
		me, size := c.Rank(), c.Size()
		text := func(from, to int) []byte { return bytes.Repeat([]byte{byte(1 + from), byte(10 + to)}, 1000*(from+to)) }
		send := make([][]byte, size)
		for q := range send {
			send[q] = text(me, q)
		}
		for q, got := range c.Exchange(send) {
			if !bytes.Equal(got, text(q, me)) {
				return fmt.Errorf("rank %d has %d bytes of rank %d, want %d", me, len(got), q, len(text(q, me)))
			}
		}
		// In a ring, three times before the first one is read.
		const width = 3
		next, before := (me+1)%size, (me+size-1)%size
		if size > 1 {
			for turn := range 3 {
				own, other := make([]float32, 5*width), make([]float32, 5*width)
				for k := range own {
					own[k] = float32(100*me + 10*turn + k)
				}
				r := c.Start([]dist.Message{{Peer: next, Rows: own}}, []dist.Message{{Peer: before, Rows: other}}, width)
				r.Test()
				r.Wait()
				if other[7] != float32(100*before+10*turn+7) {
					return fmt.Errorf("rank %d, turn %d: %v of rank %d", me, turn, other[7], before)
				}
			}
		}
		// Not associative: only the order of ranks gives this sum.
		sum, want := []float64{0, 1}, []float64{0, 1}
		step := func(rank int, sum []float64) {
			sum[0] = sum[0]*3 + float64(rank)
			sum[1] /= float64(rank + 3)
		}
		c.Fold(sum, func(sum []float64) { step(me, sum) })
		for rank := range size {
			step(rank, want)
		}
		if !slices.Equal(sum, want) {
			return fmt.Errorf("rank %d: a sum of %v, want %v", me, sum, want)
		}
		return nil
	})
}

// components: the smallest node of each one, nil on a connected graph, whatever rows
// the ranks hold of it.
func components(t *testing.T, on Ranks) {
	for seed := range uint64(12) {
		n := 512*4 + 100*int(seed)
		src, dst, _ := gen.RandomGraph(n, 0.15*float64(seed)/float64(n), seed, gen.Options{Isolated: int(seed)})
		for i := uint32(0); seed%3 == 0 && int(i)+1024 < n; i += 7 { // there and back: 0, 1024, 1, 1025, ...
			src, dst = append(src, i, i+1024), append(dst, i+1024, i+7)
		}
		if seed == 11 { // a path through all ranks, again and again
			src, dst = nil, nil
			for k := range n - 1 {
				src, dst = append(src, uint32(k*1021%n)), append(dst, uint32((k+1)*1021%n))
			}
		}
		w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst}, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		of, sizes := csr.Components(w, 1)
		if seed == 11 != (len(sizes) == 1) {
			t.Fatalf("%d components", len(sizes))
		}
		smallest := map[uint32]uint32{}
		for i, c := range of {
			if _, ok := smallest[c]; !ok {
				smallest[c] = uint32(i)
			}
		}
		on(t, func(c dist.Comm, threads int) error {
			world, own := Share(c, w)
			lo, _, _ := world.Rows()
			got := dist.Normalize(world, own, threads).Components()
			if seed == 11 {
				if got != nil {
					return fmt.Errorf("components of a path")
				}
				return nil
			}
			for i, label := range got {
				if want := smallest[of[lo+i]]; label != want {
					return fmt.Errorf("seed %d: node %d is with %d, want %d", seed, lo+i, label, want)
				}
			}
			if rows, _ := own.Dims(); len(got) != rows {
				return fmt.Errorf("seed %d: %d rows of %d", seed, len(got), rows)
			}
			return nil
		})
	}
}

// solutions: F of LGC by both solvers, and a step of ADP1, on any number of
// ranks, are those of package diffuse, and so is what the solver tells.
func solutions(t *testing.T, on Ranks) {
	for _, s := range samples(t) {
		for _, opt := range []diffuse.Options{{Alpha: 0.3}, {Alpha: 0.99}, {Alpha: 0.9, Solver: diffuse.Power, MaxIterations: 40}, {Alpha: 0.2, Underflow: diffuse.UnderflowAll}} {
			if opt.Alpha > 0.3 && (s.name == "path" || s.name == "brush") {
				continue // long: hundreds of messages one after the other
			}
			t.Run(fmt.Sprintf("%s %v", s.name, opt.Alpha), func(t *testing.T) { s.solve(t, on, opt) })
		}
	}
}

func (s sample) solve(t *testing.T, on Ranks, opt diffuse.Options) {
	g := diffuse.Normalize(s.w, 1)
	want := csr.NewDense(s.y.Nodes, s.y.Classes)
	work := diffuse.NewWorkspace(s.y.Nodes, s.y.Classes, 1)
	stats, err := work.LGC(context.Background(), want, g, g.Degrees, s.y, opt)
	if err != nil {
		t.Fatal(err)
	}
	solved := want.Clone()
	if err := work.Joint(want, g, g.Degrees, s.y, opt); err != nil {
		t.Fatal(err)
	}
	on(t, func(c dist.Comm, threads int) error {
		w, own := Share(c, s.w)
		opt := opt
		opt.Threads = threads
		g := dist.Normalize(w, own, threads)
		lo, hi, _ := w.Rows()
		f := csr.NewDense(hi-lo, s.y.Classes)
		work := diffuse.NewWorkspace(hi-lo, s.y.Classes, threads).Across(w)
		got, err := work.LGC(context.Background(), f, g, g.Degrees, s.y, opt)
		if err != nil || got != stats {
			return fmt.Errorf("%+v, %w, want %+v", got, err, stats)
		}
		if err := sameRows(f, solved, lo); err != nil {
			return err
		}
		if err := work.Joint(f, g, g.Degrees, s.y, opt); err != nil {
			return err
		}
		return sameRows(f, want, lo)
	})
}

// learned: two A-steps, one of S and one of what it gives, with few and with all
// entries of a row, and with rows cut, are those of package diffuse, and so is S of what
// they give.
func learned(t *testing.T, on Ranks) {
	for _, s := range samples(t) {
		for _, opt := range []diffuse.AffinityOptions{{TopK: 3}, {TopK: -1}, {TopK: 3, Hubs: diffuse.HubRows{Above: 1, Work: 100, Links: 4, Terms: 40}}} {
			for _, how := range []diffuse.Harden{diffuse.SqrtMargin, diffuse.Soft} {
				if opt.TopK < 0 && (s.y.Nodes > 1500 || how == diffuse.Soft) {
					continue
				}
				t.Run(fmt.Sprintf("%s %d %v %v", s.name, opt.TopK, opt.Hubs.Above, how), func(t *testing.T) { s.learn(t, on, opt, how) })
			}
		}
	}
}

func (s sample) learn(t *testing.T, on Ranks, opt diffuse.AffinityOptions, how diffuse.Harden) {
	g := diffuse.Normalize(s.w, 1)
	f, _, err := diffuse.LGC(context.Background(), g, s.y, diffuse.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	h := diffuse.NewFactor(f, how)
	if opt.Hubs.Above > 0 { // so that only all ranks together are above it
		opt.Hubs.Above = int64(s.y.Nodes)*int64(g.S.NNZ()) - 1
	}
	opt.Alpha, opt.Zeta, opt.Threads = 0.9, 0.5/h.MeanRowSum(nil), 1
	var steps [2]*csr.Matrix
	for k, from := 0, g.S; k < len(steps); k++ {
		if steps[k], err = diffuse.AStep(context.Background(), g.S, from, h, opt); err != nil {
			t.Fatal(err)
		}
		from = csr.Add(steps[k], 0.5, g.S, 1)
	}
	taught, err := diffuse.AStep(context.Background(), g.S, nil, h, opt)
	if err != nil {
		t.Fatal(err)
	}
	anchored := opt
	anchored.Anchor = 0.5
	fresh, err := diffuse.FreshStep(context.Background(), g, diffuse.NewFactor(f, diffuse.Hard), anchored)
	if err != nil {
		t.Fatal(err)
	}
	normal := diffuse.Normalize(steps[1], 1)
	on(t, func(c dist.Comm, threads int) error {
		w, own := Share(c, s.w)
		lo, hi, _ := w.Rows()
		g := dist.Normalize(w, own, threads)
		h := diffuse.NewFactor(&csr.Dense{Rows: hi - lo, Cols: f.Cols, Data: f.Data[lo*f.Cols : hi*f.Cols]}, how)
		opt := opt
		opt.Threads = threads
		if zeta := 0.5 / h.MeanRowSum(w); zeta != opt.Zeta {
			return fmt.Errorf("zeta is %v, want %v", zeta, opt.Zeta)
		}
		a, err := dist.AStep(context.Background(), g, nil, h, opt)
		if err != nil {
			return err
		}
		if err := sameMatrix(a, taught, lo); err != nil {
			return fmt.Errorf("without an A: %w", err)
		}
		mine := &csr.Dense{Rows: hi - lo, Cols: f.Cols, Data: f.Data[lo*f.Cols : hi*f.Cols]}
		opt.Anchor = 0.5
		if a, err = dist.FreshStep(context.Background(), g, diffuse.NewFactor(mine, diffuse.Hard), opt); err != nil {
			return err
		}
		if err := sameMatrix(a, fresh, lo); err != nil {
			return fmt.Errorf("fresh: %w", err)
		}
		opt.Anchor = 0
		from := g.S
		for k := range steps {
			a, err := dist.AStep(context.Background(), g, from, h, opt)
			if err != nil {
				return err
			}
			if err := sameMatrix(a, steps[k], lo); err != nil {
				return fmt.Errorf("step %d: %w", k, err)
			}
			from = csr.Add(a, 0.5, g.S, threads)
			if k == 1 {
				return sameMatrix(dist.Normalize(w, a, threads).S, normal.S, lo)
			}
		}
		return nil
	})
}

// sameMatrix compares a rank's rows with those of the whole.
func sameMatrix(own, whole *csr.Matrix, lo int) error {
	n, _ := own.Dims()
	for i := range n {
		cols, vals := own.Row(i)
		wantCols, wantVals := whole.Row(lo + i)
		if !slices.Equal(cols, wantCols) || !slices.Equal(vals, wantVals) {
			return fmt.Errorf("row %d is %v %v, want %v %v", lo+i, cols, vals, wantCols, wantVals)
		}
	}
	return nil
}

// sameRows compares a rank's rows with those of the whole.
func sameRows(own, whole *csr.Dense, lo int) error {
	for i := range own.Rows {
		if !slices.Equal(own.Row(i), whole.Row(lo+i)) {
			return fmt.Errorf("row %d is %v, want %v", lo+i, own.Row(i), whole.Row(lo+i))
		}
	}
	return nil
}

// Share returns the world of a graph and the rows of it that a rank holds.
func Share(c dist.Comm, m *csr.Matrix) (*dist.World, *csr.Matrix) {
	indptr, _, _ := m.Arrays()
	w := dist.NewWorld(c, dist.Split(indptr, c.Size()))
	lo, hi, _ := w.Rows()
	return w, csr.Slice(m, lo, hi)
}

// sample is a graph with seeds.
type sample struct {
	name string
	w    *csr.Matrix
	y    *diffuse.Seeds
}

// samples are graphs that ranks cut in different ways: with long rows, far nodes
// and nodes that no seed reaches, and with fewer blocks of rows than ranks. All
// have last blocks that are not full.
func samples(t *testing.T) []sample {
	t.Helper()
	const n = 4*rows.BlockSize + 77
	src, dst, weight := gen.Path(n)
	path := &csr.Edges{Src: src, Dst: dst, Weight: weight}
	hubs := &csr.Edges{}
	for i := range uint32(n - 20) {
		for k := range uint32(3) {
			to := (i*i + k*k*31) % (17 + i/3)
			if k == 0 {
				to = [...]uint32{5, n / 2, n - 50}[i%3]
			}
			hubs.Src, hubs.Dst = append(hubs.Src, i), append(hubs.Dst, to)
			hubs.Weight = append(hubs.Weight, 1+float32(i%7)/8)
		}
	}
	// A hub whose neighbours, their neighbours and theirs are in other ranks.
	brush := &csr.Edges{}
	const bristles, from = 150, rows.BlockSize
	for i := range uint32(rows.BlockSize - 1) {
		brush.Src, brush.Dst = append(brush.Src, i), append(brush.Dst, i+1)
	}
	for i := from; i < from+bristles; i++ {
		at := uint32(i)
		brush.Src, brush.Dst = append(brush.Src, 0, at, at+bristles), append(brush.Dst, at, at+bristles, at+2*bristles)
	}
	src, dst, weight = gen.RandomGraph(300, 0.05, 3, gen.Options{WeightSpread: 4})
	// Five components over all ranks, with seeds of one to three classes.
	parted := &csr.Edges{}
	for i := range uint32(n - 500) {
		parted.Src, parted.Dst = append(parted.Src, i, i), append(parted.Dst, i+5, i+5*(1+i*i%100))
	}
	return []sample{
		seeded(t, "parted", n, parted, 3),
		seeded(t, "ring", n, Ring(n), 3),
		seeded(t, "path", n, path, 2),
		seeded(t, "hubs", n, hubs, 5),
		seeded(t, "brush", from+3*bristles, brush, 2),
		seeded(t, "small", 300, &csr.Edges{Src: src, Dst: dst, Weight: weight}, 3),
	}
}

// Ring joins nodes to near ones, and a few to far ones.
func Ring(n int) *csr.Edges {
	ring := &csr.Edges{}
	for i := range n {
		for _, step := range []int{1, 2, 3, 5} {
			ring.Src, ring.Dst = append(ring.Src, uint32(i)), append(ring.Dst, uint32((i+step)%n))
		}
		if i%97 == 0 {
			ring.Src, ring.Dst = append(ring.Src, uint32(i)), append(ring.Dst, uint32((i*7+13)%n))
		}
	}
	return ring
}

// seeded adds c classes of seeds, all over the graph.
func seeded(t *testing.T, name string, n int, e *csr.Edges, c int) sample {
	t.Helper()
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for k := range 4 * c {
		list = append(list, diffuse.Seed{Node: uint32(k * (n - 30) / (4 * c)), Class: uint32(k % c), Weight: 1 + float32(k%3)/4})
	}
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return sample{name, w, y}
}
