package convert_test

import (
	"fmt"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/convert"
)

// A gonum matrix in, a view of the sparse one out.
func ExampleFromMat() {
	w, err := convert.FromMat(mat.NewSymDense(3, []float64{0, 2, 0, 2, 0, 1, 0, 1, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("entries:", w.NNZ())
	fmt.Println(mat.Formatted(convert.View(w)))
	// Output:
	// entries: 4
	// ⎡0  2  0⎤
	// ⎢2  0  1⎥
	// ⎣0  1  0⎦
}

// A james-bowman/sparse matrix in and out.
func ExampleFromSparse() {
	dok := sparse.NewDOK(2, 2)
	dok.Set(0, 1, 0.5)
	dok.Set(1, 0, 0.5)
	w, err := convert.FromSparse(dok.ToCSR())
	if err != nil {
		fmt.Println(err)
		return
	}
	back := convert.ToSparse(w)
	fmt.Println(back.NNZ(), back.At(1, 0))
	// Output: 2 0.5
}

// Feature vectors from gonum, and a block of class columns back to it.
func ExampleDenseFromMat() {
	x, err := convert.DenseFromMat(mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Row(1))
	f := &csr.Dense{Rows: 1, Cols: 2, Data: []float32{0.25, 0.75}}
	fmt.Println(mat.Max(convert.DenseView(f)))
	// Output:
	// [4 5 6]
	// 0.75
}
