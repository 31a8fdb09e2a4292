// Package planted has the graph of planted classes that tests of package adp and those below it run on.
package planted

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// Graph returns a graph of n nodes in c classes, of ten edges inside a class and three to all others a
// node, and the classes of the first perClass·c nodes as seeds.
func Graph(t testing.TB, n, c, perClass int, seed uint64) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	size := float64(n) / float64(c)
	src, dst, weight, class := gen.PlantedPartition(n, c, min(1, 10/size), 3/float64(n), seed)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = -1
		if i < perClass*c {
			labels[i] = class[i]
		}
	}
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}
