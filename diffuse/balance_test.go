package diffuse

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// table is the seeds of each component and class, and what √D sees of them.
type table struct{ count, mass [][]float64 }

func tableOf(y *Seeds, of []int, degrees, scale []float64) table {
	t := table{oracle.New(len(of), y.Classes), oracle.New(len(of), y.Classes)}
	for k, s := range y.List() {
		t.count[of[s.Node]][s.Class]++
		t.mass[of[s.Node]][s.Class] += math.Sqrt(degrees[s.Node]) * scale[k] * float64(s.Weight)
	}
	return t
}

// mix returns t_Cj by the formulas of [Graph.Scale], cell by cell.
func (t table) mix(c int) (mix [][]float64, lambda float64) {
	classTotal := make([]float64, c)
	for _, row := range t.count {
		for j, n := range row {
			classTotal[j] += n
		}
	}
	chi, freedom := 0.0, 0.0
	for _, row := range t.count {
		here, present := 0.0, 0.0
		for j, n := range row {
			if n > 0 {
				here += n
				present += classTotal[j]
				freedom++
			}
		}
		if here > 0 {
			freedom--
		}
		for j, n := range row {
			if n > 0 {
				m := here * classTotal[j] / present
				chi += (n - m) * (n - m) / m
			}
		}
	}
	if chi > freedom {
		lambda = 1 - freedom/chi
	}
	mix = oracle.New(len(t.count), c)
	for at, row := range t.count {
		sum, used := 0.0, 0.0
		for j, n := range row {
			if n > 0 {
				sum += n / classTotal[j]
				used++
			}
		}
		for j, n := range row {
			if n > 0 {
				mix[at][j] = 1 - lambda + lambda*used*n/classTotal[j]/sum
			}
		}
	}
	return mix, lambda
}

// TestBalance: with the default, Σ_seeds √d Ỹ is in proportion to the prior and to
// the mix of the component, in each component, and factors are 1 in the mean of its
// classes.
func TestBalance(t *testing.T) {
	parted, mixed := 0, 0
	for seed := range uint64(200) {
		w, dense := randomGraph(t, seed)
		n, _ := w.Dims()
		y, _ := randomSeeds(t, n, 4, seed)
		of := oracle.Components(dense)
		if seed%4 > 1 { // two of three seeds of a component are of its class
			for k := range y.list {
				if s := &y.list[k]; k%3 > 0 {
					s.Class = uint32(of[s.Node] % 4)
				}
			}
		}
		for _, prior := range [][]float64{nil, {1, 2, 3, 4}, {1e-300, 2e-300, 3e-300, 4e-300}} {
			g := Normalize(w, 1)
			scale := g.Scale(y, Options{Prior: prior})
			got := tableOf(y, of, g.Degrees, scale)
			mix, lambda := got.mix(4)
			if lambda > 0 {
				mixed++
			}
			seeded := 0
			for c, masses := range got.mass {
				unit, sum, classes := 0.0, 0.0, 0.0
				for j, mass := range masses {
					if mass == 0 {
						continue // no seed with an edge
					}
					want := mix[c][j]
					if prior != nil {
						want *= prior[j]
					}
					if unit == 0 {
						unit = mass / want
					}
					if math.Abs(mass/want/unit-1) > 1e-12 {
						t.Errorf("graph %d, component %d: masses %v, mix %v, prior %v", seed, c, masses, mix[c], prior)
					}
					for k, s := range y.List() {
						if of[s.Node] == c && int(s.Class) == j {
							sum += scale[k]
							break
						}
					}
					classes++
				}
				if classes > 0 && math.Abs(sum/classes-1) > 1e-12 {
					t.Errorf("graph %d, component %d: factors of %v in the mean", seed, c, sum/classes)
				}
				if classes > 1 {
					seeded++
				}
			}
			if seeded > 1 {
				parted++
			}
		}
	}
	if parted < 100 || mixed < 10 {
		t.Errorf("%d graphs in parts and %d with a mix of their own say nothing", parted, mixed)
	}
}

