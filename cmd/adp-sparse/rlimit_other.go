//go:build !linux

package main

import "math"

// processMemory returns no limit: this system is not asked.
func processMemory() (left int64, from string) { return math.MaxInt64, "" }
