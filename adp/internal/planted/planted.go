// Package planted has the graph of planted classes that tests of package adp and those below it run on.
package planted

import (
	"math/rand/v2"
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

// Noisy returns a graph of 600 nodes in six communities, three to a class, and 90 seeds, two in five of
// which belong to the other class: labels smooth on the graph are right for three in five.
func Noisy(t testing.TB) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	w, _ := Graph(t, 600, 6, 2, 3)
	var list []diffuse.Seed
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range uint32(90) {
		class := i % 6 % 2
		if rng.IntN(5) < 2 {
			class = 1 - class
		}
		list = append(list, diffuse.Seed{Node: i, Class: class, Weight: 1})
	}
	y, err := diffuse.NewSeeds(600, 2, list)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}
