package ids_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/ids"
)

func fromNames(names ...string) (*ids.Table, error) {
	ends := []uint64{0}
	for _, name := range names {
		ends = append(ends, ends[len(ends)-1]+uint64(len(name)))
	}
	return ids.FromText([]byte(strings.Join(names, "")), ends)
}

// TestFromText compares tables made of text, sorted by bytes, sorted as
// integers and not sorted, with a map.
func TestFromText(t *testing.T) {
	for _, names := range [][]string{
		{},
		{"a"},
		{"a", "b", "ba", "é"},
		{"-10", "-9", "2", "07", "7", "10"},
		{"10", "2", "x"},
		{"10", "2", "7"},
		{"c", "a", "b"},
	} {
		table, err := fromNames(names...)
		if err != nil {
			t.Fatal(names, err)
		}
		for _, probe := range append([]string{"", "zz", "1", "-1", "8", "007", "c"}, names...) {
			i, ok := table.Lookup([]byte(probe))
			if want := slices.Index(names, probe); ok != (want >= 0) || ok && int(i) != want {
				t.Errorf("%q: Lookup(%q) = %d, %v, expected %d", names, probe, i, ok, want)
			}
		}
		i, err := table.Add([]byte("new"))
		if err != nil || int(i) != len(names) || table.Len() != len(names)+1 || table.Name(int(i)) != "new" {
			t.Errorf("%q: Add gives %d, %v", names, i, err)
		}
		for want, name := range names {
			if i, ok := table.Lookup([]byte(name)); !ok || int(i) != want {
				t.Errorf("%q: Lookup(%q) = %d, %v after Add", names, name, i, ok)
			}
		}
	}
}

// TestFromTextMany grows a loaded table far past the slots it began with.
func TestFromTextMany(t *testing.T) {
	table, err := fromNames("b", "a")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5000 {
		if _, err := table.Add([]byte(strings.Repeat("x", i+1))); err != nil {
			t.Fatal(err)
		}
	}
	table.Sort()
	if i, ok := table.Lookup([]byte("a")); !ok || i != 0 || table.Len() != 5002 {
		t.Errorf("a is %d (%v) of %d after Sort, expected the first", i, ok, table.Len())
	}
}

// TestFromTextKeeps checks that the arrays, which may be read-only memory,
// are not written to.
func TestFromTextKeeps(t *testing.T) {
	text, ends := []byte("abcd")[:3], []uint64{0, 1, 2, 3, 99}[:4]
	table, err := ids.FromText(text, ends)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Add([]byte("z")); err != nil {
		t.Fatal(err)
	}
	if string(text[:4]) != "abcd" || ends[:5][4] != 99 {
		t.Error("Add wrote past the arrays it was given")
	}
}

func TestIsSequence(t *testing.T) {
	table, err := fromNames("0", "1")
	if err != nil || table.IsSequence() || !ids.Sequence(2).IsSequence() {
		t.Errorf("IsSequence is wrong (%v)", err)
	}
}
