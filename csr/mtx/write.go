package mtx

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
)

// Write writes m as a coordinate real matrix: symmetric, with the lower
// triangle alone, if m is exactly symmetric, else general. Values are written
// in the shortest form that reads back as the same float32, so that [Read]
// returns a matrix with the same arrays. A value that is not finite, which Read
// refuses, is a [*csr.StructureError]. Memory: one transpose of a square matrix.
func Write(w io.Writer, m *csr.Matrix) error {
	if err := csr.CheckFinite(m, 1); err != nil {
		return err
	}
	rows, cols := m.Dims()
	symmetry, count := "general", m.NNZ()
	symmetric := isSymmetric(m)
	if symmetric {
		symmetry, count = "symmetric", lowerEntries(m)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintf(out, "%%%%MatrixMarket matrix coordinate real %s\n%d %d %d\n", symmetry, rows, cols, count)
	line := []byte{}
	for i := range rows {
		columns, values := m.Row(i)
		for k, j := range columns {
			if symmetric && int(j) > i {
				break
			}
			line = strconv.AppendInt(line[:0], int64(i)+1, 10)
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(j)+1, 10)
			line = append(line, ' ')
			line = strconv.AppendFloat(line, float64(values[k]), 'g', -1, 32)
			line = append(line, '\n')
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// isSymmetric reports whether m and its transpose have the same arrays, bit
// by bit: where one of two mirrored entries is not stored, or zeros differ in
// sign, the lower triangle alone would not give m back.
func isSymmetric(m *csr.Matrix) bool {
	rows, cols := m.Dims()
	if rows != cols || rows == 0 {
		return false
	}
	indptr, indices, data := m.Arrays()
	tIndptr, tIndices, tData := csr.Transpose(m, 0).Arrays()
	return slices.Equal(indptr, tIndptr) && slices.Equal(indices, tIndices) &&
		slices.EqualFunc(data, tData, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) })
}

// lowerEntries counts the entries on and below the diagonal.
func lowerEntries(m *csr.Matrix) int {
	n, _ := m.Dims()
	count := 0
	for i := range n {
		columns, _ := m.Row(i)
		at, onDiagonal := slices.BinarySearch(columns, uint32(i))
		count += at
		if onDiagonal {
			count++
		}
	}
	return count
}
