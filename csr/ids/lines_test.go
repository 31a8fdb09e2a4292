package ids

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// TestReadLines: names in their order, and every fault with its line.
func TestReadLines(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string // the names, or part of the error
		bad  bool
	}{
		{"b\na\n#c\n%d\n", 4, "b|a|#c|%d", false},
		{"\xef\xbb\xbfb\r\n a b \r\n\n7", 3, "b|a b|7", false},
		{"1\n0\n", 2, "1|0", false},
		{"a,b\nc d\n", 2, "a,b|c d", false},
		{"", 0, "", false},
		{"a\nb\n", 3, "f: 2 names, expected 3", true},
		{"a\nb\nc\n", 2, "f: 3 names, expected 2", true},
		{"a\n\nb\na\n", 3, `f:4: name "a" is that of node 0 already`, true},
		{"a\tb\n", 1, "f:1: 2 columns, expected one name", true},
		{"a\n\x00\n", 2, "f:2: control byte 0x00", true},
		{"a\n\xff\n", 2, "f:2: ", true},
		{"\x1f\x8b\x08\x00", 1, "f: reading after line 0", true},
	} {
		table, err := ReadLines(strings.NewReader(test.text), "f", test.n)
		if test.bad {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q: %v, expected %q", test.text, err, test.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		var names []string
		for i := range table.Len() {
			names = append(names, table.Name(i))
			if at, ok := table.Lookup([]byte(names[i])); !ok || int(at) != i {
				t.Errorf("%q: %q is node %d, %v", test.text, names[i], at, ok)
			}
		}
		if got := strings.Join(names, "|"); got != test.want {
			t.Errorf("%q: names %q, expected %q", test.text, got, test.want)
		}
	}
}

// TestWriteLines: names that would not come back are errors.
func TestWriteLines(t *testing.T) {
	for name, fits := range map[string]bool{"a": true, "#a": true, "a b": true, "é": true, " a": false, "a ": false, "a\tb": false, "a\nb": false, "\ufeffa": false} {
		table := NewTable()
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := table.WriteLines(&out); (err == nil) != fits || err != nil && !errors.Is(err, lines.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	var out bytes.Buffer
	if err := Sequence(3).WriteLines(&out); err != nil || out.String() != "0\n1\n2\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// FuzzReadLines: whatever is read is written to lines that give the same names.
func FuzzReadLines(f *testing.F) {
	for _, text := range []string{"a\nb\n", "\xef\xbb\xbf1\r\n\r\n2", "#\n%x \n a", "a\tb", "a\na", "\xff"} {
		f.Add([]byte(text), uint16(2))
	}
	f.Fuzz(func(t *testing.T, text []byte, n uint16) {
		table, err := ReadLines(bytes.NewReader(text), "f", int(n))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := table.WriteLines(&out); err != nil {
			if !errors.Is(err, lines.ErrName) {
				t.Fatal(err)
			}
			return
		}
		back, err := ReadLines(&out, "f", int(n))
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(n) {
			if back.Name(i) != table.Name(i) {
				t.Fatalf("node %d: %q, was %q", i, back.Name(i), table.Name(i))
			}
		}
	})
}
