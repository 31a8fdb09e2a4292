package edgelist

import (
	"context"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// TestNeighborLists: lists of two neighbours are told from weighted edges.
func TestNeighborLists(t *testing.T) {
	const lists = "0 1 2\n1 2 3\n2 3 0\n3 0 1\n"
	for name, c := range map[string]struct {
		text string
		opt  Options
		want int
	}{
		"lists":                   {lists, Options{}, 4},
		"lists in little memory":  {lists, Options{Memory: 32 << 20}, 4},
		"said to be edges":        {lists, Options{Header: HeaderNo}, 0},
		"columns":                 {lists, Options{Columns: []string{"1", "2", "3"}}, 0},
		"fewer than four":         {"0 1 2\n1 2 0\n2 0 1\n", Options{}, 0},
		"a weight that is no id":  {strings.Replace(lists, "3 0 1", "3 0 9", 1), Options{}, 0},
		"a fraction":              {strings.Replace(lists, "3 0 1", "3 0 1.5", 1), Options{}, 0},
		"a weight that is an end": {strings.Replace(lists, "3 0 1", "3 0 3", 1), Options{}, 0},
		"a node twice":            {strings.Replace(lists, "3 0 1", "0 3 1", 1), Options{}, 0},
		"an edge without":         {strings.Replace(lists, "3 0 1", "3 0", 1), Options{}, 0},
		"names":                   {strings.ReplaceAll(lists, "3 ", "c "), Options{}, 0},
	} {
		list, err := Parse(strings.NewReader(c.text), "g", c.opt)
		if err != nil {
			t.Fatal(name, err)
		}
		graph, err := list.Graph(context.Background())
		if err != nil {
			t.Fatal(name, err)
		}
		if got := graph.Notes.Count(notes.NeighborLists); got != c.want {
			t.Errorf("%s: %d weights noted, want %d", name, got, c.want)
		}
	}
}
