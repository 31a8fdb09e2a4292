package edgelist

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestDigits compares the reading of eight digits at a time with strconv, at
// every length and with every byte after the digits.
func TestDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 31))
	for range 20000 {
		length := 1 + rng.IntN(18)
		b := make([]byte, 64)
		for k := range b {
			b[k] = byte(rng.Uint32())
		}
		for k := range length {
			b[k] = '0' + byte(rng.IntN(10))
		}
		if b[length] >= '0' && b[length] <= '9' {
			b[length] = '/' + 11*byte(rng.IntN(2)) // the neighbours of the digits
		}
		want, err := strconv.ParseInt(string(b[:length]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		got, end := number(b, 0)
		plain := length < 16 && (b[0] != '0' || length == 1)
		if plain != (end > 0) || plain && (got != want || end != length) {
			t.Fatalf("%q of %d digits: %d, end %d", b[:length+1], length, got, end)
		}
	}
}

// TestDecimal compares with strconv.ParseFloat, bit by bit.
func TestDecimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 31))
	read := 0
	for range 50000 {
		text := make([]byte, 1+rng.IntN(8), 100)
		for k := range text {
			text[k] = '0' + byte(rng.IntN(10))
		}
		if rng.IntN(4) > 0 {
			text = append(text, '.')
			for range rng.IntN(18) {
				text = append(text, '0'+byte(rng.IntN(10)))
			}
		}
		length := len(text)
		got, end := decimal(append(text, "\n123456789012345678901234567890"...), 0)
		if end == 0 {
			continue // not read here, but by strconv itself
		}
		read++
		want, err := strconv.ParseFloat(string(text[:length]), 64)
		if err != nil || end != length || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %v, end %d, expected %v, %v", text[:length], got, end, want, err)
		}
	}
	if read < 20000 {
		t.Errorf("only %d of 50000 numbers were read", read)
	}
}

// intLines returns lines of a random graph on ids made by name.
func intLines(rng *rand.Rand, n, m int, weighted bool, name func(int) string) []string {
	list := make([]string, m)
	for k := range list {
		list[k] = name(rng.IntN(n)) + "\t" + name(rng.IntN(n))
		if weighted && rng.IntN(3) > 0 {
			list[k] += "\t" + strconv.FormatFloat(float64(rng.IntN(2000))/1000, 'g', -1, 64)
		}
	}
	return list
}

// TestQuickLines: the quick readers give the result of the general reader for the
// same lines, which blanks at their ends make it read.
func TestQuickLines(t *testing.T) {
	for trial := range uint64(60) {
		rng := rand.New(rand.NewPCG(trial, 32))
		name := strconv.Itoa
		if trial%4 == 1 {
			name = func(i int) string { return strconv.Itoa(i * 1234567) } // up to 17 digits
		}
		if trial%4 == 2 {
			name = func(i int) string { return []string{"0", "7", "07", "-3", "+1", "00", "12345678"}[i%7] }
		}
		list := intLines(rng, 300, 3000, trial%2 == 0, name)
		end := []string{"\n", "\r\n"}[rng.IntN(2)]
		opt := Options{Threads: 1 + rng.IntN(3), Duplicates: csr.Duplicates(rng.IntN(2))}
		quick, err := Read(strings.NewReader(strings.Join(list, end)), "f", opt)
		if err != nil {
			t.Fatal(err)
		}
		slow, err := Read(strings.NewReader(strings.Join(list, " "+end)+" "), "f", opt)
		if err != nil {
			t.Fatal(err)
		}
		if !same(quick, slow) || quick.Stats != slow.Stats {
			t.Fatalf("trial %d: other graphs, %+v and %+v", trial, quick.Stats, slow.Stats)
		}
	}
}

// TestEndWithoutLineEnd: what an earlier block left in memory behind the end
// of the file is no part of its last line. Lines have ten bytes, so that here
// digits and a line end are left there.
func TestEndWithoutLineEnd(t *testing.T) {
	racing.LongSum(t)
	text := strings.Repeat("1\t2345678\n", 600_000)
	for cut := 3; cut < 10; cut++ {
		last := "1\t2345678"[:cut]
		g, err := Read(strings.NewReader(text+last), "f", Options{Threads: 1, Duplicates: csr.DuplicatesMax})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := g.IDs.Lookup([]byte(last[2:])); !ok || g.Stats.Edges != 600_001 {
			t.Errorf("last line %q: %d edges, node found %v", last, g.Stats.Edges, ok)
		}
	}
}

