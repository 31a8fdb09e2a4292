package bench

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// splits writes the splits of the 120 nodes of a set: node i has letters[(i/3) mod 4].
func splits(t *testing.T, dir, name string, letters ...string) {
	t.Helper()
	var text bytes.Buffer
	packed := gzip.NewWriter(&text)
	for i := range 120 {
		fmt.Fprintf(packed, "%d\t%s\n", i, letters[i/3%len(letters)])
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func loaded(t *testing.T, dir, name string) (Set, *Graph) {
	t.Helper()
	set, err := ParseSet(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := set.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return set, g
}

// TestPublished: seeds are the nodes of train, tested are those of test, and those of
// validation neither; of both files the one with more splits is taken.
func TestPublished(t *testing.T) {
	dir := folder(t)
	set, g := loaded(t, dir, "p")
	check := func(draws []Drawn, count int, part func(draw, node int) byte) {
		t.Helper()
		if len(draws) != count {
			t.Fatalf("%d draws, expected %d", len(draws), count)
		}
		for k, d := range draws {
			seeds := map[int]bool{}
			for _, s := range d.Seeds {
				seeds[int(s.Node)] = true
				if int32(s.Class) != g.Truth[s.Node] || s.Weight != 1 {
					t.Errorf("seed %+v", s)
				}
			}
			if !slices.IsSortedFunc(d.Seeds, func(a, b diffuse.Seed) int { return int(a.Node) - int(b.Node) }) {
				t.Error("seeds are in another order than the nodes")
			}
			for i := range g.Truth {
				node := 0
				fmt.Sscan(g.IDs.Name(i), &node)
				if want := part(k, node); seeds[i] != (want == 'r') || d.Tested[i] != (want == 't') || d.exclude()[i] == d.Tested[i] {
					t.Fatalf("split %d, node %d: seed %v, tested %v, expected part %c", k, node, seeds[i], d.Tested[i], want)
				}
			}
		}
	}
	one, err := set.Published(g)
	if err != nil {
		t.Fatal(err)
	}
	check(one, 1, func(_, node int) byte {
		if node < 9 {
			return 'r'
		}
		return 't'
	})
	letters := []string{"rrv", "vtr", "ttt", "ttt"}
	splits(t, dir, "p.splits10.tsv.gz", letters...)
	three, err := set.Published(g)
	if err != nil {
		t.Fatal(err)
	}
	check(three, 3, func(draw, node int) byte { return letters[node/3%4][draw] })

	methods := []Method{{Name: "lgc", Options: adp.Options{Method: adp.LGC}}}
	a := Accuracy{Sets: []Set{set}, Methods: methods, Draws: 2, Splits: Published}
	cells, err := a.Run(t.Context())
	if err != nil || len(cells) != 1 || len(cells[0].Accuracy) != 2 || cells[0].PerClass != 0 {
		t.Fatalf("%+v, %v", cells, err)
	}
	var table strings.Builder
	if err := WriteAccuracy(&table, cells, methods); err != nil || !strings.Contains(table.String(), "| p   | published ") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// TestAtRandom: labels that are drawn from all nodes may be of some classes alone. A method then knows of those, in their
// order, and its labels are scored as those of the set.
func TestAtRandom(t *testing.T) {
	g := &Graph{Truth: make([]int32, 300), Classes: []string{"a", "b", "c"}}
	for i := range g.Truth { // class 1 is rare
		g.Truth[i] = int32(2 * (i % 2))
	}
	g.Truth[7], g.Truth[9] = 1, -1
	one := Method{Name: "one", Label: func(_ context.Context, g *Graph, y *diffuse.Seeds) ([]int32, error) {
		labels := make([]int32, 300)
		for i, truth := range g.Truth {
			if labels[i] = truth; truth == 2 && y.Classes == 2 {
				labels[i] = 1
			}
		}
		labels[299] = -1
		return labels, nil
	}}
	a := Accuracy{Methods: []Method{one}, PerClass: []int{4}, Draws: 10, Splits: AtRandom, Seed: 3}
	rows, err := a.rows(Set{Name: "g"}, g)
	if err != nil || len(rows) != 1 || len(rows[0]) != 10 {
		t.Fatalf("%+v, %v", rows, err)
	}
	two := 0
	for _, d := range rows[0] {
		classes := d.known()
		seeds, err := d.seeds()
		if err != nil || len(d.Seeds) != 12 || len(seeds.List()) != 12 || seeds.Classes != len(classes) {
			t.Fatalf("%+v, %v", d, err)
		}
		if slices.Equal(classes, []int32{0, 2}) {
			two++
		} else if !slices.Equal(classes, []int32{0, 1, 2}) {
			t.Errorf("classes %v", classes)
		}
		values, err := a.values(t.Context(), d)
		if err != nil || values[0] < 0.98 || values[0] == 1 {
			t.Errorf("%v, %v", values, err)
		}
	}
	if two == 0 {
		t.Error("each draw has the rare class")
	}
	for _, d := range rows[0] { // another key than that of labels drawn by class
		if of := a.key(d, one); of != "g,4,one at random,3,"+strconv.Itoa(d.Draw) {
			t.Errorf("key %s", of)
		}
	}
}

// TestNoSplit: sets without a published split, or with one that says nothing, are named.
func TestNoSplit(t *testing.T) {
	dir := folder(t)
	set, g := loaded(t, dir, "p")
	for _, c := range []struct {
		letters []string
		want    string
	}{
		{[]string{"rt", "t"}, `as many for every node`},
		{[]string{"rt", "tx"}, `splits "tx"`},
		{[]string{"rr", "tr"}, "0 of test in split 1"},
	} {
		splits(t, dir, "p.splits10.tsv.gz", c.letters...)
		if _, err := set.Published(g); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v", c.letters, err)
		}
	}
	for _, name := range []string{"p.splits10.tsv.gz", "p.split.tsv"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	part, of := loaded(t, dir, "f:2@knn")
	for _, draws := range []func() ([]Drawn, error){
		func() ([]Drawn, error) { return set.Published(g) }, func() ([]Drawn, error) { return part.Published(of) },
	} {
		if _, err := draws(); !errors.Is(err, ErrNoSplit) || !strings.Contains(err.Error(), "set ") {
			t.Errorf("error %v", err)
		}
	}
}

// TestLabel: a method of its own is given the set with features and edges, draw by draw,
// and scored by accuracy or balanced accuracy; a set without features is refused before
// anything is run.
func TestLabel(t *testing.T) {
	dir := folder(t)
	sets, err := ParseSets(dir, []string{"f@both", "f@knn"})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	one := Method{Name: "one", Label: func(_ context.Context, g *Graph, y *diffuse.Seeds) ([]int32, error) {
		calls++
		if g.X.Rows() != 120 || (g.Edges != nil) != (g.Made.Keep != nil) || len(y.List()) != 6 {
			t.Errorf("features %v, edges %v, %d seeds", g.X, g.Edges, len(y.List()))
		}
		labels := make([]int32, 120)
		for i, truth := range g.Truth { // right of class 0, and of every second node of class 1
			labels[i] = truth * int32(i%2)
		}
		return labels, nil
	}}
	a := Accuracy{Sets: sets, Methods: []Method{one}, PerClass: []int{2}, Draws: 2, Seed: 1}
	for _, balanced := range []bool{false, true} {
		a.Balanced = balanced
		cells, err := a.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			for _, v := range c.Accuracy {
				if v < 0.6 || v > 0.73 {
					t.Errorf("%s: %v", c.Set, v)
				}
			}
		}
	}
	if calls != 8 {
		t.Errorf("%d calls, expected 8", calls)
	}
	unequal := Drawn{
		Graph: &Graph{Truth: []int32{0, 0, 0, 0, 1, -1, 0, 1}, Classes: []string{"a", "b"}},
		Seeds: []diffuse.Seed{{Node: 6, Class: 0, Weight: 1}, {Node: 7, Class: 1, Weight: 1}},
	}
	if got := a.score(make([]int32, 8), unequal); got != 0.5 {
		t.Errorf("balanced accuracy %v, expected 0.5", got)
	}
	a.Balanced = false
	if got := a.score(make([]int32, 8), unequal); got != 0.8 {
		t.Errorf("accuracy %v, expected 0.8", got)
	}
	if a.Sets, err = ParseSets(dir, []string{"f@knn", "p"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Run(t.Context()); !errors.Is(err, ErrNoFeatures) || !strings.Contains(err.Error(), "method one on set p: no features, expected p@both") || calls != 8 {
		t.Errorf("error %v after %d calls", err, calls)
	}
}
