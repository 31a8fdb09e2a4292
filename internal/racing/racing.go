// Package racing tells tests that the race detector is on, under which sums take 15 times as long.
package racing

import "testing"

// LongSum skips a test under the race detector. It is for long sums, or files one after the other, in code that
// shorter tests run in as many goroutines.
func LongSum(t testing.TB) {
	if On {
		t.Helper()
		t.Skip("a long sum: shorter tests race this code")
	}
}
