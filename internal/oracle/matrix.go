package oracle

import (
	"fmt"
	"math"
)

// Mat is a dense matrix: m[i][j] is row i, column j; rows have one length.
type Mat [][]float64

// New returns the r×c matrix of zeros.
func New(r, c int) Mat {
	m := make(Mat, r)
	for i := range m {
		m[i] = make([]float64, c)
	}
	return m
}

// Identity returns the n×n identity.
func Identity(n int) Mat {
	m := New(n, n)
	for i := range m {
		m[i][i] = 1
	}
	return m
}

// Dims returns the numbers of rows and columns; a matrix without rows is 0×0.
func (m Mat) Dims() (r, c int) {
	if len(m) == 0 {
		return 0, 0
	}
	return len(m), len(m[0])
}

// Mul returns a·b, (r×m)·(m×c): each number is a sum in the order of m, without the terms of which a has a zero.
func Mul(a, b Mat) Mat {
	r, inner := a.Dims()
	rb, c := b.Dims()
	if inner != rb {
		panic(fmt.Sprintf("oracle: product of %d×%d and %d×%d", r, inner, rb, c))
	}
	p := New(r, c)
	for i := range r {
		for k, v := range a[i] {
			if v == 0 {
				continue
			}
			for j, w := range b[k] {
				p[i][j] += v * w
			}
		}
	}
	return p
}

// Add returns x·a + y·b for matrices of one shape.
func Add(x float64, a Mat, y float64, b Mat) Mat {
	r, c := a.Dims()
	if rb, cb := b.Dims(); r != rb || c != cb {
		panic(fmt.Sprintf("oracle: sum of %d×%d and %d×%d", r, c, rb, cb))
	}
	s := New(r, c)
	for i := range r {
		for j := range c {
			s[i][j] = x*a[i][j] + y*b[i][j]
		}
	}
	return s
}

// Scale returns x·a.
func Scale(x float64, a Mat) Mat {
	m := clone(a)
	scale(x, m...)
	return m
}

// Transpose returns aᵀ.
func Transpose(a Mat) Mat {
	r, c := a.Dims()
	t := New(c, r)
	for i := range r {
		for j := range c {
			t[j][i] = a[i][j]
		}
	}
	return t
}

// Kronecker returns a⊗b: block (i,j) is a_ij·b.
func Kronecker(a, b Mat) Mat {
	ra, ca := a.Dims()
	rb, cb := b.Dims()
	k := New(ra*rb, ca*cb)
	for i := range k {
		for j := range k[i] {
			k[i][j] = a[i/rb][j/cb] * b[i%rb][j%cb]
		}
	}
	return k
}

// MaxAbsDiff returns the largest |a_ij − b_ij|, NaN when one of them is NaN.
func MaxAbsDiff(a, b Mat) float64 {
	largest := 0.0
	for _, row := range Add(1, a, -1, b) {
		for _, v := range row {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	return largest
}
