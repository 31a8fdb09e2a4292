package fit_test

import (
	"context"
	"fmt"
	"log"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Vectors to labels: eight points of the plane in two groups, with a known label in each; -1 means
// unknown. The zero value of the options does what adp-sparse run does.
func Example() {
	points := &csr.Dense{Rows: 8, Cols: 2, Data: []float32{
		0, 0, 0, 1, 1, 0, 1, 1,
		5, 5, 5, 6, 6, 5, 6, 6,
	}}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, -1, -1, -1, -1, 1})
	if err != nil {
		log.Fatal(err)
	}
	result, err := fit.Run(context.Background(), fit.Input{Dense: points, Seeds: seeds}, fit.Options{Graph: fit.GraphOptions{K: 3}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Labels)
	fmt.Println(result.Affinity.Report.Kind, result.Affinity.Report.KNN.Metric)
	// Output:
	// [0 0 0 0 1 1 1 1]
	// knn l2
}

// Edges to labels: two triangles that one edge joins. The last node has no edge, and gets no label.
func Example_edges() {
	edges, dropped, err := csr.FromEdges(7, &csr.Edges{
		Src: []uint32{0, 0, 1, 2, 3, 3, 4, 5},
		Dst: []uint32{1, 2, 2, 3, 4, 5, 5, 5},
	}, csr.BuildOptions{})
	if err != nil {
		log.Fatal(err)
	}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, -1, -1, 1, -1})
	if err != nil {
		log.Fatal(err)
	}
	result, err := fit.Run(context.Background(), fit.Input{Edges: edges, Seeds: seeds}, fit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("edges from a node to itself:", dropped.SelfLoops)
	for node, label := range result.Labels {
		fmt.Println(node, label, result.Status[node])
	}
	for _, w := range result.Warnings {
		fmt.Println(w.Code)
	}
	// Output:
	// edges from a node to itself: 1
	// 0 0 seed
	// 1 0 predicted
	// 2 0 predicted
	// 3 1 predicted
	// 4 1 predicted
	// 5 1 seed
	// 6 -1 unreached
	// unreached
}

// Edges and features of the same nodes to labels.
func ExampleRun() {
	edges, _, err := csr.FromEdges(6, &csr.Edges{Src: []uint32{0, 1, 2, 3, 4}, Dst: []uint32{1, 2, 3, 4, 5}}, csr.BuildOptions{})
	if err != nil {
		log.Fatal(err)
	}
	words := &csr.Dense{Rows: 6, Cols: 2, Data: []float32{3, 1, 2, 1, 4, 1, 1, 3, 1, 2, 1, 4}}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, -1, -1, 1})
	if err != nil {
		log.Fatal(err)
	}
	result, err := fit.Run(context.Background(), fit.Input{Edges: edges, Dense: words, Seeds: seeds}, fit.Options{Graph: fit.GraphOptions{K: 2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Labels, "with", result.Affinity.Report.Share, "of the weight of the features")
	// Output:
	// [0 0 0 1 1 1] with 0.25 of the weight of the features
}

// The accuracy of labels on the other nodes, as the left-out seeds tell it: forty points on a line in two groups, with eight known labels.
func ExampleResult_Estimate() {
	points, labels := csr.NewDense(40, 1), make([]int, 40)
	for i := range labels {
		points.Set(i, 0, float32(i+i/20*20))
		if labels[i] = -1; i%5 == 2 {
			labels[i] = i / 20
		}
	}
	seeds, err := diffuse.HardSeeds(labels)
	if err != nil {
		log.Fatal(err)
	}
	result, err := fit.Run(context.Background(), fit.Input{Dense: points, Seeds: seeds}, fit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if e := result.Estimate(seeds); e != nil { // nil where no seed could be left out
		fmt.Printf("%.2f (%.2f to %.2f) by %d left-out seeds of a mixture: %v\n", e.Accuracy, e.Low, e.High, e.LeftOut, e.By == fit.ByMixture)
		fmt.Printf("the most frequent class for all nodes: %.2f, as good: %v\n", e.Largest, e.NoBetter)
	}
	// Output:
	// 0.99 (0.54 to 1.00) by 8 left-out seeds of a mixture: true
	// the most frequent class for all nodes: 0.50, as good: false
}

// New points get labels without another run. Package adp/model keeps what they need in a file.
func Example_newPoints() {
	ctx := context.Background()
	points := &csr.Dense{Rows: 6, Cols: 1, Data: []float32{0, 1, 2.5, 10, 11, 12.5}}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, 1, -1, -1})
	if err != nil {
		log.Fatal(err)
	}
	result, err := fit.Run(ctx, fit.Input{Dense: points, Seeds: seeds}, fit.Options{
		Graph: fit.GraphOptions{K: 2, Joinable: true}, Guess: true,
	})
	if err != nil {
		log.Fatal(err)
	}

	x := diffuse.Features{Dense: points}
	m := result.Model(adp.ADP, ids.Sequence(6), []string{"near", "far"}, model.FeaturesOf(x, result.Affinity.Scaling), 0)
	predictor, err := m.NewPredictor(ctx, x, 0) // m.Write keeps the model, and model.Read has it back
	if err != nil {
		log.Fatal(err)
	}
	fresh := diffuse.Features{Dense: &csr.Dense{Rows: 2, Cols: 1, Data: []float32{2, 9}}}
	predicted, err := predictor.Predict(ctx, fresh, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, label := range predicted.Labels {
		fmt.Println(m.Classes[label])
	}
	// Output:
	// near
	// far
}