// TestOwnMix: nine seeds of one class and one of the other in the first component,
// the other way round in the second: χ² is 4·4²/5 for two degrees of freedom. Five
// and five in each are as chance makes them.
func TestOwnMix(t *testing.T) {
	for _, test := range []struct {
		first  int // seeds of class 0 in the first component
		lambda float64
	}{{9, 1 - 2/12.8}, {5, 0}, {6, 0}} {
		var list []Seed
		for k := range 10 {
			for class := range uint32(2) {
				node := uint32(100*class) + uint32(10*k)
				if k >= test.first {
					node = uint32(100*(1-class)) + uint32(10*k)
				}
				list = append(list, Seed{Node: node + class, Class: class, Weight: 1})
			}
		}
		y, err := NewSeeds(200, 2, list)
		if err != nil {
			t.Fatal(err)
		}
		degrees, in := make([]float64, 20), make([]float64, 20)
		for k, s := range y.List() {
			degrees[k], in[k] = 4, float64(s.Node/100)
		}
		scale := y.scale(degrees, in, Balanced, nil)
		share := float64(test.first) / 10
		most, least := 1-test.lambda+2*test.lambda*share, 1-test.lambda+2*test.lambda*(1-share)
		// of one seed each: t over the number of seeds
		want := (most / float64(test.first)) / (least / float64(10-test.first))
		factor := [2]float64{} // in the first component
		for k, s := range y.List() {
			if s.Node < 100 {
				factor[s.Class] = scale[k]
			}
		}
		if got := factor[0] / factor[1]; math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%d of ten: %v, want %v", test.first, got, want)
		}
	}
}

// TestPartsAlone: a graph of several components is labelled as each of them is
// alone, where their seeds do not say that they have mixes of their own.
func TestPartsAlone(t *testing.T) {
	const parts, n, c = 5, 90, 3
	var all csr.Edges
	var seeds []Seed
	alone := make([]*csr.Dense, parts)
	for p := range uint64(parts) {
		src, dst, weight, class := gen.PlantedPartition(n, c, 0.15, 0.04, p)
		w, _ := graphOf(t, n, src, dst, weight)
		random := rand.New(rand.NewPCG(p, 5))
		var list []Seed
		for have := [c]int{}; have != [c]int{3, 3, 3}; {
			i := uint32(random.IntN(n))
			taken := false
			for _, s := range list {
				taken = taken || s.Node == i
			}
			if j := class[i]; !taken && have[j] < 3 {
				have[j]++
				list = append(list, Seed{i, uint32(j), 1})
			}
		}
		y, err := NewSeeds(n, c, list)
		if err != nil {
			t.Fatal(err)
		}
		if alone[p], _, err = LGC(context.Background(), Normalize(w, 1), y, Options{Tolerance: 1e-7}); err != nil {
			t.Fatal(err)
		}
		for k := range src {
			all.Src, all.Dst = append(all.Src, uint32(p)*n+src[k]), append(all.Dst, uint32(p)*n+dst[k])
		}
		for _, s := range list {
			seeds = append(seeds, Seed{uint32(p)*n + s.Node, s.Class, 1})
		}
	}
	w, _, err := csr.FromEdges(parts*n, &all, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := NewSeeds(parts*n, c, seeds)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := LGC(context.Background(), Normalize(w, 1), y, Options{Tolerance: 1e-7})
	if err != nil {
		t.Fatal(err)
	}
	for i := range parts * n {
		for j, v := range f.Row(i) {
			if want := alone[i/n].At(i%n, j); math.Abs(float64(v-want)) > 1e-5*float64(max(v, want)) {
				t.Errorf("node %d: %v, alone %v", i, f.Row(i), alone[i/n].Row(i%n))
			}
		}
	}
}
