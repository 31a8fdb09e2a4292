package diffuse

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// ErrFeatures is wrapped by every error about the features of nodes.
var ErrFeatures = errors.New("diffuse: invalid features")

// Features are the features X of n nodes, n×d: exactly one of the two fields. They are
// only read.
type Features struct {
	Dense  *csr.Dense
	Sparse *csr.Matrix

	across *csr.Matrix // Xᵀ of a sparse X; see [Features.Across]
}

// Across returns the features with Xᵀ of a sparse X, of 8 bytes an entry and column, which all maps of them then share. Else each map
// makes its own when it needs it.
func (f Features) Across(threads int) Features {
	if f.Sparse != nil {
		f.across = csr.Transpose(f.Sparse, threads)
	}
	return f
}

// Dims returns n and d.
func (f Features) Dims() (n, d int) {
	if f.Sparse != nil {
		return f.Sparse.Dims()
	}
	return f.Dense.Rows, f.Dense.Cols
}

// Entries returns the numbers that X stores.
func (f Features) Entries() int64 {
	if f.Sparse != nil {
		return int64(f.Sparse.NNZ())
	}
	return int64(f.Dense.Rows) * int64(f.Dense.Cols)
}

// square returns ‖x_i‖₂².
func (f Features) square(i int) float64 {
	if f.Sparse != nil {
		_, values := f.Sparse.Row(i)
		return squares(values)
	}
	return squares(f.Dense.Row(i))
}

// Check returns an [ErrFeatures] unless exactly one form is given and all its numbers
// are finite; it names the first row, and in it the first column, where they are not.
// O(entries).
func (f Features) Check(threads int) error {
	switch {
	case (f.Dense == nil) == (f.Sparse == nil):
		return fmt.Errorf("%w: expected either dense or sparse ones", ErrFeatures)
	case f.Sparse != nil:
		if err := csr.CheckFinite(f.Sparse, threads); err != nil {
			return fmt.Errorf("%w: %w", ErrFeatures, err)
		}
		return nil
	case len(f.Dense.Data) != f.Dense.Rows*f.Dense.Cols:
		return fmt.Errorf("%w: %d numbers, expected those of %d×%d", ErrFeatures, len(f.Dense.Data), f.Dense.Rows, f.Dense.Cols)
	}
	return f.checkDense(threads)
}

func (f Features) checkDense(threads int) error {
	var lock sync.Mutex
	first := -1
	rows.Each(len(f.Dense.Data), threads, func(lo, hi int) {
		for k, v := range f.Dense.Data[lo:hi] {
			if !isFinite(float64(v)) {
				lock.Lock()
				defer lock.Unlock()
				if first < 0 || lo+k < first {
					first = lo + k
				}
				return
			}
		}
	})
	if first < 0 {
		return nil
	}
	i, j := first/f.Dense.Cols, first%f.Dense.Cols
	return fmt.Errorf("%w: row %d: value %v in column %d, expected a finite number", ErrFeatures, i, f.Dense.At(i, j), j)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// UnitRows returns x̃_i = x_i/‖x_i‖₂; rows of zeros stay so. A new
// n×d block, or new values beside the pattern of X.
func (f Features) UnitRows(threads int) Features { return f.eachRow(threads, unitRow) }

// UnitRoots returns the form for words, x̃_iq = √(x_iq/Σ_r x_ir), which has rows of unit length, too: products of rows are
// Bhattacharyya coefficients of their shares. A value below 0 keeps its sign, x̃_iq = −√(|x_iq|/Σ_r |x_ir|). Of words that are there or
// not it is [Features.UnitRows]. New values, as there.
//
// A. Bhattacharyya: On a measure of divergence between two multinomial populations, 1946.
func (f Features) UnitRoots(threads int) Features { return f.eachRow(threads, unitRoots) }

// Unit returns [Features.UnitRoots] of words, else [Features.UnitRows].
func (f Features) Unit(words bool, threads int) Features {
	if words {
		return f.UnitRoots(threads)
	}
	return f.UnitRows(threads)
}

// eachRow returns rows that change makes of those of X. Its dst is 0.
func (f Features) eachRow(threads int, change func(dst, x []float32)) Features {
	if f.Sparse != nil {
		indptr, _, data := f.Sparse.Arrays()
		changed := make([]float32, len(data))
		n, _ := f.Sparse.Dims()
		rows.Each(n, threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				change(changed[indptr[i]:indptr[i+1]], data[indptr[i]:indptr[i+1]])
			}
		})
		return Features{Sparse: f.Sparse.WithData(changed)}
	}
	changed := csr.NewDense(f.Dense.Rows, f.Dense.Cols)
	rows.Each(changed.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			change(changed.Row(i), f.Dense.Row(i))
		}
	})
	return Features{Dense: changed}
}

