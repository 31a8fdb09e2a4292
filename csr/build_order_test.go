package csr

import (
	"cmp"
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestDuplicatesAddInOneOrder: the sum of these weights depends on the order
// of addition, in float64 and so that float32 sees it: 2^30 + 2^6 is halfway
// between two float32, and four times 2^-24 decide only if added to each other
// first. Smallest first is the rule, whatever the order of the edges.
func TestDuplicatesAddInOneOrder(t *testing.T) {
	weights := []float32{0x1p30, 0x1p6, 0x1p-24, 0x1p-24, 0x1p-24, 0x1p-24}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		rng.Shuffle(len(weights), func(a, b int) { weights[a], weights[b] = weights[b], weights[a] })
		e := Edges{Weight: append([]float32(nil), weights...)}
		for k := range weights {
			e.Src = append(e.Src, uint32(k%2))
			e.Dst = append(e.Dst, uint32(1-k%2))
		}
		m, stats, err := FromEdges(2, &e, BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.At(0, 1); got != 0x1p30+0x1p7 || stats.Duplicates != len(weights)-1 {
			t.Fatalf("order %v: sum %v, want %v; %+v", weights, got, 0x1p30+0x1p7, stats)
		}
	}
}

// TestBucketWithoutRows: where n is a multiple of the rows of a bucket the last bucket has
// none, and is made long before those that it comes after.
func TestBucketWithoutRows(t *testing.T) {
	racing.LongSum(t)
	const n, m = 1 << 12, 1 << 17
	for trial := range uint64(12) {
		rng := rand.New(rand.NewPCG(trial, 12))
		edges := Edges{Src: make([]uint32, m), Dst: make([]uint32, m)}
		for k := range m {
			edges.Src[k], edges.Dst[k] = rng.Uint32N(n), rng.Uint32N(n)
		}
		if b := NewBuilder(n, m, false, BuildOptions{Threads: 1}); n%(1<<b.shift) != 0 || len(b.buckets) < 3 {
			t.Fatalf("%d buckets of %d rows: they say nothing", len(b.buckets), 1<<b.shift)
		}
		want, _, err := FromEdges(n, edges.clone(), BuildOptions{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{3, 8, 16} {
			got, _, err := FromEdges(n, edges.clone(), BuildOptions{Threads: threads})
			if err != nil || !sameBits(got, want) {
				t.Fatalf("trial %d, %d threads: another matrix than of one thread (%v)", trial, threads, err)
			}
		}
	}
}

// TestThreadsAtBuckets: more threads than buckets, buckets of one row and of none, and sizes next
// to powers of two, in memory and with a scratch file: the matrix and the counts of one thread.
func TestThreadsAtBuckets(t *testing.T) {
	for _, n := range []int{1, 2, 3, 63, 64, 65, 1<<12 - 1, 1 << 12, 1<<12 + 1, 1 << 15, 1 << 16} {
		if racing.On && n == 1<<15 {
			continue
		}
		m := min(3*n, 1<<16)
		for trial := range 4 {
			if racing.On && (trial == 1 || trial == 2) { // 0 has no weights, 3 has weights and directions
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(n), uint64(trial)))
			edges := Edges{}
			for range m {
				edges.Src, edges.Dst = append(edges.Src, rng.Uint32N(uint32(n))), append(edges.Dst, rng.Uint32N(uint32(n)))
				if trial%2 == 1 {
					edges.Weight = append(edges.Weight, float32(rng.IntN(3))/3)
				}
			}
			opt := BuildOptions{Threads: 1, Directed: trial == 3, Mean: trial == 3}
			want, counts, err := FromEdges(n, edges.clone(), opt)
			if err != nil {
				t.Fatal(err)
			}
			mustBeSound(t, want)
			for _, opt.Threads = range []int{3, 16} {
				for _, opt.Memory = range []int64{0, 1 << 16} {
					opt.Scratch = &counted{}
					b := NewBuilder(n, int64(n/2+1), edges.Weight != nil, opt) // a bad estimate, for other buckets
					if opt.Memory == 0 {
						b = NewBuilder(n, 40*int64(m), edges.Weight != nil, opt) // many buckets
					}
					if err := b.Add(opt.Threads-1, edges.clone()); err != nil {
						t.Fatal(err)
					}
					got, stats, err := b.Matrix(context.Background())
					if err != nil || stats != counts || !sameBits(got, want) {
						t.Fatalf("%d nodes, trial %d, %d threads, memory %d: another matrix than of one thread, or %+v for %+v (%v)", n, trial, opt.Threads, opt.Memory, stats, counts, err)
					}
				}
			}
		}
	}
}

// counted is a scratch file in memory that counts the bytes read from it.
type counted struct {
	mu   sync.Mutex
	text []byte
	read int
}

func (c *counted) WriteAt(b []byte, at int64) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if end := int(at) + len(b); end > len(c.text) {
		c.text = append(c.text, make([]byte, end-len(c.text))...)
	}
	return copy(c.text[at:], b), nil
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read += len(b)
	return copy(b, c.text[at:]), nil
}

// TestManyThreadsLittleMemory: workers share the memory that rows are made in, and read a bucket
// once for each part of it that theirs holds. With many of them that was most of the time:
// 64 threads took 15 times as long as one.
func TestManyThreadsLittleMemory(t *testing.T) {
	const n, m = 1 << 12, 1 << 17
	rng := rand.New(rand.NewPCG(1, 15))
	edges := Edges{Src: make([]uint32, m), Dst: make([]uint32, m)}
	for k := range m {
		edges.Src[k], edges.Dst[k] = rng.Uint32N(n), rng.Uint32N(n)
	}
	var want *Matrix
	few := 0
	for _, threads := range []int{1, 3, 64} {
		file := &counted{}
		b := NewBuilder(n, m, false, BuildOptions{Threads: threads, Memory: 1 << 20, Scratch: file})
		if err := b.Add(0, edges.clone()); err != nil {
			t.Fatal(err)
		}
		got, _, err := b.Matrix(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want, few = got, file.read
		}
		if !sameBits(got, want) {
			t.Errorf("%d threads: another matrix than of one", threads)
		}
		if few == 0 || file.read > 2*few {
			t.Errorf("%d threads: %d bytes are read, %d with one thread", threads, file.read, few)
		}
	}
}

// TestBucketsOfUnsortedRows: long rows in several buckets, whose entries come
// in an order that has later buckets grouped by column before they are
// scattered; the same in the order of the columns, which has not.
func TestBucketsOfUnsortedRows(t *testing.T) {
	const n, nodes, apart = 5 << maxShift, 300, 5 << maxShift / 300
	for trial := range uint64(8) {
		rng := rand.New(rand.NewPCG(trial, 12))
		edges := Edges{}
		for range 15 * nodes {
			i, j := uint32(rng.IntN(nodes)*apart), uint32(rng.IntN(nodes)*apart)
			edges.Src, edges.Dst = append(edges.Src, i), append(edges.Dst, j)
			if trial%2 == 1 {
				edges.Weight = append(edges.Weight, float32(rng.IntN(3)))
			}
		}
		opt := BuildOptions{Directed: trial/2%2 == 1, Duplicates: Duplicates(trial / 4), Threads: 1}
		want, stats, _ := naive(edges, opt)
		m, got, err := FromEdges(n, edges.clone(), opt)
		if err != nil {
			t.Fatal(err)
		}
		mustBeSound(t, m)
		if m.NNZ() != len(want) || got != stats {
			t.Errorf("trial %d: %d entries, %+v; want %d, %+v", trial, m.NNZ(), got, len(want), stats)
		}
		for pair, v := range want {
			if m.At(int(pair[0]), int(pair[1])) != float64(v) {
				t.Fatalf("trial %d: %v is %v, want %v", trial, pair, m.At(int(pair[0]), int(pair[1])), v)
			}
		}
		if opt.Directed {
			opt.Mean = true
			mean, _, err := FromEdges(n, edges.clone(), opt)
			if err != nil || !sameBits(mean, Symmetrize(m, Mean, 1)) {
				t.Errorf("trial %d: the mean is not that of Symmetrize (%v)", trial, err)
			}
		}
		sorted := edges.clone()
		order := make([]int, len(edges.Src))
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(edges.Src[a], edges.Src[b]), cmp.Compare(edges.Dst[a], edges.Dst[b]))
		})
		for to, from := range order {
			sorted.Src[to], sorted.Dst[to] = edges.Src[from], edges.Dst[from]
			if edges.Weight != nil {
				sorted.Weight[to] = edges.Weight[from]
			}
		}
		opt.Mean = false
		if again, _, err := FromEdges(n, sorted, opt); err != nil || !sameBits(again, m) {
			t.Errorf("trial %d: another matrix of sorted edges (%v)", trial, err)
		}
	}
}

