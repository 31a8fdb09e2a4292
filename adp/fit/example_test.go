package fit_test

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Eight points of the plane in two groups, with a label in each. The zero value of the
// options does what adp-sparse run does.
func Example() {
	points := &csr.Dense{Rows: 8, Cols: 2, Data: []float32{
		0, 0, 0, 1, 1, 0, 1, 1,
		5, 5, 5, 6, 6, 5, 6, 6,
	}}
	const unknown = -1
	seeds, err := diffuse.HardSeeds([]int{0, unknown, unknown, unknown, unknown, unknown, unknown, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := fit.Run(context.Background(), fit.Input{Dense: points, Seeds: seeds}, fit.Options{Graph: fit.GraphOptions{K: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Labels)
	fmt.Println(result.Affinity.Report.Kind, result.Affinity.Report.KNN.Metric)
	// Output:
	// [0 0 0 0 1 1 1 1]
	// knn l2
}

// Edges and features of the same nodes.
func ExampleRun() {
	edges, _, err := csr.FromEdges(6, &csr.Edges{Src: []uint32{0, 1, 2, 3, 4}, Dst: []uint32{1, 2, 3, 4, 5}}, csr.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	words := &csr.Dense{Rows: 6, Cols: 2, Data: []float32{3, 1, 2, 1, 4, 1, 1, 3, 1, 2, 1, 4}}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, -1, -1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := fit.Run(context.Background(), fit.Input{Edges: edges, Dense: words, Seeds: seeds}, fit.Options{Graph: fit.GraphOptions{K: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Labels, "with", result.Affinity.Report.Share, "of the weight of the features")
	// Output:
	// [0 0 0 1 1 1] with 0.25 of the weight of the features
}
