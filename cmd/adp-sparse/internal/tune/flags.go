package tune

import (
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
)

// flags are the flags of `tune`.
type flags struct {
	source.Flags
	methods                []string
	kinds, metrics, scales []string
	ks, topKs              []int
	alphas, zetas          []float64
	shares                 []float64
	folds, repeats         int
	given                  []givenFlag
	changed                func(flag string) bool
	warned                 bool // of what readers noted
	asJSON                 bool
}

// givenFlag is a flag of the command line: its name, and its text with the value.
type givenFlag struct{ name, text string }

// orOne returns the values, or a single one.
func orOne[T any](values []T, single T) []T {
	if len(values) == 0 {
		return []T{single}
	}
	return values
}

// orNone returns pointers to the values, or one nil pointer.
func orNone[T any](values []T) []*T {
	if len(values) == 0 {
		return []*T{nil}
	}
	out := make([]*T, len(values))
	for k := range values {
		out[k] = &values[k]
	}
	return out
}
