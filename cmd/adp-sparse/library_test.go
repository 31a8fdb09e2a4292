package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// TestLibraryIsRun: the zero value of fit.Options gives the labels of run without flags, for
// edges with classes of unlike sizes, for features whose metric is chosen, and for both.
func TestLibraryIsRun(t *testing.T) {
	classes, points := unlikeClasses(t), directions(t)
	rng := rand.New(rand.NewPCG(1, 1))
	var edges strings.Builder
	for i := range 160 {
		for range 2 {
			if j := i%2 + 2*rng.IntN(80); j != i {
				fmt.Fprintf(&edges, "%d %d\n", i, j)
			}
		}
	}
	links := files(t, "g", edges.String())
	for _, c := range []struct{ name, edges, features, labels string }{
		{"edges", classes + "/g", "", classes + "/some"},
		{"features", "", points + "/x.csv", points + "/s"},
		{"both", links + "/g", points + "/x.csv", points + "/s"},
	} {
		args := []string{"run", "--labels", c.labels, "--quiet"}
		if c.edges != "" {
			args = append(args, "--edges", c.edges)
		}
		if c.features != "" {
			args = append(args, "--features", c.features)
		}
		code, out, errs := call(args...)
		if code != 0 {
			t.Fatalf("%s: exit %d, %s", c.name, code, errs)
		}
		got, names := fitted(t, c.edges, c.features, c.labels)
		for i, label := range column(out, 1) {
			if mine := names[got.Labels[i]]; mine != label {
				t.Fatalf("%s: node %d has label %s by run, %s by the library", c.name, i, label, mine)
			}
		}
	}
}

// fitted is what the library makes of the files, and the names of the classes.
func fitted(t *testing.T, edges, features, labels string) (*fit.Result, []string) {
	t.Helper()
	var in fit.Input
	var names *ids.Table
	if features != "" {
		x, err := vecs.Read(strings.NewReader(read(t, features)), features, -1, vecs.Options{})
		must(t, err)
		in.Dense, names = x.Dense, ids.Sequence(x.Rows())
	}
	if edges != "" {
		list, err := edgelist.Read(strings.NewReader(read(t, edges)), edges, edgelist.Options{})
		must(t, err)
		in.Edges = list.W
		if names == nil {
			names = list.IDs
		} else { // the rows of the features are the nodes
			at, _ := list.IDs.Match(names)
			in.Edges = csr.Embed(list.W, at, names.Len(), 0)
		}
	}
	file, err := os.Open(labels)
	must(t, err)
	defer file.Close()
	known, err := labelfile.Read(file, labels, names, labelfile.Options{})
	must(t, err)
	in.Seeds, err = diffuse.NewSeeds(names.Len(), len(known.Classes), known.Seeds)
	must(t, err)
	got, err := fit.Run(t.Context(), in, fit.Options{})
	must(t, err)
	return got, known.Classes
}
