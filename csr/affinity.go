package csr

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// CheckSymmetric returns a [*StructureError] that names the first entry without its exact mirror
// image, or nil. A missing entry is 0. It compares the sum of hashes of the entries above the diagonal
// with that of the entries below, in one pass over m. Only where they differ are entries looked up, in O(nnz·log of a row's entries). One faulty pair always changes a sum; more
// of them leave both equal with a probability of 2⁻⁶⁴. No memory.
func CheckSymmetric(m *Matrix, threads int) error {
	if m.rows != m.cols {
		return &StructureError{-1, fmt.Sprintf("shape %d×%d, expected a square matrix", m.rows, m.cols)}
	}
	if m.survey(threads).difference == 0 {
		return nil
	}
	return m.firstFault(threads, func(i int, j uint32, v float32) string {
		if mirrored := m.value(int(j), uint32(i)); mirrored != v {
			return fmt.Sprintf("value %v in column %d but %v in the mirrored place, expected a symmetric matrix", v, j, mirrored)
		}
		return ""
	})
}

// survey is what one pass over a matrix tells.
type survey struct {
	difference uint64 // of the sums of hashes of the entries above the diagonal and below
	loops      uint64 // entries on the diagonal
	faulty     uint64 // values below 0 or not finite
	zeros      uint64 // stored
}

func (m *Matrix) survey(threads int) survey {
	var difference, loops, faulty, zeros atomic.Uint64
	rows.Each(m.rows, threads, func(lo, hi int) {
		var s survey
		for i := lo; i < hi; i++ {
			cols, vals := m.Row(i)
			for k, j := range cols {
				v := vals[k]
				if !(v >= 0 && v <= math.MaxFloat32) {
					s.faulty++
				}
				if v == 0 {
					s.zeros++
				}
				switch i := uint32(i); {
				case i == j:
					s.loops++
				case v == 0:
				case i < j:
					s.difference += entryHash(i, j, v)
				default:
					s.difference -= entryHash(j, i, v)
				}
			}
		}
		difference.Add(s.difference)
		loops.Add(s.loops)
		faulty.Add(s.faulty)
		zeros.Add(s.zeros)
	})
	return survey{difference.Load(), loops.Load(), faulty.Load(), zeros.Load()}
}

// entryHash is a bijection of the value for each place.
func entryHash(i, j uint32, v float32) uint64 {
	return splitmix.Mix(splitmix.Mix(uint64(i)<<32|uint64(j)) + uint64(math.Float32bits(v)))
}

// CheckAffinity returns a [*StructureError] that names the first faulty row unless m is an affinity
// W: symmetric ([CheckSymmetric]), with finite values of at least 0 and no entry on the diagonal. A
// matrix that passed once is not read again.
func CheckAffinity(m *Matrix, threads int) error {
	if m.affinity.Load() {
		return nil
	}
	zeros, err := m.checkWeights(threads, false)
	if err == nil {
		m.full.Store(zeros == 0)
	}
	m.affinity.Store(err == nil)
	return err
}

// CheckWeights is [CheckAffinity] for a matrix that may have a diagonal, like a learned graph or a
// list of undirected edges.
func CheckWeights(m *Matrix, threads int) error {
	_, err := m.checkWeights(threads, true)
	return err
}

// checkWeights returns the number of stored zeros, too.
func (m *Matrix) checkWeights(threads int, diagonal bool) (zeros uint64, err error) {
	if m.rows == m.cols {
		if s := m.survey(threads); s.difference == 0 && s.faulty == 0 && (diagonal || s.loops == 0) {
			return s.zeros, nil
		}
	}
	fault := m.firstFault(threads, func(i int, j uint32, v float32) string {
		switch {
		case int(j) == i && !diagonal:
			return fmt.Sprintf("value %v on the diagonal, expected none", v)
		case v < 0:
			return fmt.Sprintf("value %v in column %d, expected none below 0", v, j)
		case !(v <= math.MaxFloat32):
			return notFinite(j, v)
		}
		return ""
	})
	if fault != nil {
		return 0, fault
	}
	return 0, CheckSymmetric(m, threads)
}

