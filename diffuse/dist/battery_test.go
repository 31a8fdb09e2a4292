package dist

import (
	"fmt"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// sample is a graph with seeds.
type sample struct {
	name string
	w    *csr.Matrix
	y    *diffuse.Seeds
}

// samples are graphs that ranks cut in different ways: with long rows, far nodes
// and nodes that no seed reaches, and with fewer blocks of rows than ranks. All
// have last blocks that are not full.
func samples(t *testing.T) []sample {
	t.Helper()
	const n = 4*rows.BlockSize + 77
	path := func(n int) *csr.Edges {
		src, dst, weight := gen.Path(n)
		return &csr.Edges{Src: src, Dst: dst, Weight: weight}
	}
	ring := &csr.Edges{} // near neighbours, and a few far ones
	for i := range uint32(n) {
		for _, step := range []uint32{1, 2, 3, 5} {
			ring.Src, ring.Dst = append(ring.Src, i), append(ring.Dst, (i+step)%n)
		}
		if i%97 == 0 {
			ring.Src, ring.Dst = append(ring.Src, i), append(ring.Dst, (i*7+13)%n)
		}
	}
	hubs := &csr.Edges{}
	for i := range uint32(n - 20) {
		for k := range uint32(3) {
			hubs.Src, hubs.Dst = append(hubs.Src, i), append(hubs.Dst, (i*i+k*k*31)%(17+i/3))
			hubs.Weight = append(hubs.Weight, 1+float32(i%7)/8)
		}
	}
	src, dst, weight := gen.RandomGraph(300, 0.05, 3, gen.Options{WeightSpread: 4})
	return []sample{
		seeded(t, "ring", n, ring, 3),
		seeded(t, "path", n, path(n), 2),
		seeded(t, "hubs", n, hubs, 5),
		seeded(t, "small", 300, &csr.Edges{Src: src, Dst: dst, Weight: weight}, 3),
	}
}

// seeded adds c classes of seeds, all over the graph.
func seeded(t *testing.T, name string, n int, e *csr.Edges, c int) sample {
	t.Helper()
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for k := range 4 * c {
		list = append(list, diffuse.Seed{Node: uint32(k * (n - 30) / (4 * c)), Class: uint32(k % c), Weight: 1 + float32(k%3)/4})
	}
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return sample{name, w, y}
}

// onRanks runs body on 1 to 4 ranks, with two threads in the case of three.
func onRanks(t *testing.T, body func(c Comm, threads int) error) {
	t.Helper()
	for size := 1; size <= 4; size++ {
		t.Run(fmt.Sprintf("%d ranks", size), func(t *testing.T) {
			threads := 1
			if size == 3 {
				threads = 2
			}
			if err := Local(size, func(c Comm) error { return body(c, threads) }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// share returns the world of a graph and the rows of it that a rank holds.
func share(c Comm, m *csr.Matrix) (*World, *csr.Matrix) {
	indptr, _, _ := m.Arrays()
	w := NewWorld(c, Split(indptr, c.Size()))
	lo, hi, _ := w.Rows()
	return w, csr.Slice(m, lo, hi)
}
