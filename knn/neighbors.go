package knn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Missing fills the places of a row with fewer than K neighbours. Only precomputed neighbours, and
// those among distinct points, have such rows.
const Missing = math.MaxUint32

// Neighbors holds up to K neighbours for each of N points.
//
// IDs and Dist are N×K, row-major. Row i lists the neighbours of point i,
// nearest first and equally distant ones by number; it never holds i itself,
// nor a point twice. Places past the last neighbour hold [Missing] and +Inf.
// Memory is 8 bytes a place.
type Neighbors struct {
	N, K   int
	Metric Metric // of the distances in Dist
	IDs    []uint32
	Dist   []float32

	// Of[i] is the first point that equals point i, if neighbours were sought among distinct points
	// and some points are equal; else Of is nil. A copy's row holds the first, which is not a
	// neighbour of its copies.
	Of []uint32
}

// isCopy reports whether point i equals an earlier one.
func (nb *Neighbors) isCopy(i int) bool { return nb.Of != nil && int(nb.Of[i]) != i }

// newNeighbors returns n rows of k missing neighbours.
func newNeighbors(n, k int, metric Metric) *Neighbors {
	nb := &Neighbors{N: n, K: k, Metric: metric, IDs: make([]uint32, n*k), Dist: make([]float32, n*k)}
	clearPlaces(nb.IDs, nb.Dist)
	return nb
}

// clearPlaces fills places of both arrays with missing neighbours.
func clearPlaces(ids []uint32, dist []float32) {
	for p := range ids {
		ids[p] = Missing
		dist[p] = float32(math.Inf(1))
	}
}

// Row returns the neighbours of point i, without missing ones. They are slices of nb.
func (nb *Neighbors) Row(i int) (ids []uint32, dist []float32) {
	lo, hi := i*nb.K, (i+1)*nb.K
	for hi > lo && nb.IDs[hi-1] == Missing {
		hi--
	}
	return nb.IDs[lo:hi:hi], nb.Dist[lo:hi:hi]
}

// check returns an error that names the first point with a neighbour that is itself or out of
// range.
func (nb *Neighbors) check() error {
	if nb == nil {
		return fmt.Errorf("%w: none, expected those of the points", ErrNeighbors)
	}
	if len(nb.IDs) != nb.N*nb.K || len(nb.Dist) != len(nb.IDs) || nb.Of != nil && len(nb.Of) != nb.N {
		panic(fmt.Sprintf("knn: %d×%d neighbours in %d ids and %d distances", nb.N, nb.K, len(nb.IDs), len(nb.Dist)))
	}
	for i := range nb.N {
		ids, _ := nb.Row(i)
		for _, j := range ids {
			if int64(j) >= int64(nb.N) || int(j) == i {
				return fmt.Errorf("%w: point %d has neighbour %d, expected another point below %d", ErrNeighbors, i, j, nb.N)
			}
		}
	}
	return nil
}

// Check returns an error that wraps [ErrNeighbors] unless nb is as the type says: what [FromPrecomputed] and searches
// return is. It is for neighbours from elsewhere, which other functions take as they are. Cost: a sort of each row.
func (nb *Neighbors) Check() error {
	switch {
	case nb.N < 0 || nb.K < 0 || len(nb.IDs) != nb.N*nb.K || len(nb.Dist) != nb.N*nb.K:
		return fmt.Errorf("%w: %d ids and %d distances, expected %d×%d", ErrNeighbors, len(nb.IDs), len(nb.Dist), nb.N, nb.K)
	case !nb.Metric.Valid():
		return fmt.Errorf("%w: distances by %v, expected a known metric", ErrNeighbors, nb.Metric)
	case nb.Of != nil && len(nb.Of) != nb.N:
		return fmt.Errorf("%w: first points of %d equal ones, expected those of %d", ErrNeighbors, len(nb.Of), nb.N)
	}
	for i, first := range nb.Of {
		if int64(first) > int64(i) || nb.isCopy(int(first)) {
			return fmt.Errorf("%w: point %d equals point %d, expected the first of them", ErrNeighbors, i, first)
		}
	}
	row := make([]candidate, 0, nb.K)
	for i := range nb.N {
		row = row[:0]
		ids, dist := nb.Row(i)
		for k, id := range ids {
			if int(id) == i {
				return fmt.Errorf("%w: row %d: neighbour %d, expected another point", ErrNeighbors, i, id)
			}
			if err := checkNeighbor(i, int64(id), nb.N, dist[k], nb.Metric); err != nil {
				return err
			}
			if k > 0 && dist[k] < dist[k-1] {
				return fmt.Errorf("%w: row %d: distance %v behind %v, expected the nearest first", ErrNeighbors, i, dist[k], dist[k-1])
			}
			row = append(row, candidate{id: id})
		}
		if err := checkRepeated(i, row); err != nil {
			return err
		}
	}
	return nil
}

