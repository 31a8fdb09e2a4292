package vecs

import (
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Neighbors are the k neighbours of each of n points, as another program
// found them: IDs and Dists are n×k, row-major. An id is the row of a point,
// 0 to n-1, or -1 where the program found fewer than k, with an infinite distance.
type Neighbors struct {
	N, K  int
	IDs   []int64
	Dists []float32
	// Notes counts places without a neighbour, and neighbours that are the point itself or that
	// are in the row already; of these the nearest is kept, and -1 stands for the others.
	Notes notes.List
}

// ReadNeighbors reads a file of ids (.ivecs, or .npy of integers) and one of
// distances of the same shape (.fvecs, or .npy); either may be compressed.
// The meaning of the distances, and their order in a row, are not checked: see
// [Neighbors.Similar]. What stands at the id -1 is not looked at: faiss writes the largest number
// there, and others infinity. Memory: 12 bytes a neighbour, and 8 a point.
func ReadNeighbors(ids, dists Source) (*Neighbors, error) {
	var nb Neighbors
	var err error
	if nb.IDs, nb.N, nb.K, err = readIDs(ids); err != nil {
		return nil, err
	}
	if err := nb.checkIDs(&ids); err != nil {
		return nil, err
	}
	var n, k int
	if nb.Dists, n, k, err = readDists(dists); err != nil {
		return nil, err
	}
	if n != nb.N || k != nb.K {
		return nil, dists.errorf("%d×%d distances, expected %d×%d as in %s", n, k, nb.N, nb.K, ids.Name)
	}
	if err := nb.checkDists(&dists); err != nil {
		return nil, err
	}
	nb.clean()
	return &nb, nil
}

// checkIDs refuses numbers of no point.
func (nb *Neighbors) checkIDs(file *Source) error {
	first := true // column 0 has the numbers from 1, as R counts a point itself
	for i := range nb.N {
		first = first && nb.IDs[i*nb.K] == int64(i)+1
	}
	if first && nb.N > 1 {
		return file.errorf("column 0 counts the rows from 1, expected ids from 0: subtract 1 from all")
	}
	for at, id := range nb.IDs {
		if id < -1 || id >= int64(nb.N) {
			advice := ""
			if id == int64(nb.N) && nb.N > 1 && !slices.Contains(nb.IDs, 0) {
				advice = "; no id is 0: if they count from 1, subtract 1 from all"
			}
			return file.errorf("row %d, column %d: id %d, expected 0 to %d, or -1 for none%s", at/nb.K, at%nb.K, id, nb.N-1, advice)
		}
	}
	return nil
}

// checkDists refuses distances that are no finite numbers, and the mark of a missing neighbour,
// unless none is there.
func (nb *Neighbors) checkDists(file *Source) error {
	for at, d := range nb.Dists {
		size := math.Abs(float64(d))
		switch {
		case nb.IDs[at] == -1:
			nb.Dists[at] = float32(math.Inf(1))
		case !(size <= math.MaxFloat32):
			return file.errorf("row %d, column %d: value %v, expected a finite number: its neighbour is %d, and not -1 for none", at/nb.K, at%nb.K, d, nb.IDs[at])
		case size == math.MaxFloat32:
			return file.errorf("row %d, column %d: value %v, which faiss writes where there is no neighbour, but that is %d, expected -1", at/nb.K, at%nb.K, d, nb.IDs[at])
		}
	}
	return nil
}

// clean counts what is no neighbour, and leaves the nearest of equal ids in a row.
func (nb *Neighbors) clean() {
	var missing, self, repeated tally
	place := make([]int, nb.N) // of an id, from 1
	for at, id := range nb.IDs {
		i := at / nb.K
		switch {
		case id == -1:
			missing.add(at)
		case id == int64(i):
			self.add(at)
		case place[id] > i*nb.K:
			repeated.add(at)
			old := place[id] - 1
			nb.Dists[old] = min(nb.Dists[old], nb.Dists[at])
			nb.IDs[at], nb.Dists[at] = -1, float32(math.Inf(1))
		default:
			place[id] = at + 1
		}
	}
	nb.Notes.Add(notes.MissingNeighbors, missing.count, 0, missing.place(nb.K))
	nb.Notes.Add(notes.SelfNeighbors, self.count, 0, self.place(nb.K))
	nb.Notes.Doubt(notes.RepeatedNeighbors, repeated.count, 0, repeated.place(nb.K), "the nearest was kept; a program that finds fewer neighbours should write -1 for none")
}

// tally counts places, and keeps the first.
type tally struct{ count, first int }

func (t *tally) add(at int) {
	if t.count++; t.count == 1 {
		t.first = at
	}
}

func (t *tally) place(k int) string { return fmt.Sprintf("row %d, column %d", t.first/k, t.first%k) }

// Similar reports whether the numbers beside the ids look like similarities, of which the larger
// is the nearer, such as inner products: in most rows that have the point itself, it has the
// largest; or else most rows descend. Rows without a choice do not count.
func (nb *Neighbors) Similar() bool {
	if near, far := nb.self(); near+far > 0 {
		return far > near
	}
	down, other := 0, 0
	for i := range nb.N {
		least, most := float32(math.Inf(1)), float32(math.Inf(-1))
		last, descends := float32(math.Inf(1)), true
		for at := i * nb.K; at < (i+1)*nb.K; at++ {
			if d := nb.Dists[at]; nb.IDs[at] != -1 {
				least, most = min(least, d), max(most, d)
				descends, last = descends && d <= last, d
			}
		}
		switch {
		case !(least < most):
		case descends:
			down++
		default:
			other++
		}
	}
	return down > 9*other
}

// self counts the rows in which the number of the point itself is the least, and the largest. Rows of equal numbers do not count.
func (nb *Neighbors) self() (near, far int) {
	for i := range nb.N {
		self, least, most := float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))
		for at := i * nb.K; at < (i+1)*nb.K; at++ {
			id, d := nb.IDs[at], nb.Dists[at]
			if id == -1 {
				continue
			}
			if id == int64(i) {
				self = d
			}
			least, most = min(least, d), max(most, d)
		}
		switch {
		case !(least < most):
		case self == least:
			near++
		case self == most:
			far++
		}
	}
	return near, far
}

