package opened

import (
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// TestOrderAs: entries are between the same names, before and after.
func TestOrderAs(t *testing.T) {
	of := func(names ...string) *ids.Table {
		table := ids.NewTable()
		for _, name := range names {
			if _, err := table.Add([]byte(name)); err != nil {
				t.Fatal(err)
			}
		}
		return table
	}
	w, err := csr.New(3, 3, []int64{0, 2, 3, 4}, []uint32{0, 2, 1, 0}, []float32{1, 2, 3, 2}) // c–c, c–b, a–a
	if err != nil {
		t.Fatal(err)
	}
	g := &Graph{W: w, IDs: of("c", "a", "b")}
	if err := g.OrderAs(&Graph{IDs: of("a", "b", "c")}, true, "learned", "given", 1); err != nil {
		t.Fatal(err)
	}
	indptr, indices, data := g.W.Arrays()
	if !slices.Equal(indptr, []int64{0, 1, 2, 4}) || !slices.Equal(indices, []uint32{0, 2, 1, 2}) || !slices.Equal(data, []float32{3, 2, 2, 1}) {
		t.Errorf("%v %v %v", indptr, indices, data)
	}
}
