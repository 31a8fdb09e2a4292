package adp

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// ringGraph returns a ring of points that are joined to near ones, so that degrees are
// alike, with one seed in each class.
func ringGraph(t *testing.T, n, c int, draw uint64) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	rng := rand.New(rand.NewPCG(draw, 5))
	e := &csr.Edges{}
	for i := range uint32(n) {
		for range 3 {
			e.Src, e.Dst = append(e.Src, i), append(e.Dst, (i+1+uint32(rng.IntN(8)))%uint32(n))
		}
	}
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{Duplicates: csr.DuplicatesMax})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for class, node := range rng.Perm(n)[:c] {
		list = append(list, diffuse.Seed{Node: uint32(node), Class: uint32(class), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

// blockGraph is a planted partition, with one seed a class.
func blockGraph(t *testing.T, n, c int, draw uint64) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	src, dst, _, class := gen.PlantedPartition(n, c, 0.12, 0.03, draw)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst}, csr.BuildOptions{Duplicates: csr.DuplicatesMax})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for y := range c {
		list = append(list, diffuse.Seed{Node: uint32(slices.Index(class, y)), Class: uint32(y), Weight: 1})
	}
	seeds, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return w, seeds
}

// TestJudgeStandIns: ADP needs a lead of 0.6 of √folds, and to win six standard errors more
// stand-ins than it loses in four folds, three in one.
func TestJudgeStandIns(t *testing.T) {
	const nodes = 200
	for _, test := range []struct {
		name      string
		won, lost []int // in each fold
		accepted  bool
	}{
		{"the same in all folds", []int{9, 9, 9, 9}, []int{0, 0, 0, 0}, true},
		{"one too few", []int{9, 9, 9, 8}, []int{0, 0, 0, 0}, false},
		{"many, with losses", []int{60, 60, 60, 60}, []int{26, 26, 26, 26}, true},
		{"many, with a few losses more", []int{60, 60, 60, 60}, []int{32, 32, 32, 32}, false},
		{"in one fold alone", []int{150, 0, 0, 0}, []int{0, 0, 0, 0}, false},
		{"in one fold, and a little in the others", []int{100, 9, 9, 9}, []int{0, 0, 0, 0}, true},
		{"and less in the others", []int{100, 7, 6, 6}, []int{0, 0, 0, 0}, false},
		{"against it", []int{0, 0, 0, 0}, []int{90, 90, 90, 90}, false},
		{"nothing", []int{0, 0, 0, 0}, []int{0, 0, 0, 0}, false},
		{"a fold, as fast has it", []int{9}, []int{0}, true},
		{"one too few in it", []int{8}, []int{0}, false},
	} {
		c := &contest{Folds: len(test.won)}
		for f := range test.won {
			for k := range nodes {
				lgc, adp := int32(1), int32(1)
				switch {
				case k < test.won[f]:
					lgc = 2
				case k < test.won[f]+test.lost[f]:
					adp = 3
				}
				c.LGC, c.ADP = append(c.LGC, lgc), append(c.ADP, adp)
			}
		}
		trial := &Trial{}
		if trial.judgePseudoLabels(c); trial.Accepted != test.accepted {
			t.Errorf("%s: %+v", test.name, trial)
		}
	}
}

