// Package panics lets tests see what a function panics with.
package panics

import "fmt"

// Of returns what f panics with, as text, and "" where it returns.
func Of(f func()) (said string) {
	defer func() {
		if fault := recover(); fault != nil {
			said = fmt.Sprint(fault)
		}
	}()
	f()
	return ""
}
