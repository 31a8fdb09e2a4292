package edgelist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// show writes a graph as one line: its ids, then its edges i<j with weights.
func show(g *Graph) string {
	var b strings.Builder
	n, _ := g.W.Dims()
	for i := range n {
		fmt.Fprintf(&b, "[%s]", g.IDs.Name(i))
	}
	for i := range n {
		cols, vals := g.W.Row(i)
		for k, j := range cols {
			if i < int(j) {
				fmt.Fprintf(&b, " %s-%s:%v", g.IDs.Name(i), g.IDs.Name(int(j)), vals[k])
			}
		}
	}
	return b.String()
}

func pack(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	w, err := stream.Writer(&out, name)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// sound fails the test unless W passes the checks of csr.New, is symmetric
// and has an empty diagonal and positive values.
func sound(t *testing.T, g *Graph) {
	t.Helper()
	n, cols := g.W.Dims()
	indptr, indices, data := g.W.Arrays()
	if _, err := csr.New(n, cols, indptr, indices, data); err != nil {
		t.Error(err)
	}
	if err := csr.CheckSymmetric(g.W, 1); err != nil {
		t.Error(err)
	}
	if n != g.IDs.Len() {
		t.Errorf("%d rows, %d ids", n, g.IDs.Len())
	}
	for i := range n {
		cols, vals := g.W.Row(i)
		for k, j := range cols {
			if int(j) == i || !(vals[k] > 0) {
				t.Errorf("entry (%d,%d) is %v", i, j, vals[k])
			}
		}
	}
}

func TestRead(t *testing.T) {
	builds := func(loops, zeros, duplicates int) csr.BuildStats {
		return csr.BuildStats{SelfLoops: loops, ZeroWeight: zeros, Duplicates: duplicates}
	}
	for _, c := range []struct {
		name, text string
		opt        Options
		want       string
		edges      int
		stats      csr.BuildStats
	}{
		{"tabs", "b\ta\t2\nc\tb\n", Options{}, "[a][b][c] a-b:2 b-c:1", 2, builds(0, 0, 0)},
		{"commas", "b,a,2\nc,b\n", Options{}, "[a][b][c] a-b:2 b-c:1", 2, builds(0, 0, 0)},
		{"spaces", "  b   a 2\nc b\n", Options{}, "[a][b][c] a-b:2 b-c:1", 2, builds(0, 0, 0)},
		{"CRLF, mark, comments, blank lines, no newline", "\xef\xbb\xbf# x\r\n\r\nb a 2\r\n% y\r\nc b", Options{}, "[a][b][c] a-b:2 b-c:1", 2, builds(0, 0, 0)},
		{"gzip", pack(t, ".gz", "b a 2\nc b\n"), Options{}, "[a][b][c] a-b:2 b-c:1", 2, builds(0, 0, 0)},
		{"two gzip members", pack(t, ".gz", "b a ") + pack(t, ".gz", "2\nc b\n"), Options{}, "[a][b][c] a-b:2 b-c:1", 2, builds(0, 0, 0)},
		{"zstd", pack(t, ".zst", "b a 2\nc b\n"), Options{}, "[a][b][c] a-b:2 b-c:1", 2, builds(0, 0, 0)},
		{"unicode", "日本 Zürich 0.5", Options{}, "[Zürich][日本] Zürich-日本:0.5", 1, builds(0, 0, 0)},
		{"spaces in ids", "New York\tSan José\t3", Options{}, "[New York][San José] New York-San José:3", 1, builds(0, 0, 0)},
		{"integers in order of value", "10 9\n-2 9\n18446744073709551615 4294967296\n2147483648 007", Options{}, "[-2][007][9][10][2147483648][4294967296][18446744073709551615] -2-9:1 007-2147483648:1 9-10:1 4294967296-18446744073709551615:1", 4, builds(0, 0, 0)},
		{"integers with gaps", "30 10\n10 2 5", Options{}, "[2][10][30] 2-10:5 10-30:1", 2, builds(0, 0, 0)},
		{"one word makes all text", "10 9\n9 x", Options{}, "[10][9][x] 10-9:1 9-x:1", 2, builds(0, 0, 0)},
		{"7 and 07 are two nodes", "7 07", Options{}, "[07][7] 07-7:1", 1, builds(0, 0, 0)},
		{"duplicates, loops, zeros", "a b 1\nb a 2\na a 5\nc c\nb d 0\na b 0\na b 4", Options{}, "[a][b][c][d] a-b:7", 7, builds(2, 2, 2)},
		{"maximum", "a b 1\nb a 2\na b 1.5", Options{Duplicates: csr.DuplicatesMax}, "[a][b] a-b:2", 3, builds(0, 0, 2)},
		{"duplicates refused, zeros and loops are none", "a b 1\na b 0\na a\na a\nb c", Options{Duplicates: csr.DuplicatesError}, "[a][b][c] a-b:1 b-c:1", 5, builds(2, 1, 0)},
		{"directed", "a b 3\nb c 4\nc b 2\na b 1", Options{Directed: true}, "[a][b][c] a-b:2 b-c:3", 4, builds(0, 0, 1)},
		{"directed takes both ways as two", "a b 3\nb a 1", Options{Directed: true, Duplicates: csr.DuplicatesError}, "[a][b] a-b:2", 2, builds(0, 0, 0)},
		{"quotes between commas", "\"x, y\",\"z\",2\nz,\"\"\"w\"\"\"\n", Options{}, "[\"w\"][x, y][z] \"w\"-z:1 x, y-z:2", 2, builds(0, 0, 0)},
		{"header yes", "source\ttarget\tweight\n1\t2\t3", Options{Header: HeaderYes}, "[1][2] 1-2:3", 1, builds(0, 0, 0)},
		{"header no", "source target\n1 2\n2 3", Options{Header: HeaderNo}, "[1][2][3][source][target] 1-2:1 2-3:1 source-target:1", 3, builds(0, 0, 0)},
		{"words above words", "town city\na b\na 1", Options{}, "[1][a][b][city][town] 1-a:1 a-b:1 city-town:1", 3, builds(0, 0, 0)},
		{"names of columns that are nodes", "source target\na b\na 1", Options{Header: HeaderNo}, "[1][a][b][source][target] 1-a:1 a-b:1 source-target:1", 3, builds(0, 0, 0)},
		{"names of columns the other way round", "target source\na b", Options{}, "[a][b][source][target] a-b:1 source-target:1", 2, builds(0, 0, 0)},
		{"two nodes that are words", "a b\nb a", Options{}, "[a][b] a-b:2", 2, builds(0, 0, 1)},
		{"one line of words", "a b", Options{}, "[a][b] a-b:1", 1, builds(0, 0, 0)},
		{"one word in the first line", "a 1\n1 2", Options{}, "[1][2][a] 1-2:1 1-a:1", 2, builds(0, 0, 0)},
		{"a trailing tab", "a\tb\t\nb\tc\t2", Options{}, "[a][b][c] a-b:1 b-c:2", 2, builds(0, 0, 0)},
		{"only loops", "a a\nb b", Options{}, "[a][b]", 2, builds(2, 0, 0)},
		{"float32", "a b 0.1\na b 0.2", Options{}, fmt.Sprintf("[a][b] a-b:%v", float32(float64(float32(0.1))+float64(float32(0.2)))), 2, builds(0, 0, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := Read(strings.NewReader(c.text), "f", c.opt)
			if err != nil {
				t.Fatal(err)
			}
			sound(t, g)
			if got := show(g); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if want := (Stats{Edges: c.edges, BuildStats: c.stats}); g.Stats != want {
				t.Errorf("stats %+v, want %+v", g.Stats, want)
			}
		})
	}
}

func TestReadFaults(t *testing.T) {
	const ends = "\n1 2\n2 3\n"
	packed := pack(t, ".gz", "a b\nb c\n")
	frame := pack(t, ".zst", "a b\nb c\n")
	badSum := []byte(packed)
	badSum[len(badSum)-8] ^= 1
	many := strings.Repeat("a b\n", 100_000)
	for _, c := range []struct {
		name, text string
		opt        Options
		want       []string // how the message starts, and what else it says
	}{
		{"nan", "a b 1\na c nan", Options{}, []string{`f:2: weight "nan" is not finite`}},
		{"inf", "a b 1\na c inf", Options{}, []string{`f:2: weight "inf" is not finite`}},
		{"negative", "a b 1\n\n# x\na c -1", Options{}, []string{`f:4: weight "-1" is negative, expected at least 0`}},
		{"hexadecimal", "a b 1\na c 0x1p-2", Options{}, []string{`f:2: weight "0x1p-2" is not a decimal number`}},
		{"underscore", "a b 1\na c 1_000", Options{}, []string{`f:2: weight "1_000" is not a decimal number`}},
		{"too large", "a b 1\na c 1e400", Options{}, []string{`f:2: weight "1e400" is out of the range`}},
		{"too small", "a b 1\na c 1e-400", Options{}, []string{`f:2: weight "1e-400" is out of the range`}},
		{"empty weight", "a,b,", Options{}, []string{`f:1: weight "" is missing, expected a decimal number of at least 0`}},
		{"negative weight in the first line", "a,b,-1", Options{}, []string{`f:1: weight "-1" is negative, expected at least 0`}},
		{"weight nan in the first line", "a b nan", Options{}, []string{`f:1: weight "nan" is not finite`}},
		{"semicolons and decimal commas", "a;b;0,5\nb;c;0,7", Options{}, []string{`f:1: weight "0,5" is not a decimal number, expected a decimal number of at least 0; if this is a decimal comma, write a point`}},
		{"index of rows", ",a,b\n0,1,2\n", Options{}, []string{`f:1: column 1 has the title "", as an index of rows that pandas or R wrote: write the file with index=False (R: row.names=FALSE)`}},
		{"index of rows under a header", ",a,b\n0,1,2\n", Options{Header: HeaderYes}, []string{`f:1: column 1 has the title "", as an index`}},
		{"index of rows of R", "\"\",\"a\",\"b\"\n\"1\",1,2\n", Options{Header: HeaderYes}, []string{`f:1: column 1 has the title "", as an index`}},
		{"index of rows that was read again", "Unnamed: 0,a,b\n0,1,2\n", Options{Header: HeaderYes}, []string{`f:1: column 1 has the title "Unnamed: 0", as an index`}},
		{"open quote", "a,b\n\"c,d\n", Options{}, []string{`f:2: a quote that stays open in "\"c,d"`}},
		{"empty source", "a\tb\n\tb", Options{}, []string{"f:2: empty source id in column 1"}},
		{"empty destination", "a,b,1\nc,,1", Options{}, []string{"f:2: empty destination id in column 2"}},
		{"one column", "a b\nc", Options{}, []string{"f:2: 1 column, expected 2 or 3"}},
		{"four columns", "a b 1\na c 1 x", Options{}, []string{"f:2: 4 columns, expected 2 or 3"}},
		{"another separator", "a\tb\nc,d", Options{}, []string{"f:2: 1 column"}},
		{"tab among spaces", "a b\na\tb 3", Options{}, []string{"f:2: tab in"}},
		{"control byte", "a b\nc\x1b d", Options{}, []string{"f:2: control byte 0x1b"}},
		{"NUL", "a b\nc\x00 d", Options{}, []string{"f:2: control byte 0x00"}},
		{"UTF-16", "a\x00 \x00b\x00\n\x00", Options{}, []string{"f:1: control byte 0x00"}},
		{"not UTF-8", "a b\nZ\xfcrich d", Options{}, []string{`f:2: "Z\xfcrich d" is not UTF-8`}},
		{"long line", "a b\n" + strings.Repeat("x", 1<<20) + " y", Options{}, []string{"f:2: line longer than 1048576 bytes"}},
		{"gzip cut by 1", packed[:len(packed)-1], Options{}, []string{"f: reading after line 2: unexpected EOF"}},
		{"gzip cut by 4", packed[:len(packed)-4], Options{}, []string{"f: reading after line 2: unexpected EOF"}},
		{"gzip cut in its head", packed[:5], Options{}, []string{"f: reading after line 0: "}},
		{"gzip with a wrong sum", string(badSum), Options{}, []string{"f: reading after line 2: ", "checksum"}},
		{"zstd cut", frame[:len(frame)-1], Options{}, []string{"f: reading after line "}},
		{"empty", "", Options{}, []string{"f: no edges, expected lines of the form: src dst [weight]"}},
		{"empty, header", "", Options{Header: HeaderYes}, []string{"f: no edges"}},
		{"header only", "src dst", Options{Header: HeaderYes}, []string{"f: no edges"}},
		{"comments only", "# a b\n% c d\n\n", Options{}, []string{"f: no edges"}},
		{"header of words, and names below", "# x\ncity town\n" + strings.Repeat("1 2\n", 2000) + "ben 3\n", Options{}, []string{`f:2: "city" and "town" read like titles of columns above integers, and "ben" is a node`, "edgelist.HeaderYes", "edgelist.HeaderNo"}},
		{"header of columns that is a node", "# x\nFromNodeId\tToNodeId\na\tToNodeId", Options{}, []string{`f:2: "FromNodeId" and "ToNodeId" read like titles of columns, and "ToNodeId" is a node further down`, "edgelist.HeaderYes", "edgelist.HeaderNo"}},
		{"header of words and weights", "# x\ncity town 1" + ends, Options{}, []string{`f:2: ids "city" and "town" are words`, "edgelist.HeaderYes", "edgelist.HeaderNo"}},
		{"header with weight", "source target year" + ends, Options{}, []string{`f:1: weight "year" is not a number; if this line is a header, say edgelist.HeaderYes`}},
		{"no header said, weight of words", "source target weight" + ends, Options{Header: HeaderNo}, []string{`f:1: weight "weight" is not a decimal number`}},
		{"second line of words", "1 2 3\nsource target weight", Options{}, []string{`f:2: weight "weight" is not a decimal number`}},
		{"duplicate", "b a\nc a\n# x\nb a 2", Options{Duplicates: csr.DuplicatesError}, []string{`f:4: edge "a" – "b" was given on line 1 already`}},
		{"reversed duplicate", "b a\nc a\na b 2", Options{Duplicates: csr.DuplicatesError}, []string{`f:3: edge "a" – "b" was given on line 1 already`}},
		{"duplicate after a zero", "a b 0\nb a\na b 0\nb a", Options{Duplicates: csr.DuplicatesError}, []string{`f:4: edge "a" – "b" was given on line 2 already`}},
		{"duplicate arc", "b a\na b\nb a", Options{Duplicates: csr.DuplicatesError, Directed: true}, []string{`f:3: edge "b" – "a" was given on line 1 already`}},
		{"line 100,001", many + "a b x\n", Options{}, []string{"f:100001: weight"}},
		{"line 100,001 of gzip", pack(t, ".gz", many+"a b x\n"), Options{}, []string{"f:100001: weight"}},
		{"message is quoted and short", "a b \x7e" + strings.Repeat("é", 5000), Options{Header: HeaderNo}, []string{`f:1: weight "~é`, "…"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text), "f", c.opt)
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.HasPrefix(err.Error(), c.want[0]) || len(err.Error()) > 600 {
				t.Errorf("got  %v\nwant %s…", err, c.want[0])
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%v does not say %s", err, part)
				}
			}
			var fault *Error
			var read *lines.ReadError
			if errors.As(err, &read) == errors.As(err, &fault) || errors.Is(err, ErrSyntax) != (fault != nil) {
				t.Errorf("%T is not one of *Error and *ReadError", err)
			}
		})
	}
}

