package labelfile

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// integers returns a .npy file of int64 values.
func integers(values ...int64) []byte {
	b := npy.AppendHeader(nil, "<i8", int64(len(values)))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

// floats returns a .npy file of float64 values.
func floats(values ...float64) []byte {
	b := npy.AppendHeader(nil, "<f8", int64(len(values)))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// texts returns a .npy file of texts of at most three characters.
func texts(values ...string) []byte {
	b := npy.AppendHeader(nil, "<U3", int64(len(values)))
	for _, v := range values {
		for _, c := range append([]rune(v), 0, 0, 0)[:3] {
			b = binary.LittleEndian.AppendUint32(b, uint32(c))
		}
	}
	return b
}

func numbered(n int) *ids.Table { return ids.Sequence(n) }

// TestReadVector: element i is the label of node i, and those without one are
// counted; the seeds are those of the same labels as lines.
func TestReadVector(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(integers(2, -1, 10, 2)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		content []byte
		text    string
	}{
		"integers":   {integers(2, -1, 10, 2), "0 2\n2 10\n3 2\n"},
		"compressed": {packed.Bytes(), "0 2\n2 10\n3 2\n"},
		"floats":     {floats(2, math.NaN(), 10, 2), "0 2\n2 10\n3 2\n"},
		"of -1":      {floats(2, -1, 10, 2), "0 2\n2 10\n3 2\n"},
		"float32":    {append(npy.AppendHeader(nil, "<f4", 4), 0, 0, 0, 64, 0, 0, 192, 127, 0, 0, 32, 65, 0, 0, 0, 64), "0 2\n2 10\n3 2\n"},
		"texts":      {texts("", "né", "b", "né"), "1 né\n2 b\n3 né\n"},
		"blanks":     {texts(" ", "né ", " b", "né"), "1 né\n2 b\n3 né\n"},
		"bytes":      {append(npy.AppendHeader(nil, "|S4", 4), "\x00\x00\x00\x00né\x00b \x00\x00né\x00"...), "1 né\n2 b\n3 né\n"},
		// np.array([0, -1, 1, 0], dtype='>i2')
		"int16, the other byte order": {append(npy.AppendHeader(nil, ">i2", 4), 0, 0, 255, 255, 0, 1, 0, 0), "0 0\n2 1\n3 0\n"},
	} {
		got, err := ReadVector(bytes.NewReader(test.content), "y.npy", numbered(4), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, err := Read(strings.NewReader(test.text), "f", numbered(4), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Classes, want.Classes) || !slices.Equal(got.Seeds, want.Seeds) || got.Stats.Blank != 1 {
			t.Errorf("%s: %+v, expected %+v", name, got, want)
		}
	}
	longer, err := ReadVector(bytes.NewReader(integers(0, 1, 1, 0)), "y.npy", numbered(3), Options{SkipUnknown: true})
	if err != nil || len(longer.Seeds) != 3 || longer.Stats.Unknown != 1 {
		t.Errorf("a label of no node: %+v, %v", longer, err)
	}
	// Rows have names, and one of these is the number of an element past them.
	named := tableOf(t, "7", "3", "5")
	longer, err = ReadVector(bytes.NewReader(integers(0, -1, 1, 0)), "y.npy", named, Options{Rows: 3, SkipUnknown: true})
	if err != nil || longer.Stats.Unknown != 1 || !slices.Equal(longer.Seeds, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 2, Class: 1, Weight: 1}}) {
		t.Errorf("a label past the rows: %+v, %v", longer, err)
	}
}

// TestReadVectorFaults: each fault names the file and, where there is one, the element.
func TestReadVectorFaults(t *testing.T) {
	for name, test := range map[string]struct {
		content []byte
		want    string
	}{
		"too few":      {integers(0, 1), "y.npy: 2 labels, expected 3: one for each of the nodes, in their order (-1, nan, or empty text, for none)"},
		"too many":     {integers(0, 1, 1, 1), "y.npy: 4 labels, expected 3"},
		"below -1":     {integers(0, 1, -2), "y.npy: element 2: label -2, expected at least 0, or -1 for none"},
		"none":         {integers(-1, -1, -1), "y.npy: no labels of nodes of the graph, expected labels other than -1, nan, or empty text"},
		"no text":      {texts("", "", ""), "y.npy: no labels of nodes of the graph"},
		"one-hot":      {npy.AppendHeader(nil, "<i8", 3, 2), "y.npy: shape (3, 2), expected a 1-D array of labels, one a node; of rows with a 1 in the column of their class: save y.argmax(axis=1)"},
		"a row":        {npy.AppendHeader(nil, "<i8", 1, 3), "y.npy: shape (1, 3), expected a 1-D array of labels, one a node: save y.ravel()"},
		"three-dim.":   {npy.AppendHeader(nil, "<i8", 3, 1, 1), "y.npy: shape (3, 1, 1), expected a 1-D array of labels, one a node"},
		"structured":   {[]byte(strings.Replace(string(integers(0, 1, 1)), "'<i8'", "[('', '<i8')]", 1)), "y.npy: structured dtype"},
		"complex":      {npy.AppendHeader(nil, "<c8", 3), `y.npy: dtype "<c8", expected b1,`},
		"fractions":    {floats(0, math.NaN(), 0.5), "y.npy: element 2: value 0.5, expected whole numbers (or text: y.astype(str))"},
		"infinity":     {floats(0, math.Inf(1), 1), "y.npy: element 1: value +Inf, expected whole numbers"},
		"past 2^53":    {floats(0, 1e17, 1), "y.npy: element 1: value 1e+17, expected whole numbers"},
		"floats below": {floats(0, 1, -2), "y.npy: element 2: label -2, expected at least 0, or -1 for none"},
		"objects":      {npy.AppendHeader(nil, "|O", 3), `y.npy: dtype "|O" holds pickled objects`},
		"long texts":   {npy.AppendHeader(nil, "<U999", 3), "y.npy: texts of 3996 bytes, expected at most 1024"},
		"a control":    {texts("a", "b\tc", ""), `y.npy: element 1: label "b\tc", expected UTF-8 without control characters`},
		"a NUL inside": {texts("a", "b\x00c", ""), `y.npy: element 1: label "b\x00c", expected UTF-8 without control characters`},
		"Latin-1":      {append(npy.AppendHeader(nil, "|S2", 3), "a\x00n\xe9b\x00"...), `y.npy: element 1: "n\xe9" is not UTF-8`},
		"cut":          {integers(0, 1, 1)[:150], "y.npy: ends after 2 of the 3 elements"},
		"bytes follow": {append(integers(0, 1, 1), 0), "y.npy: bytes follow the 3 elements"},
		"not an array": {[]byte("0 1\n2 3\n4 5\n"), "y.npy: not a .npy array"},
		"past int64":   {append(npy.AppendHeader(nil, "<u8", 3), bytes.Repeat([]byte{255}, 24)...), "y.npy: element 0: value 18446744073709551615"},
	} {
		_, err := ReadVector(bytes.NewReader(test.content), "y.npy", numbered(3), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, expected %s", name, err, test.want)
		}
	}
	names := tableOf(t, "a", "b", "c")
	if _, err := ReadVector(bytes.NewReader(integers(-1, 5, 5)), "y.npy", names, Options{}); err == nil || !strings.Contains(err.Error(), `y.npy: node "0" is not in the graph, and labels without ids are of nodes 0 to 2`) {
		t.Errorf("nodes with names: %v", err)
	}
}

// TestReadVectorNotes: what an element became is counted, and -1 beside 1 alone is a doubt.
func TestReadVectorNotes(t *testing.T) {
	column := integers(2, -1, 10, 2)
	column = append(npy.AppendHeader(nil, "<i8", 4, 1), column[len(column)-32:]...)
	for name, test := range map[string]struct {
		content []byte
		classes []string
		notes   string
		doubt   bool
	}{
		"a column": {column, []string{"2", "10"}, `1 label that is -1 or nan read as none (the first: "element 1")`, false},
		"floats":   {floats(2, 10, 2, math.NaN()), []string{"2", "10"}, `1 label that is -1 or nan read as none (the first: "element 3"); 3 floating-point labels read as a whole number`, false},
		"truth":    {append(npy.AppendHeader(nil, "|b1", 4), 0, 1, 1, 0), []string{"false", "true"}, "4 truth values read as the class true or false", false},
		"signs":    {integers(1, -1, -1, 1), []string{"1"}, `2 labels that are -1 or nan read as none (the first: "element 1")`, true},
		"blanks":   {texts(" a", "a", "b", "c "), []string{"a", "b", "c"}, `2 labels with blanks around trimmed (the first: " a")`, false},
		"alike":    {texts("A", "a", "b", "1"), []string{"1", "A", "a", "b"}, `1 pair of labels alike but for spelling kept as two classes (the first: "A / a")`, true},
		"plain":    {integers(0, 1, 1, 2), []string{"0", "1", "2"}, "", false},
	} {
		got, err := ReadVector(bytes.NewReader(test.content), "y.npy", numbered(4), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(got.Classes, test.classes) || got.Notes.String() != test.notes || (len(got.Notes.Doubtful()) > 0) != test.doubt {
			t.Errorf("%s: %v, %s, doubts %v", name, got.Classes, got.Notes, got.Notes.Doubtful())
		}
	}
}

// FuzzVector: reading a vector never panics; what it reads is a seed an element.
func FuzzVector(f *testing.F) {
	for _, content := range [][]byte{integers(2, -1, 10, 2), texts("", "né", "b", "né"), floats(0, math.NaN()), npy.AppendHeader(nil, "<U999", 3), []byte("\x1f\x8b\x08")} {
		f.Add(content, false)
		f.Add(content, true)
	}
	nodes := numbered(4)
	f.Fuzz(func(t *testing.T, content []byte, skip bool) {
		got, err := ReadVector(bytes.NewReader(content), "y.npy", nodes, Options{SkipUnknown: skip})
		if err != nil {
			return
		}
		seen := map[uint32]bool{}
		for _, s := range got.Seeds {
			if seen[s.Node] || int(s.Node) >= nodes.Len() || int(s.Class) >= len(got.Classes) || s.Weight != 1 {
				t.Errorf("seed %+v of %d classes", s, len(got.Classes))
			}
			seen[s.Node] = true
		}
		if all := len(got.Seeds) + got.Stats.Blank + got.Stats.Unknown; !skip && all != nodes.Len() || got.Stats.Lines != len(got.Seeds)+got.Stats.Unknown {
			t.Errorf("%d seeds of %+v", len(got.Seeds), got.Stats)
		}
	})
}
