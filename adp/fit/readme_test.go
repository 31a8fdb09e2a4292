//lint:file-ignore SA4006 README.md leaves out what an error is answered with

package fit_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// ofReadme is the Go of README.md, line by line.
func ofReadme() (*fit.Result, error) {
	edges, _, err := csr.FromEdges(6, &csr.Edges{Src: []uint32{0, 1, 2, 3, 4}, Dst: []uint32{1, 2, 3, 4, 5}}, csr.BuildOptions{})
	words := &csr.Dense{Rows: 6, Cols: 2, Data: []float32{3, 1, 2, 1, 4, 1, 1, 3, 1, 2, 1, 4}}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, -1, -1, 1})
	result, err := fit.Run(context.Background(), fit.Input{Edges: edges, Dense: words, Seeds: seeds}, fit.Options{})
	return result, err
}

// TestReadme: the Go of README.md runs, and is that of ofReadme.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "```go\n")
	shown, _, _ = strings.Cut(shown, "\n```")
	_, body, _ := strings.Cut(string(own), "func ofReadme() (*fit.Result, error) {\n")
	body, _, _ = strings.Cut(body, "\treturn result, err\n")
	var lines []string
	for line := range strings.Lines(shown) {
		if !strings.HasPrefix(line, "//") {
			lines = append(lines, "\t"+strings.TrimSpace(line))
		}
	}
	if got := strings.Join(lines, "\n") + "\n"; got != body {
		t.Errorf("README.md has\n%s\nexpected\n%s", got, body)
	}
	r, err := ofReadme()
	if err != nil || !slices.Equal(r.Labels, []int32{0, 0, 0, 1, 1, 1}) {
		t.Errorf("got %+v, %v", r, err)
	}
}
