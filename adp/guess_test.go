package adp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// guessCase is a guess of 5 dimensions and 3 classes, F of 40 old nodes, and 700 new ones: without
// features, without weights, and without either too.
func guessCase(t *testing.T, standard bool) (g *Guess, f *csr.Dense, w *csr.Matrix, x diffuse.Features) {
	t.Helper()
	const n, m, d, c = 40, 700, 5, 3
	rng := rand.New(rand.NewPCG(32, 4))
	g = &Guess{V: csr.NewDense(d, c), Size: 0.3, Share: 0.4}
	for k := range g.V.Data {
		g.V.Data[k] = float32(rng.NormFloat64())
	}
	if standard {
		g.Standard = &diffuse.Standard{Mean: make([]float64, d), SD: make([]float64, d)}
		for j := range d {
			g.Standard.Mean[j], g.Standard.SD[j] = rng.NormFloat64(), float64(j) // one is constant
		}
	}
	f, x.Dense = csr.NewDense(n, c), csr.NewDense(m, d)
	for k := range f.Data {
		f.Data[k] = rng.Float32()
	}
	all := csr.NewDense(m, n)
	for i := range m {
		for range 3 {
			if i%7 != 0 {
				all.Set(i, rng.IntN(n), 1+rng.Float32())
			}
		}
		for j := range d {
			if i%5 != 0 {
				x.Dense.Set(i, j, float32(rng.NormFloat64()))
			} else if standard {
				x.Dense.Set(i, j, float32(g.Standard.Mean[j]))
			}
		}
	}
	if standard { // float32 has the mean inexactly: it is one that float32 has
		for j, v := range g.Standard.Mean {
			g.Standard.Mean[j] = float64(float32(v))
		}
	}
	w, err := csr.FromDense(all)
	if err != nil {
		t.Fatal(err)
	}
	return g, f, w, x
}

// near gives g what neighbours say, and returns every other weight of w, as edges.
func (g *Guess) near(t *testing.T, w *csr.Matrix) *csr.Matrix {
	t.Helper()
	m, n := w.Dims()
	g.Near = &Near{V: csr.NewDense(g.V.Rows, g.V.Cols), Around: csr.NewDense(n, g.V.Cols), Size: 0.7, Share: 0.8, Blend: 0.3}
	for k := range g.Near.V.Data {
		g.Near.V.Data[k] = float32(math.Sin(float64(k)))
	}
	for k := range g.Near.Around.Data {
		g.Near.Around.Data[k] = float32(math.Cos(float64(k * k)))
	}
	some := csr.NewDense(m, n)
	for i := 0; i < m; i += 2 {
		cols, values := w.Row(i)
		for k, j := range cols {
			some.Set(i, int(j), 2*values[k])
		}
	}
	edges, err := csr.FromDense(some)
	if err != nil {
		t.Fatal(err)
	}
	return edges
}

// TestGuess: the rows are those of the equations in float64, the same for any number of threads and
// as sparse features.
func TestGuess(t *testing.T) {
	ctx := context.Background()
	for _, form := range []string{"as they are", "standardised", "roots", "with edges"} {
		standard := form == "standardised"
		g, f, w, x := guessCase(t, standard)
		g.Roots = form == "roots"
		var edges *csr.Matrix
		if form == "with edges" {
			edges = g.near(t, w)
		}
		got, err := g.Predict(ctx, f, nil, w, edges, x, 0.9, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		none := 0
		for i := range got.F.Rows {
			want := guessRow(g, f, w, edges, x, i)
			for j, v := range got.F.Row(i) {
				if math.Abs(float64(v)-want[j]) > 1e-5 {
					t.Fatalf("%s: row %d is %v, expected %v", form, i, got.F.Row(i), want)
				}
			}
			if got.Status[i] == Unreached {
				none++
			}
		}
		if none != 20 {
			t.Errorf("%d nodes are unreached, expected the 20 without features and weights", none)
		}
		forms := []diffuse.Features{x}
		if !standard {
			sparse, err := csr.FromDense(x.Dense)
			if err != nil {
				t.Fatal(err)
			}
			forms = append(forms, diffuse.Features{Sparse: sparse})
		}
		for k, form := range forms {
			for _, threads := range []int{1, 2, 3, 8} {
				again, err := g.Predict(ctx, f, nil, w, edges, form, 0.9, 0, threads)
				if err != nil || !slices.Equal(again.F.Data, got.F.Data) && k == 0 || !slices.Equal(again.Labels, got.Labels) {
					t.Errorf("form %d, %d threads: other rows, %v", k, threads, err)
				}
			}
		}
	}
	g, f, w, x := guessCase(t, false)
	edges := g.near(t, w)
	g.V = csr.NewDense(4, 3)
	if _, err := g.Predict(ctx, f, nil, w, edges, x, 0.9, 0, 1); !errors.Is(err, diffuse.ErrFeatures) {
		t.Errorf("other dimensions: %v", err)
	}
}

// guessRow is P_x of [Guess.Predict] by its definition.
func guessRow(g *Guess, f *csr.Dense, w, edges *csr.Matrix, x diffuse.Features, i int) []float64 {
	c := f.Cols
	own, length := make([]float64, x.Dense.Cols), 0.0
	for j, v := range x.Dense.Row(i) {
		own[j] = float64(v)
		if s := g.Standard; s != nil {
			if own[j] -= s.Mean[j]; s.SD[j] > 0 {
				own[j] /= s.SD[j]
			} else {
				own[j] = 0
			}
		}
		if g.Roots {
			own[j] = math.Copysign(math.Sqrt(math.Abs(own[j])), own[j])
		}
		length += own[j] * own[j]
	}
	said := func(v *csr.Dense, around []float64, size float64) []float64 {
		z, mean, sum := slices.Clone(around), 0.0, 0.0
		for j := range z {
			for k, x := range own {
				z[j] += x * float64(v.At(k, j)) / math.Sqrt(max(length, 1e-300))
			}
			mean += z[j] / float64(c)
		}
		for j := range z {
			z[j] = math.Exp(1.5 * (z[j] - mean) / size)
			sum += z[j]
		}
		for j := range z {
			z[j] = 0.98*z[j]/sum + 0.02/float64(c)
		}
		return z
	}
	h, share := make([]float64, c), g.Share
	if length > 0 {
		h = said(g.V, h, g.Size)
	}
	if edges != nil {
		cols, values := edges.Row(i)
		around, total := make([]float64, c), 0.0
		for k, j := range cols {
			total += float64(values[k])
			for class := range around {
				around[class] += float64(values[k]) * float64(g.Near.Around.At(int(j), class))
			}
		}
		if total > 0 {
			for class := range around {
				around[class] /= total
			}
			share = g.Near.Share
			for class, v := range said(g.Near.V, around, g.Near.Size) {
				if length > 0 {
					v = (1-g.Near.Blend)*h[class] + g.Near.Blend*v
				}
				h[class] = v
			}
		}
	}
	step, total := make([]float64, c), 0.0
	cols, vals := w.Row(i)
	for k, j := range cols {
		for class := range step {
			step[class] += float64(vals[k]) * float64(f.At(int(j), class))
			total += float64(vals[k]) * float64(f.At(int(j), class))
		}
	}
	out := make([]float64, c)
	for j := range out {
		switch {
		case h[j] == 0 && total > 0:
			out[j] = step[j] / total
		case total == 0:
			out[j] = h[j]
		default:
			out[j] = (1-share)*step[j]/total + share*h[j]
		}
	}
	return out
}
