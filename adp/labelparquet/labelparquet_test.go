package labelparquet_test

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func read(text []byte, nodes *ids.Table, columns labelfile.Columns, opt labelfile.Options) (*labelfile.Labels, error) {
	return labelparquet.Read(bytes.NewReader(text), "f", int64(len(text)), nodes, columns, opt)
}

// TestRead reads what DuckDB 1.5.6 wrote.
func TestRead(t *testing.T) {
	nodes := ids.NewTable()
	for _, name := range []string{"a", "b", "c"} {
		if _, err := nodes.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := read(file(t, "names.parquet"), nodes, labelfile.Columns{}, labelfile.Options{})
	if err != nil || !slices.Equal(l.Classes, []string{"x", "y"}) || len(l.Seeds) != 2 || l.Seeds[1].Node != 2 || l.Seeds[1].Weight != 0.5 || l.Stats.Blank != 1 {
		t.Errorf("%v, %+v", err, l)
	}
	numbers := file(t, "numbers.parquet")
	l, err = read(numbers, ids.Sequence(40), labelfile.Columns{Label: "kind"}, labelfile.Options{})
	if err != nil || !slices.Equal(l.Classes, []string{"0", "1", "2"}) || len(l.Seeds) != 32 || l.Stats.Blank != 8 {
		t.Fatalf("%v, %+v", err, l)
	}
	for _, s := range l.Seeds {
		if s.Class != s.Node%3 || s.Node%5 == 0 {
			t.Errorf("node %d has class %d", s.Node, s.Class)
		}
	}
	for _, c := range []struct {
		columns labelfile.Columns
		nodes   int
		want    string
	}{
		{labelfile.Columns{}, 40, `f: no column named "label" of labels, expected one of "id", "kind", "even", or a number from 1 to 3`},
		{labelfile.Columns{Label: "kind", ID: "no"}, 40, `f: no column named "no" of node ids`},
		{labelfile.Columns{Label: "kind", Weight: "even"}, 40, `f:2: even "false", expected a number of at least 0`},
		{labelfile.Columns{Label: "id", ID: "kind"}, 40, `f:1: kind "null", expected a whole number or text`},
		{labelfile.Columns{Label: "kind"}, 20, `f:22: node "21" is not in the graph`},
		{labelfile.Columns{Label: "even", ID: "kind"}, 40, `f:1: kind "null"`},
	} {
		if _, err := read(numbers, ids.Sequence(c.nodes), c.columns, labelfile.Options{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, expected %s", err, c.want)
		}
	}
	l, err = read(numbers, ids.Sequence(40), labelfile.Columns{Label: "even"}, labelfile.Options{})
	if err != nil || !slices.Equal(l.Classes, []string{"false", "true"}) {
		t.Errorf("%v, %+v", err, l)
	}
}

// TestPredictions: written predictions read back, in the four kinds of columns.
func TestPredictions(t *testing.T) {
	for _, nodes := range [][]string{{"1", "-20", "300"}, {"a", "7", "ü"}} {
		for _, labels := range [][]string{{"0", "", "5"}, {"x", "", "5"}, {"", "", ""}} {
			var want []labelfile.Prediction
			for k := range 3000 {
				status := []string{"seed", "unreached", "predicted"}[k%3]
				if labels[k%3] == "" {
					status = "unreached"
				}
				want = append(want, labelfile.Prediction{Node: nodes[k%3], Label: labels[k%3], Confidence: 0.5, Margin: float64(k) / 4096, Status: status, Line: k + 1})
			}
			var b bytes.Buffer
			if err := labelparquet.Write(&b, slices.Values(want)); err != nil {
				t.Fatal(err)
			}
			got, err := labelparquet.ReadPredictions(bytes.NewReader(b.Bytes()), "f", int64(b.Len()))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v %v: %v; other predictions came back", nodes, labels, err)
			}
		}
	}
	if err := labelparquet.Write(&bytes.Buffer{}, slices.Values([]labelfile.Prediction{{Node: "a", Label: "b\nc"}})); !errors.Is(err, labelparquet.ErrName) {
		t.Error(err)
	}
	numbers := file(t, "numbers.parquet")
	if _, err := labelparquet.ReadPredictions(bytes.NewReader(numbers), "f", int64(len(numbers))); err == nil || !strings.HasPrefix(err.Error(), `f: no column "node"`) {
		t.Error(err)
	}
}

// TestMutants: a damaged file is refused or read, and nothing makes the decoder
// panic, take long or fill the memory; a file that is cut anywhere is refused.
func TestMutants(t *testing.T) {
	var b bytes.Buffer
	if err := labelparquet.Write(&b, slices.Values([]labelfile.Prediction{{Node: "a", Label: "b", Status: "seed"}, {Node: "7", Status: "unreached"}})); err != nil {
		t.Fatal(err)
	}
	originals := [][]byte{file(t, "names.parquet"), file(t, "numbers.parquet"), b.Bytes()}
	mutant.Check(t, originals, func(original, damaged []byte) bool {
		if bytes.Equal(original, b.Bytes()) {
			return accepts(t, damaged, true)
		}
		return accepts(t, damaged, false)
	})
	for k, original := range originals {
		for at := range original {
			if accepts(t, original[:at], k == 2) {
				t.Errorf("file %d is read when it is cut after %d bytes", k, at)
			}
		}
		if !accepts(t, original, k == 2) {
			t.Errorf("file %d is not read", k)
		}
	}
}

// accepts reads labels or predictions; a fault must be of the content.
func accepts(t *testing.T, text []byte, predictions bool) bool {
	var err error
	if predictions {
		_, err = labelparquet.ReadPredictions(bytes.NewReader(text), "f", int64(len(text)))
	} else {
		_, err = read(text, abc(t), labelfile.Columns{Label: labelOf(text)}, labelfile.Options{SkipUnknown: true, Multi: true})
	}
	if err != nil && !errors.Is(err, labelparquet.ErrSyntax) {
		t.Error(err)
	}
	return err == nil
}

// labelOf is the column of labels.
func labelOf(text []byte) string {
	if bytes.Contains(text, []byte("even")) {
		return "even"
	}
	return ""
}

// abc are the nodes of names.parquet and some of numbers.parquet.
func abc(t *testing.T) *ids.Table {
	nodes := ids.NewTable()
	for _, name := range []string{"a", "b", "c", "1", "2", "3"} {
		if _, err := nodes.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	return nodes
}

// TestBeyond: what follows the last value of a column is read by the decoder too, and is
// checked before. In this find of a fuzzer a thousand structures within each other follow;
// the decoder took seconds for its error, and minutes would be as easy.
func TestBeyond(t *testing.T) {
	text := file(t, "beyond.parquet")
	_, err := read(text, ids.Sequence(40), labelfile.Columns{}, labelfile.Options{SkipUnknown: true, Multi: true})
	if err == nil || !strings.Contains(err.Error(), `column "label", row group 0: header of a page at byte 144`) {
		t.Errorf("%.200v", err)
	}
}

// FuzzLabels asks that no bytes make the readers panic.
func FuzzLabels(f *testing.F) {
	f.Add(file(f, "names.parquet"))
	f.Add(file(f, "numbers.parquet"))
	var b bytes.Buffer
	if err := labelparquet.Write(&b, slices.Values([]labelfile.Prediction{{Node: "a", Label: "b", Status: "seed"}, {Node: "7", Status: "unreached"}})); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		var err error
		if len(text)%2 == 0 {
			_, err = read(text, ids.Sequence(40), labelfile.Columns{}, labelfile.Options{SkipUnknown: true, Multi: true})
		} else {
			_, err = labelparquet.ReadPredictions(bytes.NewReader(text), "f", int64(len(text)))
		}
		if err != nil && !errors.Is(err, labelparquet.ErrSyntax) {
			t.Error(err)
		}
	})
}
