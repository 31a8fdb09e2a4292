//go:build race

package racing

// On reports whether the program is built with the race detector.
const On = true