// Every file of testdata has the nodes and edges that its README says.
func TestReadGraphs(t *testing.T) {
	for name, want := range map[string][2]int{
		"path4": {4, 3}, "karate": {34, 78}, "lesmiserables": {77, 254}, "davis": {32, 89}, "florentine": {15, 20},
		"florentine-weighted": {15, 20}, "caveman": {30, 60}, "planted": {100, 456}, "planted-weighted": {100, 456},
		"lfr": {250, 563}, "raw": {11, 9},
	} {
		f, err := os.Open(filepath.Join("../../testdata/graphs", name+".edges.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		g, err := Read(f, name, Options{})
		f.Close()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sound(t, g)
		if got := [2]int{g.IDs.Len(), g.W.NNZ() / 2}; got != want {
			t.Errorf("%s: %v nodes and edges, want %v", name, got, want)
		}
	}
}

// randomLines returns lines of a random multigraph with loops, reversed
// duplicates and zero weights; weights are 2^±spread.
func randomLines(random *rand.Rand, n, m int, spread float64) []string {
	list := make([]string, 0, m)
	for range m {
		w := math.Exp2(spread * (2*random.Float64() - 1))
		if random.IntN(10) == 0 {
			w = 0
		}
		list = append(list, fmt.Sprintf("v%d\tv%d\t%v", random.IntN(n), random.IntN(n), w))
	}
	return list
}

func same(a, b *Graph) bool {
	ap, ai, ad := a.W.Arrays()
	bp, bi, bd := b.W.Arrays()
	bits := func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) }
	ids := a.IDs.Len() == b.IDs.Len()
	for i := 0; ids && i < a.IDs.Len(); i++ {
		ids = a.IDs.Name(i) == b.IDs.Name(i)
	}
	return ids && slices.Equal(ap, bp) && slices.Equal(ai, bi) && slices.EqualFunc(ad, bd, bits)
}

