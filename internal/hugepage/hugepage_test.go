package hugepage

import "testing"

// TestAdvise: blocks of all sizes about the smallest keep their numbers; what
// the system does with the advice shows in speed only.
func TestAdvise(t *testing.T) {
	for _, n := range []int{0, 1, size / 4, smallest/4 - 1, smallest / 4, smallest/4 + 1, smallest} {
		block := make([]float32, n)
		for k := range block {
			block[k] = float32(k % 1000)
		}
		Advise(block)
		Fresh(block)
		for k, v := range block {
			if v != float32(k%1000) {
				t.Fatalf("%d numbers: number %d is %v", n, k, v)
			}
		}
	}
}
