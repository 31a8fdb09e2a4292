package edgelist

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// oneByOne reads a file by the rules as they are written in docs/formats.md, in
// the plainest way: a line at a time, every id a string, edges in a slice. It
// returns the bytes of the .csr file.
func oneByOne(text string, opt Options) ([]byte, Stats, error) {
	out, stats, _, err := oneByOneNotes(text, opt)
	return out, stats, err
}

// oneByOneNotes is oneByOne with the notes of what was skipped.
func oneByOneNotes(text string, opt Options) (csrFile []byte, stats Stats, skipped string, err error) {
	s := lines.NewScanner(strings.NewReader(text), "f")
	s.TakeLoneSemicolons()
	below := 0 // columns of the header
	type edge struct {
		src, dst string
		weight   float64
		line     int
		given    bool
	}
	var edges []edge
	var titles []string
	names := map[string]bool{}
	for first := true; s.Scan(); first = false {
		f := s.Fields()
		if first && opt.Header == HeaderYes {
			if lines.IsIndex(f[0]) {
				return nil, stats, "", indexFault(s)
			}
			for _, title := range f[:min(len(f), 2)] {
				titles = append(titles, string(title))
			}
			if len(f) == 3 && lines.NoWeight(f[2]) {
				stats.WeightTitle = string(f[2])
			}
			s.EndComments()
			below = len(f)
			continue
		}
		if first && opt.Header == HeaderCheck && (len(f) == 2 || len(f) == 3) && lines.IsIndex(f[0]) && isTitle(f[len(f)-1]) {
			return nil, stats, "", indexFault(s)
		}
		if len(edges) == 0 && below > 0 && len(f) > below && !isDict(f) {
			return nil, stats, "", headerFault(s, below)
		}
		if len(f) < 2 || len(f) > 3 {
			return nil, stats, "", s.Errorf("%s, expected 2 or 3: src dst [weight]%s", lines.Columns(len(f)), advice(s, f, first && opt.Header == HeaderCheck, below))
		}
		for k, what := range []string{"source id", "destination id"} {
			if _, err := s.ID(k, what); err != nil {
				return nil, stats, "", err
			}
		}
		e := edge{string(f[0]), string(f[1]), 1, s.Line(), len(f) == 3}
		if len(f) == 3 {
			w, err := s.Weight(2)
			if err != nil && isDict(f) {
				err = s.Errorf("weight %s is not a number%s", lines.Quote(f[2]), advice(s, f, false, below))
			}
			if err != nil && isDecimalComma(f[2]) {
				err = s.Errorf("weight %s is not a decimal number, expected a decimal number of at least 0; if this is a decimal comma, write a point", lines.Quote(f[2]))
			}
			if err != nil && len(edges) == 0 && opt.Header == HeaderCheck && isTitle(f[2]) {
				err = s.Errorf("weight %s is not a number; if this line is a header, say edgelist.HeaderYes", lines.Quote(f[2]))
			}
			if err != nil {
				return nil, stats, "", err
			}
			e.weight = w
		}
		names[e.src], names[e.dst] = true, true
		edges = append(edges, e)
	}
	if s.Err() != nil {
		return nil, stats, "", s.Err()
	}
	if len(edges) == 0 {
		return nil, stats, "", &Error{File: "f", Msg: "no edges, expected lines of the form: src dst [weight]" + s.Skips().Advice()}
	}
	table := ids.NewTable()
	for name := range names {
		if _, err := table.Add([]byte(name)); err != nil {
			return nil, stats, "", err
		}
	}
	table.Sort()
	// Without text where the names are those of ids.Integers.
	var values []int64
	for i := range table.Len() {
		if v, ok := ids.Plain([]byte(table.Name(i))); ok {
			values = append(values, v)
		}
	}
	if len(values) == table.Len() {
		table = ids.Integers(values)
	}
	for _, title := range titles {
		if names[title] {
			stats.HeaderNode = title
		}
	}
	scale := scaling{}
	all := csr.Edges{}
	for _, e := range edges {
		scale.needed = scale.needed || e.weight > 0x1p64 || e.weight < 0x1p-64 && e.weight != 0
		scale.most = max(scale.most, e.weight)
	}
	seen := map[[2]uint32]int{}
	for _, e := range edges {
		src, _ := table.Lookup([]byte(e.src))
		dst, _ := table.Lookup([]byte(e.dst))
		w, raised := []float32{float32(e.weight)}, 0
		if scale.needed {
			w, raised = scale.apply(&chunk{count: 1, wide: []float64{e.weight}})
		}
		stats.Edges++
		stats.Raised += raised
		pair := [2]uint32{src, dst}
		if !opt.Directed && dst < src {
			pair = [2]uint32{dst, src}
		}
		if src != dst && w[0] != 0 {
			if line := seen[pair]; line > 0 && opt.Duplicates == csr.DuplicatesError {
				return nil, stats, "", &Error{File: "f", Line: e.line, Msg: fmt.Sprintf(
					"edge was given on line %d already", line)}
			}
			seen[pair] = e.line
		}
		all.Src, all.Dst, all.Weight = append(all.Src, src), append(all.Dst, dst), append(all.Weight, w[0])
	}
	stats.ScaleExponent = scale.exponent()
	m, built, err := csr.FromEdges(table.Len(), &all, csr.BuildOptions{Directed: opt.Directed, Mean: opt.Directed, Duplicates: opt.Duplicates, Threads: 1})
	if err != nil {
		return nil, stats, "", err
	}
	stats.BuildStats = built
	given, all2 := 0, notes.List{}
	for _, e := range edges {
		if e.given {
			given++
		}
	}
	if given > 0 {
		all2.Add(notes.DefaultWeights, len(edges)-given, 0, "")
	}
	all2.Join(s.Skips().Notes(len(values) < table.Len(), func(id []byte) bool { return names[string(id)] }))
	var out bytes.Buffer
	err = store.Write(&out, m, table)
	return out.Bytes(), stats, all2.String(), err
}

