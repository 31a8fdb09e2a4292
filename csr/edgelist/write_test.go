package edgelist

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// graphOf returns the graph of n named nodes with the entries (i, j, weight),
// i ≤ j, of a symmetric matrix; a weight at i = j is on the diagonal.
func graphOf(t *testing.T, names []string, entries ...[3]float32) *Graph {
	t.Helper()
	table := ids.NewTable()
	for _, name := range names {
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	dense := csr.NewDense(len(names), len(names))
	for _, e := range entries {
		dense.Set(int(e[0]), int(e[1]), e[2])
		dense.Set(int(e[1]), int(e[0]), e[2])
	}
	buffer := csr.NewRowBuffer(len(names), len(names), len(names))
	for i := range names {
		var cols []uint32
		var vals []float32
		for j, v := range dense.Row(i) {
			if v != 0 {
				cols, vals = append(cols, uint32(j)), append(vals, v)
			}
		}
		buffer.Set(i, cols, vals)
	}
	return &Graph{W: buffer.Matrix(1), IDs: table}
}

func write(g *Graph, separator byte) (string, error) {
	var out bytes.Buffer
	err := Write(&out, g.W, g.IDs, separator)
	return out.String(), err
}

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name      string
		separator byte
		graph     *Graph
		want      string
	}{
		{"pairs once", '\t', graphOf(t, []string{"a", "b", "c"}, [3]float32{0, 1, 2}, [3]float32{1, 2, 0.1}), "a\tb\t2\nb\tc\t0.1\n"},
		{"comma", ',', graphOf(t, []string{"a", "b c"}, [3]float32{0, 1, 1e-20}), "a,b c,1e-20\n"},
		{"diagonal", '\t', graphOf(t, []string{"a", "b"}, [3]float32{0, 0, 3}, [3]float32{1, 1, 0.5}), "a\ta\t3\nb\tb\t0.5\n"},
		{"node without entries", '\t', graphOf(t, []string{"a", "b", "c"}, [3]float32{0, 1, 1}), "a\tb\t1\nc\tc\t0\n"},
		{"comment-like id", '\t', graphOf(t, []string{"#a", "b"}, [3]float32{0, 1, 1}, [3]float32{0, 0, 3}, [3]float32{1, 1, 3}), "b\t#a\t1\nb\tb\t3\n"},
		{"mark", '\t', graphOf(t, []string{"\ufeffa", "b"}, [3]float32{0, 1, 1}), "b\t\ufeffa\t1\n"},
		{"comma in a csv file", ',', graphOf(t, []string{"a,b", "c", "\"q\", r"}, [3]float32{0, 1, 1}, [3]float32{1, 2, 2}), "\"a,b\",c,1\nc,\"\"\"q\"\", r\",2\n"},
		{"comma in a tab file", '\t', graphOf(t, []string{"a,b", "c"}, [3]float32{0, 1, 1}), "a,b\tc\t1\n"},
	} {
		if got, err := write(c.graph, c.separator); got != c.want || err != nil {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestWriteRefusesNames(t *testing.T) {
	edge := [3]float32{0, 1, 1}
	for _, c := range []struct {
		separator byte
		names     []string
		entry     [3]float32
	}{
		{'\t', []string{"a\tb", "c"}, edge},
		{',', []string{"a\tb", "c"}, edge},
		{',', []string{"a,b", " c"}, edge},
		{'\t', []string{"c", "a\nb"}, edge},
		{'\t', []string{"c", "a\r"}, edge},
		{'\t', []string{"c", ""}, edge},
		{'\t', []string{"", "c"}, edge},
		{'\t', []string{" c", "b"}, edge},
		{'\t', []string{"b", "c "}, edge},
		{'\t', []string{"b", "\xff"}, edge},
		{'\t', []string{"#a", "%b"}, edge},
		{'\t', []string{"#a", "\ufeffb"}, edge},
		{'\t', []string{"a", "#b"}, [3]float32{1, 1, 3}},
		{'\t', []string{"a", "#b"}, [3]float32{0, 0, 3}},
	} {
		text, err := write(graphOf(t, c.names, c.entry), c.separator)
		if !errors.Is(err, ErrName) {
			t.Errorf("%q: error %v, wrote %q", c.names, err, text)
		}
	}
}

// What was written reads back as the same matrix, ids and isolated nodes.
func TestWriteReadRoundTrip(t *testing.T) {
	for trial := range uint64(60) {
		random := rand.New(rand.NewPCG(trial, 5))
		list := randomLines(random, 40, 1+random.IntN(120), 40)
		list = append(list, "v1\t#a\t3", "v2\t%\t1e-3", "v2\tNew York\t7", "v3\tü, x\t9", "v4\t\"q\"\t2", "\",\"\t5\" x 3\t2", "a,b\tc;d,\"\t1", "lonely\tlonely\t1")
		g, err := Read(strings.NewReader(strings.Join(list, "\n")), "f", Options{Directed: trial%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		for _, separator := range []byte{'\t', ','} {
			for _, m := range []*csr.Matrix{g.W, csr.Add(g.W, 0.5, csr.Identity(g.IDs.Len()), 1)} {
				text, err := write(&Graph{W: m, IDs: g.IDs}, separator)
				if err != nil {
					t.Fatal(err)
				}
				name := map[byte]string{'\t': "f", ',': "f.csv"}[separator] // with commas # begins no comment
				back, err := Read(strings.NewReader(text), name, Options{Header: HeaderNo})
				if err != nil {
					t.Fatal(err)
				}
				if !same(back, g) {
					t.Errorf("trial %d: wrote\n%s\nread\n%s", trial, show(g), show(back))
				}
			}
		}
	}
}

// Float32 values of all kinds, the smallest and the largest of 2^±64 among
// them, come back to the bit, with commas too.
func TestWriteReadWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 6))
	const n = 300
	names := make([]string, n)
	var entries [][3]float32
	for i := range names {
		names[i] = string(rune('一' + i))
		v := float32(math.Ldexp(1+random.Float64(), random.IntN(127)-64))
		entries = append(entries, [3]float32{float32(i), float32((i + 1) % n), v})
	}
	entries[0][2], entries[1][2] = 0x1p-64, 0x1p64
	g := graphOf(t, names, entries...)
	for _, separator := range []byte{'\t', ','} {
		text, err := write(g, separator)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Read(strings.NewReader(text), "f", Options{})
		if err != nil || !same(back, g) {
			t.Errorf("separator %q: another graph, error %v", separator, err)
		}
	}
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestWriteReportsFullDisk(t *testing.T) {
	g := graphOf(t, []string{"a", "b"}, [3]float32{0, 1, 1})
	if err := Write(&full{}, g.W, g.IDs, '\t'); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v", err)
	}
	random := rand.New(rand.NewPCG(1, 7))
	g, err := Read(strings.NewReader(strings.Join(randomLines(random, 1000, 60000, 1), "\n")), "f", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(&full{left: 10}, g.W, g.IDs, '\t'); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v", err)
	}
}

// TestWriteRefusesMatrices: what a list of undirected edges cannot hold, or no reader
// takes, is an error before anything is written.
func TestWriteRefusesMatrices(t *testing.T) {
	pattern, err := csr.New(3, 3, []int64{0, 1, 3, 4}, []uint32{1, 0, 2, 1}, []float32{1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	lower, err := csr.New(2, 2, []int64{0, 0, 1}, []uint32{0}, []float32{1})
	if err != nil {
		t.Fatal(err)
	}
	inf := float32(math.Inf(1))
	for name, m := range map[string]*csr.Matrix{
		"a lower triangle":      lower,
		"other weight back":     pattern.WithData([]float32{1, 2, 1, 1}),
		"negative weight":       pattern.WithData([]float32{-1, -1, 1, 1}),
		"infinite weight":       pattern.WithData([]float32{1, 1, inf, inf}),
		"a weight of no number": pattern.WithData([]float32{1, 1, 1, float32(math.NaN())}),
	} {
		n, _ := m.Dims()
		var out bytes.Buffer
		var fault *csr.StructureError
		if err := Write(&out, m, ids.Sequence(n), '\t'); !errors.As(err, &fault) || out.Len() > 0 {
			t.Errorf("%s: %v, and %d bytes are written", name, err, out.Len())
		}
	}
}

// TestWriteReadArrows: names that are arrows come back from a reader without options, or are refused.
// Others of the names start like comments, or look like weights.
func TestWriteReadArrows(t *testing.T) {
	racing.LongSum(t)
	pool := []string{"--", "->", "→", "a", "b", "x1", "2.0", "0.5", "#c", "---", "-"}
	written := 0
	for trial := range uint64(3000) {
		random := rand.New(rand.NewPCG(trial, 8))
		names := make([]string, 1+random.IntN(5))
		for i, k := range random.Perm(len(pool))[:len(names)] {
			names[i] = pool[k]
		}
		slices.Sort(names) // as a reader numbers them
		var entries [][3]float32
		for i := range names {
			for j := i; j < len(names); j++ {
				if random.IntN(3) == 0 && i < j {
					entries = append(entries, [3]float32{float32(i), float32(j), float32(1 + random.IntN(4))})
				}
			}
		}
		g := graphOf(t, names, entries...)
		for _, separator := range []byte{'\t', ','} {
			file := map[byte]string{'\t': "f", ',': "f.csv"}[separator]
			text, err := write(g, separator)
			arrows := !slices.ContainsFunc(names, func(name string) bool { return !lines.IsArrow([]byte(name)) })
			if err != nil {
				if !errors.Is(err, ErrName) || text != "" && arrows || !arrows && !slices.Contains(names, "#c") {
					t.Fatalf("%q: %v, wrote %q", names, err, text)
				}
				continue
			}
			written++
			back, err := Read(strings.NewReader(text), file, Options{})
			if err != nil || !same(back, g) {
				t.Fatalf("%q: wrote\n%s\nread back another graph, error %v", names, text, err)
			}
		}
	}
	if written < 4000 {
		t.Errorf("%d graphs were written, expected most of them", written)
	}
}

// TestWriteRefusesArguments: other separators than a tab or a comma give files that no reader takes,
// and a table has a name for each row.
func TestWriteRefusesArguments(t *testing.T) {
	m, _, err := csr.FromEdges(3, &csr.Edges{Src: []uint32{0, 1}, Dst: []uint32{1, 2}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, separator := range []byte{'\n', '.', 'x', ' ', 0} {
		if err := Write(&out, m, ids.Sequence(3), separator); !errors.Is(err, ErrOptions) || out.Len() > 0 {
			t.Errorf("separator %q: %v, %d bytes", separator, err, out.Len())
		}
	}
	few := ids.NewTable()
	if _, err := few.Add([]byte("a")); err != nil {
		t.Fatal(err)
	}
	for _, table := range []*ids.Table{few, ids.Sequence(2), ids.Sequence(4)} {
		if err := Write(&out, m, table, ','); !errors.Is(err, ErrName) || out.Len() > 0 {
			t.Errorf("%d names: %v, %d bytes", table.Len(), err, out.Len())
		}
	}
}