// Nearest returns the first k neighbours of every point, nb itself if it has
// no more.
func (nb *Neighbors) Nearest(k int) *Neighbors {
	if k >= nb.K {
		return nb
	}
	cut := newNeighbors(nb.N, k, nb.Metric)
	cut.Of = nb.Of
	for i := range nb.N {
		copy(cut.IDs[i*k:(i+1)*k], nb.IDs[i*nb.K:])
		copy(cut.Dist[i*k:(i+1)*k], nb.Dist[i*nb.K:])
	}
	return cut
}

// candidate is a neighbour with its float64 rank.
type candidate struct {
	rank float64
	id   uint32
}

func (c candidate) compare(o candidate) int {
	return cmp.Or(cmp.Compare(c.rank, o.rank), cmp.Compare(c.id, o.id))
}

// PrecomputedID is a type that programs store neighbour numbers in.
type PrecomputedID interface {
	~int32 | ~int64 | ~uint32
}

// FromPrecomputed returns the neighbours that another program (faiss, hnswlib, scikit-learn) found
// for n points. ids and distances are n×width, row-major. Distances must be those of metric: in
// particular Euclidean ones, not squared; hnswlib and faiss return squares, whose root the caller
// takes.
//
// Rows may be in any order. A point is dropped from its own row, wherever it stands. −1 (or
// Missing) marks a place without neighbour, and its distance is not read; rows that then have fewer
// than others stay short. The result is as wide as its longest row. It shares nothing with the
// arguments.
//
// Errors wrap [ErrNeighbors] and name the row: a number that is not below n, a point twice in one
// row, a distance that is not finite, a negative distance (except for InnerProduct).
func FromPrecomputed[ID PrecomputedID](ids []ID, dist []float32, n, width int, metric Metric) (*Neighbors, error) {
	switch {
	case !metric.Valid():
		return nil, metric.check()
	case n < 1 || width < 1 || int64(n) >= Missing:
		return nil, fmt.Errorf("%w: %d points with %d neighbours each, expected at least 1 of both", ErrNeighbors, n, width)
	case len(ids) != n*width || len(dist) != n*width:
		return nil, fmt.Errorf("%w: %d numbers and %d distances, expected %d points × %d neighbours of both", ErrNeighbors, len(ids), len(dist), n, width)
	}
	wide := newNeighbors(n, width, metric)
	longest := 0
	row := make([]candidate, 0, width)
	for i := range n {
		row = row[:0]
		for p := i * width; p < (i+1)*width; p++ {
			id := int64(ids[p])
			if id == -1 || id == Missing || id == int64(i) {
				continue
			}
			if err := checkNeighbor(i, id, n, dist[p], metric); err != nil {
				return nil, err
			}
			row = append(row, candidate{float64(dist[p]), uint32(id)})
		}
		if err := checkRepeated(i, row); err != nil {
			return nil, err
		}
		slices.SortFunc(row, candidate.compare)
		for p, c := range row {
			wide.IDs[i*width+p], wide.Dist[i*width+p] = c.id, float32(c.rank)
		}
		longest = max(longest, len(row))
	}
	return wide.Nearest(longest), nil
}

func checkNeighbor(i int, id int64, n int, dist float32, metric Metric) error {
	switch d := float64(dist); {
	case id < 0 || id >= int64(n):
		return fmt.Errorf("%w: row %d: neighbour %d, expected 0 to %d, or -1 for none", ErrNeighbors, i, id, n-1)
	case math.IsNaN(d) || math.IsInf(d, 0):
		return fmt.Errorf("%w: row %d: distance %v to neighbour %d, expected a finite number", ErrNeighbors, i, dist, id)
	case d < 0 && metric != InnerProduct:
		return fmt.Errorf("%w: row %d: distance %v to neighbour %d, expected at least 0", ErrNeighbors, i, dist, id)
	}
	return nil
}

// checkRepeated sorts the row by number.
func checkRepeated(i int, row []candidate) error {
	slices.SortFunc(row, func(a, b candidate) int { return cmp.Compare(a.id, b.id) })
	for p := 1; p < len(row); p++ {
		if row[p-1].id == row[p].id {
			return fmt.Errorf("%w: row %d: neighbour %d is given twice", ErrNeighbors, i, row[p].id)
		}
	}
	return nil
}
