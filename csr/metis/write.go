package metis

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
)

// ErrWeight is wrapped where the format cannot hold a matrix: METIS has whole
// weights above 0, and no loops.
var ErrWeight = errors.New("metis: not a graph of whole weights")

// maxWeight is the largest weight that programs with 32-bit numbers read, and
// that float32 holds exactly.
const maxWeight = 1 << 24

// Write writes the symmetric matrix m, row i as vertex i+1. Weights are left
// out where all are 1. A value that is not a whole number from 1 to 2^24, a
// value on the diagonal, and a matrix that is not symmetric are an [ErrWeight]
// or a [*csr.StructureError]: nothing is rounded, and METIS would read 0.5 as 0.
func Write(w io.Writer, m *csr.Matrix) error {
	weighted, err := check(m)
	if err != nil {
		return err
	}
	n, _ := m.Dims()
	out := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintf(out, "%d %d", n, m.NNZ()/2)
	if weighted {
		out.WriteString(" 001")
	}
	line := []byte("\n")
	for i := range n {
		columns, values := m.Row(i)
		for k, j := range columns {
			if k > 0 {
				line = append(line, ' ')
			}
			line = strconv.AppendInt(line, int64(j)+1, 10)
			if weighted {
				line = append(line, ' ')
				line = strconv.AppendInt(line, int64(values[k]), 10)
			}
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = append(line[:0], '\n')
	}
	out.Write(line) // an error stays with out until Flush
	return out.Flush()
}

// check reports whether weights must be written, or what the format does not
// hold.
func check(m *csr.Matrix) (weighted bool, err error) {
	if err := csr.CheckSymmetric(m, 1); err != nil {
		return false, err
	}
	n, _ := m.Dims()
	for i := range n {
		columns, values := m.Row(i)
		for k, j := range columns {
			v := float64(values[k])
			switch {
			case int(j) == i:
				return false, fmt.Errorf("%w: row %d has %v on the diagonal", ErrWeight, i, v)
			case !(v >= 1 && v <= maxWeight) || v != math.Trunc(v):
				return false, fmt.Errorf("%w: the weight of %d–%d is %v, expected a whole number from 1 to %d", ErrWeight, i, j, v, maxWeight)
			}
			weighted = weighted || v != 1
		}
	}
	return weighted, nil
}
