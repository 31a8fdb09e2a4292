package knn_test

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
)

// points are two groups on a line.
var points = &csr.Dense{Rows: 6, Cols: 1, Data: []float32{0, 1, 2.5, 10, 11, 12.5}}

// The graph of the two nearest neighbours of each point.
func ExampleGraph() {
	w, report, err := knn.Graph(context.Background(), points, knn.GraphOptions{Search: knn.Options{K: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Components, "components; neighbours are", report.Method)
	for i := range points.Rows {
		cols, _ := w.Row(i)
		fmt.Println(i, cols)
	}
	// Output:
	// 2 components; neighbours are exact
	// 0 [1 2]
	// 1 [0 2]
	// 2 [0 1]
	// 3 [4 5]
	// 4 [3 5]
	// 5 [3 4]
}

// The nearest stored points of a new one, and the weights of its edges to them.
func ExampleIndex_Nearest() {
	ctx, opt := context.Background(), knn.GraphOptions{Search: knn.Options{K: 2}}
	_, report, err := knn.Graph(ctx, points, opt)
	if err != nil {
		fmt.Println(err)
		return
	}
	joins, err := knn.NewAttachment(report.Found, report.Neighbors, opt)
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := joins.Index(points, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	near, err := index.Nearest(ctx, &csr.Dense{Rows: 1, Cols: 1, Data: []float32{1.5}}, joins.Search)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := joins.Weights(near, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	ids, dist := near.Row(0)
	for p, j := range ids {
		fmt.Printf("point %d at %.1f, weight %.3f\n", j, dist[p], w.At(0, int(j)))
	}
	// Output:
	// point 1 at 0.5, weight 0.513
	// point 2 at 1.0, weight 0.202
}