// The order of lines and of endpoints, and the number of threads, change
// neither a bit of W nor an id nor a count.
func TestReadIgnoresOrder(t *testing.T) {
	for trial := range uint64(60) {
		random := rand.New(rand.NewPCG(trial, 3))
		spread := []float64{0, 5, 63.9, 64.1, 300}[trial%5]
		list := randomLines(random, 30, 200, spread)
		opt := Options{Directed: trial%3 == 1, Duplicates: csr.Duplicates(trial / 3 % 2)}
		want, err := Read(strings.NewReader(strings.Join(list, "\n")), "f", opt)
		if err != nil {
			t.Fatal(err)
		}
		sound(t, want)
		for _, threads := range []int{1, 2, 3, 8} {
			random.Shuffle(len(list), func(p, q int) { list[p], list[q] = list[q], list[p] })
			for k, line := range list {
				f := strings.Split(line, "\t")
				if !opt.Directed && random.IntN(2) == 0 {
					list[k] = f[1] + "\t" + f[0] + "\t" + f[2]
				}
			}
			opt.Threads = threads
			got, err := Read(strings.NewReader(strings.Join(list, "\n")), "f", opt)
			if err != nil {
				t.Fatal(err)
			}
			if !same(got, want) || got.Stats != want.Stats {
				t.Errorf("trial %d, threads %d: another graph, stats %+v and %+v", trial, threads, got.Stats, want.Stats)
			}
		}
	}
}

