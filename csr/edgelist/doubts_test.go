package edgelist

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// TestDoubts: lists that are right have no note of their third column, of a first line that counts the
// columns, or of joined ids, and those that are doubtful have one for any blocks and threads.
func TestDoubts(t *testing.T) {
	list := func(lines int, weight func(k int) int) string {
		var b strings.Builder
		for k := range lines {
			fmt.Fprintf(&b, "%d %d %d\n", k*7%50, k*11%50+50, weight(k))
		}
		return b.String()
	}
	rises := func(k int) int { return k * k / 3 }
	triples := func(relations int, tail func(k int) int) string {
		var b strings.Builder
		for k := range 300 {
			fmt.Fprintf(&b, "%d %d %d\n", k*7%100, k%relations, tail(k))
		}
		return b.String()
	}
	same := func(d float64) float64 { return d }
	swapped := strings.Split(nearest(60, 0, same), "\n")
	swapped[0], swapped[100] = swapped[100], swapped[0]
	for _, c := range []struct {
		name, text string
		kind       notes.Kind
		count      int
	}{
		{"distances", nearest(60, 0, same), notes.DistanceWeights, 240},
		{"distances and a loop", "0 0 0\n" + nearest(60, 0, same), notes.DistanceWeights, 241},
		{"shorter lists", nearest(60, 3, same), notes.DistanceWeights, 237},
		{"too many shorter lists", nearest(60, 20, same), notes.DistanceWeights, 0},
		{"similarities", nearest(60, 0, func(d float64) float64 { return 1 / (1 + d) }), notes.DistanceWeights, 0},
		{"ones", nearest(60, 0, func(float64) float64 { return 1 }), notes.DistanceWeights, 0},
		{"no lists", strings.Join(swapped, "\n"), notes.DistanceWeights, 0},
		{"a neighbour twice", nearest(60, 0, same) + "60 1 3\n60 1 3\n60 2 3\n60 4 3\n", notes.DistanceWeights, 0},
		{"times", list(300, rises), notes.TimeWeights, 300},
		{"few lines", list(199, rises), notes.TimeWeights, 0},
		{"few weights", list(300, func(k int) int { return k / 4 }), notes.TimeWeights, 0},
		{"a weight that falls", list(300, rises) + "1 2 3\n", notes.TimeWeights, 0},
		{"a fraction", list(300, rises) + "1 2 100000.5\n", notes.TimeWeights, 0},
		{"a line without a weight", "1 2\n" + list(300, rises), notes.TimeWeights, 0},
		{"an edge of the first nodes", "0 1\n" + list(30, rises), notes.NumberedEdge, 0},
		{"numbers of columns", "0 1 2\nann ben 3\nben cid 4\n", notes.NumberedEdge, 1},
		{"a node of the first line again", "0 1\nann ben\nben 1\n", notes.NumberedEdge, 0},
		{"another first line", "0 2\nann ben\nben cid\n", notes.NumberedEdge, 0},
		{"two edges", "0 1\nann ben\n", notes.NumberedEdge, 0},
		{"joined ids", "1,2 3\n4,5 0.5\n", notes.JoinedIDs, 2},
		{"lists of neighbours", "0\t6,9,12\n1\t4,7\n2\t5\n", notes.ListedIDs, 2},
		{"lists of neighbours before", "6;9,0\n4;7,1\n5,2\n", notes.ListedIDs, 2},
		{"lists with blanks", "0\t6 9 12\n1\t4 7 10\n", notes.ListedIDs, 2},
		{"few lists", "0\t6,9\n1\t4\n2\t5\n", notes.ListedIDs, 0},
		{"coordinates", "0,1\t0,2\n0,2\t1,2\n", notes.ListedIDs, 0},
		{"groups of words", "0\ta,b\n1\tb,c\n", notes.ListedIDs, 0},
		{"a bar between ends", "1 | 2\n2 | 3\n3 | 1\n", notes.RelationColumn, 1},
		{"an arrow between ends", "1 => 2\n2 => 3\n3 => 1\n", notes.RelationColumn, 1},
		{"a letter before ends", "e 1 2\ne 2 3\ne 3 1\n", notes.RelationColumn, 1},
		{"a letter before some ends", "e 1 2\ne 2 3\nf 3 1\n", notes.RelationColumn, 0},
		{"a star", "a b 2\na c 3\na d 1\n", notes.RelationColumn, 0},
		{"a star with weights", "e 1 0.5\ne 2 0.25\ne 3 1\n", notes.RelationColumn, 0},
		{"a star of a word", "me 1 2\nme 2 3\nme 3 1\n", notes.RelationColumn, 0},
		{"a star without weights", "e 1\ne 2\ne 3\n", notes.RelationColumn, 0},
		{"triples of numbers", triples(3, func(k int) int { return k * 11 % 100 }), notes.NeighborLists, 300},
		{"many relations", triples(60, func(k int) int { return k * 11 % 100 }), notes.NeighborLists, 0},
		{"small weights", triples(3, func(k int) int { return k % 9 }), notes.NeighborLists, 0},
		{"shares of a hundred", triples(3, func(k int) int { return k * 11 % 90 }), notes.NeighborLists, 0},
		{"large weights", triples(3, func(k int) int { return k * k }), notes.NeighborLists, 0},
		{"weights with a fraction", triples(3, func(k int) int { return k * 11 % 100 }) + "1 2 5.5\n", notes.NeighborLists, 0},
		{"names of two words", "1,a 3\n4,5 b\n", notes.JoinedIDs, 0},
		{"one name of a column", "1,2 3\n4,5\n", notes.JoinedIDs, 0},
	} {
		for _, threads := range []int{1, 4} {
			was := blockSize
			blockSize = 64
			g, err := Read(strings.NewReader(c.text), "g", Options{Threads: threads})
			blockSize = was
			if err != nil {
				t.Fatal(c.name, err)
			}
			if got := g.Notes.Count(c.kind); got != c.count {
				t.Errorf("%s: %d, expected %d: %s", c.name, got, c.count, g.Notes)
			}
		}
	}
}

// TestDistancesByStart: the first lines of a list tell, though most neighbours have no lines among them.
func TestDistancesByStart(t *testing.T) {
	was := toldByEdges
	defer func() { toldByEdges = was }()
	toldByEdges = 401
	var similar strings.Builder
	distances := nearest(150, 0, func(d float64) float64 { return d })
	for line := range strings.Lines(distances) {
		var i, j int
		var d float64
		if _, err := fmt.Sscan(line, &i, &j, &d); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&similar, "%d %d %g\n", i, j, 1/(1+d))
	}
	for text, want := range map[string]int{distances: 600, similar.String(): 0} {
		g, err := Read(strings.NewReader(text), "g", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Notes.Count(notes.DistanceWeights); got != want {
			t.Errorf("%d, expected %d", got, want)
		}
	}
}

// nearest lists the four nearest of points on a line, by a function of their distance; the first nodes have three.
func nearest(nodes, three int, weight func(d float64) float64) string {
	var b strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	place := make([]float64, nodes)
	for i := range place {
		place[i] = random.Float64()
	}
	away := func(i, j int) float64 { return math.Abs(place[i] - place[j]) }
	for i := range nodes {
		order := make([]int, nodes)
		for j := range order {
			order[j] = j
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(away(a, i), away(b, i)) })
		for k, j := range order[1:5] {
			if k == 3 && i < three {
				continue
			}
			fmt.Fprintf(&b, "%d %d %g\n", i, j, weight(away(i, j)))
		}
	}
	return b.String()
}
