package edgejson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgejson"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
)

// shown is a graph as text, to the bit.
func shown(g *edgelist.Graph) string {
	var b bytes.Buffer
	if err := edgelist.Write(&b, g.W, g.IDs, '\t'); err != nil {
		return err.Error()
	}
	return b.String()
}

func read(text string) (*edgelist.Graph, error) {
	return edgejson.Read(strings.NewReader(text), "x", edgejson.Options{})
}

// TestRead: lines of JSON give the graph of the same edges as text.
func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ json, text string }{
		"names":      {`{"src":"a","dst":"b","weight":0.5}` + "\n" + `{"src":"b","dst":"ü","weight":2.25}`, "a b 0.5\nb ü 2.25\n"},
		"numbers":    {"{\"src\": 3, \"dst\": -1}\n{\"src\": 10, \"dst\": 3, \"weight\": 4e0}\n", "3 -1 1\n10 3 4\n"},
		"both":       {`{"src":7,"dst":"7b"}` + "\n" + `{"src":"7","dst":"8"}`, "7 7b\n7 8\n"},
		"keys":       {`{"source":"a","target":"b"}` + "\n" + `{"to":"c","from":"b","Weight":3}` + "\n" + `{"src":"c","to":"z","dst":"d"}`, "a b 1\nb c 3\nc d 1\n"},
		"others":     {`{"since":{"year":[1999,{}]},"dst":"b","x":null,"src":"a","weight":2}`, "a b 2\n"},
		"blank":      {"\ufeff\n\r\n  {\"src\":\"a b\",\"dst\":\" c \"}\r\n\t\n", "\"a b\",c\n"},
		"duplicates": {`{"src":"a","dst":"b"}` + "\n" + `{"src":"b","dst":"a","weight":2}` + "\n" + `{"src":"a","dst":"a"}`, "a b 1\nb a 2\na a 1\n"},
		"escapes":    {`{"src":"\u0061\"","dst":"\ud83d\ude00 \ufffd�"}`, "a\"\t😀 ��\n"},
	} {
		got, err := read(c.json)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, err := edgelist.Read(strings.NewReader(c.text), "x", edgelist.Options{Header: edgelist.HeaderNo})
		if err != nil {
			t.Fatal(err)
		}
		if shown(got) != shown(want) || got.Stats.Duplicates != want.Stats.Duplicates || got.Stats.SelfLoops != want.Stats.SelfLoops {
			t.Errorf("%s: got %s, expected %s", name, shown(got), shown(want))
		}
	}
}

// TestRefuse: each bad line is named with what is wrong about it.
func TestRefuse(t *testing.T) {
	const good = `{"src":"a","dst":"b"}` + "\n"
	long := good + `{"src":"` + strings.Repeat("a", 1<<20) + `","dst":1}`
	deep := strings.Repeat(`{"src":[`, 20000)
	for text, want := range map[string]string{
		"":                                     "x: no edges, expected at least one",
		good + "a b":                           `x:2: "a b", expected an object`,
		good + "[1, 2]":                        `x:2: "[1, 2]", expected an object`,
		good + "# comment":                     `x:2: "# comment", expected an object`,
		good + `{"src":"a","dst":"b"`:          "x:2: the object does not end on its line",
		good + `{"src":"a",`:                   "x:2: the object does not end on its line",
		good + `{"src":"a" "dst":"b"}`:         "x:2: no JSON: ",
		good + `{src:"a","dst":"b"}`:           "x:2: no JSON: ",
		good + `{"src":"a","dst":"b"} {}`:      "x:2: more than one object",
		good + `{"src":"a","dst":"b"},`:        "x:2: more than one object",
		good + `{"src":"a","to":"b"}`:          "x:2: no ends of an edge",
		good + `{"Src":"a","Dst":"b"}`:         "x:2: no ends of an edge",
		good + `{"src":"a","src":"b"}`:         "x:2: src stands there twice",
		`{"src":"a","dst":null}`:               `x:1: dst "null", expected text or a whole number`,
		`{"src":1.5,"dst":2}`:                  `x:1: src "1.5", expected text or a whole number`,
		`{"src":1e3,"dst":2}`:                  `x:1: src "1e3", expected text or a whole number`,
		`{"src":9223372036854775808,"dst":2}`:  `x:1: src "9223372036854775808", expected`,
		`{"src":"  ","dst":2}`:                 `x:1: src "\"  \"", expected text`,
		`{"src":"\ud800","dst":2}`:             `x:1: src`,
		`{"src":["a"],"dst":2}`:                `x:1: src "[\"a\"]", expected text`,
		`{"src":"a","dst":"b","weight":"1"}`:   `x:1: weight "\"1\"", expected a number of at least 0`,
		`{"src":"a","dst":"b","weight":null}`:  `x:1: weight "null", expected a number of at least 0`,
		`{"src":"a","dst":"b","weight":-1}`:    `x:1: weight "-1" is negative`,
		`{"src":"a","dst":"b","weight":1e999}`: `x:1: weight "1e999" is out of the range`,
		`{"src":"a","dst":"b","weight":NaN}`:   "x:1: no JSON: ",
		good + "{\"src\":\"\xff\",\"dst\":1}":  "x:2: not UTF-8",
		long:                                   "x:2: longer than 1048576 bytes",
		deep:                                   "x:1: ",
	} {
		if _, err := read(text); err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, edgejson.ErrSyntax) {
			t.Errorf("%.60q: got %v, expected %s", text, err, want)
		}
	}
	if _, err := edgejson.Read(io.MultiReader(strings.NewReader(good), iotest.ErrReader(io.ErrNoProgress)), "x", edgejson.Options{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a failure to read: %v", err)
	}
	many := strings.Repeat(good, 100)
	for limit, fits := range map[int64]bool{24<<20 + 36*99: false, 24<<20 + 36*100: true} {
		if _, err := edgejson.Read(strings.NewReader(many), "x", edgejson.Options{MemoryLimit: limit}); (err == nil) != fits || err != nil && !errors.Is(err, edgelist.ErrMemory) {
			t.Errorf("100 edges in %d bytes: %v", limit, err)
		}
	}
	opt := edgejson.Options{Edges: edgelist.Options{Duplicates: csr.DuplicatesError}}
	if _, err := edgejson.Read(strings.NewReader(good+"\n"+good), "x", opt); err == nil || !strings.Contains(err.Error(), "x:3") {
		t.Errorf("an edge twice: %v", err)
	}
}