// Weights at the border between float32 and float64 storage round alike in
// both, whichever line comes first.
func TestReadIgnoresOrderAtBorders(t *testing.T) {
	below64 := fmt.Sprint(math.Nextafter(0x1p64, 0)) // 2^64 in float32
	below60 := fmt.Sprint(0x1p60 * (1 - 0x1.8p-25))  // just below 2^60 in float32, just above the least after scaling
	for _, c := range [][2]string{
		{"a b " + below64, "c d 1e-30"},
		{"a b " + below60, "c d " + fmt.Sprint(0x1p248)},
		{"a b 0.1", "c d 1e30"},
		{"a b 0", "c d 1e300"},
		{"a b 1e-300", "c d 1.7976931348623157e308"},
	} {
		one, err := Read(strings.NewReader(c[0]+"\n"+c[1]), "f", Options{})
		if err != nil {
			t.Fatal(err)
		}
		two, err := Read(strings.NewReader(c[1]+"\n"+c[0]), "f", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !same(one, two) || one.Stats != two.Stats {
			t.Errorf("%q: %s %+v and %s %+v", c, show(one), one.Stats, show(two), two.Stats)
		}
	}
}

// Weights that float32 cannot hold give the S of the weights as written,
// here computed in float64.
func TestReadExtremeWeights(t *testing.T) {
	for trial := range uint64(40) {
		random := rand.New(rand.NewPCG(trial, 4))
		const n = 12
		// Within a file float32 spans 2^189; the centre may lie anywhere.
		centre, spread := -900+1800*random.Float64(), 90*random.Float64()
		if trial == 0 {
			centre, spread = 1000, 20
		}
		w := oracle.New(n, n)
		var text strings.Builder
		top := 0.0
		for i := range n {
			fmt.Fprintf(&text, "%d %d 0\n", i, i)
			for j := range i {
				v := math.Exp2(centre + spread*(2*random.Float64()-1))
				fmt.Fprintf(&text, "%d %d %v\n", i, j, v)
				w[i][j], w[j][i] = v, v
				top = max(top, v)
			}
		}
		g, err := Read(strings.NewReader(text.String()), "f", Options{})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, g)
		for i := range n { // the oracle multiplies two degrees: keep them in range
			for j := range n {
				w[i][j] /= top
			}
		}
		want := oracle.NormalizeSym(w)
		s, _ := csr.NormalizeSym(g.W, 1)
		for i := range n {
			for j := range n {
				if got := s.At(i, j); math.Abs(got-want[i][j]) > 2e-7*want[i][j]+1e-40 {
					t.Errorf("trial %d: S[%d,%d] is %v, want %v", trial, i, j, got, want[i][j])
				}
			}
		}
	}
}

