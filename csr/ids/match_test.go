package ids

import (
	"slices"
	"testing"
)

// TestMatch: names have the numbers of the rows, those without come after them.
func TestMatch(t *testing.T) {
	for _, test := range []struct {
		name, rows *Table
		at         []uint32
		missing    []int
		all        []string
	}{
		{tableOf(t, "c", "a"), tableOf(t, "a", "b", "c"), []uint32{2, 0}, nil, []string{"a", "b", "c"}},
		{tableOf(t, "x", "b", "y"), tableOf(t, "a", "b"), []uint32{2, 1, 3}, []int{0, 2}, []string{"a", "b", "x", "y"}},
		{tableOf(t, "2", "01", "0"), Sequence(3), []uint32{2, 3, 0}, []int{1}, []string{"0", "1", "2", "01"}},
		{Sequence(3), tableOf(t, "1", "z", "0"), []uint32{2, 0, 3}, []int{2}, []string{"1", "z", "0", "2"}},
		{Integers([]int64{5, 7}), Integers([]int64{7, 9}), []uint32{2, 0}, []int{0}, []string{"7", "9", "5"}},
		{tableOf(t), Sequence(2), []uint32{}, nil, []string{"0", "1"}},
	} {
		at, missing := test.name.Match(test.rows)
		if !slices.Equal(at, test.at) || !slices.Equal(missing, test.missing) {
			t.Errorf("at %v, missing %v, want %v and %v", at, missing, test.at, test.missing)
		}
		all, err := test.rows.With(test.name, missing)
		if err != nil {
			t.Fatal(err)
		}
		if names := namesOf(all); !slices.Equal(names, test.all) {
			t.Errorf("together %v, want %v", names, test.all)
		}
	}
}
