//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"
)

// tableCases are what a stranger met who tried his tables.
func tableCases(t *testing.T) []trouble {
	const wide = "1,1,1000\n2,1,5000\n1,2,9000\n3,1,2000\n"
	const two = "0 x\n1 y\n"
	var points, numbers strings.Builder
	for i := range 12 {
		fmt.Fprintf(&points, "%d,%d\n", i*i%7, i)
		fmt.Fprintf(&numbers, "%d %d\n", i, i*i*37+5)
	}
	return []trouble{
		{"tables: accepted: whole numbers as labels", pointsOf("x.csv", points.String(), numbers.String()), 0, `warning [number-labels]: labels: 12 labels that are a whole number of one node read as the name of a class (the first: "5"); numbers are not predicted: make classes of them, such as low and high`},
		{"tables: accepted: a column of another unit by manhattan", pointsOf("x.csv", wide, two, "--metric manhattan"), 0, "warning [one-column]: column 3 of the features has 100.0 % of the variance"},
		{"tables: accepted: a column of another unit by lle", pointsOf("x.csv", wide, two, "--graph-kind lle --scale none"), 0, "warning [one-column]: column 3 of the features"},
	}
}
