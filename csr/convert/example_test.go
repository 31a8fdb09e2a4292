package convert_test

import (
	"context"
	"fmt"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/convert"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// The nodes of a gonum graph get labels: two groups of friends, and the club of one in each.
func ExampleFromGraph() {
	friends := simple.NewUndirectedGraph()
	for _, pair := range [][2]int64{{10, 11}, {10, 12}, {11, 12}, {12, 20}, {20, 21}, {20, 22}, {21, 22}} {
		friends.SetEdge(simple.Edge{F: simple.Node(pair[0]), T: simple.Node(pair[1])})
	}
	clubs := []string{"chess", "rowing"}
	known := map[int64]uint32{10: 0, 22: 1} // node: index in clubs

	graph, err := convert.FromGraph(friends)
	if err != nil {
		fmt.Println(err)
		return
	}
	var list []diffuse.Seed
	for node, club := range known {
		row, _ := graph.Row(node)
		list = append(list, diffuse.Seed{Node: uint32(row), Class: club, Weight: 1})
	}
	seeds, err := diffuse.NewSeeds(len(graph.IDs), len(clubs), list)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := fit.Run(context.Background(), fit.Input{Edges: graph.W, Seeds: seeds}, fit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, label := range result.Labels {
		fmt.Println(graph.IDs[row], clubs[label], result.Status[row])
	}
	// Output:
	// 10 chess seed
	// 11 chess predicted
	// 12 chess predicted
	// 20 rowing predicted
	// 21 rowing predicted
	// 22 rowing seed
}

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
