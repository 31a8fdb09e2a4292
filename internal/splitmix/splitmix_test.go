package splitmix_test

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// TestNumber: the first outputs of the authors' program from the state 0.
func TestNumber(t *testing.T) {
	for k, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		if got := splitmix.Number(uint64(k)); got != want {
			t.Errorf("number %d is %#x, expected %#x", k, got, want)
		}
	}
}
