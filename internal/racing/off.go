//go:build !race

// Package racing tells tests that the race detector is on, under which a test of
// one goroutine takes twenty times as long and finds nothing more.
package racing

// On reports whether the program is built with the race detector.
const On = false
