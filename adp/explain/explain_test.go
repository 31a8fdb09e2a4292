package explain

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/panics"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// problem returns a graph of three communities, and two apart, and a few seeds, some of them
// wrong and some soft, and the dense matrix of its weights.
func problem(t *testing.T, seed uint64) (*diffuse.Graph, *diffuse.Seeds, oracle.Mat) {
	t.Helper()
	const apart, n, c = 60, 80, 3
	src, dst, weight, class := gen.PlantedPartition(apart, c, 0.3, 0.03, seed)
	src2, dst2, weight2, class2 := gen.PlantedPartition(n-apart, 2, 0.6, 0.1, seed) // another component
	for k := range src2 {
		src, dst, weight = append(src, apart+src2[k]), append(dst, apart+dst2[k]), append(weight, weight2[k])
	}
	random := rand.New(rand.NewPCG(seed, 1))
	for k := range weight {
		weight[k] = 0.1 + random.Float32()
	}
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := range 12 {
		s := diffuse.Seed{Node: uint32(i), Class: uint32(class[i]), Weight: 1}
		if i%4 == 3 {
			s.Class, s.Weight = (s.Class+1)%c, 0.5
		}
		list = append(list, s)
	}
	for i := range 4 {
		list = append(list, diffuse.Seed{Node: uint32(apart + 5*i), Class: uint32(class2[5*i]), Weight: 1})
	}
	list = append(list, diffuse.Seed{Node: 0, Class: uint32((class[0] + 1) % c), Weight: 0.25}) // soft: two classes
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return diffuse.Normalize(w, 1), y, oracle.Affinity(n, src, dst, weight)
}

// factors returns Ỹ_s / Y_s of each seed.
func factors(g *diffuse.Graph, y *diffuse.Seeds, opt diffuse.Options) map[diffuse.Seed]float64 {
	of := map[diffuse.Seed]float64{}
	for k, v := range g.Scale(y, opt) {
		of[y.List()[k]] = v
	}
	return of
}

