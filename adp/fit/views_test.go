package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// society makes nodes of c classes in turn with one seed a class. A node has 60 words, a share topic of them of its class and the others
// of anybody's; and edges to degree/2 others, a share inside of them in its class, or in the next class where chain is set.
func society(t *testing.T, n, c, degree int, inside, topic float64, chain bool) (in Input, truth []int32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, 22))
	const words = 2000
	x, edges := csr.NewDense(n, words), &csr.Edges{}
	var seeds []diffuse.Seed
	for i := range n {
		class := i % c
		truth = append(truth, int32(class))
		for range 60 {
			word := int(words * math.Pow(rng.Float64(), 2)) // some words are frequent
			if rng.Float64() < topic {
				word = class + c*rng.IntN(words/c)
			}
			x.Set(i, min(word, words-1), 1)
		}
		for range degree / 2 {
			other := rng.IntN(n)
			if rng.Float64() < inside {
				other = class + c*rng.IntN(n/c)
				if chain {
					other = (class+1)%c + c*rng.IntN(n/c)
				}
			}
			if other != i && other < n {
				edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(other))
			}
		}
		if i < c {
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(class), Weight: 1})
		}
	}
	var err error
	if in.Edges, _, err = csr.FromEdges(n, edges, csr.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if in.Sparse, err = csr.FromDense(x); err != nil {
		t.Fatal(err)
	}
	if in.Seeds, err = diffuse.NewSeeds(n, c, seeds); err != nil {
		t.Fatal(err)
	}
	return in, truth
}

// TestViews: one known label a class, where nothing can be left out. Edges and words that tell of the same classes are heard
// together, though neither tells much alone; words that say nothing leave the answer to the edges; and where edges join unlike nodes
// the words have it.
func TestViews(t *testing.T) {
	racing.LongSum(t)
	for _, c := range []struct {
		name            string
		inside, topic   float64
		chain           bool
		alike, formless bool
		least           float64 // right
	}{
		{"weak both, of the same classes", 0.3, 0.25, false, true, false, 0.85},
		{"words that say nothing", 0.9, 0, false, false, true, 0.98},
		{"unlike nodes", 0.3, 0.6, true, false, false, 0.95},
		{"strong both", 0.9, 0.6, false, true, false, 0.98},
	} {
		in, truth := society(t, 2000, 4, 40, c.inside, c.topic, c.chain)
		got, err := Run(context.Background(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := got.Combination
		if share := right(got.Labels, truth); m.Homophilous() != c.alike || m.Formless != c.formless || share < c.least {
			t.Errorf("%s: %.3f right, relative homophily %.2f, alike %v, formless %v", c.name, share, *m.Homophily, m.Alike, m.Formless)
		}
		if (m.Joint == nil) != (*m.Homophily >= mostRelative) {
			t.Errorf("%s: relative homophily %.2f, joint %v", c.name, *m.Homophily, m.Joint)
		}
		checkDiffused(t, c.name, m, c.alike, c.formless)
	}
}

// TestMembersBy: features are diffused over the sum where edges and features tell of the same classes or may, else over the features' graph,
// and beside it over the edges where that has no structure, but not in huge graphs; the prior sums to 1; and of words that go with the edges
// the last member hears what the others say, up to a size, and where seeds can be left out.
func TestMembersBy(t *testing.T) {
	half, most := 0.5, 0
	for _, n := range []int{1000, adp.FullNodes + 1, hugeNodes + 1} {
		for perClass := range 3 {
			var seeds []diffuse.Seed
			for i := range 2 * (perClass + 1) {
				seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(i % 2), Weight: 1})
			}
			y, err := diffuse.NewSeeds(n, 2, seeds)
			if err != nil {
				t.Fatal(err)
			}
			untried := perClass == 0 // then the views are trusted wholly
			edges, features, sum := []int{onEdges}, []int{onFeatures}, []int{onSum}
			both := []int{onFeatures, onEdges}
			if untried || n > hugeNodes {
				both = edges
			}
			for _, c := range []struct {
				views
				want []int
			}{
				{views{alike: 1}, sum},
				{views{alike: 0.5}, sum},
				{views{}, features},
				{views{independent: 1}, features},
				{views{independent: 0.5}, features},
				{views{lead: &half}, features},
				{views{formless: true, worth: 1}, both},
				{views{formless: true}, both},
				{views{formless: true, worth: 0.5}, both},
			} {
				p := &pool{whole: &trainer{y: y}}
				members, total := p.membersBy(&c.views, true), 0.0
				var got []int
				for _, m := range members {
					if total += m.prior; m.diffuses() && !slices.Contains(got, m.graph) {
						got = append(got, m.graph)
					}
				}
				slices.Sort(got)
				at := slices.IndexFunc(members, func(m member) bool { return m.method == distilled })
				counts := slices.IndexFunc(members, func(m member) bool { return m.method == bayes })
				if n <= adp.FullNodes != (counts >= 0) || counts >= 0 && (members[counts].prior > bayesBeside+1e-12 || counts < len(members)-2) {
					t.Errorf("%d nodes, %d seeds a class, %+v: members %+v", n, perClass+1, c.views, members)
				}
				if heard := c.alike > 0 && n <= adp.FullNodes && !untried; heard != (at >= 0) || heard && (at != len(members)-1 || members[at].prior > distilledBeside) {
					t.Errorf("%d nodes, %d seeds a class, %+v: members %+v", n, perClass+1, c.views, members)
				}
				numbers := p.membersBy(&c.views, false)
				if most = max(most, len(members), len(numbers)); most > mostMembers {
					t.Errorf("%d nodes, %+v: %d members, the estimate of memory has %d", n, c.views, most, mostMembers)
				}
				if slices.ContainsFunc(numbers, member.taught) {
					t.Errorf("of features that are no words: members %+v", numbers)
				}
				if !slices.Equal(got, c.want) || math.Abs(total-1) > 1e-12 {
					t.Errorf("%d nodes, %d seeds a class, %+v: diffused over graphs %v, expected %v; a prior of %v", n, perClass+1, c.views, got, c.want, total)
				}
			}
		}
	}
	if most != mostMembers {
		t.Errorf("%d members at most, the estimate of memory has %d", most, mostMembers)
	}
}

