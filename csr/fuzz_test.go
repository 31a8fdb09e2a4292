package csr

import (
	"context"
	"encoding/binary"
	"math"
	"testing"
)

// New never panics on small arrays of any content; what it accepts survives
// all kernels and gives sound matrices.
func FuzzNew(f *testing.F) {
	f.Add(2, 2, []byte{0, 1, 2}, []byte{1, 0}, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40})
	f.Add(3, 2, []byte{0, 0, 1, 1}, []byte{1}, []byte{0, 0, 0x80, 0xbf})
	f.Add(0, 0, []byte{0}, []byte{}, []byte{})
	f.Add(2, 2, []byte{0, 0xff, 2}, []byte{1, 1}, []byte{0, 0, 0x80, 0x7f, 0, 0, 0xc0, 0x7f})
	f.Add(-1, 5, []byte{}, []byte{7}, []byte{1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, rows, cols int, offsets, columns, values []byte) {
		if cols > 1<<12 { // Transpose takes 8 bytes a column, and time for them
			cols = 1 << 12
		}
		var indptr []int64
		for _, b := range offsets {
			indptr = append(indptr, int64(int8(b)))
		}
		var indices []uint32
		for _, b := range columns {
			indices = append(indices, uint32(int8(b))) // negative ones are huge
		}
		var data []float32
		for ; len(values) >= 4; values = values[4:] {
			data = append(data, math.Float32frombits(binary.LittleEndian.Uint32(values)))
		}
		m, err := New(rows, cols, indptr, indices, data)
		if err != nil {
			return
		}
		tr := Transpose(m, 2)
		mustBeSound(t, tr)
		if !sameBits(Transpose(tr, 1), m) {
			t.Error("transposed twice, another matrix")
		}
		Degrees(m, 2)
		x, y := NewDense(cols, 5), NewDense(rows, 5)
		MulDense(y, m, x, 2)
		err = MulRows(context.Background(), m, tr, 2, func(_, i int, row *Accumulator) error {
			top := NewTopK(2)
			for _, j := range row.Columns() {
				top.Offer(j, row.Value(j))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if rows != cols {
			return
		}
		_ = CheckSymmetric(m, 1)
		Components(m, 2)
		sym := Symmetrize(m, Mean, 2)
		mustBeSound(t, sym)
		if err := CheckSymmetric(sym, 1); err != nil {
			t.Error(err)
		}
		mustBeSound(t, Symmetrize(m, Max, 2))
		NormalizeSym(sym, 2)
	})
}
