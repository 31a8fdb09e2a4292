package gen

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

func graph(t *testing.T, opt Options) *Graph {
	t.Helper()
	g, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// all returns the edges of all blocks, loops left out, and fails the test if
// a pair comes twice, is not in order, or a node does not occur.
func all(t *testing.T, g *Graph) map[[2]uint32]float32 {
	t.Helper()
	pairs, seen := map[[2]uint32]float32{}, make([]bool, g.Nodes())
	var e csr.Edges
	for b := range g.Blocks() {
		g.Block(b, &e)
		for k, i := range e.Src {
			j, w := e.Dst[k], float32(1)
			if g.Weighted() {
				w = e.Weight[k]
			}
			seen[i], seen[j] = true, true
			if i == j {
				continue
			}
			pair := [2]uint32{i, j}
			if _, twice := pairs[pair]; i > j || twice && g.opt.Kind != RMAT {
				t.Fatalf("edge %d-%d: out of order, or twice", i, j)
			}
			pairs[pair] = w
		}
	}
	for i, yes := range seen {
		if !yes && g.opt.Kind != RMAT {
			t.Fatalf("node %d does not occur", i)
		}
	}
	return pairs
}

// within fails the test if a count of independent events is more than 5
// standard deviations from its mean.
func within(t *testing.T, what string, got int, mean float64) {
	t.Helper()
	if d := float64(got) - mean; math.Abs(d) > 5*math.Sqrt(mean)+1 {
		t.Errorf("%s: %d, expected %.0f", what, got, mean)
	}
}

// TestPlanted: each of the four kinds of pairs (inside and between, first and
// second half of the nodes) has its expected number of edges.
func TestPlanted(t *testing.T) {
	for _, opt := range []Options{
		{Nodes: 20000, Degree: 12, Classes: 7, Inside: 0.7, Seed: 1},
		{Nodes: 9001, Degree: 6, Classes: 2, Inside: 0.5, Seed: 2},
		{Nodes: 9000, Degree: 5, Classes: 1, Seed: 3},
		{Nodes: 300, Degree: 9, Classes: 10, Inside: 1, Seed: 4},
	} {
		opt.Kind = Planted
		g := graph(t, opt)
		counts := map[[2]bool]int{}
		for pair := range all(t, g) {
			counts[[2]bool{g.Label(int(pair[0])) == g.Label(int(pair[1])), pair[0] < uint32(opt.Nodes/2)}]++
		}
		edges := float64(opt.Nodes) * opt.Degree / 2
		share := opt.Inside
		if opt.Classes == 1 {
			share = 1
		}
		// A pair has its smaller end in the first half with probability 3/4.
		within(t, "inside, first half", counts[[2]bool{true, true}], edges*share*.75)
		within(t, "inside, second half", counts[[2]bool{true, false}], edges*share*.25)
		within(t, "between, first half", counts[[2]bool{false, true}], edges*(1-share)*.75)
		within(t, "between, second half", counts[[2]bool{false, false}], edges*(1-share)*.25)
	}
}

// TestGeometric compares with all pairs of points.
func TestGeometric(t *testing.T) {
	g := graph(t, Options{Kind: Geometric, Nodes: 1500, Degree: 14, Seed: 5})
	got := all(t, g)
	want := 0
	for i := range 1500 {
		for j := i + 1; j < 1500; j++ {
			xi, yi := g.point(i)
			xj, yj := g.point(j)
			d := math.Hypot(xi-xj, yi-yj)
			w, ok := got[[2]uint32{uint32(i), uint32(j)}]
			if near := d < g.radius; near != ok || ok && math.Abs(float64(w)-math.Exp(-2*d*d/(g.radius*g.radius))) > 1e-6 {
				t.Fatalf("%d and %d are %v apart: edge %v, weight %v", i, j, d, ok, w)
			}
			if d < g.radius {
				want++
			}
		}
	}
	if len(got) != want || want < 1500*14/2*8/10 || want > 1500*14/2*12/10 {
		t.Errorf("%d edges, expected %d", len(got), want)
	}
	inside := 0
	for pair := range got {
		if g.Label(int(pair[0])) == g.Label(int(pair[1])) {
			inside++
		}
	}
	if inside < len(got)*7/10 {
		t.Errorf("%d of %d edges are inside a class", inside, len(got))
	}
}

// TestRMAT: the ends of edges fall into the quadrants of the first levels as
// often as they should.
func TestRMAT(t *testing.T) {
	g := graph(t, Options{Kind: RMAT, Nodes: 1 << 16, Degree: 10, Seed: 6})
	var e csr.Edges
	counts := [4]int{}
	total := 0
	for b := range g.Blocks() {
		g.Block(b, &e)
		total += len(e.Src)
		for k, i := range e.Src {
			counts[i>>15<<1|e.Dst[k]>>15]++
		}
	}
	if int64(total) != g.Edges() {
		t.Fatalf("%d edges, expected %d", total, g.Edges())
	}
	// The smaller end comes first: the two mixed quadrants are one.
	within(t, "upper left", counts[0], .57*float64(total))
	within(t, "mixed", counts[1], .38*float64(total))
	within(t, "lower right", counts[3], .05*float64(total))
	if odd := graph(t, Options{Kind: RMAT, Nodes: 1000, Seed: 7}); len(all(t, odd)) == 0 {
		t.Error("no edges")
	}
}

// TestWrite: the edge list and the .csr file hold the same graph, and are the
// same for any threads and memory.
func TestWrite(t *testing.T) {
	ctx := context.Background()
	nodes := 1 << 15 // buckets without rows, too
	if racing.On {
		nodes = 1 << 12
	}
	for _, kind := range []Kind{Planted, RMAT, Geometric, CSBM} {
		g := graph(t, Options{Kind: kind, Nodes: nodes, Seed: 8})
		var texts, files []string
		for _, threads := range []int{1, 3} {
			var text strings.Builder
			if err := g.WriteEdges(ctx, &text, '\t', threads); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text.String())
			for _, memory := range []int64{0, 1 << 16} {
				dir := t.TempDir()
				out, err := os.Create(filepath.Join(dir, "out"))
				if err != nil {
					t.Fatal(err)
				}
				scratch, err := os.Create(filepath.Join(dir, "scratch"))
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := g.WriteCSR(ctx, out, csr.BuildOptions{Threads: threads, Memory: memory, Scratch: scratch}); err != nil {
					t.Fatal(err)
				}
				content, err := os.ReadFile(out.Name())
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, string(content))
				out.Close()
				scratch.Close()
			}
		}
		for _, other := range files[1:] {
			if other != files[0] || texts[1] != texts[0] {
				t.Fatalf("%s: other bytes with other threads or memory", kind)
			}
		}
		read, err := edgelist.Read(strings.NewReader(texts[0]), "f", edgelist.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := store.Write(&want, read.W, read.IDs); err != nil {
			t.Fatal(err)
		}
		m, _, err := store.Read(strings.NewReader(files[0]), "f", -1)
		if err != nil || m.NNZ() != read.W.NNZ() || kind != RMAT && want.String() != files[0] {
			t.Errorf("%s: the .csr file is not that of the edge list (%v)", kind, err)
		}
	}
}

