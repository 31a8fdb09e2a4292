package edgeparquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/edgeparquet"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
)

func open(t *testing.T, name string, opt edgeparquet.Options) (*edgelist.Graph, error) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return edgeparquet.Read(bytes.NewReader(text), name, int64(len(text)), opt)
}

// TestRead reads what DuckDB 1.5.6 wrote (testdata), against the same edges as
// text.
func TestRead(t *testing.T) {
	var zstd, gzip strings.Builder
	for i := range 3000 {
		fmt.Fprintln(&zstd, i, i+1, 1+i%3)
	}
	for i := range 300 {
		fmt.Fprintln(&gzip, i, i*7%50, i%4)
	}
	for _, c := range []struct {
		name, text string
		columns    []string
	}{
		{"names.parquet", "a b 0.5\nb ü 2.25\na 10 1\nalone alone 0\n", nil},
		{"zstd.parquet", zstd.String(), nil},
		{"gzip-v2.parquet", gzip.String(), []string{"from", "to", "w"}},
		{"null.parquet", "a b\nb ü\na 10\nalone alone\n", []string{"dst", "src"}},
	} {
		got, err := open(t, c.name, edgeparquet.Options{Columns: c.columns})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want, err := edgelist.Read(strings.NewReader(c.text), "x", edgelist.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if shown(got) != shown(want) || c.columns == nil && got.Stats != want.Stats {
			t.Errorf("%s: got %.200s %+v, expected %.200s %+v", c.name, shown(got), got.Stats, shown(want), want.Stats)
		}
	}
}

// shown is a graph as text, to the bit.
func shown(g *edgelist.Graph) string {
	var b bytes.Buffer
	if err := edgelist.Write(&b, g.W, g.IDs, '\t'); err != nil {
		return err.Error()
	}
	return b.String()
}

// TestRefuse: columns, values and sizes that do not do.
func TestRefuse(t *testing.T) {
	for _, c := range []struct {
		name string
		opt  edgeparquet.Options
		want string
	}{
		{"null.parquet", edgeparquet.Options{}, `null.parquet:1: weight "null", expected a number of at least 0`},
		{"gzip-v2.parquet", edgeparquet.Options{Columns: []string{"from", "till"}}, `gzip-v2.parquet: no column named "till", expected one of "from", "to", "w"`},
		{"names.parquet", edgeparquet.Options{Columns: []string{"src", "weight"}}, `names.parquet:1: weight "0.5", expected a whole number or text`},
		{"names.parquet", edgeparquet.Options{Columns: []string{"src", "dst", "src"}}, `names.parquet:1: src "a", expected a number of at least 0`},
		{"nested.parquet", edgeparquet.Options{}, `nested.parquet: pages compressed by BROTLI, expected snappy, gzip, zstd or nothing`},
		{"nested.parquet", edgeparquet.Options{Columns: []string{"src", "dst", "cents"}}, `nested.parquet: column "cents" is of type DECIMAL(3,2), expected numbers or text`},
		{"nested.parquet", edgeparquet.Options{Columns: []string{"src", "dst", "weight"}}, `nested.parquet: no column named "weight", expected one of "src", "dst", "day", "cents"`},
		{"nested.parquet", edgeparquet.Options{Columns: []string{"src", "day"}}, `nested.parquet: column "day" is of type DATE, expected numbers or text`},
	} {
		if _, err := open(t, c.name, c.opt); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, expected %s", c.name, err, c.want)
		}
	}
	for _, columns := range [][]string{{"src"}, {"src", "dst", "weight", "src"}} {
		if _, err := open(t, "names.parquet", edgeparquet.Options{Columns: columns}); !errors.Is(err, edgelist.ErrOptions) || errors.Is(err, edgelist.ErrSyntax) {
			t.Errorf("columns %q: %v", columns, err)
		}
	}
	if _, err := open(t, "zstd.parquet", edgeparquet.Options{MemoryLimit: 24<<20 + 36*2999}); !errors.Is(err, edgelist.ErrMemory) {
		t.Errorf("3000 edges in the memory of 2999: %v", err)
	}
	if _, err := open(t, "zstd.parquet", edgeparquet.Options{MemoryLimit: 24<<20 + 36*3000}); err != nil {
		t.Error(err)
	}
}

func random(seed uint64, named bool) *edgelist.Graph {
	rng := rand.New(rand.NewPCG(seed, 5))
	var text strings.Builder
	n := 1 + rng.IntN(400)
	for range 1 + rng.IntN(4*n) {
		name := func() string {
			if named {
				return fmt.Sprintf("n ö%d", rng.IntN(n))
			}
			return fmt.Sprint(rng.IntN(n) - 20)
		}
		fmt.Fprintf(&text, "%s\t%s\t%v\n", name(), name(), rng.Float32()*float32(rng.IntN(3)))
	}
	g, err := edgelist.Read(strings.NewReader(text.String()), "x", edgelist.Options{})
	if err != nil {
		panic(err)
	}
	return g
}

