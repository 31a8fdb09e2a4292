package csr

import (
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Edges is a list of weighted edges between nodes 0 to n-1: edge e joins
// Src[e] and Dst[e] with weight Weight[e]. A nil Weight means that all
// weights are 1. Weights are finite and at least 0.
type Edges struct {
	Src, Dst []uint32
	Weight   []float32
}

// Duplicates says what becomes of edges given more than once.
type Duplicates int

// The rules for duplicates. None depends on the order of the edges.
const (
	DuplicatesSum   Duplicates = iota // weights are added (default)
	DuplicatesMax                     // the largest weight stays
	DuplicatesError                   // FromEdges returns a *DuplicateError
)

// BuildOptions are the options of [FromEdges]. The zero value reads
// undirected edges and sums duplicates.
type BuildOptions struct {
	// Directed keeps the direction of edges: a-b and b-a are then different
	// edges, and the result is not symmetric.
	Directed   bool
	Duplicates Duplicates
	Threads    int // zero means GOMAXPROCS
}

// BuildStats counts what [FromEdges] did not take as it was.
type BuildStats struct {
	SelfLoops  int `json:"self_loops"`  // edges from a node to itself: dropped
	ZeroWeight int `json:"zero_weight"` // edges of weight 0: dropped
	Duplicates int `json:"duplicates"`  // further edges of the same pair: merged
}

// FromEdges returns the n×n adjacency matrix W of the edges: W is symmetric
// with W_ij = W_ji the merged weight of all edges between i and j, or, with
// Directed, W_ij that of all edges from i to j. The diagonal is empty. The
// result does not depend on the order of the edges: duplicates are added in
// order of weight, in float64.
//
// Edges are counted a row, scattered to their rows as packed (column,
// weight) words, and each row is sorted by itself; there is no sort of all
// triples and no map. FromEdges consumes e: its slices are set to nil once
// they are scattered, so that they can be freed. The peak is 28 to 32 bytes
// an undirected edge, 16 of them the result's.
//
// An endpoint that is not below n, or a weight that is negative or not
// finite, gives a [*StructureError]. A merged weight past the range of float32
// is an error too.
func FromEdges(n int, e *Edges, opt BuildOptions) (*Matrix, BuildStats, error) {
	var stats BuildStats
	if err := checkEdges(n, e); err != nil {
		return nil, stats, err
	}
	indptr := make([]int64, n+1)
	for k, i := range e.Src {
		switch j := e.Dst[k]; {
		case i == j:
			stats.SelfLoops++
		case e.Weight != nil && e.Weight[k] == 0:
			stats.ZeroWeight++
		default:
			indptr[i+1]++
			if !opt.Directed {
				indptr[j+1]++
			}
		}
	}
	for i := range n {
		indptr[i+1] += indptr[i]
	}
	packed := scatter(e, indptr, opt.Directed)
	*e = Edges{}
	return mergeRows(n, indptr, packed, opt, stats)
}

func checkEdges(n int, e *Edges) error {
	if n < 0 || n > MaxDim {
		return &StructureError{-1, fmt.Sprintf("%d nodes, expected 0 to %d", n, MaxDim)}
	}
	if len(e.Src) != len(e.Dst) || e.Weight != nil && len(e.Weight) != len(e.Src) {
		return &StructureError{-1, fmt.Sprintf("%d sources, %d destinations and %d weights, expected equal lengths", len(e.Src), len(e.Dst), len(e.Weight))}
	}
	for k, i := range e.Src {
		if top := max(i, e.Dst[k]); int64(top) >= int64(n) {
			return &StructureError{int(i), fmt.Sprintf("edge %d has endpoint %d, expected below %d", k, top, n)}
		}
	}
	for k, w := range e.Weight {
		if !(w >= 0 && w <= math.MaxFloat32) {
			return &StructureError{int(e.Src[k]), fmt.Sprintf("edge %d has weight %v, expected a finite number of at least 0", k, w)}
		}
	}
	return nil
}

// scatter writes each edge to its row (both rows when undirected) as column
// in the high word and weight bits in the low one. The bits of non-negative
// floats are ordered like the floats, so that sorting the words sorts by
// column, then weight.
func scatter(e *Edges, indptr []int64, directed bool) []uint64 {
	packed := make([]uint64, indptr[len(indptr)-1])
	next := slices.Clone(indptr[:len(indptr)-1])
	one := math.Float32bits(1)
	for k, i := range e.Src {
		j, w := e.Dst[k], one
		if e.Weight != nil {
			w = math.Float32bits(e.Weight[k])
		}
		if i == j || w<<1 == 0 { // a loop, or weight ±0
			continue
		}
		packed[next[i]] = uint64(j)<<32 | uint64(w)
		next[i]++
		if !directed {
			packed[next[j]] = uint64(i)<<32 | uint64(w)
			next[j]++
		}
	}
	return packed
}

// mergeRows sorts each row, merges its duplicates in place and copies the
// rows to a Matrix.
func mergeRows(n int, indptr []int64, packed []uint64, opt BuildOptions, stats BuildStats) (*Matrix, BuildStats, error) {
	m := &Matrix{rows: n, cols: n, indptr: make([]int64, n+1)}
	faults := make([]error, (n+rows.BlockSize-1)/rows.BlockSize)
	rows.Each(n, opt.Threads, func(lo, hi int) {
		for i := lo; i < hi && faults[lo/rows.BlockSize] == nil; i++ {
			row := packed[indptr[i]:indptr[i+1]]
			slices.Sort(row)
			kept, err := mergeRow(i, row, opt)
			faults[lo/rows.BlockSize] = err
			m.indptr[i+1] = int64(kept)
		}
	})
	for _, err := range faults {
		if err != nil { // the lowest faulty row, whatever the workers did first
			return nil, stats, err
		}
	}
	for i := range n {
		m.indptr[i+1] += m.indptr[i]
	}
	nnz := m.indptr[n]
	stats.Duplicates = len(packed) - int(nnz)
	if !opt.Directed {
		stats.Duplicates /= 2
	}
	m.indices = make([]uint32, nnz)
	m.data = make([]float32, nnz)
	rows.Each(n, opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := m.indptr[i]
			for k, word := range packed[indptr[i] : indptr[i]+m.indptr[i+1]-to] {
				m.indices[to+int64(k)] = uint32(word >> 32)
				m.data[to+int64(k)] = math.Float32frombits(uint32(word))
			}
		}
	})
	return m, stats, nil
}

// mergeRow merges the equal columns of a sorted row in place and returns how
// many entries are left.
func mergeRow(i int, row []uint64, opt BuildOptions) (int, error) {
	kept := 0
	for k := 0; k < len(row); {
		col := row[k] >> 32
		sum, last := 0.0, uint32(0)
		first := k
		for ; k < len(row) && row[k]>>32 == col; k++ {
			last = uint32(row[k])
			sum += float64(math.Float32frombits(last))
		}
		if k-first > 1 {
			if opt.Duplicates == DuplicatesError {
				return 0, &DuplicateError{Src: uint32(i), Dst: uint32(col)}
			}
			if opt.Duplicates == DuplicatesSum {
				if sum > math.MaxFloat32 {
					return 0, &StructureError{i, fmt.Sprintf("edges to node %d add up to weight %g, expected at most %g", col, sum, math.MaxFloat32)}
				}
				last = math.Float32bits(float32(sum))
			}
		}
		row[kept] = col<<32 | uint64(last)
		kept++
	}
	return kept, nil
}
