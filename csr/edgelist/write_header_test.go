package edgelist

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestWriteReadHeader: graphs whose first line looks like a header, a count, a list or a pair are refused, or read
// as they were written; with HeaderNo none is refused.
func TestWriteReadHeader(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	names := []string{"-", "nan", "src", "dst", "source", "target", "weight", "0", "1", "2", "3", "5:", "(1,", "2)", "9223372036854775808", "17", "a", "b"}
	refused := 0
	for range 150 {
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		some := slices.Clone(names[:2+rng.IntN(5)])
		var text strings.Builder
		for range 1 + rng.IntN(6) {
			text.WriteString(some[rng.IntN(len(some))] + "\t" + some[rng.IntN(len(some))] + "\n")
		}
		g, err := Read(strings.NewReader(text.String()), "made.tsv", Options{Header: HeaderNo})
		if err != nil {
			t.Fatalf("%q: %v", text.String(), err)
		}
		var written bytes.Buffer
		if err := Write(&written, g.W, g.IDs, '\t'); err != nil {
			t.Fatal(err)
		}
		for _, header := range []Header{HeaderNo, HeaderCheck} {
			again, err := Read(bytes.NewReader(written.Bytes()), "again.tsv", Options{Header: header})
			switch {
			case err != nil && header == HeaderCheck && strings.Contains(err.Error(), "edgelist.HeaderNo"):
				refused++
			case err != nil:
				t.Errorf("header %d, %q: %v", header, written.String(), err)
			case !same(again, g):
				t.Errorf("header %d, %q: another graph", header, written.String())
			}
		}
	}
	if refused == 0 {
		t.Error("no file was refused: the test says little")
	}
}
