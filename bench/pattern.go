package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
)

// Patterns are the names of the patterns that [Pattern] makes.
var Patterns = []string{"knn", "random", "power-law"}

// Pattern returns an n×n matrix with about n·degree entries, values uniform in
// (0,1], the same for the same seed:
//
//	knn        columns near the diagonal, at distances that spread like those of
//	           a kNN graph in a fair order (Laplace, mean 1000), one in ten anywhere
//	random     columns uniform
//	power-law  lengths of rows and choice of columns ∝ rank^-1/2 over shuffled
//	           nodes, so that a few rows and columns hold many entries
//
// Columns drawn twice in a row are stored once.
func Pattern(name string, n, degree int, seed uint64) (*csr.Matrix, error) {
	rng := rand.New(rand.NewPCG(seed, 0x7370_6d6d))
	length := func(int) int { return degree }
	var column func(i int) int
	switch name {
	case "knn":
		column = func(i int) int {
			if rng.IntN(10) == 0 {
				return rng.IntN(n)
			}
			distance := 1 + int(1000*rng.ExpFloat64())
			if rng.IntN(2) == 0 {
				distance = -distance
			}
			return ((i+distance)%n + n) % n
		}
	case "random":
		column = func(int) int { return rng.IntN(n) }
	case "power-law":
		// A uniform number u squared has the density of rank^-1/2.
		node := rng.Perm(n)
		rank := make([]int, n)
		for r, i := range node {
			rank[i] = r
		}
		length = func(i int) int {
			return min(n/2, 1+int(float64(degree)/2*math.Sqrt(float64(n)/float64(rank[i]+1))))
		}
		column = func(int) int {
			u := rng.Float64()
			return node[int(u*u*float64(n))]
		}
	default:
		return nil, fmt.Errorf("pattern %q, expected one of %q", name, Patterns)
	}
	indptr := make([]int64, n+1)
	indices := make([]uint32, 0, n*degree)
	for i := range n {
		start := len(indices)
		for range length(i) {
			indices = append(indices, uint32(column(i)))
		}
		row := indices[start:]
		slices.Sort(row)
		indices = indices[:start+len(slices.Compact(row))]
		indptr[i+1] = int64(len(indices))
	}
	data := make([]float32, len(indices))
	for k := range data {
		data[k] = 1 - rng.Float32()
	}
	return csr.New(n, n, indptr, indices, data)
}
