package kernel

import (
	"math"
	"slices"
	"testing"
)

// TestAsk: to ask for rows changes nothing, wherever they are.
func TestAsk(t *testing.T) {
	x := []float32{1, 2, 3, 4, 5, 6}
	rows := []uint32{0, 2, 1, math.MaxUint32}
	Ask(x, 2, 2, rows)
	Ask(x, 2, 2, nil)
	Ask(nil, 2, 2, rows)
	Ask(x, 2, 0, rows)
	if !slices.Equal(x, []float32{1, 2, 3, 4, 5, 6}) || rows[3] != math.MaxUint32 {
		t.Errorf("changed to %v, %v", x, rows)
	}
}
