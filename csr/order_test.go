package csr

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// shuffledCliques returns cliques of the given size, joined in a ring by weak
// edges, with nodes in random order, and the clique of each node.
func shuffledCliques(t *testing.T, cliques, size int) (*Matrix, []int) {
	t.Helper()
	n := cliques * size
	name := rand.New(rand.NewPCG(1, 1)).Perm(n)
	e := &Edges{}
	add := func(a, b int, w float32) {
		e.Src, e.Dst, e.Weight = append(e.Src, uint32(name[a])), append(e.Dst, uint32(name[b])), append(e.Weight, w)
	}
	of := make([]int, n)
	for k := range cliques {
		for a := range size {
			of[name[k*size+a]] = k
			for b := range a {
				add(k*size+a, k*size+b, 1)
			}
		}
		add(k*size, (k*size+size)%n, 0.1)
	}
	m, _, err := FromEdges(n, e, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m, of
}

// TestClusterOrder: an order is a permutation, and has the nodes of each
// clique next to each other.
func TestClusterOrder(t *testing.T) {
	m, of := shuffledCliques(t, 20, 9)
	order, err := ClusterOrder(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, identity(180)) {
		t.Fatalf("no permutation: %v", order)
	}
	if _, roots, err := join(context.Background(), m); len(roots) != 20 || err != nil {
		t.Errorf("%d clusters of 20 cliques, %v", len(roots), err)
	}
	changes := 0
	for k := 1; k < len(order); k++ {
		if of[order[k]] != of[order[k-1]] {
			changes++
		}
	}
	if changes != 19 {
		t.Errorf("%d changes of clique along the order, expected 19", changes)
	}
	for _, n := range []int{0, 1, 3} { // without entries
		empty, _, err := FromEdges(n, &Edges{}, BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ClusterOrder(context.Background(), empty); len(got) != n || err != nil {
			t.Errorf("%d of %d nodes, %v", len(got), n, err)
		}
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if order, err := ClusterOrder(ended, m); order != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v, %v", order, err)
	}
}

// TestClusterOrderIsLocal: on a graph of communities within communities, edges
// span a fraction of what they do in a random order.
func TestClusterOrderIsLocal(t *testing.T) {
	src, dst, weight, _ := gen.PlantedPartition(2000, 40, 0.3, 0.001, 3)
	m, _, err := FromEdges(2000, &Edges{Src: src, Dst: dst, Weight: weight}, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	span := func(m *Matrix) (sum float64) {
		for i := range m.rows {
			cols, _ := m.Row(i)
			for _, j := range cols {
				sum += max(float64(i)-float64(j), float64(j)-float64(i)) / float64(m.NNZ())
			}
		}
		return sum
	}
	random := identity(2000)
	rand.New(rand.NewPCG(1, 2)).Shuffle(2000, func(a, b int) { random[a], random[b] = random[b], random[a] })
	shuffled := Permute(m, random, 2)
	order, err := ClusterOrder(context.Background(), shuffled)
	if err != nil {
		t.Fatal(err)
	}
	if before, after := span(shuffled), span(Permute(shuffled, order, 2)); after > before/3 {
		t.Errorf("edges span %.0f nodes, %.0f in a random order", after, before)
	}
}

func TestDegreeOrder(t *testing.T) {
	m, _, err := FromEdges(5, &Edges{Src: []uint32{3, 3, 3, 1}, Dst: []uint32{0, 1, 2, 2}}, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := DegreeOrder(m); !slices.Equal(got, []uint32{3, 1, 2, 0, 4}) {
		t.Errorf("%v", got)
	}
}

// TestPermute: entry (i, j) is entry (order i, order j), and the inverse order
// takes it back.
func TestPermute(t *testing.T) {
	src, dst, weight := gen.RandomGraph(60, 0.2, 4, gen.Options{})
	m, _, err := FromEdges(60, &Edges{Src: src, Dst: dst, Weight: weight}, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	order, inverse := make([]uint32, 60), make([]uint32, 60)
	for i, j := range rand.New(rand.NewPCG(8, 8)).Perm(60) {
		order[i], inverse[j] = uint32(j), uint32(i)
	}
	p := Permute(m, order, 2)
	for i := range 60 {
		cols, vals := p.Row(i)
		from, _ := m.Row(int(order[i]))
		if len(from) != len(cols) || !slices.IsSorted(cols) {
			t.Fatalf("row %d: %v, of %v", i, cols, from)
		}
		for k, j := range cols {
			if float64(vals[k]) != m.At(int(order[i]), int(order[j])) {
				t.Errorf("entry %d %d is %v", i, j, vals[k])
			}
		}
	}
	back := Permute(p, inverse, 1)
	for i := range 60 {
		a, av := m.Row(i)
		b, bv := back.Row(i)
		if !slices.Equal(a, b) || !slices.Equal(av, bv) {
			t.Errorf("row %d: %v %v, expected %v %v", i, b, bv, a, av)
		}
	}
}
