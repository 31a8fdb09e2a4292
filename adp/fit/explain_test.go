package fit

import (
	"context"
	"math"
	"testing"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestFeatureSum: the parts by columns and by nodes have one sum, which is the difference of the
// scores of the regression; of sparse features and of dense ones.
func TestFeatureSum(t *testing.T) {
	ctx := context.Background()
	sparse, _ := words(t, 200, 3, 60, 0.6, 4)
	dense := cloud(t, 150, 3, 6, 4)
	for name, in := range map[string]Input{"sparse": sparse, "dense": dense} {
		g, err := NewGraph(ctx, in, GraphOptions{Fixed: true})
		if err != nil {
			t.Fatal(err)
		}
		scores, err := NewFeatureScores(ctx, in, g, 2)
		if err != nil {
			t.Fatal(err)
		}
		dual, err := diffuse.NewDual(ctx, scores.x, in.Seeds, 2)
		if err != nil {
			t.Fatal(err)
		}
		all, err := dual.Scores(ctx, seedRidge)
		if err != nil {
			t.Fatal(err)
		}
		for _, node := range []int{0, 7, 149} {
			sum, err := scores.Sum(ctx, node, 1, 2)
			if err != nil {
				t.Fatal(err)
			}
			want := float64(all.At(node, 1)) - float64(all.At(node, 2))
			byNode := 0.0
			for _, part := range sum.Nodes {
				byNode += part.Amount
			}
			if math.Abs(sum.Total-want) > 1e-5 || math.Abs(byNode-want) > 1e-5 {
				t.Errorf("%s, node %d: %v by columns, %v by nodes, expected %v", name, node, sum.Total, byNode, want)
			}
			for k := 1; k < len(sum.Columns); k++ {
				if math.Abs(sum.Columns[k].Amount) > math.Abs(sum.Columns[k-1].Amount) {
					t.Errorf("%s, node %d: column %d is larger than the one before", name, node, k)
				}
			}
		}
	}
}
