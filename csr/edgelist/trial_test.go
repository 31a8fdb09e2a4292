package edgelist_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/bits"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/bench/gen"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/internal/hugepage"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// BenchmarkTrial reads lines of two integers on one thread, 139 MB, beside two programs that check
// nothing, can read nothing else, and make the same matrix. The plain one reads digit by digit,
// counts, scatters to rows and sorts these. The tuned one reads eight digits at a time, makes
// buckets of rows that fit a cache, sorts rows in vectors, and asks for huge pages. All run in turn, each with memory
// fresh from the system, as in a process of its own. Times are processor time: medians over the
// turns, and the medians of the ratios of each turn. Run it with -benchtime 7x.
func BenchmarkTrial(b *testing.B) {
	text := planted(b, 1_000_000)
	trial := func(parse func(text []byte) (src, dst []uint32, n int), build func(src, dst []uint32, n int) arrays) func() arrays {
		return func() arrays { return build(parse(text)) }
	}
	programs := []struct {
		name string
		load func() arrays
	}{
		{"read", func() arrays {
			g, err := edgelist.Read(bytes.NewReader(text), "f", edgelist.Options{Threads: 1})
			if err != nil {
				b.Fatal(err)
			}
			return arraysOf(g.W)
		}},
		{"plain", trial(plainParse, plainBuild)},
		{"tuned", trial(tunedParse, tunedBuild)},
	}
	times, ratios := make([][]float64, len(programs)), make([][]float64, len(programs))
	for turn := 0; b.Loop(); turn++ {
		took := make([]float64, len(programs))
		var first arrays
		for k := range programs {
			at := (k + turn) % len(programs)
			debug.FreeOSMemory()
			before := bench.CPUTime()
			w := programs[at].load()
			took[at] = (bench.CPUTime() - before).Seconds()
			if k == 0 {
				first = w
			}
			if !w.equal(first) {
				b.Fatalf("%s makes another matrix", programs[at].name)
			}
		}
		for k, v := range took {
			times[k], ratios[k] = append(times[k], v), append(ratios[k], took[0]/v)
		}
	}
	for k, p := range programs {
		b.ReportMetric(middle(times[k]), p.name+"-CPU-s")
		if k > 0 {
			b.ReportMetric(middle(ratios[k]), "read/"+p.name)
		}
	}
}

