package adp_test

import (
	"context"
	"fmt"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/convert"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Two triangles joined by one edge, with a label in each, from a gonum
// matrix.
func Example() {
	affinity := mat.NewSymDense(6, nil)
	for _, e := range [][2]int{{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}} {
		affinity.SetSym(e[0], e[1], 1)
	}
	w, err := convert.FromMat(affinity)
	if err != nil {
		fmt.Println(err)
		return
	}
	const unknown = -1
	seeds, err := diffuse.HardSeeds([]int{0, unknown, unknown, unknown, unknown, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := adp.Run(context.Background(), w, seeds, adp.Options{TopK: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, label := range result.Labels {
		fmt.Printf("node %d: class %d, %v\n", i, label, result.Status[i])
	}
	learned := convert.View(result.Graph)
	fmt.Println("the learned graph joins 1 and 2 more than 2 and 3:", learned.At(1, 2) > learned.At(2, 3))
	// Output:
	// node 0: class 0, seed
	// node 1: class 0, predicted
	// node 2: class 0, predicted
	// node 3: class 1, predicted
	// node 4: class 1, predicted
	// node 5: class 1, seed
	// the learned graph joins 1 and 2 more than 2 and 3: true
}

// The same graph from a james-bowman/sparse matrix, with an observer.
func Example_jamesBowman() {
	dok := sparse.NewDOK(6, 6)
	for _, e := range [][2]int{{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}} {
		dok.Set(e[0], e[1], 1)
		dok.Set(e[1], e[0], 1)
	}
	w, err := convert.FromSparse(dok.ToCSR())
	if err != nil {
		fmt.Println(err)
		return
	}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, -1, -1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := adp.Run(context.Background(), w, seeds, adp.Options{
		TopK:     2,
		Observer: func(r adp.Round) { fmt.Printf("round %d: cut %.3f\n", r.Index, r.Cut) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("labels:", result.Labels)
	fmt.Println("entries of the learned graph as james-bowman/sparse:", convert.ToSparse(result.Graph).NNZ() == result.Graph.NNZ())
	// Output:
	// round 0: cut 0.857
	// round 1: cut 0.857
	// labels: [0 0 0 1 1 1]
	// entries of the learned graph as james-bowman/sparse: true
}

// Edges as three slices: src, dst and, where they are not all 1, weights.
func ExampleRun() {
	w, _, err := csr.FromEdges(4, &csr.Edges{Src: []uint32{0, 1, 2}, Dst: []uint32{1, 2, 3}}, csr.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := adp.Run(context.Background(), w, seeds, adp.Options{Method: adp.LGC, Alpha: 0.9})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, label := range result.Labels {
		fmt.Printf("node %d: class %d, margin %.2f\n", i, label, result.Margin[i])
	}
	// Output:
	// node 0: class 0, margin 0.37
	// node 1: class 0, margin 0.14
	// node 2: class 1, margin 0.14
	// node 3: class 1, margin 0.37
}