// TestPartsSumToScore: the contributions sum to the F of a whole solve, and are
// the entries of the dense kernel times those of Ỹ.
func TestPartsSumToScore(t *testing.T) {
	g, y, w := problem(t, 3)
	for _, opt := range []diffuse.Options{{}, {Alpha: 0.6, Balance: diffuse.Unbalanced}, {Alpha: 0.9, Prior: []float64{1, 2, 3}}} {
		f, _, err := diffuse.LGC(context.Background(), g, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := opt.WithDefaults(y.Classes)
		if err != nil {
			t.Fatal(err)
		}
		kernel := oracle.LGC(w, oracle.Identity(y.Nodes), filled.Alpha)
		scale := factors(g, y, filled)
		for node := range y.Nodes {
			e, err := Node(context.Background(), g, y, node, 0, opt)
			if err != nil || !e.Converged {
				t.Fatal(err, e)
			}
			// The solves have float32 and a tolerance for all nodes together.
			sums, most := make([]float64, y.Classes), slices.Max(e.Scores)
			for k, p := range e.Parts {
				sums[p.Seed.Class] += p.Amount
				want := kernel[node][p.Seed.Node] * scale[p.Seed] * float64(p.Seed.Weight)
				if math.Abs(p.Amount-want) > 1e-5*most {
					t.Errorf("node %d, seed %d: %v, dense %v", node, p.Seed.Node, p.Amount, want)
				}
				if k > 0 && p.Amount > e.Parts[k-1].Amount {
					t.Errorf("node %d: part %d is larger than the one before", node, k)
				}
			}
			for j, v := range f.Row(node) {
				if math.Abs(sums[j]-float64(v)) > 1e-5*most || sums[j] != e.Scores[j] {
					t.Errorf("node %d, class %d: parts %v, score %v, F %v", node, j, sums[j], e.Scores[j], v)
				}
			}
			if top := diffuse.TopOf(f.Row(node)); int(top.Class) != e.Label {
				t.Errorf("node %d: label %d, LGC %d", node, e.Label, top.Class)
			}
		}
	}
}

// TestFlipIsTheFewest: a solve without the seeds of Flip gives the node the label FlipTo,
// and no smaller set of seeds of the label changes it, by all subsets, each balanced anew,
// and the dense kernel. In the last graphs the components have mixes of their own.
func TestFlipIsTheFewest(t *testing.T) {
	several, far := 0, 0
	for seed := range uint64(6) {
		if racing.On && seed != 0 && seed != 4 { // seeds of one class, and of several
			continue
		}
		g, y, w := problem(t, seed)
		if seed >= 4 {
			y = ownMixes(t, y)
		}
		for _, opt := range []diffuse.Options{{Alpha: 0.6}, {Alpha: 0.9, Prior: []float64{1, 2, 3}}, {Alpha: 0.9, Balance: diffuse.Unbalanced}} {
			kernel := oracle.LGC(w, oracle.Identity(y.Nodes), opt.Alpha)
			for node := range y.Nodes {
				e, err := Node(context.Background(), g, y, node, 0, opt)
				if err != nil {
					t.Fatal(err)
				}
				if e.RunnerUp < 0 {
					continue
				}
				if got := solvedWithout(t, g, y, e.Flip, node, opt); got != e.FlipTo || got == e.Label {
					t.Errorf("graph %d, node %d of class %d: without %v it is %d, not %d", seed, node, e.Label, e.Flip, got, e.FlipTo)
				}
				var own []diffuse.Seed
				for _, p := range e.Parts {
					if int(p.Seed.Class) == e.Label {
						own = append(own, p.Seed)
					}
				}
				for set := range 1 << len(own) {
					if fewer := bits.OnesCount(uint(set)); fewer == 0 || fewer >= len(e.Flip) {
						continue
					}
					left := without(t, y, func(s diffuse.Seed) bool {
						k := slices.Index(own, s)
						return k >= 0 && set>>k&1 == 1
					})
					scores := make([]float64, y.Classes)
					for k, v := range g.Scale(left, opt) {
						s := left.List()[k]
						scores[s.Class] += v * float64(s.Weight) * kernel[node][s.Node]
					}
					if most := slices.Max(scores); most > scores[e.Label]*(1+1e-4) {
						t.Errorf("graph %d, node %d: %d seeds flip it, and %b of %v too", seed, node, len(e.Flip), set, own)
						break
					}
				}
				if len(e.Flip) > 1 {
					several++
				}
				if !slices.Equal(e.Flip, own[:len(e.Flip)]) {
					far++
				}
			}
		}
	}
	if several == 0 || far == 0 {
		t.Errorf("%d nodes take several seeds, %d other ones than those that give most: the test tells little", several, far)
	}
}

// TestFlipOfMany: more seeds than are tried one by one, and one fewer does not do.
func TestFlipOfMany(t *testing.T) {
	const n = 60
	src, dst, weight, class := gen.PlantedPartition(n, 2, 0.5, 0.1, 7)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g := diffuse.Normalize(w, 1)
	var list []diffuse.Seed
	for i := range n - 10 {
		list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(class[i]), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, 2, list)
	if err != nil {
		t.Fatal(err)
	}
	many := 0
	for node := n - 10; node < n; node++ {
		opt := diffuse.Options{Alpha: 0.9}
		e, err := Node(context.Background(), g, y, node, 0, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Flip) > oneByOne {
			many++
		}
		if got := solvedWithout(t, g, y, e.Flip, node, opt); got != e.FlipTo || got == e.Label {
			t.Errorf("node %d of class %d: without %d seeds it is %d, not %d", node, e.Label, len(e.Flip), got, e.FlipTo)
		}
		for k := range e.Flip {
			if fewer := slices.Delete(slices.Clone(e.Flip), k, k+1); solvedWithout(t, g, y, fewer, node, opt) != e.Label {
				t.Errorf("node %d: %d seeds flip it, and one fewer too", node, len(e.Flip))
			}
		}
	}
	if many == 0 {
		t.Error("no node takes many seeds: the test tells little")
	}
}

// ownMixes returns seeds: class 0 has most of them in the larger component, class 1 in
// the smaller one.
func ownMixes(t *testing.T, y *diffuse.Seeds) *diffuse.Seeds {
	t.Helper()
	var list []diffuse.Seed
	for _, s := range y.List() {
		if s.Node < 60 && (len(list) == 0 || list[len(list)-1].Node != s.Node) {
			s.Class = uint32(max(0, int(s.Node)-8)) % 3
			list = append(list, s)
		}
	}
	for i := range 8 {
		list = append(list, diffuse.Seed{Node: uint32(61 + 2*i), Class: uint32(1 - i/6), Weight: 1})
	}
	mixed, err := diffuse.NewSeeds(y.Nodes, y.Classes, list)
	if err != nil {
		t.Fatal(err)
	}
	return mixed
}

// without returns the seeds that are left where some are taken away.
func without(t *testing.T, y *diffuse.Seeds, lost func(diffuse.Seed) bool) *diffuse.Seeds {
	t.Helper()
	left, err := diffuse.NewSeeds(y.Nodes, y.Classes, slices.DeleteFunc(slices.Clone(y.List()), lost))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// solvedWithout returns the label of a node by a solve without some seeds.
func solvedWithout(t *testing.T, g *diffuse.Graph, y *diffuse.Seeds, lost []diffuse.Seed, node int, opt diffuse.Options) int {
	t.Helper()
	left := without(t, y, func(s diffuse.Seed) bool { return slices.Contains(lost, s) })
	f, _, err := diffuse.LGC(context.Background(), g, left, opt)
	if err != nil {
		t.Fatal(err)
	}
	return int(diffuse.TopOf(f.Row(node)).Class)
}

// TestPathIsTheStrongest: each path is one of edges, and its product is the
// largest of all paths, by Floyd's algorithm; its walk is a part of the seed's
// contribution.
func TestPathIsTheStrongest(t *testing.T) {
	g, y, w := problem(t, 5)
	const alpha = 0.99
	s := oracle.NormalizeSym(w)
	n := y.Nodes
	best := make([][]float64, n)
	for i := range best {
		best[i] = make([]float64, n)
		for j := range n {
			best[i][j] = alpha * s[i][j]
		}
		best[i][i] = 1
	}
	for k := range n {
		for i := range n {
			for j := range n {
				best[i][j] = max(best[i][j], best[i][k]*best[k][j])
			}
		}
	}
	scale := factors(g, y, diffuse.Options{})
	for node := range n {
		e, err := Node(context.Background(), g, y, node, 4, diffuse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range e.Parts {
			if k >= 4 {
				if p.Path != nil {
					t.Errorf("node %d: part %d has a path", node, k)
				}
				continue
			}
			if p.Path[0] != node || p.Path[len(p.Path)-1] != int(p.Seed.Node) {
				t.Fatalf("node %d, seed %d: path %v", node, p.Seed.Node, p.Path)
			}
			product := 1.0
			for at := 1; at < len(p.Path); at++ {
				product *= alpha * s[p.Path[at-1]][p.Path[at]]
			}
			if want := best[node][p.Seed.Node]; math.Abs(product-want) > 1e-5*want {
				t.Errorf("node %d, seed %d: path of %v, strongest %v", node, p.Seed.Node, product, want)
			}
			share := (1 - alpha) * product * scale[p.Seed] * float64(p.Seed.Weight) / p.Amount
			if !(p.Share > 0 && p.Share <= 1) || math.Abs(p.Share-share) > 1e-5 {
				t.Errorf("node %d, seed %d: share %v, expected %v", node, p.Seed.Node, p.Share, share)
			}
		}
	}
}

// TestUnreached: a node without seeds in its component has no label and no
// parts; one with seeds of one class has no runner-up.
func TestUnreached(t *testing.T) {
	w, _, err := csr.FromEdges(5, &csr.Edges{Src: []uint32{0, 2}, Dst: []uint32{1, 3}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := diffuse.NewSeeds(5, 2, []diffuse.Seed{{Node: 0, Class: 1, Weight: 1}, {Node: 4, Class: 0, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	g := diffuse.Normalize(w, 1)
	for node, want := range []int{1, 1, -1, -1, 0} {
		e, err := Node(context.Background(), g, y, node, 3, diffuse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if e.Label != want || e.RunnerUp != -1 || e.Flip != nil || (want < 0) != (len(e.Parts) == 0) {
			t.Errorf("node %d: %+v", node, e)
		}
	}
	if said := panics.Of(func() {
		_, _ = Node(context.Background(), diffuse.Normalize(csr.Identity(4), 1), y, 1, 1, diffuse.Options{})
	}); said != "explain: a graph of 4 nodes, seeds of 5" {
		t.Errorf("seeds of another graph: %q", said)
	}
	if _, err := Node(context.Background(), g, y, 5, 1, diffuse.Options{}); !errors.Is(err, diffuse.ErrOptions) {
		t.Errorf("node 5 of 5: %v", err)
	}
}

// TestRuns: what Result.Diffusion says explains the labels of a run, on a learned
// graph that is in more parts than the given one too.
func TestRuns(t *testing.T) {
	_, y, affinity := problem(t, 3)
	n := y.Nodes
	var edges csr.Edges
	for i := range n {
		for j := range i {
			if v := affinity[i][j]; v > 0 {
				edges.Src, edges.Dst, edges.Weight = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j)), append(edges.Weight, float32(v))
			}
		}
	}
	w, _, err := csr.FromEdges(n, &edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []adp.Options{
		{Method: adp.LGC, Alpha: 0.7},
		{Select: adp.None, TopK: 1, Anchor: -1, Zeta: 5, Alpha: 0.8, Prior: []float64{1, 2, 4}},
	} {
		opt.Threads = 1
		r, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, parts := csr.Components(r.Graph, 1); opt.Method == adp.ADP && len(parts) < 3 {
			t.Fatalf("the learned graph is in %d parts, want more than the 2 given ones", len(parts))
		}
		g, spread := diffuse.Normalize(r.Graph, 1), r.Diffusion(w, opt)
		for node := range n {
			e, err := Node(context.Background(), g, y, node, 0, spread)
			if err != nil {
				t.Fatal(err)
			}
			row := r.F.Row(node)
			for j, v := range e.Scores {
				if math.Abs(v-float64(row[j])) > 1e-4*float64(slices.Max(row)) && len(e.Parts) > 0 {
					t.Errorf("%v: node %d has %v, explained as %v", opt.Method, node, row, e.Scores)
					break
				}
			}
		}
	}
}

// TestFarSeeds: what seeds give to a node far from all of them, 10^-20 of what they have,
// and not what the solver's error makes of it: of a path and its mirror image, the
// nearer one the more.
func TestFarSeeds(t *testing.T) {
	const n, node = 700, 349
	src, dst, weight := gen.Path(n)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g := diffuse.Normalize(w, 1)
	y, err := diffuse.NewSeeds(n, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: n - 1, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Node(context.Background(), g, y, node, 0, diffuse.Options{Threads: 1})
	if err != nil || !e.Converged || len(e.Parts) != 2 {
		t.Fatal(e, err)
	}
	// Away from the ends F falls by r with each edge, r + 1/r = 2/α: node 349 is one
	// edge nearer to 0 than to 699.
	alpha := 0.99
	r := (1 - math.Sqrt(1-alpha*alpha)) / alpha
	if got := e.Parts[1].Amount / e.Parts[0].Amount; e.Parts[0].Seed.Node != 0 || math.Abs(got-r) > 0.01 {
		t.Errorf("parts %+v, %v of each other, want %v", e.Parts, got, r)
	}
}

// TestWalkEnds: the search for paths ends with its context.
func TestWalkEnds(t *testing.T) {
	g, y, _ := problem(t, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	parts := []Part{{Seed: y.List()[1], Amount: 1}}
	if err := walk(ctx, g.S, 0.9, 50, parts); !errors.Is(err, context.Canceled) || parts[0].Path != nil {
		t.Errorf("error %v, path %v", err, parts[0].Path)
	}
}

// TestFar: what comes from far has the size of the kernel of a path, K_is = λ^d
// (1−α)/√(1−α²) at a distance of d edges with λ = (1−√(1−α²))/α, as long as numbers hold it.
// A node that is too far from all seeds has no reason made up.
func TestFar(t *testing.T) {
	const n, alpha, a, b = 1001, 0.5, 300, 420
	e := &csr.Edges{}
	for i := range uint32(n - 1) {
		e.Src, e.Dst = append(e.Src, i), append(e.Dst, i+1)
	}
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := diffuse.NewSeeds(n, 2, []diffuse.Seed{{Node: a, Class: 0, Weight: 1}, {Node: b, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	root := math.Sqrt(1 - alpha*alpha)
	kernel := func(d int) float64 { return (1 - alpha) / root * math.Pow((1-root)/alpha, float64(d)) }
	for _, test := range []struct {
		node, label int
		faint       bool
	}{{302, 0, false}, {355, 0, false}, {365, 1, false}, {500, 1, false}, {225, 0, false}, {220, 0, false}, {50, -1, true}, {600, -1, true}} {
		x, err := Node(context.Background(), diffuse.Normalize(w, 1), y, test.node, 0, diffuse.Options{Alpha: alpha})
		if err != nil || x.Label != test.label || x.Underflow != test.faint {
			t.Fatalf("node %d: %+v, %v", test.node, x, err)
		}
		for _, p := range x.Parts {
			want := kernel(max(int(p.Seed.Node)-test.node, test.node-int(p.Seed.Node)))
			if p.Amount < 1e-3*x.Parts[0].Amount { // to the tolerance of the larger one
				continue
			}
			if math.Abs(p.Amount/want-1) > 0.02 { // faint rows are solved to a hundredth
				t.Errorf("node %d, seed %d: %v, expected %v", test.node, p.Seed.Node, p.Amount, want)
			}
		}
	}
}
