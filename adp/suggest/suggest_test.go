package suggest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/panics"
)

// problem returns a graph of three communities and two nodes apart, which no seed
// reaches, its dense matrix, and seeds.
func problem(t *testing.T) (*csr.Matrix, oracle.Mat, *diffuse.Seeds) {
	t.Helper()
	const n, c = 62, 3
	src, dst, weight, class := gen.PlantedPartition(60, c, 0.3, 0.03, 5)
	src, dst, weight = append(src, 60), append(dst, 61), append(weight, 1)
	random := rand.New(rand.NewPCG(5, 1))
	for k := range weight {
		weight[k] = 0.1 + random.Float32()
	}
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := range 9 {
		list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(class[i]), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return w, oracle.Affinity(n, src, dst, weight), y
}

// next is Next by the dense kernel: all values, and the first nodes by them, no
// two of them neighbours.
func next(w oracle.Mat, u []float32, count int) (value []float64, nodes []int) {
	n := len(u)
	kernel := oracle.LGC(w, oracle.Identity(n), Alpha)
	value = make([]float64, n)
	order := make([]int, n)
	for i := range value {
		order[i] = i
		for j := range u {
			value[i] += float64(u[i]) * kernel[i][j] * float64(u[j])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value[b], value[a]) })
	for _, i := range order {
		if len(nodes) < count && u[i] > 0 && !slices.ContainsFunc(nodes, func(j int) bool { return w[i][j] > 0 }) {
			nodes = append(nodes, i)
		}
	}
	return value, nodes
}

// TestNext: values, order and nodes are those of the dense kernel, with labels and
// without, for any number of threads; no two nodes are neighbours.
func TestNext(t *testing.T) {
	w, dense, y := problem(t)
	s := diffuse.Normalize(w, 1)
	f, _, err := diffuse.LGC(context.Background(), s, y, diffuse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, u := range map[string][]float32{"labelled": Doubt(f, y.Mask()), "nothing known": Doubt(nil, make([]bool, 62))} {
		value, want := next(dense, u, 8)
		got, err := Next(context.Background(), s, w, u, 8, 1)
		if err != nil || len(got) != len(want) || len(want) < 6 {
			t.Fatalf("%s: %d nodes, expected %d, %v", name, len(got), len(want), err)
		}
		for k, x := range got {
			i := want[k]
			if x.Node != i || math.Abs(x.Value-value[i]/slices.Max(value)) > 1e-3 || x.Uncertainty != float64(u[i]) {
				t.Errorf("%s: %d: %+v, expected node %d of value %v and uncertainty %v", name, k, x, i, value[i]/slices.Max(value), u[i])
			}
		}
		for _, threads := range []int{2, 5} {
			if again, err := Next(context.Background(), s, w, u, 8, threads); err != nil || !reflect.DeepEqual(again, got) {
				t.Errorf("%s: %d threads: %v, expected %v, %v", name, threads, again, got, err)
			}
		}
	}
}

// TestDoubt: by hand; 0 of known nodes, 1 where no label reaches.
func TestDoubt(t *testing.T) {
	f := csr.NewDense(5, 3)
	copy(f.Data, []float32{4, 1, 2, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 2, 4}) // first ones of 3 on average
	got := Doubt(f, []bool{false, false, false, false, true})
	if want := []float32{2.3 / 4.3, 1, 0.3 / 3.3, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	known := []bool{false, true, false, false, false}
	for _, f := range []*csr.Dense{nil, csr.NewDense(5, 3)} {
		if got, want := Doubt(f, known), []float32{1, 0, 1, 1, 1}; !slices.Equal(got, want) {
			t.Errorf("%v, expected %v", got, want)
		}
	}
	if said := panics.Of(func() { Doubt(f, known[:4]) }); !strings.Contains(said, "F of 5 rows, 4 nodes") {
		t.Errorf("%q", said)
	}
}

// TestNothing: where nothing is in doubt, or nothing is asked for, nothing comes.
func TestNothing(t *testing.T) {
	w, _, _ := problem(t)
	s := diffuse.Normalize(w, 1)
	if got, err := Next(context.Background(), s, w, make([]float32, 62), 5, 1); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	all := Doubt(nil, make([]bool, 62))
	if got, err := Next(context.Background(), s, w, all, 0, 1); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Next(stopped, s, w, all, 5, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, expected that the context ended", err)
	}
	if said := panics.Of(func() { Next(context.Background(), s, w, all[:61], 5, 1) }); !strings.Contains(said, "uncertainty of 61") {
		t.Errorf("%q", said)
	}
	all[3] = float32(math.NaN())
	if said := panics.Of(func() { Next(context.Background(), s, w, all, 5, 1) }); !strings.Contains(said, "uncertainty NaN of node 3") {
		t.Errorf("%q", said)
	}
}
