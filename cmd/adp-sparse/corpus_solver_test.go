//go:build unix

package main

import (
	"fmt"
	"strings"
)

// solve labels a graph by a method, answers to standard output, and wants it to converge.
func solve(graph, labels, args string) given {
	return given{
		args:  "run --edges w --labels l --proba --out - --quiet --require-converged --class-prior none --method " + args,
		files: map[string]string{"w": graph, "l": labels},
	}
}

// Graphs with weights over many decades: between p, q and r, and from there to the seeds.
const (
	silentGraph  = "r2\tr13\t200000.0\nr3\tr17\t0.0001\nr2\tr22\t9.0\nr0\tr17\t0.005\nr17\tr11\t10000.0\nr11\tr10\t0.07\nr10\tr22\t30.0\nr21\tr17\t60000.0\nr1\tr24\t800.0\n"
	silentLabels = "r0\tA\nr1\tB\nr2\tC\nr3\tA\n"
	smallGraph   = "a p 0.005\np q 60000\np r 10000\nr s 0.07\ns c 30\n"
	wideGraph    = "a p 0.00000002\np q 100000000\nq r 30000000\nr c 0.00000001\n"
	ends         = "a A\nc C\n"
)

// longPath is a path of n nodes in pairs: weights of a million inside them, of a ten-thousandth
// between them. Its ends are 0 and n−1.
func longPath(n int) string {
	var b strings.Builder
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "%d %d %v\n", i-1, i, []float64{1e-4, 1e6}[i%2])
	}
	return b.String()
}

// solverCases are solves on which conjugate gradients in float32 fail. The shares are exact: of
// GFHF on a path, those of the resistances to its ends.
var solverCases = []trouble{
	{"solver: gfhf: a gap below the rounding of S", solve(silentGraph, silentLabels, "gfhf"), 0, "r11\tC\t0.931451\t0.862902 … r17\tC\t0.931451 … r21\tC\t0.931451"},
	{"solver: gfhf: a small one", solve(smallGraph, ends, "gfhf"), 0, "p\tC\t0.933188\t0.866375 … q\tC\t0.933188 … r\tC\t0.933188"},
	{"solver: gfhf: sixteen decades", solve(wideGraph, ends, "gfhf"), 0, "p\tA\t0.666667\t0.333333 … q\tA\t0.666667 … r\tA\t0.666667"},
	{"solver: gfhf: too large for elimination unless it fails", solve(longPath(10000), "0 A\n9999 C\n", "gfhf"), 0, "2499\tA\t0.750150 … 4997\tA\t0.500300"},
	{"solver: lgc: sixteen decades", solve(wideGraph, ends, "lgc"), 0, "p\tA\t0.592093 … q\tA\t0.585786 … r\tA\t0.565189"},
	{"solver: poisson: a gap below the rounding of S", solve(smallGraph, ends, "poisson"), 0, "p\tA\t0.73 … q\tA\t0.73 … r\tA\t0.72 … s\tC"},
}
