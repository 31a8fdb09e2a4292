package edgelist

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// indexed are edges i to i+1 and i+2 of nodes below n, with an index of rows before them.
func indexed(n, begin int) string {
	var b strings.Builder
	for k := range 2 * n {
		fmt.Fprintf(&b, "%d\t%d\t%d\n", begin+k, k/2, (k/2+1+k%2)%n)
	}
	return b.String()
}

// noted returns the notes of an index in a text.
func noted(t *testing.T, text string, opt Options) int {
	t.Helper()
	list, err := Parse(strings.NewReader(text), "g", opt)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := list.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return graph.Notes.Count(notes.IndexColumn)
}

// TestIndexColumn: an index of rows before edges is told from ids.
func TestIndexColumn(t *testing.T) {
	edges := indexed(30, 0)
	var parents, few, fractions strings.Builder // of a tree, each node below its parent
	for k := 1; k < 60; k++ {
		fmt.Fprintf(&parents, "%d %d %d\n", k, k/2, 100+k)
		fmt.Fprintf(&few, "%d %d %d\n", k, k/2, 1+k%5)
		fmt.Fprintf(&fractions, "%d %d %g\n", k, k/2, float64(k)/4)
	}
	for name, c := range map[string]struct {
		text string
		opt  Options
		want int
	}{
		"from 0":                {edges, Options{}, 1},
		"from 1":                {indexed(30, 1), Options{}, 1},
		"from 2":                {indexed(30, 2), Options{}, 0},
		"in little memory":      {edges, Options{Memory: 32 << 20}, 1},
		"said to be no header":  {edges, Options{Header: HeaderNo}, 1},
		"columns of ids":        {edges, Options{Columns: []string{"1", "2", "3"}}, 0},
		"columns of edges":      {edges, Options{Columns: []string{"2", "3"}}, 0},
		"titles":                {"source\ttarget\tweight\n" + edges, Options{}, 0},
		"few lines":             {indexed(9, 0), Options{}, 0},
		"a line missing":        {strings.Replace(edges, "7\t3\t5\n", "", 1), Options{}, 0},
		"two lines exchanged":   {strings.Replace(edges, "7\t3\t5\n8\t4\t5\n", "8\t4\t5\n7\t3\t5\n", 1), Options{}, 0},
		"a weight missing":      {strings.Replace(edges, "7\t3\t5\n", "7\t3\n", 1), Options{}, 0},
		"a fraction":            {strings.Replace(edges, "7\t3\t5\n", "7\t3\t5.5\n", 1), Options{}, 0},
		"a wide weight":         {strings.Replace(edges, "7\t3\t5\n", "7\t3\t1e30\n", 1), Options{}, 0},
		"names":                 {strings.Replace(edges, "7\t3\t5\n", "7\tc\t5\n", 1), Options{}, 0},
		"a tree of lengths":     {parents.String(), Options{}, 0},
		"a tree of few weights": {few.String(), Options{}, 0},
		"a tree of fractions":   {fractions.String(), Options{}, 0},
	} {
		if got := noted(t, c.text, c.opt); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestIndexThreads: the note does not depend on who reads which block.
func TestIndexThreads(t *testing.T) {
	text := indexed(100_000, 0) // several blocks
	odd := strings.Replace(text, "150000\t75000\t75001\n", "150000\t75000\t75001.5\n", 1)
	for threads := range 8 {
		if racing.On && threads > 2 { // more threads run the same code
			continue
		}
		if got := noted(t, text, Options{Threads: threads + 1}); got != 1 {
			t.Errorf("%d threads: %d notes", threads+1, got)
		}
		if got := noted(t, odd, Options{Threads: threads + 1}); got != 0 {
			t.Errorf("%d threads, a fraction far below: %d notes", threads+1, got)
		}
	}
}