// unitRow computes dst ← x/‖x‖₂; dst is 0.
func unitRow(dst, x []float32) {
	size := math.Sqrt(squares(x))
	if size == 0 {
		return
	}
	for j, v := range x {
		dst[j] = float32(float64(v) / size)
	}
}

// unitRoots computes dst_j ← sign(x_j) √(|x_j|/Σ|x|); dst is 0.
func unitRoots(dst, x []float32) {
	sum := 0.0
	for _, v := range x {
		sum += math.Abs(float64(v))
	}
	if sum == 0 {
		return
	}
	size := math.Sqrt(sum)
	for j, v := range x {
		dst[j] = float32(math.Copysign(math.Sqrt(math.Abs(float64(v)))/size, float64(v)))
	}
}

// squares returns ‖x‖₂². Products of float32 are exact in float64.
func squares(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}

// Standard is a change of dense columns to mean 0 and standard deviation 1, over √d:
// the mean square of a row is then 1 at most. The same change is made of new points.
type Standard struct {
	Mean     []float64 `json:"mean"` // of each column
	SD       []float64 `json:"sd"`   // 0 for a constant one, that becomes 0
	Constant int       `json:"-"`    // how many these are
}

// Standardize returns the change of the columns of X, which must be dense. The moments
// are those of x_ij − x_0j, so that a constant column is one to the bit. Two passes
// over X.
func (f Features) Standardize(threads int) (*Standard, error) {
	if f.Dense == nil || f.Dense.Rows == 0 {
		return nil, fmt.Errorf("%w: only the columns of a dense X with rows are standardised", ErrFeatures)
	}
	n, d := f.Dims()
	origin, reduce := f.Dense.Row(0), rows.NewReducer(n, d)
	s := &Standard{Mean: make([]float64, d), SD: make([]float64, d)}
	moments := func(add func(v float64, j int) float64) []float64 {
		return reduce.Sum(threads, func(lo, hi int, sum []float64) {
			for i := lo; i < hi; i++ {
				for j, v := range f.Dense.Row(i) {
					sum[j] += add(float64(v)-float64(origin[j]), j)
				}
			}
		})
	}
	for j, sum := range moments(func(v float64, _ int) float64 { return v }) {
		s.Mean[j] = sum / float64(n)
	}
	for j, sum := range moments(func(v float64, j int) float64 { return square(v - s.Mean[j]) }) {
		s.SD[j] = math.Sqrt(sum / float64(n))
		s.Mean[j] += float64(origin[j])
		if s.SD[j] == 0 {
			s.Constant++
		}
	}
	return s, nil
}

func square(v float64) float64 { return float64(v * v) }

// Apply returns (x_ij − Mean_j)/(SD_j √d) for any rows of the same d columns: a new
// block.
func (s *Standard) Apply(f Features, threads int) (Features, error) {
	if f.Dense == nil || f.Dense.Cols != len(s.Mean) {
		return Features{}, fmt.Errorf("%w: expected dense ones of %d columns", ErrFeatures, len(s.Mean))
	}
	to := csr.NewDense(f.Dims())
	s.ApplyTo(to, f.Dense, threads)
	return Features{Dense: to}, nil
}

// ApplyTo is Apply to a block as large as x, which may be x itself.
func (s *Standard) ApplyTo(dst, x *csr.Dense, threads int) {
	root := math.Sqrt(float64(len(s.Mean)))
	rows.Each(x.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := dst.Row(i)
			for j, v := range x.Row(i) {
				if to[j] = 0; s.SD[j] > 0 {
					to[j] = float32((float64(v) - s.Mean[j]) / float64(s.SD[j]*root))
				}
			}
		}
	})
}
