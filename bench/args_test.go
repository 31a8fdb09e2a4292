package bench

import (
	"slices"
	"testing"
)

// TestArgsFor: methods without a choice are run without --select, which they refuse.
func TestArgsFor(t *testing.T) {
	args := []string{"--select", "fast", "--rounds", "1", "--select=none"}
	if got := argsFor("lgc", args); !slices.Equal(got, []string{"--rounds", "1"}) {
		t.Errorf("lgc: %q", got)
	}
	for _, method := range []string{"adp", "adp1"} {
		if got := argsFor(method, args); !slices.Equal(got, args) {
			t.Errorf("%s: %q", method, got)
		}
	}
}
