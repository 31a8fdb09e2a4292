//go:build !linux

package machine

import "math"

// ProcessMemory returns no limit: this system is not asked.
func ProcessMemory() (left int64, from string) { return math.MaxInt64, "" }