// Squared reports whether the numbers beside the ids are the squares of the Euclidean distances of
// the points in the rows of x, and not these: by the first hundred of them that tell.
func (nb *Neighbors) Squared(x *csr.Dense) bool {
	const sample, near = 100, 1e-3
	squares, all := 0, 0
	for at, id := range nb.IDs {
		if id == -1 {
			continue
		}
		square := 0.0
		p, q := x.Row(at/nb.K), x.Row(int(id))
		for k := range p {
			d := float64(p[k]) - float64(q[k])
			square += float64(d * d)
		}
		given, distance := float64(nb.Dists[at]), math.Sqrt(square)
		if math.Abs(square-distance) < 10*near*distance || square == 0 {
			continue
		}
		if all++; math.Abs(given-square) <= near*square {
			squares++
		}
		if all == sample {
			break
		}
	}
	return all > 0 && 10*squares > 9*all
}

// Ascending reports whether the numbers beside the ids look like distances in order: it is
// Similar of the numbers with the other sign.
func (nb *Neighbors) Ascending() bool {
	turned := Neighbors{N: nb.N, K: nb.K, IDs: nb.IDs, Dists: make([]float32, len(nb.Dists))}
	for at, d := range nb.Dists {
		turned.Dists[at] = -d
	}
	return turned.Similar()
}

// ending returns the ending of a name that tells its format.
func ending(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(stream.TrimEnding(name)), "."))
}

// readDists reads n×k numbers, also those that are not finite.
func readDists(file Source) (dists []float32, n, k int, err error) {
	format := ending(file.Name)
	if format != "npy" && format != "fvecs" {
		return nil, 0, 0, file.errorf("distances in format %s, expected .fvecs or .npy", lines.Quote([]byte(format)))
	}
	s, closer, err := openSource(file, Options{})
	if err != nil {
		return nil, 0, 0, err
	}
	defer closer.Close()
	if format == "npy" {
		return readArray(s, 4, (*npy.Array).Singles)
	}
	limit := func(n int64) error { return s.opt.check(s.Name, n, 4) }
	dists, n, k, err = readRows(&s.Source, 4, limit, func(b []byte) (float32, error) {
		return math.Float32frombits(binary.LittleEndian.Uint32(b)), nil
	})
	if err == nil && tiny(dists) {
		err = s.errorf("most values are below 1e-38, as whole numbers are that are read as float32, expected an .fvecs file of float32 numbers (.ivecs has int32)")
	}
	return dists, n, k, err
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
		ids, n, k, err = readArray(s, 8, (*npy.Array).Ints)
	} else {
		ids, n, k, err = readInt32Rows(s)
	}
	if err == nil && n == 0 {
		err = s.errorf("no rows, expected at least one")
	}
	return ids, n, k, err
}

// readArray reads a 2-D array, of values of so many bytes.
func readArray[T any](s *source, width int64, values func(*npy.Array) ([]T, error)) (all []T, n, k int, err error) {
	array, err := npy.Open(s.R, s.Name, s.Size)
	if err != nil {
		return nil, 0, 0, err
	}
	if err := check2D(array); err != nil {
		return nil, 0, 0, err
	}
	if err := s.opt.check(s.Name, array.Elements(), width); err != nil {
		return nil, 0, 0, err
	}
	if all, err = values(array); err != nil {
		return nil, 0, 0, err
	}
	return npy.ByRows(array, all), int(array.Shape[0]), int(array.Shape[1]), nil
}
