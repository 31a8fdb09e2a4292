package crossval

import (
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestRank: the rank of TopOf's class is 1, the ranks of a row are 1 to c, but
// c where the row is not positive.
func TestRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		row := make([]float32, 5)
		positive := 0
		for j := range row {
			row[j] = float32(rng.IntN(6) - 2)
			if row[j] > 0 {
				positive++
			}
		}
		top, seen := diffuse.TopOf(row).Class, make([]int, 6)
		for j := range row {
			place := RankOf(row, j)
			seen[place]++
			if (place == 1) != (int32(j) == top) {
				t.Fatalf("row %v, label %d: class %d has the rank %d", row, top, j, place)
			}
			if row[j] <= 0 && place != 5 {
				t.Fatalf("row %v: class %d has the rank %d", row, j, place)
			}
		}
		for place := 1; place <= min(positive, 4); place++ {
			if seen[place] != 1 {
				t.Fatalf("row %v: %d classes of the rank %d", row, seen[place], place)
			}
		}
	}
}
