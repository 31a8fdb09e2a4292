package grow

import (
	"math"
	"testing"
)

// TestGrow appends all elements that were claimed, and checks that they stay,
// that room is never more than step times what has arrived, beyond the first,
// and that it ends at exactly the claim.
func TestGrow(t *testing.T) {
	for _, n := range []int{0, 1, first - 1, first, first + 1, 4*first + 1, 1000003} {
		s := []int32(nil)
		for k := range n {
			s = Slice(s, int64(n))
			if len(s) == cap(s) || cap(s) > max(first, step*len(s)+step) {
				t.Fatalf("n %d: room for %d with %d elements", n, cap(s), len(s))
			}
			s = append(s, int32(k))
		}
		if n > 0 && cap(Slice(s, int64(n))) != n {
			t.Errorf("n %d: room for %d in the end", n, cap(s))
		}
		for k, v := range s {
			if v != int32(k) {
				t.Fatalf("n %d: element %d is %d", n, k, v)
			}
		}
	}
	if s := Slice([]byte(nil), math.MaxInt64); cap(s) > first {
		t.Errorf("room for %d of %d elements at once", cap(s), int64(math.MaxInt64))
	}
}
