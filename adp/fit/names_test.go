package fit

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestNamesOfClasses: the number that a class has, which comes from its name, changes no label and no probability by more than
// rounding: neither folds nor trees depend on it.
func TestNamesOfClasses(t *testing.T) {
	racing.LongSum(t)
	linked, _ := joined(t, 300, 4, 30, true)
	documents, _ := words(t, 240, 4, 60, 0.7, 8)
	both := cloud(t, 300, 5, 6, 8)
	table := both
	table.Edges = nil
	inputs := map[string]Input{"edges": linked, "words": documents, "both": both, "table": table}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		in := inputs[name]
		c := in.Seeds.Classes
		renamed := func(class int) int { return (class + 1) % c }
		want, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		seeds := slices.Clone(in.Seeds.List())
		for k := range seeds {
			seeds[k].Class = uint32(renamed(int(seeds[k].Class)))
		}
		if in.Seeds, err = diffuse.NewSeeds(in.Seeds.Nodes, c, seeds); err != nil {
			t.Fatal(err)
		}
		got, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for i := range want.F.Rows {
			for j, v := range want.F.Row(i) {
				most = max(most, math.Abs(float64(v-got.F.At(i, renamed(j)))))
			}
		}
		if most > 1e-3 {
			t.Errorf("%s: a probability differs by %v", name, most)
		}
	}
}