// TestStandInsAsRuns: what a trial without seeds to leave out says is what runs from
// stand-ins say, and it decides.
func TestStandInsAsRuns(t *testing.T) {
	if racing.On {
		t.Skip("graphs of one block of rows, so one goroutine: the test runs without the race detector")
	}
	taken, kept := 0, 0
	for draw := range uint64(20) {
		n := 150
		w, y := ringGraph(t, n, 3, draw)
		if draw >= 10 { // learned graphs find the classes of these
			n = 300
			w, y = blockGraph(t, n, 3, draw)
		}
		run := func(y *diffuse.Seeds, opt Options) *Result {
			t.Helper()
			r, err := Run(context.Background(), w, y, opt)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := run(y, Options{TrialFolds: 4})
		if r.Trial == nil || r.Trial.Folds == 0 {
			continue
		}
		free := Options{Select: Full, TrialFolds: -1}
		lgc, adp := run(y, Options{Method: LGC}), run(y, free)
		var nodes []uint32
		for i := range lgc.Labels {
			if lgc.Labels[i] == adp.Labels[i] {
				nodes = append(nodes, uint32(i))
			}
		}
		slices.SortFunc(nodes, func(a, b uint32) int { return cmp.Compare(pseudoLabel{node: a}.key(), pseudoLabel{node: b}.key()) })
		best := 0
		for k, round := range r.Rounds[:len(adp.Rounds)] {
			if round.Association > r.Rounds[best].Association {
				best = k
			}
		}
		free.Settings, free.Tolerance = []Setting{r.Rounds[best].Setting}, choiceTolerance
		var sum, squares float64
		var right [2]int
		won, lost := 0, 0
		for f := range 4 {
			var list []diffuse.Seed
			for class := range int32(3) {
				of := slices.DeleteFunc(slices.Clone(nodes), func(i uint32) bool { return lgc.Labels[i] != class })
				list = append(list, diffuse.Seed{Node: of[f%len(of)], Class: uint32(class), Weight: 1})
			}
			seeds, err := diffuse.NewSeeds(n, 3, list)
			if err != nil {
				t.Fatal(err)
			}
			a, b := run(seeds, Options{Method: LGC, Tolerance: choiceTolerance}), run(seeds, free)
			d := 0
			for _, i := range nodes {
				byLGC, byADP := a.Labels[i] == lgc.Labels[i], b.Labels[i] == lgc.Labels[i]
				if byLGC {
					right[0]++
					d--
				}
				if byADP {
					right[1]++
					d++
				}
				if byADP && !byLGC {
					won++
				}
				if byLGC && !byADP {
					lost++
				}
			}
			sum += float64(d)
			squares += float64(d * d)
		}
		lead := 0.0
		if squares > 0 {
			lead = sum / math.Sqrt(squares)
		}
		of := float64(4 * len(nodes))
		got := r.Trial
		if got.Folds != 4 || got.PseudoLabels != len(nodes) || got.LeftOut != 0 ||
			math.Abs(got.LGC-float64(right[0])/of) > 1e-12 || math.Abs(got.ADP-float64(right[1])/of) > 1e-12 || math.Abs(got.Lead-lead) > 1e-9 {
			t.Errorf("draw %d: %+v; runs: %d nodes, right %v of %v, lead %v", draw, got, len(nodes), right, of, lead)
		}
		ahead := lead > 1.2-1e-9 && float64(won-lost) >= 6*math.Sqrt(float64(won+lost))
		if got.Doubt || got.Alpha != 0 || got.Won != won || got.Lost != lost || got.Accepted != ahead || got.Accepted != (r.Chosen > 0) {
			t.Errorf("draw %d: %+v, round %d, lead %v, %d won, %d lost", draw, got, r.Chosen, lead, won, lost)
		}
		if got.Accepted {
			taken++
		} else {
			kept++
		}
	}
	if taken == 0 || kept == 0 {
		t.Errorf("%d taken, %d not: the test tells nothing", taken, kept)
	}
}

// TestStandIns: a sample of the nodes on which both contenders agree, in the same order
// for every order of the rows; each fold has another one of each class as its seed, and
// a class without any keeps its own.
func TestStandIns(t *testing.T) {
	const n, c = 400, 4
	order := rand.New(rand.NewPCG(7, 7)).Perm(n)
	label := func(i int) int {
		if i%c == 3 { // no stand-in has the last class
			return 0
		}
		return i % c
	}
	agree := func(i int) bool { return i%5 != 0 && i%7 != 1 }
	folds := func(nodes []uint32, most int) (samples [][]uint32, seeds [][]uint32) {
		r := &run{labels: make([]int32, n), process: process{First: csr.NewDense(n, c), Mix: mixture{Sum: csr.NewDense(n, c)}}}
		r.y, _ = diffuse.NewSeeds(n, c, []diffuse.Seed{{Node: 9, Class: 3, Weight: 1}, {Node: 8, Class: 0, Weight: 1}})
		named := func(row uint32) uint32 {
			if nodes == nil {
				return row
			}
			return nodes[row]
		}
		if nodes != nil {
			r.nodes = func() []uint32 { return nodes }
		}
		for row := range n {
			i := int(named(uint32(row)))
			if i%7 == 1 { // no seed reaches it
				continue
			}
			r.First.Set(row, label(i), 1)
			if agree(i) {
				r.Mix.Sum.Set(row, label(i), 0.5)
			} else {
				r.Mix.Sum.Set(row, (label(i)+1)%c, 0.5)
			}
		}
		if most > 0 {
			for k, s := range r.agreed(most) {
				if want := label(int(named(s.Node))); int(s.Class) != want || s.Weight != 1 {
					t.Fatalf("stand-in %d: %+v, class %d", k, s, want)
				}
				samples = append(samples, []uint32{named(s.Node)})
			}
			return samples, nil
		}
		for train, all := range r.pseudoFolds(4) {
			var a, b []uint32
			for _, s := range all {
				a = append(a, named(s.Node))
			}
			own := 0
			for _, s := range train.List() {
				if s.Class == 3 {
					own++
					if s.Node != 9 {
						t.Errorf("seed %+v of the class without stand-ins", s)
					}
					continue
				}
				if int(s.Class) != label(int(named(s.Node))) || !agree(int(named(s.Node))) {
					t.Errorf("seed %+v", s)
				}
				b = append(b, named(s.Node))
			}
			if own != 1 {
				t.Errorf("%d seeds of the class without stand-ins", own)
			}
			slices.Sort(b)
			samples, seeds = append(samples, a), append(seeds, b)
		}
		return samples, seeds
	}
	samples, seeds := folds(nil, 0)
	agreed := 0
	for i := range n {
		if agree(i) {
			agreed++
		}
	}
	used := map[uint32]bool{}
	for f := range samples {
		if len(samples[f]) != agreed || len(seeds[f]) != 3 {
			t.Fatalf("fold %d: %d of %d stand-ins, %d seeds", f, len(samples[f]), agreed, len(seeds[f]))
		}
		for _, i := range seeds[f] {
			if used[i] {
				t.Errorf("node %d is a seed twice", i)
			}
			used[i] = true
		}
	}
	if len(samples) != 4 {
		t.Fatalf("%d folds", len(samples))
	}
	nodes := make([]uint32, n)
	for row, i := range order {
		nodes[row] = uint32(i)
	}
	otherSamples, otherSeeds := folds(nodes, 0)
	for f := range samples {
		if !slices.Equal(samples[f], otherSamples[f]) || !slices.Equal(seeds[f], otherSeeds[f]) {
			t.Errorf("fold %d: other stand-ins in another order", f)
		}
	}
	// A part of them is the first by key, also where more have to be dropped on the way.
	for _, most := range []int{1, 3, 20, 100} {
		part, _ := folds(nodes, most)
		if len(part) != most {
			t.Fatalf("%d stand-ins, want %d", len(part), most)
		}
		for k := range part {
			if part[k][0] != samples[0][k] {
				t.Errorf("of %d: stand-in %d is %d, want %d", most, k, part[k][0], samples[0][k])
			}
		}
	}
	// Where they agree on none there is no fold, and LGC stands.
	none := &run{labels: make([]int32, 2), process: process{First: csr.NewDense(2, 2), Mix: mixture{Sum: csr.NewDense(2, 2)}}}
	none.y, _ = diffuse.NewSeeds(2, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}})
	for range none.pseudoFolds(4) {
		t.Error("a fold without stand-ins")
	}
	trial := &Trial{}
	if trial.judgePseudoLabels(&contest{}); trial.Accepted {
		t.Error("accepted without a fold")
	}
}
