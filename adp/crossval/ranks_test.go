package crossval

import (
	"math"
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

// TestAgainst: who got which seeds right, and the lead in reciprocal ranks, by hand.
func TestAgainst(t *testing.T) {
	for _, test := range []struct {
		a, b      Ranks
		won, lost int
		lead      float64
	}{
		{Ranks{1, 1}, Ranks{2, 2}, 2, 0, math.Sqrt2}, // (½+½)/√(¼+¼)
		{Ranks{1, 2, 1, 3}, Ranks{2, 1, 1, 3}, 1, 1, 0},
		{Ranks{2, 4}, Ranks{4, 4}, 0, 0, 1},
		{Ranks{3}, Ranks{3}, 0, 0, 0}, // no difference, no lead
	} {
		won, lost, lead := test.a.Against(test.b)
		if won != test.won || lost != test.lost || math.Abs(lead-test.lead) > 1e-12 {
			t.Errorf("%v against %v: won %d, lost %d, lead %v, expected %d, %d, %v", test.a, test.b, won, lost, lead, test.won, test.lost, test.lead)
		}
	}
	if ranks := (Ranks{1, 2, 1, 5}); ranks.Accuracy() != 0.5 || ranks.Wrong() != 2 {
		t.Errorf("%v: %v right, %d wrong", ranks, ranks.Accuracy(), ranks.Wrong())
	}
}
