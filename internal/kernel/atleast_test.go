package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAtLeast: every version sets exactly the bits of the numbers that are at
// least the floor, equal ones too and NaN not, at all lengths about whole words,
// clears the others, and writes nothing outside the mask.
func TestAtLeast(t *testing.T) {
	const words = 4
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			use(t, name)
			rng := rand.New(rand.NewPCG(1, 10))
			for n := range words*Rows + 1 {
				_, vals := fenced(n, 3, func() float32 { return float32(rng.IntN(5)) - 2 })
				if n > 0 {
					vals[rng.IntN(n)] = float32(math.NaN())
				}
				for _, floor := range []float32{-3, -2, 0, 1, 2, 3, guard} {
					whole, mask := fencedPlaces(words)
					for m := range mask {
						mask[m] = rng.Uint32()
					}
					AtLeast(mask, vals, floor)
					for s := range words * Rows {
						want := s < n && vals[s] >= floor
						if got := mask[s/32]>>(s%32)&1 == 1; got != want {
							t.Fatalf("number %d of %d, floor %v: %v, want %v", s, n, floor, got, want)
						}
					}
					for i := range 3 {
						if whole[i] != math.Float32bits(guard) || whole[len(whole)-1-i] != math.Float32bits(guard) {
							t.Fatalf("%d numbers: wrote outside", n)
						}
					}
				}
			}
		})
	}
}
