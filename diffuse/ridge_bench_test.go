package diffuse

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// BenchmarkRidge compares the feature step with LGC on one graph: 100,000 nodes, a
// million edges, ten classes of twenty seeds; 100 dense features, or 100,000 sparse ones of
// which a node has 20.
func BenchmarkRidge(b *testing.B) {
	const n, degree, c = 100_000, 10, 10
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 4))
	edges := &csr.Edges{}
	for i := range n {
		for range degree {
			j := (i + 1 + int(1000*rng.ExpFloat64())) % n
			edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j))
			edges.Weight = append(edges.Weight, 1)
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var seeds []Seed
	for k := range 20 * c {
		seeds = append(seeds, Seed{Node: uint32(k * n / (20 * c)), Class: uint32(k % c), Weight: 1})
	}
	y, err := NewSeeds(n, c, seeds)
	if err != nil {
		b.Fatal(err)
	}
	targets, weights := csr.NewDense(n, c), make([]float32, n)
	for i := range n {
		targets.Set(i, rng.IntN(c), 1)
		weights[i] = rng.Float32()
	}
	g := Normalize(w, 0)
	b.Run("LGC", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := LGC(ctx, g, y, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, x := range map[string]Features{"dense": benchDense(n, 100, rng), "sparse": benchSparse(n, 100_000, 20, rng)} {
		d, err := NewDiffused(x, g, TenHops, 0)
		if err != nil {
			b.Fatal(err)
		}
		solve := func(d *Diffused, form bool) func(b *testing.B) {
			return func(b *testing.B) {
				for b.Loop() {
					at := d
					if form {
						if at, err = d.Form(ctx); err != nil {
							b.Fatal(err)
						}
					}
					if _, _, err := Ridge(ctx, at, targets, weights, RidgeOptions{Lambda: 0.02}); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		dual := func(d *Diffused) func(b *testing.B) {
			return func(b *testing.B) {
				for b.Loop() {
					k, err := NewKernel(ctx, d, y, 2)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := k.Scores(ctx, y, 1); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		b.Run(name+"/ridge", solve(d, false))
		b.Run(name+"/dual", dual(d))
		if name == "dense" {
			formed, err := d.Form(ctx)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/form+ridge", solve(d, true))
			b.Run(name+"/formed/ridge", solve(formed, false))
			b.Run(name+"/formed/dual", dual(formed))
		}
	}
}

func benchDense(n, d int, rng *rand.Rand) Features {
	x := csr.NewDense(n, d)
	for k := range x.Data {
		x.Data[k] = float32(rng.NormFloat64())
	}
	return Features{Dense: x}.UnitRows(0)
}

func benchSparse(n, d, each int, rng *rand.Rand) Features {
	indptr, indices, data := []int64{0}, []uint32{}, []float32{}
	for range n {
		for k := range each { // words are rarer the higher their number
			span := d / each
			indices = append(indices, uint32(k*span+int(float64(span)*rng.Float64()*rng.Float64())))
			data = append(data, 1)
		}
		indptr = append(indptr, int64(len(data)))
	}
	m, err := csr.New(n, d, indptr, indices, data)
	if err != nil {
		panic(err)
	}
	return Features{Sparse: m}.UnitRows(0)
}

// BenchmarkKernelSolve is a regression on m seeds of ten classes and 100 features, K being there.
func BenchmarkKernelSolve(b *testing.B) {
	const n, c = 2000, 10
	ctx := b.Context()
	d, err := NewDiffused(benchDense(n, 100, rand.New(rand.NewPCG(5, 6))), nil, Hops{}, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range []int{128, 512, 1024} {
		var seeds []Seed
		for k := range m {
			seeds = append(seeds, Seed{Node: uint32(k), Class: uint32(k % c), Weight: 1})
		}
		y, err := NewSeeds(n, c, seeds)
		if err != nil {
			b.Fatal(err)
		}
		k, err := NewKernel(ctx, d, y, 1)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strconv.Itoa(m), func(b *testing.B) {
			for b.Loop() {
				if _, err := k.Solve(ctx, y, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
