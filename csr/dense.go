package csr

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/internal/hugepage"
)

// Dense is an n×c matrix of float32, row-major: entry (i,j) is
// Data[i*Cols+j]. It is the form of every block of class columns (Y, F, G).
type Dense struct {
	Rows, Cols int
	Data       []float32
}

// NewDense returns a zeroed rows×cols matrix, 4 bytes an entry, in huge pages
// where it is large and the system has them.
func NewDense(rows, cols int) *Dense {
	data := make([]float32, rows*cols)
	hugepage.Advise(data)
	return &Dense{Rows: rows, Cols: cols, Data: data}
}

// Row returns row i as a part of d.
func (d *Dense) Row(i int) []float32 {
	return d.Data[i*d.Cols : (i+1)*d.Cols : (i+1)*d.Cols]
}

// At returns entry (i,j).
func (d *Dense) At(i, j int) float32 { return d.Data[i*d.Cols+j] }

// Set sets entry (i,j) to v.
func (d *Dense) Set(i, j int, v float32) { d.Data[i*d.Cols+j] = v }

// Clone returns a copy of d.
func (d *Dense) Clone() *Dense {
	c := NewDense(d.Rows, d.Cols)
	copy(c.Data, d.Data)
	return c
}

// CopyFrom copies src, which must have the same shape, to d.
func (d *Dense) CopyFrom(src *Dense) {
	d.mustMatch(src)
	copy(d.Data, src.Data)
}

func (d *Dense) mustMatch(o *Dense) {
	if d.Rows != o.Rows || d.Cols != o.Cols {
		panic(fmt.Sprintf("csr: shapes %d×%d and %d×%d differ", d.Rows, d.Cols, o.Rows, o.Cols))
	}
}
