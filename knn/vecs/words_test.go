package vecs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// TestWords reads names and numbers as word2vec, fastText, GloVe and node2vec write them: with and
// without counts above them, blanks at the ends of lines, and names that other formats would take
// for comments, quotes and numbers.
func TestWords(t *testing.T) {
	values := []float32{1, 0, .5, -1, 2, 3}
	for name, c := range map[string]struct {
		file, text string
		names      []string
	}{
		"word2vec": {"x.vec", "3 2\ncat 1 0\ndog .5 -1\nbus 2 3\n", []string{"cat", "dog", "bus"}},
		"fastText": {"x.vec", "3 2\n</s> 1 0 \n, .5 -1 \nbus 2 3 \n", []string{"</s>", ",", "bus"}},
		"GloVe":    {"x.glove", "\" 1 0\n# .5 -1\n. . . 2 3\n", []string{`"`, "#", ". . ."}},
		"node2vec": {"x.emb", "3 2\n1 1 0\n20 .5 -1\n3 2 3", []string{"1", "20", "3"}},
		"tabs":     {"x.word2vec", "3\t2\r\na\t1\t0\r\n%b\t.5\t-1\r\nc c\t2\t3\r\n", []string{"a", "%b", "c c"}},
	} {
		f := readAllWays(t, []byte(c.text), c.file, vecs.Options{})
		if f.IDs == nil || !slices.Equal(f.Dense.Data, values) || f.Dense.Rows != 3 || len(f.Notes) != 0 {
			t.Errorf("%s: %+v", name, f)
			continue
		}
		for k, want := range c.names {
			if got := f.IDs.Name(k); got != want {
				t.Errorf("%s: name %d is %q, expected %q", name, k, got, want)
			}
		}
	}
}

