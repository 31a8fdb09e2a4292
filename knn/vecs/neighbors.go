package vecs

import (
	"path"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Neighbors are the k neighbours of each of n points, as another program
// found them: IDs and Dists are n×k, row-major. An id is the row of a point,
// 0 to n-1, or -1 where the program found fewer than k.
type Neighbors struct {
	N, K  int
	IDs   []int64
	Dists []float32
}

// ReadNeighbors reads a file of ids (.ivecs, or .npy of integers) and one of
// distances of the same shape (.fvecs, or .npy); either may be compressed.
// The meaning of the distances, and their order in a row, are not checked.
// Memory: 12 bytes a neighbour.
func ReadNeighbors(ids, dists Source) (*Neighbors, error) {
	var nb Neighbors
	var err error
	if nb.IDs, nb.N, nb.K, err = readIDs(ids); err != nil {
		return nil, err
	}
	for at, id := range nb.IDs {
		if id < -1 || id >= int64(nb.N) {
			return nil, ids.errorf("row %d, column %d: id %d, expected 0 to %d, or -1 for none", at/nb.K, at%nb.K, id, nb.N-1)
		}
	}
	format := ending(dists.Name)
	if format != "npy" && format != "fvecs" {
		return nil, dists.errorf("distances in format %s, expected .fvecs or .npy", lines.Quote([]byte(format)))
	}
	f, err := Read(dists.R, dists.Name, dists.Size, Options{})
	if err != nil {
		return nil, err
	}
	if f.Rows() != nb.N || f.Dims() != nb.K {
		return nil, dists.errorf("%d×%d distances, expected %d×%d as in %s", f.Rows(), f.Dims(), nb.N, nb.K, ids.Name)
	}
	nb.Dists = f.Dense.Data
	return &nb, nil
}

// ending returns the ending of a name that tells its format.
func ending(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(stream.TrimEnding(name)), "."))
}

func readIDs(file Source) (ids []int64, n, k int, err error) {
	format := ending(file.Name)
	if format != "npy" && format != "ivecs" {
		return nil, 0, 0, file.errorf("ids in format %s, expected .ivecs or .npy", lines.Quote([]byte(format)))
	}
	s, closer, err := openSource(file, Options{})
	if err != nil {
		return nil, 0, 0, err
	}
	defer closer.Close()
	if format == "npy" {
		ids, n, k, err = readIDArray(s)
	} else {
		ids, n, k, err = readInt32Rows(s)
	}
	if err == nil && n == 0 {
		err = s.errorf("no rows, expected at least one")
	}
	return ids, n, k, err
}

func readIDArray(s *source) (ids []int64, n, k int, err error) {
	array, err := npy.Open(s.R, s.Name, s.Size)
	if err != nil {
		return nil, 0, 0, err
	}
	if err := check2D(array); err != nil {
		return nil, 0, 0, err
	}
	if err := s.opt.check(s.Name, array.Elements(), 8); err != nil {
		return nil, 0, 0, err
	}
	if ids, err = array.Ints(); err != nil {
		return nil, 0, 0, err
	}
	return npy.ByRows(array, ids), int(array.Shape[0]), int(array.Shape[1]), nil
}
