//go:build unix

package machine

import (
	"testing"
)

func TestHighWater(t *testing.T) {
	for status, want := range map[string]int64{
		"Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t   12 kB\nVmRSS:\t 3 kB\n": 12 << 10,
		"VmPeak:\t900 kB\n": 0,
		"VmHWM:\tmany kB\n": 0,
		"":                  0,
	} {
		if got := highWater(status); got != want {
			t.Errorf("%q: %d, expected %d", status, got, want)
		}
	}
}