// CheckFinite returns a [*StructureError] that names the first row with a value that is not finite,
// or nil. [New] makes no such matrix; [Matrix.WithData] can. O(nnz).
func CheckFinite(m *Matrix, threads int) error {
	return m.firstFault(threads, func(_ int, j uint32, v float32) string {
		if !(v >= -math.MaxFloat32 && v <= math.MaxFloat32) {
			return notFinite(j, v)
		}
		return ""
	})
}

func notFinite(j uint32, v float32) string {
	return fmt.Sprintf("value %v in column %d, expected a finite number", v, j)
}

// firstFault returns the first fault that check finds in an entry, in the order of rows.
func (m *Matrix) firstFault(threads int, check func(i int, j uint32, v float32) string) error {
	faults := make([]error, (m.rows+rows.BlockSize-1)/rows.BlockSize)
	rows.Each(m.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := m.Row(i)
			for k, j := range cols {
				if fault := check(i, j, vals[k]); fault != "" {
					faults[lo/rows.BlockSize] = &StructureError{i, fault}
					return
				}
			}
		}
	})
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// value returns the entry in row i and column j, 0 if it is not stored.
func (m *Matrix) value(i int, j uint32) float32 {
	cols, vals := m.Row(i)
	if k, ok := slices.BinarySearch(cols, j); ok {
		return vals[k]
	}
	return 0
}

// WithoutDiagonal returns m without the entries on its diagonal, and their number. Without any it
// returns m itself.
func WithoutDiagonal(m *Matrix) (*Matrix, int) {
	on := Loops(m)
	return m.without(on, func(i int, j uint32, _ float32) bool { return int(j) == i }), on
}

// Loops counts the entries on the diagonal.
func Loops(m *Matrix) (on int) {
	for i := range m.rows {
		cols, _ := m.Row(i)
		if _, found := slices.BinarySearch(cols, uint32(i)); found {
			on++
		}
	}
	return on
}

// WithoutZeros returns m without its stored zeros, and their number. Without any it returns m
// itself. A stored zero is no edge, but would count as one in components.
func WithoutZeros(m *Matrix) (*Matrix, int) {
	zeros := Zeros(m)
	return m.without(zeros, func(_ int, _ uint32, v float32) bool { return v == 0 }), zeros
}

// Zeros counts the stored zeros. A matrix that has none is read once, or not if [CheckAffinity] has read it.
func Zeros(m *Matrix) (zeros int) {
	if m.full.Load() {
		return 0
	}
	for _, v := range m.data {
		if v == 0 {
			zeros++
		}
	}
	m.full.Store(zeros == 0)
	return zeros
}

// Where returns a matrix of the entries of m for which keep is true, m itself where that are all.
func (m *Matrix) Where(keep func(i int, j uint32) bool) *Matrix {
	dropped := 0
	for i := range m.rows {
		cols, _ := m.Row(i)
		for _, j := range cols {
			if !keep(i, j) {
				dropped++
			}
		}
	}
	return m.without(dropped, func(i int, j uint32, _ float32) bool { return !keep(i, j) })
}

// without returns m without the entries for which drop is true; their number is dropped.
func (m *Matrix) without(dropped int, drop func(i int, j uint32, v float32) bool) *Matrix {
	if dropped == 0 {
		return m
	}
	out := &Matrix{rows: m.rows, cols: m.cols, indptr: make([]int64, m.rows+1)}
	out.indices = make([]uint32, 0, len(m.indices)-dropped)
	out.data = make([]float32, 0, len(m.data)-dropped)
	for i := range m.rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if !drop(i, j, vals[k]) {
				out.indices = append(out.indices, j)
				out.data = append(out.data, vals[k])
			}
		}
		out.indptr[i+1] = int64(len(out.indices))
	}
	return out
}