func random(seed uint64, named bool) *edgelist.Graph {
	rng := rand.New(rand.NewPCG(seed, 5))
	var text strings.Builder
	n := 1 + rng.IntN(400)
	for range 1 + rng.IntN(4*n) {
		name := func() string {
			if named {
				return fmt.Sprintf(`n ö"\%d`, rng.IntN(n))
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

// TestRoundTrip: random graphs come back to the bit; encoding/json, and Python where it is
// installed, read each line.
func TestRoundTrip(t *testing.T) {
	python, _ := exec.LookPath("python3")
	for seed := range uint64(20) {
		g := random(seed, seed%2 == 0)
		var b bytes.Buffer
		if err := edgejson.Write(&b, g.W, g.IDs); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		back, err := read(text)
		if err != nil || shown(back) != shown(g) {
			t.Fatalf("seed %d: %v; another graph came back", seed, err)
		}
		for line := range strings.Lines(text) {
			var edge struct {
				Src, Dst any
				Weight   *float32
			}
			if err := json.Unmarshal([]byte(line), &edge); err != nil || edge.Weight == nil || edge.Src == nil || edge.Dst == nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		if python == "" || seed >= 2 {
			continue
		}
		cmd := exec.Command(python, "-c", "import json, sys\nfor l in sys.stdin:\n  e = json.loads(l)\n  print(e['src'], e['dst'], e['weight'], sep='\\t')")
		cmd.Stdin = strings.NewReader(text)
		cmd.Env = append(cmd.Environ(), "PYTHONUTF8=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("python: %v, %s", err, out)
		}
		if back, err = edgelist.Read(bytes.NewReader(out), "python", edgelist.Options{}); err != nil || shown(back) != shown(g) {
			t.Errorf("seed %d: python reads another graph (%v)", seed, err)
		}
	}
}

// TestWriteRefuses: names and matrices that would not come back, before anything is written.
func TestWriteRefuses(t *testing.T) {
	pair, err := csr.New(2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a\nb", " a", "a\x00", "\xff"} {
		table := ids.NewTable()
		for _, name := range []string{name, "c"} {
			if _, err := table.Add([]byte(name)); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := edgejson.Write(&b, pair, table); !errors.Is(err, edgejson.ErrName) || b.Len() > 0 {
			t.Errorf("%q: %v, %d bytes", name, err, b.Len())
		}
	}
	if err := edgejson.Write(io.Discard, pair, ids.Sequence(1)); !errors.Is(err, edgejson.ErrName) {
		t.Errorf("one name for two rows: %v", err)
	}
	for _, v := range []float32{float32(math.Inf(1)), -1} {
		m, err := csr.New(2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{v, v})
		if err != nil {
			continue
		}
		if err := edgejson.Write(io.Discard, m, ids.Sequence(2)); !errors.As(err, new(*csr.StructureError)) {
			t.Errorf("weight %v: %v", v, err)
		}
	}
	if err := edgejson.Write(failing{}, pair, ids.Sequence(2)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a failure to write: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// originals are small files.
func originals() (files [][]byte) {
	for seed := range uint64(4) {
		g := random(seed, seed%2 == 0)
		var b bytes.Buffer
		if err := edgejson.Write(&b, g.W, g.IDs); err != nil {
			panic(err)
		}
		files = append(files, b.Bytes()[:min(b.Len(), 2000)])
	}
	return append(files, []byte(`{"x":[{}],"source":"\u00e4","target":"\ud83d\ude00","weight":1e-3}`))
}

// TestMutants: a damaged file is refused or gives a sound graph.
func TestMutants(t *testing.T) {
	mutant.Check(t, originals(), func(_, damaged []byte) bool { return sound(t, damaged) })
}

func sound(t *testing.T, text []byte) bool {
	g, err := edgejson.Read(bytes.NewReader(text), "x", edgejson.Options{})
	if err != nil {
		if !errors.Is(err, edgejson.ErrSyntax) {
			t.Errorf("%v is no fault of the content", err)
		}
		return false
	}
	if err := csr.CheckAffinity(g.W, 1); err != nil {
		t.Error(err)
	}
	return true
}

// FuzzJSON asks the same of any bytes.
func FuzzJSON(f *testing.F) {
	for _, text := range originals() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { sound(t, text) })
}
