package diffuse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestRepel: F is the sum of powers of dense matrices, near (I + αT)^-1 B for many steps, with the same bits for any number of
// threads; a node without edges keeps its row.
func TestRepel(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(4, 9))
	const n, c, alpha = 60, 3, 0.8
	edges := &csr.Edges{}
	for range 200 {
		edges.Src, edges.Dst = append(edges.Src, uint32(rng.IntN(n-1))), append(edges.Dst, uint32(rng.IntN(n-1)))
		edges.Weight = append(edges.Weight, 1+rng.Float32())
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g := Normalize(w, 1)
	b := csr.NewDense(n, c)
	dense := mat.NewDense(n, c, nil)
	for k := range b.Data {
		b.Data[k] = float32(rng.NormFloat64())
		dense.Set(k/c, k%c, float64(b.Data[k]))
	}
	step := mat.NewDense(n, n, nil) // −αT
	for i := range n {
		cols, values := w.Row(i)
		for k, j := range cols {
			step.Set(i, int(j), -alpha*float64(values[k])/g.Degrees[i])
		}
	}
	for _, steps := range []int{0, 1, 7, 80} {
		got, err := Repel(ctx, g, b, alpha, steps, 1)
		if err != nil {
			t.Fatal(err)
		}
		want, next := mat.DenseCopyOf(dense), new(mat.Dense)
		for range steps {
			next.Mul(step, want)
			want.Add(dense, next)
		}
		for k, v := range got.Data {
			if math.Abs(float64(v)-want.At(k/c, k%c)) > 1e-5 {
				t.Fatalf("%d steps: entry %d is %v, expected %v", steps, k, v, want.At(k/c, k%c))
			}
		}
		if last := got.Row(n - 1); !slices.Equal(last, b.Row(n-1)) {
			t.Errorf("%d steps: the node without edges has %v, expected %v", steps, last, b.Row(n-1))
		}
		if other, err := Repel(ctx, g, b, alpha, steps, 3); err != nil || !slices.Equal(other.Data, got.Data) {
			t.Errorf("%d steps: other bits with three threads, %v", steps, err)
		}
		if steps < 80 {
			continue
		}
		system, solved := mat.NewDense(n, n, nil), new(mat.Dense)
		for i := range n {
			for j := range n {
				system.Set(i, j, -step.At(i, j))
			}
			system.Set(i, i, system.At(i, i)+1)
		}
		if err := solved.Solve(system, dense); err != nil {
			t.Fatal(err)
		}
		for k, v := range got.Data {
			if math.Abs(float64(v)-solved.At(k/c, k%c)) > 1e-4 {
				t.Fatalf("entry %d is %v, expected %v of the solution", k, v, solved.At(k/c, k%c))
			}
		}
	}
	for _, alpha := range []float64{-0.1, 1, math.NaN()} {
		if _, err := Repel(ctx, g, b, alpha, 3, 1); !errors.Is(err, ErrOptions) {
			t.Errorf("α = %v: %v, expected ErrOptions", alpha, err)
		}
	}
	if _, err := Repel(ctx, g, b, 0.5, -1, 1); !errors.Is(err, ErrOptions) {
		t.Errorf("-1 steps: %v, expected ErrOptions", err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := Repel(stopped, g, b, 0.5, 3, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected that of the context", err)
	}
}