// TestWordsFaults: what does not go with the counts, or is no number, is refused.
func TestWordsFaults(t *testing.T) {
	for text, want := range map[string]string{
		"3 2\ncat 1 0\ndog 1 1\n":   "x.vec: 2 rows, expected 3 as the first line says",
		"1 2\ncat 1 0\ndog 1 1\n":   "x.vec: 2 rows, expected 1 as the first line says",
		"2 2\ncat 1 0\ndog 1\n":     "x.vec:3: 2 fields, expected a name and 2 numbers",
		"2 2\ncat 1 0\n 1 1\n":      "x.vec:3: 2 fields, expected a name and 2 numbers",
		"2 2\ncat 1 nan\ndog 1 1\n": `x.vec:2: number 2 of "cat": "nan" is not finite, expected a decimal number`,
		"cat 1 0\ndog x 1\n":        `x.vec:2: number 1 of "dog": "x" is not in decimal form`,
		"cat 1 0\ncat 1 1\n":        `x.vec:2: name "cat" is given twice, first to row 0`,
		"cat\n":                     "x.vec:1: 1 fields, expected a name and 1 numbers",
		"c\x1bt 1 0\n":              `x.vec:1: "c\x1bt", expected UTF-8 without control characters`,
		"":                          "x.vec: no rows",
		"3 2\n":                     "x.vec: no rows",
	} {
		_, err := vecs.Read(strings.NewReader(text), "x.vec", int64(len(text)), vecs.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
	if _, err := vecs.Read(strings.NewReader("a 1 2\n"), "x.vec", -1, vecs.Options{MemoryLimit: 4}); err == nil {
		t.Error("the limit of memory is not looked at")
	}
}

// TestCountsInTables: the same files as tables are refused with the format that reads them, or
// nothing is in doubt.
func TestCountsInTables(t *testing.T) {
	for _, c := range []struct {
		text string
		opt  vecs.Options
		want string // of the error, none for none
	}{
		{"3 2\na 1 0\nb 1 1\nc 2 2\n", vecs.Options{}, "say vecs.Options.Format vec"},
		{"3 2\n1 1 0\n2 1 1\n3 2 2\n", vecs.Options{IDColumn: "1"}, "say vecs.Options.Format vec"},
		{"3 1\na 1\nb 1\nc 2\n", vecs.Options{IDColumn: "1"}, "say vecs.Options.Format vec"},
		{"3 1\na 1\nb 1\nc 2\n", vecs.Options{Without: []string{"1"}}, "say vecs.Options.Format vec"},
		{"a b 1 0\nc 1 1\n", vecs.Options{}, "column 1 is"},
		{"a 1 0\nb c 1 1\n", vecs.Options{IDColumn: "1"}, "say vecs.Options.Format glove in place of vecs.Options.IDColumn"},
		{"h g\na 1 0\n", vecs.Options{}, "R leaves out the title"},
		{"3 1\n1 1\n2 1\n3 2\n", vecs.Options{}, ""},
		{"2 1\na 1\nb 1\nc 2\n", vecs.Options{IDColumn: "1"}, ""},
	} {
		_, err := vecs.Read(strings.NewReader(c.text), "x.txt", -1, c.opt)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q %+v: %v, expected %q", c.text, c.opt, err, c.want)
		}
	}
}

// TestNotes: what features leave out is counted.
func TestNotes(t *testing.T) {
	for _, c := range []struct {
		file, text string
		opt        vecs.Options
		want       string
		doubt      bool
	}{
		{"x.csv", "a,b,c\n1,2,3\n4,5,6\n", vecs.Options{}, "", false},
		{"x.csv", "a,b,c\n1,2,3\n4,5,6\n", vecs.Options{IDColumn: "b"}, "", false},
		{"x.csv", "a,b,c\n1,2,3\n4,5,6\n", vecs.Options{Without: []string{"b"}}, `1 column ignored (the first: "b")`, false},
		{"x.csv", "a,b,c\n1,2,3\n4,5,6\n", vecs.Options{Columns: []string{"b"}, IDColumn: "a"}, `1 column ignored (the first: "c")`, false},
		{"x.csv", "1,2,3\n4,5,6\n", vecs.Options{Without: []string{"1", "2"}}, `2 columns ignored`, false},
		{"x.csv", "0,1\n1.5,2\n", vecs.Options{}, `1 first line that counts the columns read as a point (the first: line 1, "0 to 1")`, true},
		{"x.csv", "0,1\n1,2\n", vecs.Options{}, "", false},
		{"x.csv", "0,1,2,3,4\n1,2,3,4,5\n", vecs.Options{}, `1 first line that counts the columns read as a point (the first: line 1, "0 to 4")`, true},
		{"x.svm", "# a\n1 1:2 # b\n#1 2:1\n2 2:2\n", vecs.Options{}, `2 comment lines skipped (the first: line 1); 1 column ignored (the first: "label")`, false},
		{"x.svm", "1 1:2\n1 2:1\n", vecs.Options{}, `1 column ignored (the first: "label")`, false},
		{"x.svm", "1 qid:4 1:2\n1 2:1\n", vecs.Options{}, `1 attribute ignored (the first: line 1, "qid:4"); 1 column ignored (the first: "label")`, false},
		{"x.svm", "1 0:2\n1 1:1\n", vecs.Options{}, `1 row with index 0 read: indices count from 0 (the first: line 1); 1 column ignored (the first: "label")`, false},
	} {
		f := readAllWays(t, []byte(c.text), c.file, c.opt)
		if got := f.Notes.String(); got != c.want || (len(f.Notes.Doubtful()) > 0) != c.doubt {
			t.Errorf("%s %q: %s, expected %s", c.file, c.text, got, c.want)
		}
	}
}

// TestIndicesFromZero: a file that counts from 0 has the columns of the same one that counts from 1.
func TestIndicesFromZero(t *testing.T) {
	one := readAllWays(t, []byte("a 2:5 1:1\nb 3:2\n"), "x.svm", vecs.Options{})
	zero := readAllWays(t, []byte("a 1:5 0:1\nb 2:2\n"), "x.svm", vecs.Options{})
	for i := range 2 {
		j1, v1 := one.Sparse.Row(i)
		j0, v0 := zero.Sparse.Row(i)
		if !slices.Equal(j1, j0) || !slices.Equal(v1, v0) || one.Dims() != 3 || zero.Dims() != 3 {
			t.Errorf("row %d: %v %v, %v %v", i, j1, v1, j0, v0)
		}
	}
}