// TestTrial: the programs of BenchmarkTrial make the matrix that Read makes.
func TestTrial(t *testing.T) {
	text := planted(t, 3000)
	g, err := edgelist.Read(bytes.NewReader(text), "f", edgelist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !plainBuild(plainParse(text)).equal(arraysOf(g.W)) {
		t.Error("the plain program makes another matrix")
	}
	if !tunedBuild(tunedParse(text)).equal(arraysOf(g.W)) {
		t.Error("the tuned program makes another matrix")
	}
}

// spare is how far tunedParse reads past the end of the text.
const spare = 8

// planted returns the edges of a random graph as text, every edge once, in order.
func planted(t testing.TB, nodes int) []byte {
	g, err := gen.New(gen.Options{Kind: gen.Planted, Nodes: nodes, Degree: 20, Classes: 10, Inside: 0.8, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := g.WriteEdges(context.Background(), &text, '\t', 0); err != nil {
		t.Fatal(err)
	}
	return slices.Grow(text.Bytes(), spare)
}

// arrays are those of a matrix: where rows end, columns, values.
type arrays struct {
	ends []int64
	cols []uint32
	vals []float32
}

func arraysOf(m *csr.Matrix) arrays {
	ends, cols, vals := m.Arrays()
	return arrays{ends, cols, vals}
}

func (a arrays) equal(b arrays) bool {
	return slices.Equal(a.ends, b.ends) && slices.Equal(a.cols, b.cols) && slices.Equal(a.vals, b.vals)
}

func middle(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}

// plainParse reads lines of two numbers.
func plainParse(text []byte) (src, dst []uint32, n int) {
	most := bytes.Count(text, []byte("\n"))
	src, dst = make([]uint32, 0, most), make([]uint32, 0, most)
	top := uint32(0)
	for at := 0; at < len(text); at++ {
		var i, j uint32
		for ; text[at] >= '0'; at++ {
			i = 10*i + uint32(text[at]-'0')
		}
		for at++; text[at] >= '0'; at++ {
			j = 10*j + uint32(text[at]-'0')
		}
		src, dst, top = append(src, i), append(dst, j), max(top, i, j)
	}
	return src, dst, int(top) + 1
}

// plainBuild makes the symmetric matrix of edges by counting. Loops go, and an edge that is given
// twice weighs 2.
func plainBuild(src, dst []uint32, n int) arrays {
	ends := make([]int64, n+1)
	for k, i := range src {
		if j := dst[k]; i != j {
			ends[i+1]++
			ends[j+1]++
		}
	}
	for i := range n {
		ends[i+1] += ends[i]
	}
	next := slices.Clone(ends)
	cols := make([]uint32, ends[n])
	for k, i := range src {
		if j := dst[k]; i != j {
			cols[next[i]], cols[next[j]] = j, i
			next[i]++
			next[j]++
		}
	}
	vals := make([]float32, len(cols))
	kept := int64(0)
	for i := range n {
		row := cols[ends[i]:ends[i+1]]
		slices.Sort(row)
		ends[i] = kept
		kept = merge(cols, vals, kept, row)
	}
	ends[n] = kept
	return arrays{ends, cols[:kept], vals[:kept]}
}

// merge appends a sorted row to the first entries of cols and vals, and returns their number.
func merge(cols []uint32, vals []float32, kept int64, row []uint32) int64 {
	for k, j := range row {
		if k > 0 && j == cols[kept-1] {
			vals[kept-1]++
			continue
		}
		cols[kept], vals[kept] = j, 1
		kept++
	}
	return kept
}

// tunedParse is plainParse by words of eight bytes, for numbers of up to seven digits. It reads spare
// bytes past the text.
func tunedParse(text []byte) (src, dst []uint32, n int) {
	most := bytes.Count(text, []byte("\n"))
	src, dst = fresh[uint32](most), fresh[uint32](most)
	number := func(at int) (uint32, int) {
		x := binary.LittleEndian.Uint64(text[at:at+8:cap(text)]) ^ 0x3030303030303030
		digits := bits.TrailingZeros64((x+0x7676767676767676|x)&0x8080808080808080) &^ 7
		x <<= (64 - uint(digits)) & 63
		x = x*10 + x>>8
		return uint32(((x&0x000000ff000000ff)*0x000f424000000064 + (x>>16&0x000000ff000000ff)*0x0000271000000001) >> 32), at + digits/8 + 1
	}
	top, at := uint32(0), 0
	for k := range src {
		src[k], at = number(at)
		dst[k], at = number(at)
		top = max(top, src[k], dst[k])
	}
	return src, dst, int(top) + 1
}

// fresh returns zeros in huge pages.
func fresh[T uint32 | float32 | uint64](n int) []T {
	all := make([]T, n)
	hugepage.Fresh(all)
	return all
}

// tunedBuild is plainBuild by buckets of rows.
func tunedBuild(src, dst []uint32, n int) arrays {
	shift := uint(bits.Len(uint(n * (1 << 16) / (2*len(src) + 1))))
	first := make([]int, n>>shift+2)
	for k, i := range src {
		first[i>>shift+1]++
		first[dst[k]>>shift+1]++
	}
	for k := range first[1:] {
		first[k+1] += first[k]
	}
	place, words := slices.Clone(first), fresh[uint64](first[len(first)-1])
	for k, i := range src {
		j := dst[k]
		if i == j {
			continue
		}
		at := &place[i>>shift]
		words[*at] = uint64(i)<<32 | uint64(j)
		*at++
		at = &place[j>>shift]
		words[*at] = uint64(j)<<32 | uint64(i)
		*at++
	}
	ends, kept := make([]int64, n+1), int64(0)
	cols, vals := fresh[uint32](len(words)), fresh[float32](len(words))
	counts, next := make([]int, 1<<shift), make([]int, 1<<shift)
	var bucket []uint32
	for k, end := range place[:len(place)-1] {
		words, rows := words[first[k]:end], min(1<<shift, n-k<<shift)
		bucket = slices.Grow(bucket[:0], len(words))[:len(words)]
		clear(counts)
		for _, w := range words {
			counts[w>>32&(1<<shift-1)]++
		}
		total := 0
		for i, count := range counts {
			next[i] = total
			total += count
		}
		for _, w := range words {
			at := &next[w>>32&(1<<shift-1)]
			bucket[*at] = uint32(w)
			*at++
		}
		for i, done := 0, 0; i < rows; i++ {
			if i >= done {
				done = i + kernel.SortRows(bucket, next[i:rows], counts[i:rows])
			}
			row := bucket[next[i]-counts[i] : next[i]]
			if i >= done {
				slices.Sort(row)
			}
			kept = merge(cols, vals, kept, row)
			ends[k<<shift+i+1] = kept
		}
	}
	return arrays{ends, cols[:kept], vals[:kept]}
}