// file is what store.Build writes to.
type file struct{ text []byte }

func (f *file) WriteAt(b []byte, at int64) (int, error) {
	if end := int(at) + len(b); end > len(f.text) {
		f.text = append(f.text, make([]byte, end-len(f.text))...)
	}
	return copy(f.text[at:], b), nil
}

func (f *file) ReadAt(b []byte, at int64) (int, error) { return copy(b, f.text[at:]), nil }

func (f *file) Truncate(size int64) error {
	f.text = slices.Grow(f.text, max(int(size)-len(f.text), 0))[:size]
	return nil
}

// inBlocks reads a file as `convert` does.
func inBlocks(in io.Reader, opt Options) ([]byte, Stats, error) {
	out, stats, _, err := inBlocksNotes(in, opt)
	return out, stats, err
}

func inBlocksNotes(in io.Reader, opt Options) ([]byte, Stats, string, error) {
	list, err := Parse(in, "f", opt)
	if err != nil {
		return nil, Stats{}, "", err
	}
	b, err := list.Builder(context.Background())
	if err != nil {
		return nil, Stats{}, "", err
	}
	var out file
	_, stats, err := store.Build(context.Background(), &out, b, list.IDs)
	err = list.Built(stats, err)
	return out.text, list.Stats, list.Notes.String(), err
}

var separators = []string{"\t", ",", " "}