func TestSeeds(t *testing.T) {
	for _, kind := range []Kind{Planted, Geometric} {
		g := graph(t, Options{Kind: kind, Nodes: 5000, Classes: 4, Seed: 9})
		seeds, err := g.Seeds(6)
		if err != nil {
			t.Fatal(err)
		}
		count, seen := [4]int{}, map[int]bool{}
		for _, i := range seeds {
			count[g.Label(i)]++
			seen[i] = true
		}
		if count != [4]int{6, 6, 6, 6} || len(seen) != 24 {
			t.Errorf("%s: %v seeds a class, %d nodes", kind, count, len(seen))
		}
	}
	for _, many := range []int{1 << 40, math.MaxInt} { // whose product with the classes is past what there is
		if _, err := graph(t, Options{Kind: Planted, Nodes: 20, Degree: 1}).Seeds(many); !errors.Is(err, ErrOptions) {
			t.Errorf("%d seeds of each class of 20 nodes: %v", many, err)
		}
	}
	if _, err := graph(t, Options{Kind: Planted, Nodes: 20, Degree: 1}).Seeds(3); !errors.Is(err, ErrOptions) {
		t.Errorf("3 seeds of classes of 2: %v", err)
	}
}

func TestOptions(t *testing.T) {
	for _, opt := range []Options{
		{Kind: "ring", Nodes: 10},
		{Kind: Planted, Nodes: 1},
		{Kind: Planted, Nodes: 1 << 40},
		{Kind: Planted, Nodes: 10, Degree: 10},
		{Kind: Planted, Nodes: 100, Classes: 50, Degree: 5},
		{Kind: RMAT, Nodes: 10, Degree: math.NaN()},
		{Kind: Planted, Nodes: 100, Inside: 2},
		{Kind: Planted, Nodes: 10, Classes: 11, Degree: 1},
		{Kind: Geometric, Nodes: 100, Degree: -1},
		{Kind: CSBM, Nodes: 100, Degree: 5, Lambda: 3},
		{Kind: CSBM, Nodes: 100, Degree: 5, Lambda: -3},
		{Kind: CSBM, Nodes: 100, Degree: 5, Lambda: math.NaN()},
		{Kind: CSBM, Nodes: 100, Degree: 5, Dims: -1},
		{Kind: CSBM, Nodes: 100, Degree: 5, Mu: -1},
		{Kind: CSBM, Nodes: 100, Degree: 5, Mu: math.Inf(1)},
	} {
		if _, err := New(opt); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}
