package ids_test

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// TestIntegers: the table of integers answers like one of their names.
func TestIntegers(t *testing.T) {
	for _, values := range [][]int64{{}, {0}, {0, 1, 2}, {1, 2, 3}, {-12, -1, 0, 7, 9, 10, 1 << 40}} {
		table := ids.Integers(values)
		names := ids.NewTable()
		for i, v := range values {
			name := table.Name(i)
			if _, err := names.Add([]byte(name)); err != nil {
				t.Fatal(err)
			}
			if got, ok := ids.Plain([]byte(name)); !ok || got != v {
				t.Errorf("name %d of %v is %q", i, values, name)
			}
		}
		if table.Len() != len(values) || table.IsSequence() != (len(values) == 0 || values[0] == 0) {
			t.Errorf("%v: %d names, sequence %v", values, table.Len(), table.IsSequence())
		}
		for _, probe := range []string{"", "-", "0", "-0", "00", "1", "01", "+1", "3", "-12", "-012", "7", "8", "x", "7x", "1099511627776", "99999999999999999999", "9223372036854775808"} {
			got, ok := table.Lookup([]byte(probe))
			want, wantOK := names.Lookup([]byte(probe))
			if ok != wantOK || ok && got != want {
				t.Errorf("%v: Lookup(%q) is %d, %v, expected %d, %v", values, probe, got, ok, want, wantOK)
			}
		}
		if _, err := table.Add([]byte("new")); err == nil {
			t.Errorf("%v took another name", values)
		}
		for i, to := range table.Sort() {
			if int(to) != i {
				t.Errorf("%v: Sort moves %d to %d", values, i, to)
			}
		}
	}
}

// TestAddToIntegers: a name that a table of integers has gets its number, and no other is taken.
func TestAddToIntegers(t *testing.T) {
	for _, table := range []*ids.Table{ids.Sequence(3), ids.Integers([]int64{-5, 0, 7})} {
		for i := range table.Len() {
			if got, err := table.Add([]byte(table.Name(i))); err != nil || int(got) != i {
				t.Errorf("%s: %d, %v, expected %d", table.Name(i), got, err, i)
			}
		}
		for _, name := range []string{"8", "x", "", "02"} {
			if got, err := table.Add([]byte(name)); err == nil {
				t.Errorf("%q: %d", name, got)
			}
		}
	}
}