// TestKindsOfIDs: ids that turn from small integers to large ones to words in
// the middle of a file of several blocks give the graph that the lines give in
// the opposite order.
func TestKindsOfIDs(t *testing.T) {
	racing.LongSum(t)
	rng := rand.New(rand.NewPCG(3, 33))
	small := intLines(rng, 2000, 100_000, true, strconv.Itoa)
	large := intLines(rng, 2000, 50_000, false, func(i int) string { return strconv.Itoa(i * i * 9_000_000) })
	words := intLines(rng, 2000, 50_000, false, func(i int) string { return fmt.Sprintf("node%d", i%700) })
	for _, list := range [][]string{small, append(small[:len(small):len(small)], large...), append(append(small[:len(small):len(small)], large...), words...)} {
		var results []*Graph
		for _, threads := range []int{1, 3} {
			for range 2 {
				g, err := Read(strings.NewReader(strings.Join(list, "\n")), "f", Options{Threads: threads, Header: HeaderNo})
				if err != nil {
					t.Fatal(err)
				}
				results = append(results, g)
				for a, b := 0, len(list)-1; a < b; a, b = a+1, b-1 {
					list[a], list[b] = list[b], list[a]
				}
			}
		}
		ids := map[string]bool{}
		for _, line := range list {
			f := strings.Split(line, "\t")
			ids[f[0]], ids[f[1]] = true, true
		}
		if results[0].IDs.Len() != len(ids) {
			t.Fatalf("%d nodes, expected %d", results[0].IDs.Len(), len(ids))
		}
		for i := range results[0].IDs.Len() {
			name := results[0].IDs.Name(i)
			if at, ok := results[0].IDs.Lookup([]byte(name)); !ids[name] || !ok || int(at) != i {
				t.Fatalf("node %d is %q, found at %d, %v", i, name, at, ok)
			}
		}
		for _, g := range results[1:] {
			if !same(g, results[0]) || g.Stats != results[0].Stats {
				t.Fatal("another graph with the lines in the opposite order, or other threads")
			}
		}
	}
}

// TestSparseIDs: the memory for ids depends on how many there are, not on
// their values.
func TestSparseIDs(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "%d\t%d\n", i*1_400_000, (i+1)%3000*1_400_000)
	}
	list, err := Parse(strings.NewReader(text.String()), "f", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	if got := list.nodes.set.bytes(); got > 2*setAside {
		t.Errorf("%d bytes for 3000 ids", got)
	}
	if list.IDs.Len() != 3000 || list.IDs.Name(2999) != "4198600000" {
		t.Errorf("%d nodes, the last is %s", list.IDs.Len(), list.IDs.Name(list.IDs.Len()-1))
	}
}

// TestMemory: an edge list that exceeds its memory many times becomes, by
// temporary files, the .csr file of the graph in memory. No file is left.
func TestMemory(t *testing.T) {
	if racing.On {
		t.Skip("the race detector takes memory of its own; this test runs without it")
	}
	const edges = 1_000_000
	for name, c := range map[string]struct {
		id       func(int) string
		weighted bool
		opt      Options
	}{
		"sequence":       {strconv.Itoa, false, Options{}},
		"integers, mean": {func(i int) string { return strconv.Itoa(i * 1_000_003) }, true, Options{Directed: true}},
		"names, maximum": {func(i int) string { return "v" + strconv.Itoa(i) }, true, Options{Duplicates: csr.DuplicatesMax}},
	} {
		rng := rand.New(rand.NewPCG(4, 34))
		text := strings.Join(intLines(rng, 50_000, edges, c.weighted, c.id), "\n")
		g, err := Read(strings.NewReader(text), "f", c.opt)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := store.Write(&want, g.W, g.IDs); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		c.opt.Dir, c.opt.Memory = dir, leastMemory+4<<20
		list, err := Parse(strings.NewReader(text), "f", c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if list.spilled == 0 {
			t.Errorf("%s: no edge went to the file", name)
		}
		out, err := os.Create(filepath.Join(dir, "out.csr"))
		if err != nil {
			t.Fatal(err)
		}
		b, err := list.Builder(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := list.entries.ReadAt(make([]byte, 1), 0); err != nil {
			t.Errorf("%s: no entry went to the file: %v", name, err)
		}
		_, stats, err := store.Build(context.Background(), out, b, list.IDs)
		if err := list.Built(stats, err); err != nil {
			t.Fatal(err)
		}
		if list.spill != nil || list.entries != nil {
			t.Errorf("%s: temporary files are still open", name)
		}
		out.Close()
		got, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) || list.Stats != g.Stats {
			t.Errorf("%s: other bytes than in memory, or %+v for %+v", name, list.Stats, g.Stats)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%s: %v is left, %v", name, left, err)
		}
	}
}

// TestOptions: values of no name are an error, also where a Gatherer is given them.
func TestOptions(t *testing.T) {
	for _, opt := range []Options{{Duplicates: 3}, {Duplicates: -1}, {Header: 3}, {Header: -1}} {
		if _, err := Read(strings.NewReader("1 2\n"), "f", opt); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	g := NewGatherer("f", Options{Duplicates: 9})
	if err := g.Numbers(1, 2, 1, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Graph(); !errors.Is(err, ErrOptions) {
		t.Errorf("a gatherer: %v", err)
	}
}

// TestTooLittleMemory: a file whose nodes alone need more is refused.
func TestTooLittleMemory(t *testing.T) {
	dir := t.TempDir()
	_, err := Parse(strings.NewReader("1 2\n"), "f", Options{Memory: 1 << 20, Dir: dir})
	if !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), "f has 2 nodes") {
		t.Errorf("got %v", err)
	}
}

// TestNoGoroutineLeft: reading stops all it started, at the end and at errors
// early and late.
func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	long := strings.Repeat("1 2\n", 2_000_000)
	for _, text := range []string{long, "1 2\nx\n" + long, long + "x\n", "1 2\n"} {
		Read(strings.NewReader(text), "f", Options{Threads: 4})
	}
	for wait := 0; runtime.NumGoroutine() > before; wait++ {
		if wait == 100 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