// TestRoundTrip writes random graphs and reads them back; where duckdb is
// installed, it must read the same edges.
func TestRoundTrip(t *testing.T) {
	duckdb, _ := exec.LookPath("duckdb")
	for seed := range uint64(20) {
		g := random(seed, seed%2 == 0)
		var b, again bytes.Buffer
		if err := errors.Join(edgeparquet.Write(&b, g.W, g.IDs), edgeparquet.Write(&again, g.W, g.IDs)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Error("the same graph gave other bytes")
		}
		back, err := edgeparquet.Read(bytes.NewReader(b.Bytes()), "x", int64(b.Len()), edgeparquet.Options{})
		if err != nil || shown(back) != shown(g) {
			t.Fatalf("seed %d: %v; another graph came back", seed, err)
		}
		if duckdb == "" || seed >= 2 {
			continue
		}
		name := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		query := fmt.Sprintf("copy (select src, dst, weight from '%s') to '/dev/stdout' (format csv, delimiter '\t', header false)", name)
		out, err := exec.Command(duckdb, "-c", query).CombinedOutput()
		if err != nil {
			t.Fatalf("duckdb: %v, %s", err, out)
		}
		if back, err = edgelist.Read(bytes.NewReader(out), "duckdb", edgelist.Options{}); err != nil || shown(back) != shown(g) {
			t.Errorf("seed %d: duckdb reads another graph (%v)", seed, err)
		}
	}
	table := ids.NewTable()
	for _, name := range []string{"a\nb", "c"} {
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	pair, err := csr.New(2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := edgeparquet.Write(&bytes.Buffer{}, pair, table); !errors.Is(err, edgeparquet.ErrName) {
		t.Errorf("a name with a line end: %v", err)
	}
	if err := edgeparquet.Write(&bytes.Buffer{}, pair, ids.Sequence(1)); !errors.Is(err, edgeparquet.ErrName) {
		t.Errorf("one name for two rows: %v", err)
	}
}

// originals are small files of all kinds.
func originals(tb testing.TB) (files [][]byte) {
	names, err := filepath.Glob("testdata/*.parquet")
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		if len(text) < 4000 {
			files = append(files, text)
		}
	}
	for seed := range uint64(4) {
		g := random(seed, seed%2 == 0)
		var b bytes.Buffer
		if err := edgeparquet.Write(&b, g.W, g.IDs); err != nil {
			tb.Fatal(err)
		}
		files = append(files, b.Bytes())
	}
	return files
}

// TestMutants: a damaged file is refused or gives a sound graph, and nothing
// makes the decoder panic, take long or fill the memory. Pages have no
// checksums: a changed value is not always seen.
func TestMutants(t *testing.T) {
	mutant.Check(t, originals(t), func(_, damaged []byte) bool { return sound(t, damaged) })
}

func sound(t *testing.T, text []byte) bool {
	g, err := edgeparquet.Read(bytes.NewReader(text), "x.parquet", int64(len(text)), edgeparquet.Options{})
	if err != nil {
		if !errors.Is(err, edgeparquet.ErrSyntax) {
			t.Errorf("%v is no fault of the content", err)
		}
		return false
	}
	if err := csr.CheckAffinity(g.W, 1); err != nil {
		t.Error(err)
	}
	return true
}

// TestLongRun: 487 bytes, a find of FuzzParquet, say 1.6·10⁹ levels in a page of four
// values, and took 3 GB and ten seconds.
func TestLongRun(t *testing.T) {
	text, err := os.ReadFile("testdata/fuzz/FuzzParquet/1fb15e417a49c418")
	if err != nil {
		t.Fatal(err)
	}
	quoted := strings.TrimSuffix(strings.TrimPrefix(strings.Split(string(text), "\n")[1], "[]byte("), ")")
	content, err := strconv.Unquote(quoted)
	if err != nil {
		t.Fatal(err)
	}
	_, err = edgeparquet.Read(strings.NewReader(content), "bomb", int64(len(content)), edgeparquet.Options{})
	if err == nil || !strings.Contains(err.Error(), "a run of 1623294726 values in a page of 4") {
		t.Errorf("%v", err)
	}
}

// FuzzParquet asks the same of any bytes.
func FuzzParquet(f *testing.F) {
	for _, text := range originals(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { sound(t, text) })
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
		if err := edgeparquet.Write(&out, m, ids.Sequence(n)); !errors.As(err, &fault) || out.Len() > 0 {
			t.Errorf("%s: %v, and %d bytes are written", name, err, out.Len())
		}
	}
}