// oddLines returns a file of m lines: few are odd, and fewer faulty.
func oddLines(rng *rand.Rand, m int) string {
	kind, separator, end := rng.IntN(8), separators[rng.IntN(3)], []string{"\n", "\r\n"}[rng.IntN(2)]
	most := []int{5, 40, 3000}[rng.IntN(3)]
	odd, faulty := rng.IntN(2) == 0, rng.IntN(3) == 0
	id := func() string {
		v := rng.IntN(most)
		switch k := kind; {
		case k == 1:
			v *= 1_000_003 // up to ten digits, some past 2^32
		case k == 2 && rng.IntN(50) == 0:
			return "-" + strconv.Itoa(v+1)
		case k == 3 && rng.IntN(50) == 0:
			return "n" + strconv.Itoa(v)
		case k == 4 && rng.IntN(50) == 0:
			return "0" + strconv.Itoa(v)
		case k == 6, k == 7 && rng.IntN(4) > 0:
			return "user" + strconv.Itoa(v)
		case k == 7:
			return []string{"n°" + strconv.Itoa(v), "a#" + strconv.Itoa(v), "%" + strconv.Itoa(v), strings.Repeat("long", 1+v%40), "x", "two" + separators[v%3] + "words", "-"}[rng.IntN(7)]
		case k == 5 && rng.IntN(20) == 0:
			return strconv.Itoa(v + 4_294_967_290 - 3*rng.IntN(2)*1_431_655_760)
		}
		return strconv.Itoa(v)
	}
	weighted := rng.IntN(3)
	weight := func() string {
		switch rng.IntN(12) {
		case 0:
			return "0"
		case 1:
			return "1"
		case 2:
			return strconv.FormatFloat(rng.ExpFloat64(), 'e', -1, 64)
		case 3:
			return strconv.Itoa(rng.IntN(1_000_000_000))
		case 4:
			return strconv.FormatFloat(rng.Float64()*1000, 'f', rng.IntN(17), 64)
		case 5:
			if odd && rng.IntN(40) == 0 {
				return []string{"1e300", "1e-300", "+1", ".5", "5."}[rng.IntN(5)]
			}
		}
		return strconv.FormatFloat(float64(rng.Float32()), 'f', -1, 32)
	}
	var b strings.Builder
	if odd {
		b.WriteString([]string{"", "\xef\xbb\xbf", "# a comment\n", "\n\n% x\r\n"}[rng.IntN(4)])
	}
	for k := range m {
		if odd && rng.IntN(15) == 0 {
			b.WriteString([]string{"", "  ", "# 1\t2", "%", "#" + strings.Repeat("x", 100), "\t", "#u" + separator + "#7", "%n" + separator + "5", "#user1" + separator + "user2"}[rng.IntN(9)] + end)
		}
		if odd && rng.IntN(15) == 0 {
			b.WriteString("  ")
		}
		b.WriteString(id() + separator)
		if odd && rng.IntN(15) == 0 {
			b.WriteString(" ")
		}
		b.WriteString(id())
		if weighted == 2 || weighted == 1 && rng.IntN(m) == 0 {
			b.WriteString(separator + weight())
		}
		if odd && rng.IntN(15) == 0 {
			b.WriteString(" ")
		}
		if faulty && rng.IntN(m) == 0 {
			b.WriteString([]string{separator + "x", separator + "-1", separator + "1" + separator + "1" + separator + "2", "\x01", "\xff"}[rng.IntN(5)])
		}
		if k < m-1 || rng.IntN(2) == 0 {
			b.WriteString(end)
		}
	}
	return b.String()
}

// TestRules: random files of odd lines, cut into blocks at every place, read by
// any number of threads and in little memory, are the .csr file and the counts,
// or the first fault with its line, that oneByOne makes of them.
func TestRules(t *testing.T) {
	usual := blockSize
	defer func() { blockSize = usual }()
	trials := 120
	if testing.Short() {
		trials = 30
	}
	faults, kinds := 0, map[string]int{}
	for trial := range trials {
		rng := rand.New(rand.NewPCG(uint64(trial), 51))
		text := oddLines(rng, 1+rng.IntN([]int{10, 300}[rng.IntN(2)]))
		opt := Options{
			Directed: rng.IntN(3) == 0, Duplicates: csr.Duplicates(rng.IntN(3)),
			Header: []Header{HeaderNo, HeaderNo, HeaderYes}[rng.IntN(3)],
		}
		want, wantStats, wantNotes, wantErr := oneByOneNotes(text, opt)
		if wantErr != nil {
			faults++
		}
		// Each block size moves the cuts: for small files every byte is one.
		sizes := []int{usual, 1 + rng.IntN(len(text)+1), 1 + rng.IntN(64)}
		if len(text) < 120 && trial%3 == 0 {
			for size := 1; size <= len(text)+1; size++ {
				sizes = append(sizes, size)
			}
		}
		for _, blockSize = range sizes {
			opt.Threads = []int{1, 2, 3, 4, 16}[rng.IntN(5)]
			opt.Memory, opt.Dir = 0, t.TempDir()
			if rng.IntN(3) == 0 {
				opt.Memory = leastMemory + 64<<20
			}
			var in io.Reader = strings.NewReader(text)
			if rng.IntN(4) == 0 {
				in = iotest.HalfReader(in)
			}
			got, stats, noted, err := inBlocksNotes(in, opt)
			if wantErr != nil {
				if !sameFault(err, wantErr) {
					t.Fatalf("trial %d, blocks of %d, %d threads: %v, expected %v\n%q", trial, blockSize, opt.Threads, err, wantErr, text)
				}
				continue
			}
			if err != nil || stats != wantStats || !bytes.Equal(got, want) {
				t.Fatalf("trial %d, blocks of %d, %d threads: %v, %+v, expected %+v; same bytes: %v\n%q", trial, blockSize, opt.Threads, err, stats, wantStats, bytes.Equal(got, want), text)
			}
			if noted != wantNotes {
				t.Fatalf("trial %d, blocks of %d, %d threads: %s, expected %s\n%q", trial, blockSize, opt.Threads, noted, wantNotes, text)
			}
			kinds[fmt.Sprint(stats.Duplicates > 0, stats.SelfLoops > 0, stats.ZeroWeight > 0, stats.ScaleExponent != 0)]++
		}
	}
	if faults < trials/10 || faults > trials*3/4 || len(kinds) < 6 {
		t.Errorf("%d faults of %d trials, counts %v", faults, trials, kinds)
	}
}

