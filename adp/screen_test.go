package adp

import (
	"context"
	"testing"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestDoubtedBeforeRounds: where LGC cuts almost no edges and gets few left-out seeds right, no graph is learned,
// unless all folds are asked for.
func TestDoubtedBeforeRounds(t *testing.T) {
	const n, count = 2000, 20
	w := ringOf(t, n, 3)
	seeds := func(class func(k int) int) *diffuse.Seeds {
		var list []diffuse.Seed
		for k := range count {
			list = append(list, diffuse.Seed{Node: uint32(k * n / count), Class: uint32(class(k)), Weight: 1})
		}
		y, err := diffuse.NewSeeds(n, 2, list)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	for _, test := range []struct {
		name  string
		class func(k int) int
		opt   Options
		tries bool
	}{
		{"pairs of seeds", func(k int) int { return k / 2 % 2 }, Options{}, false},
		{"the same, all folds", func(k int) int { return k / 2 % 2 }, Options{TrialFolds: 4}, true},
		{"two halves", func(k int) int { return 2 * k / count }, Options{}, true},
	} {
		r, err := Run(context.Background(), w, seeds(test.class), test.opt)
		if err != nil {
			t.Fatal(err)
		}
		if of := r.Rounds[0].Association; of < sureAssociation {
			t.Errorf("%s: association %v, expected a larger one", test.name, of)
		}
		if tries := len(r.Rounds) > 1; tries != test.tries {
			t.Errorf("%s: %d rounds", test.name, len(r.Rounds))
		}
	}
}
