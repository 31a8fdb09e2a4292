package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortRows: rows of every length become what slices.Sort makes of them, up
// to the first that has a column twice or is not in order and longer than the
// version sorts; that one is sorted or as it was, and all others are untouched.
func TestSortRows(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			use(t, name)
			most := 64
			if name == "portable" || name == "neon" {
				most = 0
			}
			rng := rand.New(rand.NewPCG(1, 20))
			for trial := range 4000 {
				cols, ends, counts := someRows(rng, trial)
				before := slices.Clone(cols)
				done := SortRows(cols, ends, counts)
				stopped := len(ends)
				for r, end := range ends {
					row, old := cols[end-counts[r]:end], before[end-counts[r]:end]
					sorted := slices.Clone(old)
					slices.Sort(sorted)
					strict := len(slices.Compact(slices.Clone(sorted))) == len(row)
					can := strict && (len(row) <= most || slices.IsSorted(old))
					if r < stopped && !can {
						stopped = r
					}
					switch {
					case r < stopped && !slices.Equal(row, sorted):
						t.Fatalf("row %d of %v became %v", r, old, row)
					case r == stopped && !slices.Equal(row, sorted) && !slices.Equal(row, old):
						t.Fatalf("row %d, where it stopped, of %v became %v", r, old, row)
					case r > stopped && !slices.Equal(row, old):
						t.Fatalf("row %d, after the %d done, of %v became %v", r, done, old, row)
					}
				}
				if done != stopped {
					t.Fatalf("%d rows done, want %d of %v", done, stopped, counts)
				}
				if n := len(cols); n >= 2 && (cols[0] != before[0] || cols[n-1] != before[n-1]) {
					t.Fatal("wrote outside the rows")
				}
			}
		})
	}
}

// someRows returns rows one after the other with a guard before and after: of
// few columns or of all there are, in order, nearly so or not, most of them without
// a column twice.
func someRows(rng *rand.Rand, trial int) (cols []uint32, ends, counts []int) {
	cols = []uint32{rng.Uint32()}
	for range rng.IntN(8) {
		size := trial % 70
		if rng.IntN(2) == 0 {
			size = rng.IntN(130)
		}
		limit := []uint32{math.MaxUint32, 1 << 31, 1000, 200}[rng.IntN(4)]
		row := make([]uint32, 0, size)
		for len(row) < size {
			if j := rng.Uint32N(limit); !slices.Contains(row, j) {
				row = append(row, j)
			}
		}
		if size > 1 && rng.IntN(4) == 0 {
			row[0] = math.MaxUint32 - 1 // the largest column
		}
		if order := rng.IntN(4); order < 3 {
			slices.Sort(row)
			if order == 1 {
				slices.Reverse(row)
			}
			if order == 2 && size > 1 {
				k := rng.IntN(size - 1)
				row[k], row[k+1] = row[k+1], row[k]
			}
		}
		if size > 1 && rng.IntN(8) == 0 {
			k := rng.IntN(size - 1)
			row[k+1] = row[k]
		}
		cols = append(cols, row...)
		ends, counts = append(ends, len(cols)), append(counts, size)
	}
	return append(cols, rng.Uint32()), ends, counts
}

// BenchmarkSortRows sorts rows of 20 random columns.
func BenchmarkSortRows(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 21))
	const size, rows = 20, 4096
	from, cols := make([]uint32, size*rows), make([]uint32, size*rows)
	ends, counts := make([]int, rows), make([]int, rows)
	for k := range from {
		from[k] = rng.Uint32()
	}
	for r := range ends {
		ends[r], counts[r] = (r+1)*size, size
	}
	for b.Loop() {
		copy(cols, from)
		if SortRows(cols, ends, counts) != rows {
			b.Fatal("not sorted")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/size/rows, "ns/entry")
}
