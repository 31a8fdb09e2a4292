package forest

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// TestForest: the sets are those of marks that are spread until nothing changes,
// and their smallest numbers stand for them, with one goroutine and with four.
func TestForest(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		n := 1 + random.IntN(300)
		pairs := make([][2]uint32, random.IntN(n+n/2+1))
		for k := range pairs {
			pairs[k] = [2]uint32{uint32(random.IntN(n)), uint32(random.IntN(n))}
		}
		want := make([]uint32, n)
		for i := range want {
			want[i] = uint32(i)
		}
		for changed := true; changed; {
			changed = false
			for _, p := range pairs {
				least := min(want[p[0]], want[p[1]])
				changed = changed || want[p[0]] != least || want[p[1]] != least
				want[p[0]], want[p[1]] = least, least
			}
		}
		for _, workers := range []int{1, 4} {
			f := New(n)
			var group sync.WaitGroup
			for w := range workers {
				group.Go(func() {
					for k := w; k < len(pairs); k += workers {
						f.Unite(pairs[k][0], pairs[k][1])
					}
				})
			}
			group.Wait()
			for i, least := range want {
				if got := f.Find(uint32(i)); got != least {
					t.Fatalf("seed %d, %d goroutines: %d is in the set of %d, expected %d", seed, workers, i, got, least)
				}
			}
		}
	}
}