// TestHubs: rows of most of the entries, whose columns are most often among the
// first, in an order that has entries grouped by both digits of their columns, and
// in parts: the same as in the order of the columns, and the edges that were given.
func TestHubs(t *testing.T) {
	if racing.On {
		t.Skip("one goroutine: the test runs without the race detector")
	}
	const n, m = 1 << 23, 3 << 17
	for trial := range uint64(3) {
		rng := rand.New(rand.NewPCG(trial, 14))
		edges := Edges{}
		for range m {
			u := rng.Float64()
			edges.Src = append(edges.Src, uint32(rng.IntN(6)))
			edges.Dst = append(edges.Dst, uint32(n*u*u*u*u*u*u*u*u))
			if trial == 1 {
				edges.Weight = append(edges.Weight, float32(rng.IntN(3)))
			}
		}
		opt := BuildOptions{Directed: trial == 2, Threads: 1}
		shuffled, got, err := FromEdges(n, edges.clone(), opt)
		if err != nil {
			t.Fatal(err)
		}
		mustBeSound(t, shuffled)
		sorted := edges.clone()
		order := make([]int, m)
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(edges.Dst[a], edges.Dst[b]) })
		for to, from := range order {
			sorted.Src[to], sorted.Dst[to] = edges.Src[from], edges.Dst[from]
			if edges.Weight != nil {
				sorted.Weight[to] = edges.Weight[from]
			}
		}
		if again, stats, err := FromEdges(n, sorted, opt); err != nil || stats != got || !sameBits(again, shuffled) {
			t.Errorf("trial %d: another matrix of sorted edges (%v), %+v and %+v", trial, err, got, stats)
		}
		want, stats, _ := naive(edges, opt)
		if len(want) != shuffled.NNZ() || stats != got {
			t.Errorf("trial %d: %d entries, %+v; want %d, %+v", trial, shuffled.NNZ(), got, len(want), stats)
		}
		for pair, v := range want {
			if shuffled.At(int(pair[0]), int(pair[1])) != float64(v) {
				t.Fatalf("trial %d: %v is %v, want %v", trial, pair, shuffled.At(int(pair[0]), int(pair[1])), v)
			}
		}
	}
}

