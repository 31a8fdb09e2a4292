package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGather: every version stops where a loop in float64 does, with the bits of the portable
// loop, which are within rounding of float64; rows are of all lengths, and empty.
func TestGather(t *testing.T) {
	inf := float32(math.Inf(1))
	for trial := range uint64(60) {
		rng := rand.New(rand.NewPCG(trial, 9))
		n := 60
		if trial%6 == 0 {
			n = 1200 // rows of up to as many entries
		}
		var s Sparse
		s.Indptr, s.Cols, s.Vals = rowsOfAnyLength(rng, n, n)
		_, u := fenced(n*Width, 3, rng.Float32)
		_, norms := fenced(n, 1, rng.Float32)
		b := &Bound{Norms: norms}
		for m := range b.Norm {
			b.Norm[m], b.Limit[m] = rng.Float32(), float32(trial%5)*3+rng.Float32()
			if rng.IntN(3) == 0 {
				b.Limit[m] = inf
			}
		}
		from := rng.IntN(n)
		to := from + rng.IntN(n-from+1)
		for from < to {
			var want [Width]float32
			row, mask := gatherPortable(&want, s, u, b, from, to)
			checkGather(t, want, s, u, b, from, to, row, mask)
			for _, name := range Names() {
				use(t, name)
				whole, v := fenced(Width, 4, rng.Float32)
				at, bits := Gather((*[Width]float32)(v), s, u, b, from, to)
				if at != row || bits != mask || !slices.Equal(v, want[:]) {
					t.Fatalf("trial %d, %s, from %d to %d: row %d with %b, %v; portable %d with %b, %v", trial, name, from, to, at, bits, v, row, mask, want)
				}
				checkFence(t, whole, 4)
			}
			from = row + 1
		}
	}
	if row, mask := Gather(new([Width]float32), Sparse{Indptr: make([]int64, 3)}, nil, &Bound{Norms: make([]float32, 2)}, 0, 2); row != 0 || mask != 1<<16-1 {
		t.Errorf("rows of zeros with limits of 0: row %d with %b, expected 0 with all bits", row, mask)
	}
}

// checkGather checks one answer of Gather against float64.
func checkGather(t *testing.T, v [Width]float32, s Sparse, u []float32, b *Bound, from, to, row int, mask uint32) {
	t.Helper()
	if (mask == 0) != (row == to) {
		t.Fatalf("row %d of %d to %d with the bits %b", row, from, to, mask)
	}
	for j := from; j < min(row+1, to); j++ {
		for m := range v {
			sum, size := 0.0, 1.0
			for k := s.Indptr[j]; k < s.Indptr[j+1]; k++ {
				x := float64(s.Vals[k]) * float64(u[int(s.Cols[k])*Width+m])
				sum, size = sum+x, size+math.Abs(x)
			}
			over := sum + float64(b.Norm[m])*float64(b.Norms[j]) - float64(b.Limit[m])
			if j == row && math.Abs(float64(v[m])-sum) > 1e-5*size {
				t.Fatalf("row %d, column %d: %v, want %v", j, m, v[m], sum)
			}
			if math.Abs(over) > 1e-5*size && (over > 0) != (j == row && mask>>m&1 == 1) {
				t.Fatalf("row %d, column %d is %v over the bound; stopped at %d with %b", j, m, over, row, mask)
			}
		}
	}
}

// TestSpread: every version has the bits of float32 operations in the order of entries, of
// which some are of one row, and writes nowhere else.
func TestSpread(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(9, 10))
	for _, length := range []int{0, 1, 2, 17, 300} {
		cols := make([]uint32, length)
		for k := range cols {
			cols[k] = uint32(rng.IntN(n))
		}
		_, vals := fenced(length, 1, rng.Float32)
		var factor [Width]float32
		for m := range factor {
			factor[m] = rng.Float32() * float32(m%3)
		}
		start := make([]float32, n*Width)
		for k := range start {
			start[k] = rng.Float32()
		}
		want := slices.Clone(start)
		for k, j := range cols {
			for m, f := range factor {
				want[int(j)*Width+m] += float32(vals[k] * f) // not fused
			}
		}
		for _, name := range Names() {
			use(t, name)
			whole, u := fenced(n*Width, 5, rng.Float32)
			copy(u, start)
			Spread(u, cols, vals, &factor)
			if !slices.Equal(u, want) {
				t.Errorf("%s, %d entries: other bits", name, length)
			}
			checkFence(t, whole, 5)
		}
	}
}

// BenchmarkSpread: 20 entries all over the rows.
func BenchmarkSpread(b *testing.B) {
	const n, length = 10_000, 20
	rng := rand.New(rand.NewPCG(1, 9))
	u, vals := make([]float32, n*Width), make([]float32, length)
	all := make([]uint32, 1000*length)
	for k := range all {
		all[k] = uint32(rng.IntN(n))
	}
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			use(b, name)
			for b.Loop() {
				for at := 0; at < len(all); at += length {
					Spread(u, all[at:at+length], vals, &[Width]float32{1})
				}
			}
		})
	}
}
