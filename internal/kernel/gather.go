package kernel

import "fmt"

// Width is the number of columns of the block that [Gather] reads.
const Width = 16

// Sparse is a sparse matrix in CSR: row i has the entries indptr_i to indptr_{i+1}−1 of
// Cols and Vals, as a csr.Matrix has them. None of this is checked here.
type Sparse struct {
	Indptr []int64
	Cols   []uint32
	Vals   []float32
}

// Bound is what a row has to come up to, for each of 16 columns: row j does where
//
//	v + Norm·Norms_j ≥ Limit,
//
// and nowhere with a NaN.
type Bound struct {
	Norms       []float32 // one a row
	Norm, Limit [Width]float32
}

// Gather computes v ← Σ_k s_jk·u_k for the rows j = from, from+1, … of S and the rows u_k of
// a dense matrix of 16 columns, row-major, in the order of a row's entries; each product is
// rounded before it is added. It stops after the first row that comes up to the bound
// somewhere and returns it, with a bit for each of these columns; at to it returns that
// and no bits. The bits are the same in every version. Columns are not checked: all
// must be below len(u)/16.
func Gather(v *[Width]float32, s Sparse, u []float32, b *Bound, from, to int) (row int, mask uint32) {
	if len(s.Cols) != len(s.Vals) || from < 0 || to > len(b.Norms) || to >= len(s.Indptr) {
		panic(fmt.Sprintf("kernel: rows %d to %d of %d, %d norms, %d columns, %d values", from, to, len(s.Indptr)-1, len(b.Norms), len(s.Cols), len(s.Vals)))
	}
	if from >= to {
		return to, 0
	}
	return active.gather(v, s, u, b, from, to)
}

// Spread adds vals_k·factor to row cols_k of a dense matrix of 16 columns, for all k; each
// product is rounded before it is added. The bits are the same in every version.
// len(vals) is len(cols). A column that is not below len(u)/16 makes it panic, before it
// writes there: cols may lie in a mapped file that another process changes.
func Spread(u []float32, cols []uint32, vals []float32, factor *[Width]float32) {
	if vals = vals[:len(cols)]; len(cols) > 0 {
		active.spread(u, cols, vals, factor)
	}
}

// mustHave panics unless row j of a dense matrix of 16 columns is there.
func mustHave(u []float32, j uint32) { _ = u[int(j)*Width:][Width-1] }

func gatherPortable(v *[Width]float32, s Sparse, u []float32, b *Bound, from, to int) (row int, mask uint32) {
	for j := from; j < to; j++ {
		lo, hi := s.Indptr[j], s.Indptr[j+1]
		cols, vals := s.Cols[lo:hi], s.Vals[lo:hi]
		var v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15 float32
		for k, l := range cols {
			x, row := vals[k], (*[Width]float32)(u[int(l)*Width:])
			v0 += float32(x * row[0]) // the conversion forbids to fuse
			v1 += float32(x * row[1])
			v2 += float32(x * row[2])
			v3 += float32(x * row[3])
			v4 += float32(x * row[4])
			v5 += float32(x * row[5])
			v6 += float32(x * row[6])
			v7 += float32(x * row[7])
			v8 += float32(x * row[8])
			v9 += float32(x * row[9])
			v10 += float32(x * row[10])
			v11 += float32(x * row[11])
			v12 += float32(x * row[12])
			v13 += float32(x * row[13])
			v14 += float32(x * row[14])
			v15 += float32(x * row[15])
		}
		*v = [Width]float32{v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15}
		for m := range v {
			if v[m]+float32(b.Norm[m]*b.Norms[j]) >= b.Limit[m] {
				mask |= 1 << m
			}
		}
		if mask != 0 {
			return j, mask
		}
	}
	return to, 0
}

func spreadPortable(u []float32, cols []uint32, vals []float32, factor *[Width]float32) {
	for k, j := range cols {
		row := (*[Width]float32)(u[int(j)*Width:])
		x := vals[k]
		row[0] += float32(x * factor[0])
		row[1] += float32(x * factor[1])
		row[2] += float32(x * factor[2])
		row[3] += float32(x * factor[3])
		row[4] += float32(x * factor[4])
		row[5] += float32(x * factor[5])
		row[6] += float32(x * factor[6])
		row[7] += float32(x * factor[7])
		row[8] += float32(x * factor[8])
		row[9] += float32(x * factor[9])
		row[10] += float32(x * factor[10])
		row[11] += float32(x * factor[11])
		row[12] += float32(x * factor[12])
		row[13] += float32(x * factor[13])
		row[14] += float32(x * factor[14])
		row[15] += float32(x * factor[15])
	}
}