// TestRowSorter: short and long rows that are sorted but for some entries, in any
// order, and with equal ones; words are sorted by all of their bits, and only
// short rows count as moved.
func TestRowSorter(t *testing.T) {
	for trial := range uint64(600) {
		rng := rand.New(rand.NewPCG(trial, 13))
		row := make([]uint32, rng.IntN(300))
		scale := []uint32{1, 1000, 1 << 23}[trial/3%3]
		for k := range row {
			row[k] = uint32(k/(1+int(trial)%3)) * scale
		}
		for range rng.IntN(1 + 2*len(row)) {
			a, b := rng.IntN(len(row)), rng.IntN(len(row))
			row[a], row[b] = row[b], row[a]
		}
		words := make([]uint64, len(row))
		for k, col := range row {
			words[k] = uint64(col)<<32 | uint64(rng.Uint32N(3))<<30
		}
		wide := bits.Len32(300 * scale)
		most := 50 + rng.IntN(250)
		checkSorter(t, &rowSorter[uint32]{bits: wide, most: most}, row)
		checkSorter(t, &rowSorter[uint64]{bits: wide, shift: 32, most: most}, words)
	}
}

func checkSorter[T uint32 | uint64](t *testing.T, s *rowSorter[T], row []T) {
	t.Helper()
	given, want := slices.Clone(row), slices.Sorted(slices.Values(row))
	counts := len(row) < manyEntries && !slices.Equal(row, want)
	if s.sort(row); !slices.Equal(row, want) || counts && s.moves == 0 || cap(s.other) > 0 && len(row) > s.most {
		t.Fatalf("%v became %v after %d moves, want %v", given, row, s.moves, want)
	}
}
