package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/panics"
)

// rowsOfAnyLength draws a matrix of rows of 0 to n of n columns, in CSR.
func rowsOfAnyLength(rng *rand.Rand, rows, n int) (indptr []int64, cols []uint32, vals []float32) {
	indptr = []int64{0}
	for range rows {
		share := rng.Float64() * rng.Float64()
		for j := range uint32(n) {
			if rng.Float64() < share {
				cols = append(cols, j)
				vals = append(vals, float32(rng.NormFloat64()))
			}
		}
		indptr = append(indptr, int64(len(cols)))
	}
	return indptr, cols, vals
}

// fencedPlaces returns n zeros with guards before and after.
func fencedPlaces(n int) (whole, part []uint32) {
	const offset = 3
	whole = make([]uint32, n+2*offset)
	for i := range offset {
		whole[i], whole[n+offset+i] = math.Float32bits(guard), math.Float32bits(guard)
	}
	return whole, whole[offset : offset+n : offset+n]
}

// TestAddRows: every version gives the columns in the order of their first
// touch and the sums of float32 operations in the order of the rows, as a map
// does, for a base at both ends of its range and rows after one another; nothing
// is written outside, and the values behind the last stay 0.
func TestAddRows(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			use(t, name)
			for trial := range uint64(60) {
				rng := rand.New(rand.NewPCG(trial, 9))
				n := 1 + rng.IntN(40)
				indptr, cols, vals := rowsOfAnyLength(rng, 1+rng.IntN(50), n)
				wholePlace, place := fencedPlaces(n)
				wholeCols, sumCols := fencedPlaces(n)
				wholeVals, sumVals := fenced(n, 3, func() float32 { return 0 })
				s := &Sum{Place: place, Cols: sumCols, Vals: sumVals, Base: 1}
				if trial%2 == 1 {
					s.Base = uint32(1<<32 - 3*int64(n))
				}
				for range 3 {
					checkAddRows(t, rng, s, indptr, cols, vals)
					for _, whole := range [][]uint32{wholePlace, wholeCols} {
						for i := range 3 {
							if whole[i] != math.Float32bits(guard) || whole[len(whole)-1-i] != math.Float32bits(guard) {
								t.Fatalf("trial %d: wrote outside", trial)
							}
						}
					}
					checkFence(t, wholeVals, 3)
					clear(s.Vals[:s.Count])
					s.Base, s.Count = s.Base+uint32(s.Count), 0
					if s.Base == 0 {
						break // the places are used up to the last
					}
				}
			}
		})
	}
}

func checkAddRows(t *testing.T, rng *rand.Rand, s *Sum, indptr []int64, cols []uint32, vals []float32) {
	t.Helper()
	want, order := map[uint32]float32{}, []uint32{}
	for range 3 {
		rows, scale := make([]uint32, rng.IntN(30)), []float32{}
		for m := range rows {
			rows[m] = uint32(rng.IntN(len(indptr) - 1))
			scale = append(scale, float32(rng.NormFloat64()))
			for k := indptr[rows[m]]; k < indptr[rows[m]+1]; k++ {
				if _, ok := want[cols[k]]; !ok {
					order = append(order, cols[k])
				}
				want[cols[k]] += float32(scale[m] * vals[k])
			}
		}
		s.AddRows(rows, scale, indptr, cols, vals)
	}
	if !slices.Equal(s.Cols[:s.Count], order) {
		t.Fatalf("columns %v, want %v", s.Cols[:s.Count], order)
	}
	for p, v := range s.Vals {
		if p >= s.Count {
			if v != 0 {
				t.Fatalf("value %v behind the last", v)
			}
			continue
		}
		if j := s.Cols[p]; v != want[j] || s.Place[j] != s.Base+uint32(p) {
			t.Fatalf("column %d: %v at place %d, want %v at %d", j, v, s.Place[j], want[j], s.Base+uint32(p))
		}
	}
}

// TestOutside: columns that are none, as of a mapped file that another process changes, make
// all versions panic, and nothing is written outside.
func TestOutside(t *testing.T) {
	const n = 10
	indptr, vals := []int64{0, 4}, []float32{1, 1, 1, 1}
	for _, name := range Names() {
		use(t, name)
		for _, bad := range []uint32{n, n + 1, 3 * n, math.MaxUint32} {
			for at := range vals {
				cols := []uint32{1, 3, 5, 7}
				cols[at] = bad
				room, wholeVals := make([]uint32, 4*n), make([]float32, 2*n)
				s := &Sum{Place: room[:n:n], Cols: make([]uint32, n), Vals: wholeVals[:n:n], Base: 1}
				if said := panics.Of(func() { s.AddRows([]uint32{0}, []float32{1}, indptr, cols, vals) }); said == "" {
					t.Errorf("%s: AddRows of column %d did not panic", name, bad)
				}
				if slices.Max(room[n:]) != 0 || slices.Max(wholeVals[n:]) != 0 {
					t.Errorf("%s: AddRows of column %d wrote outside", name, bad)
				}
				dense := make([]float32, 4*n*Width)
				if said := panics.Of(func() { Spread(dense[:n*Width:n*Width], cols, vals, &[Width]float32{1}) }); said == "" {
					t.Errorf("%s: Spread of column %d did not panic", name, bad)
				}
				if slices.Max(dense[n*Width:]) != 0 {
					t.Errorf("%s: Spread of column %d wrote outside", name, bad)
				}
			}
		}
		s := &Sum{Place: make([]uint32, n), Cols: make([]uint32, n), Vals: make([]float32, n), Base: 1}
		s.AddRows([]uint32{0, 1}, []float32{1, 1}, []int64{4, 4, 4}, []uint32{0, 0, 0, 0}, vals)
		if s.Count != 0 {
			t.Errorf("%s: %d columns of empty rows", name, s.Count)
		}
	}
}

// BenchmarkAddRows: 200 rows of 14 entries all over the columns.
func BenchmarkAddRows(b *testing.B) {
	const n, length, count = 100_000, 14, 200
	rng := rand.New(rand.NewPCG(1, 9))
	indptr, cols, vals := []int64{0}, make([]uint32, n*length), make([]float32, n*length)
	for k := range cols {
		cols[k], vals[k] = uint32(rng.IntN(n)), rng.Float32()
	}
	for i := range n {
		indptr = append(indptr, int64(length*(i+1)))
	}
	rows, scale := make([]uint32, count), make([]float32, count)
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			use(b, name)
			s := &Sum{Place: make([]uint32, n), Cols: make([]uint32, n), Vals: make([]float32, n), Base: 1}
			for b.Loop() {
				for m := range rows {
					rows[m], scale[m] = uint32(rng.IntN(n)), 1
				}
				s.AddRows(rows, scale, indptr, cols, vals)
				clear(s.Vals[:s.Count])
				s.Base, s.Count = s.Base+uint32(s.Count), 0
				if s.Base > 1<<31 {
					clear(s.Place)
					s.Base = 1
				}
			}
		})
	}
}
