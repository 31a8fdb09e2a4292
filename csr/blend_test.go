package csr

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomAffinity returns a graph of n nodes with random edges and weights.
func randomAffinity(t *testing.T, n, edges int, seed uint64) *Matrix {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 91))
	e := &Edges{}
	for range edges {
		e.Src, e.Dst = append(e.Src, uint32(rng.IntN(n))), append(e.Dst, uint32(rng.IntN(n)))
		e.Weight = append(e.Weight, rng.Float32())
	}
	m, _, err := FromEdges(n, e, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// times returns the graph with all weights scaled, up to the largest finite one.
func times(m *Matrix, by float32) *Matrix {
	data := make([]float32, len(m.data))
	for k, v := range m.data {
		data[k] = float32(min(float64(v)*float64(by), math.MaxFloat32))
	}
	return m.WithData(data)
}

// TestEmbed: every entry is where its row and column went, and there is no other.
func TestEmbed(t *testing.T) {
	for _, n := range []int{30, 31, 400} {
		m := randomAffinity(t, 30, 90, uint64(n))
		at := make([]uint32, 0, 30)
		for _, to := range rand.New(rand.NewPCG(uint64(n), 92)).Perm(n)[:30] {
			at = append(at, uint32(to))
		}
		got := Embed(m, at, n, 3)
		if r, c := got.Dims(); r != n || c != n || got.NNZ() != m.NNZ() {
			t.Fatalf("%d×%d with %d entries, want %d rows and %d entries", r, c, got.NNZ(), n, m.NNZ())
		}
		if err := CheckAffinity(got, 1); err != nil {
			t.Fatal(err)
		}
		for i := range 30 {
			cols, vals := m.Row(i)
			for k, j := range cols {
				if v := got.value(int(at[i]), at[j]); v != vals[k] {
					t.Errorf("entry %d, %d is %v in its place, want %v", i, j, v, vals[k])
				}
			}
		}
	}
}

// TestBlend: a graph has its share of the weight, the sum is symmetric, and weights of
// the first stay where the second has no edge, whatever the sizes of the weights.
func TestBlend(t *testing.T) {
	w, x := randomAffinity(t, 200, 900, 1), randomAffinity(t, 200, 700, 2)
	for _, scale := range []float32{1, 0x1p100, 0x1p-100} {
		scaled := times(w, scale)
		for _, share := range []float64{0.1, 0.25, 0.9} {
			got, beta := Blend(scaled, x, share, 3)
			if err := CheckAffinity(got, 1); err != nil {
				t.Fatal(err)
			}
			if part := 1 - scaled.sum(1)/got.sum(1); math.Abs(part-share) > 1e-5 {
				t.Errorf("weights times %g: a share of %.6f, want %v", scale, part, share)
			}
			if want := share / (1 - share) * scaled.sum(1) / x.sum(1); beta != want {
				t.Errorf("weights times %g, share %v: β is %v, expected %v", scale, share, beta, want)
			}
			for i := range 200 {
				cols, vals := scaled.Row(i)
				for k, j := range cols {
					if v := got.value(i, j); x.value(i, j) == 0 && v != vals[k] || v < vals[k] {
						t.Fatalf("entry %d, %d was %v and is %v", i, j, vals[k], v)
					}
				}
			}
		}
	}
	light, _ := Blend(times(w, 0x1p-125), x, 0x1p-30, 1) // weights of x fall below float32
	for _, v := range light.data {
		if v == 0 {
			t.Fatal("an edge of the second graph became a 0")
		}
	}
	empty := &Matrix{rows: 200, cols: 200, indptr: make([]int64, 201)}
	for _, c := range []struct {
		w, x, want  *Matrix
		share, beta float64
	}{{w, empty, w, 0.5, 0}, {empty, x, x, 0.5, 1}, {w, x, w, 0, 0}} {
		if got, beta := Blend(c.w, c.x, c.share, 1); got != c.want || beta != c.beta {
			t.Errorf("a graph without weight changed the other, β = %v", beta)
		}
	}
	large := times(w, math.MaxFloat32)
	heavy, _ := Blend(large, x, 0.5, 1)
	if err := CheckAffinity(heavy, 1); err != nil {
		t.Error(err)
	}
	for i := range 200 {
		_, vals := heavy.Row(i)
		for _, v := range vals {
			if math.IsInf(float64(v), 0) || v != v {
				t.Fatalf("row %d has a weight of %v", i, v)
			}
		}
	}
}