// checkDiffused checks that methods with diffused features share one graph: the sum where edges and features tell of the same classes, else
// the features'. Where the features' graph has no structure the edges are another.
func checkDiffused(t *testing.T, name string, m *Combination, alike, formless bool) {
	t.Helper()
	want := []string{"features"}
	if formless {
		want = append(want, "edges")
	}
	if alike {
		want = []string{"edges and features"}
	}
	count := 0
	for _, one := range m.Members {
		if k := slices.Index(methodTitles[:], one.Method); (member{method: method(k)}).diffuses() {
			if count++; !slices.Contains(want, one.Graph) {
				t.Errorf("%s: %s, expected on %s", name, one.Name(), want)
			}
		}
	}
	if count == 0 {
		t.Errorf("%s: no method has diffused features", name)
	}
}

// TestBlend: the prior of a mixture of two pools sums to 1, has both in their shares, and members of both once.
func TestBlend(t *testing.T) {
	for _, share := range []float64{0, 0.25, 1} {
		of, total := map[string]float64{}, 0.0
		for _, m := range blend(homophilous, heterophilous, share) {
			if of[m.name()] > 0 {
				t.Errorf("share %v: %s twice", share, m.name())
			}
			of[m.name()] = m.prior
			total += m.prior
		}
		if math.Abs(total-1) > 1e-12 {
			t.Errorf("share %v: a prior of %v", share, total)
		}
		for _, c := range []struct {
			name string
			want float64
		}{{"al-smoothed:sum", share / 3.2}, {"dr:features", (1 - share) / 8.75}, {"ridge:sum", share*0.3/3.2 + (1-share)/8.75}} {
			if got, in := of[c.name]; math.Abs(got-c.want) > 1e-12 || in != (c.want > 0) {
				t.Errorf("share %v: %s has %v, expected %v", share, c.name, got, c.want)
			}
		}
	}
}

// TestRamp: 0, then even, then 1; a ratio of what is not above 0 is 0.
func TestRamp(t *testing.T) {
	for v, want := range map[float64]float64{-1: 0, 0.3: 0, 0.4: 0.5, 0.5: 1, 7: 1} {
		if got := ramp(v, 0.3, 0.5); math.Abs(got-want) > 1e-12 {
			t.Errorf("ramp %v: %v, expected %v", v, got, want)
		}
	}
	if ratio(1, 0) != 0 || ratio(1, -1) != 0 || ratio(-1, 2) != -0.5 {
		t.Error("ratios")
	}
}

// TestEdgesHelp: by how both go together, else by the weight that left-out seeds moved.
func TestEdgesHelp(t *testing.T) {
	homophily := 0.1
	of := func(weight, alike float64, formless bool) *Combination {
		return &Combination{Homophily: &homophily, Alike: alike, Formless: formless, Members: []Member{
			{Uses: useFeatures, Prior: 0.5, Weight: weight}, {Uses: useBoth, Prior: 0.5, Weight: 1 - weight},
		}}
	}
	ofLead := func(lead float64) *Combination {
		c := of(0.5, 0, false)
		c.Lead = &lead
		return c
	}
	for k, c := range []struct {
		c    *Combination
		want bool
	}{{ofLead(0.6), true}, {ofLead(0.4), false}, {of(0.5, 0, false), false}, {of(0.46, 0, false), false}, {of(0.4, 0, false), true}, {of(0.5, 1, false), true}, {of(0.5, 0, true), true}} {
		if c.c.EdgesHelp() != c.want {
			t.Errorf("%d: %v, expected %v", k, !c.want, c.want)
		}
	}
}