// The counts of scaling: by a power of 2 that brings the largest weight below
// 2^63, and how many weights became the smallest.
func TestReadScaleStats(t *testing.T) {
	for _, c := range []struct {
		text             string
		exponent, raised int
		want             string
	}{
		{"a b 3\nc d 1", 0, 0, "[a][b][c][d] a-b:3 c-d:1"},
		{"a b 18446744073709551616\nc d 1", 0, 0, "[a][b][c][d] a-b:1.8446744e+19 c-d:1"},
		{"a b 36893488147419103232\nc d 1", 63 - 66, 0, "[a][b][c][d] a-b:4.611686e+18 c-d:0.125"},
		{"a b 1e300\nc d 1e-300", 63 - 997, 1, fmt.Sprintf("[a][b][c][d] a-b:%v c-d:%v", float32(math.Ldexp(1e300, 63-997)), float32(0x1p-126))},
		{"a b 1e-300\nc d 2e-300", 63 + 995, 0, fmt.Sprintf("[a][b][c][d] a-b:%v c-d:%v", float32(math.Ldexp(1e-300, 63+995)), float32(math.Ldexp(2e-300, 63+995)))},
	} {
		g, err := Read(strings.NewReader(c.text), "f", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(g); got != c.want || g.Stats.ScaleExponent != c.exponent || g.Stats.Raised != c.raised {
			t.Errorf("%q: %s, exponent %d, raised %d; want %s, %d, %d", c.text, got, g.Stats.ScaleExponent, g.Stats.Raised, c.want, c.exponent, c.raised)
		}
	}
}

// TestWeightTitle: a third column is read as weights, whatever its title says of it.
func TestWeightTitle(t *testing.T) {
	for title, want := range map[string]string{"year": "year", "Distance": "Distance", "Weight": "", "EDGE_WEIGHT": "", "w": "", "count": "", "2": "", "": ""} {
		g, err := Read(strings.NewReader("src,dst,"+title+"\na,b,3\n"), "f", Options{Header: HeaderYes})
		if err == nil && g.Stats.WeightTitle != want || err != nil && title != "" {
			t.Errorf("%q: %q, expected %q; %v", title, g.Stats.WeightTitle, want, err)
		}
	}
}

// TestHeaderNode: a header that names a node may be an edge.
func TestHeaderNode(t *testing.T) {
	for text, want := range map[string]string{"a,b\nb,c\n": "b", "1 2\n3 4\n2 3\n": "2", "src dst\n1 2\n": "", "x\n": ""} {
		g, err := Read(strings.NewReader(text), "f", Options{Header: HeaderYes})
		if err == nil && g.Stats.HeaderNode != want {
			t.Errorf("%q: %q, expected %q", text, g.Stats.HeaderNode, want)
		}
	}
}

// TestHeaderLike: two words that no other line has, above more than ten edges of names, are told,
// in memory and row by row.
func TestHeaderLike(t *testing.T) {
	path := func(n int, name string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%d %s%d\n", name, i, name, i+1)
		}
		return b.String()
	}
	const titles = "person_a person_b\n"
	for name, c := range map[string]struct {
		text   string
		header Header
		want   string
	}{
		"titles":                 {titles + path(10, "n"), HeaderCheck, "person_a person_b"},
		"behind a comment":       {"# c\n\n" + titles + path(3000, "n"), HeaderCheck, "person_a person_b"},
		"above some integers":    {titles + "n0 7\n7 8\n" + path(10, "n"), HeaderCheck, "person_a person_b"},
		"too few edges":          {titles + path(9, "n"), HeaderCheck, ""},
		"said to be an edge":     {titles + path(10, "n"), HeaderNo, ""},
		"said to be a header":    {titles + path(10, "n"), HeaderYes, ""},
		"one comes again":        {titles + path(3000, "n") + "n7 person_b\n", HeaderCheck, ""},
		"the edge comes again":   {titles + path(10, "n") + "person_b person_a\n", HeaderCheck, ""},
		"a weight":               {"person_a person_b 1\n" + path(10, "n"), HeaderCheck, ""},
		"an integer":             {"person_a 99\n" + path(10, "n"), HeaderCheck, ""},
		"a loop":                 {"person_a person_a\n" + path(10, "n"), HeaderCheck, ""},
		"not in the first line":  {path(10, "n") + titles, HeaderCheck, ""},
		"above integers, a loop": {"x x\n" + path(10, ""), HeaderCheck, ""},
	} {
		usual := blockSize
		for _, size := range []int{usual, 40} {
			blockSize = size
			opt := Options{Header: c.header, Threads: 3}
			g, err := Read(strings.NewReader(c.text), "f", opt)
			if err != nil {
				t.Fatal(name, err)
			}
			_, stats, err := inBlocks(strings.NewReader(c.text), opt)
			if err != nil || g.Stats.HeaderLike != c.want || stats.HeaderLike != c.want {
				t.Errorf("%s: %q, row by row %q, %v, expected %q", name, g.Stats.HeaderLike, stats.HeaderLike, err, c.want)
			}
		}
		blockSize = usual
	}
}
