package vecs

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// IsDistances reports whether a file of this name is for [ReadDistances], and not for [ReadNeighbors].
func IsDistances(name string) bool { return ending(name) == "npz" }

// In order: how many times as many places as there are distances rows of one length may take, and the places of a file that
// is never too large.
const (
	mostPlaces = 8
	fewPlaces  = 1 << 20
)

// ReadDistances reads a sparse n×n matrix of distances, as scikit-learn's kneighbors_graph and scanpy make it and
// scipy.sparse.save_npz writes it: the entry (i, j) is the distance from the point i to its neighbour j. Rows of fewer
// entries than the longest one end with -1. A file of similarities is an error if the diagonal or mutual pairs tell. Memory: 12
// bytes a neighbour beside the matrix.
func ReadDistances(file Source) (*Neighbors, error) {
	x, err := Read(file.R, file.Name, file.Size, Options{Format: "npz"})
	if err != nil {
		return nil, err
	}
	if x.Sparse == nil {
		return nil, file.errorf("an array, expected a sparse matrix of distances (scipy.sparse.save_npz)")
	}
	return neighborsOf(x.Sparse, &file)
}

// neighborsOf returns the entries of a matrix of distances.
func neighborsOf(m *csr.Matrix, s *Source) (*Neighbors, error) {
	nb := &Neighbors{}
	var columns int
	if nb.N, columns = m.Dims(); nb.N != columns {
		return nil, s.errorf("a matrix of %d×%d, expected distances between as many points as rows: n×n", nb.N, columns)
	}
	longest := 0
	for i := range nb.N {
		if cols, _ := m.Row(i); len(cols) > nb.K {
			nb.K, longest = len(cols), i
		}
	}
	switch places := nb.N * nb.K; {
	case nb.K == 0:
		return nil, s.errorf("no entries, expected the distances to the nearest neighbours of each point")
	case places > fewPlaces && places/mostPlaces > m.NNZ():
		return nil, s.errorf("row %d has %d entries, and rows have %.3g in the mean, expected about as many nearest neighbours for each point", longest, nb.K, float64(m.NNZ())/float64(nb.N))
	}
	var self tally
	for i := range nb.N {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if int(j) == i {
				self.add(i)
			}
			nb.IDs, nb.Dists = append(nb.IDs, int64(j)), append(nb.Dists, vals[k])
		}
		for range nb.K - len(cols) {
			nb.IDs, nb.Dists = append(nb.IDs, -1), append(nb.Dists, float32(math.Inf(1)))
		}
	}
	nb.Notes.Add(notes.SelfNeighbors, self.count, 0, self.place(1))
	if near, far := nb.self(); far > near || csr.AreDistances(turned(m)) {
		return nil, s.errorf("a matrix of similarities: a point's own is the largest of its row, or those of mutual pairs are larger than others; expected distances; similarities are a graph: give the file to npz.Read")
	}
	if areConnectivities(m) {
		return nil, s.errorf("a symmetric matrix of at most 1, which most rows reach, as connectivities of scanpy and UMAP; expected distances; connectivities are a graph: give the file to npz.Read")
	}
	return nb, nil
}

// areConnectivities reports whether a matrix is as UMAP makes it: symmetric, above 0 and at most 1, which is the largest of most rows,
// whose lengths differ.
func areConnectivities(m *csr.Matrix) bool {
	const one = 1 - 1e-6
	_, _, data := m.Arrays()
	if slices.Max(data) > 2-one || !(slices.Min(data) > 0) {
		return false
	}
	n, _ := m.Dims()
	reach, shortest, longest := 0, math.MaxInt, 0
	for i := range n {
		_, vals := m.Row(i)
		shortest, longest = min(shortest, len(vals)), max(longest, len(vals))
		if len(vals) > 0 && slices.Max(vals) >= one {
			reach++
		}
	}
	return 2*reach > n && shortest < longest && isSymmetric(m)
}

// isSymmetric reports whether a square matrix is its own transpose.
func isSymmetric(m *csr.Matrix) bool {
	_, cols, data := m.Arrays()
	_, across, turned := csr.Transpose(m, 1).Arrays()
	return slices.Equal(cols, across) && slices.Equal(data, turned)
}

// turned returns a matrix whose values rise where those of m fall.
func turned(m *csr.Matrix) *csr.Matrix {
	_, _, data := m.Arrays()
	most := slices.Max(data)
	values := make([]float32, len(data))
	for k, v := range data {
		values[k] = 2*most - v
	}
	return m.WithData(values)
}