// sameFault reports whether two errors are of the same line and say the same; of
// for a duplicate, which is found row by row, that both have one. The advice of a third column that holds no weights is
// given near the top of a file alone, which oneByOne does not know.
func sameFault(a, b error) bool {
	if errors.Is(b, ErrName) { // a quoted field may hold what a name cannot: found as the file is written
		return errors.Is(a, ErrName) && a.Error() == b.Error()
	}
	var x, y *Error
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return false
	}
	if strings.Contains(y.Msg, "given on line") {
		return strings.Contains(x.Msg, "given on line")
	}
	return x.Line == y.Line && strings.TrimSuffix(x.Msg, "; "+noWeights) == y.Msg
}

// sameByRules fails the test where text is not read as by oneByOne, in blocks of
// some sizes.
func sameByRules(t *testing.T, text string, sizes ...int) {
	t.Helper()
	want, wantStats, wantErr := oneByOne(text, Options{})
	for _, blockSize = range sizes {
		if len(text) > 200 && blockSize < 64 {
			continue // a block holds the longest line
		}
		got, stats, err := inBlocks(strings.NewReader(text), Options{Threads: 2})
		if (err == nil) != (wantErr == nil) || err != nil && !sameFault(err, wantErr) || err == nil && (stats != wantStats || !bytes.Equal(got, want)) {
			t.Errorf("%.60q (%d bytes), blocks of %d: %v, %+v; expected %v, %+v", text, len(text), blockSize, err, stats, wantErr, wantStats)
		}
	}
}

// TestNames: a line of any kind among names is read by the rules, whatever block
// it is in.
func TestNames(t *testing.T) {
	usual := blockSize
	defer func() { blockSize = usual }()
	long := strings.Repeat("x", lines.MaxLine/2)
	for _, line := range []string{
		"a\tb", "a\tb\r", "a\tb\t0.5", "a\tb\t2\r", "a\tb\t1e3", "a\tb ", " a\tb", "a b\tc", "a\tb c", "é\tb", "a\té", "1\t2", "-\t+",
		"#a\tb", "%a\tb", "a\t#b", "", "a,b\tc", "aaaaaaa\tbbbbbbb", "aaaaaaaa\tbbbbbbbb", "a~\t!b",
		"a", "a\t", "\tb", "a\t\t1", "a\tb\t", "a\tb\t1\tc", "a\tb\t-1", "a\tb\tnan", "a\x7f\tb", "a\tb\x7f", "a\x01\tb", "a\tb\x00", "\xff\tb", "a\t\x80b",
		long + "\t" + long[2:], long + "\t" + long, long + "\t" + long[4:] + "\t1", long + "\t" + long[1:] + "\t1",
	} {
		for _, text := range []string{"p\tq\n" + line + "\nr\tq\n", "p\tq\nr\tq\n" + line} {
			sameByRules(t, text, usual, 5, 1)
		}
	}
}
