package adp_test

import (
	"context"
	"fmt"
	"slices"

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
	result, err := adp.Run(context.Background(), w, seeds, adp.Options{TopK: 2, Select: adp.None})
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
		Observer: func(r adp.Round) { fmt.Printf("round %d: cut %.3f\n", r.Index, r.Association) },
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

// ring returns a ring of 60 nodes with chords, and a seed on each side.
func ring() (*csr.Matrix, *diffuse.Seeds, error) {
	edges := &csr.Edges{}
	for i := range uint32(60) {
		edges.Src = append(edges.Src, i, i)
		edges.Dst = append(edges.Dst, (i+1)%60, (i+3)%60)
	}
	w, _, err := csr.FromEdges(60, edges, csr.BuildOptions{})
	if err != nil {
		return nil, nil, err
	}
	y, err := diffuse.NewSeeds(60, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 30, Class: 1, Weight: 1}})
	return w, y, err
}

// An observer sees each round, with its labels, and may end the run: the context
// is looked at between all steps.
func ExampleOptions_observer() {
	w, y, err := ring()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = adp.Run(ctx, w, y, adp.Options{
		Select:    adp.None,
		MinChange: -1, Beta: 1e-9, // do not stop for small changes
		Observer: func(r adp.Round) {
			fmt.Println("round", r.Index, "done,", len(r.Labels), "labels")
			if r.Index == 2 {
				cancel()
			}
		},
	})
	fmt.Println(err)
	// Output:
	// round 0 done, 60 labels
	// round 1 done, 60 labels
	// round 2 done, 60 labels
	// context canceled
}

// A label came in: the run starts from the F of the last one.
func ExampleOptions_start() {
	w, y, err := ring()
	if err != nil {
		fmt.Println(err)
		return
	}
	options := adp.Options{Method: adp.LGC, KeepFirst: true}
	last, err := adp.Run(context.Background(), w, y, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	more, err := diffuse.NewSeeds(60, 2, append(y.List(), diffuse.Seed{Node: 20, Class: 1, Weight: 1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fresh, err := adp.Run(context.Background(), w, more, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	options.Start = last.First
	warm, err := adp.Run(context.Background(), w, more, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("no more products:", warm.Rounds[0].Solve.Iterations <= fresh.Rounds[0].Solve.Iterations)
	fmt.Println("the same labels:", slices.Equal(warm.Labels, fresh.Labels))
	// Output:
	// no more products: true
	// the same labels: true
}

// A node that was not in the graph, with edges of weight 2 to node 1 and 1 to
// node 2 of a path with seeds at its ends.
func ExamplePredict() {
	w, _, err := csr.FromEdges(4, &csr.Edges{Src: []uint32{0, 1, 2}, Dst: []uint32{1, 2, 3}}, csr.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := diffuse.HardSeeds([]int{0, -1, -1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := adp.Run(context.Background(), w, y, adp.Options{Method: adp.LGC, Alpha: 0.9})
	if err != nil {
		fmt.Println(err)
		return
	}
	edges, err := csr.New(1, 4, []int64{0, 2}, []uint32{1, 2}, []float32{2, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := adp.Predict(result.F, result.Degrees(w, adp.LGC, 0), edges, 0.9, 0, 0)
	fmt.Printf("class %d, margin %.2f, %v\n", p.Labels[0], p.Margin[0], p.Status[0])
	// Output: class 0, margin 0.05, predicted
}
