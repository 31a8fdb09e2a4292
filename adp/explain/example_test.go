package explain_test

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp/explain"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// The path 0–1–2–3 with seeds at its ends: why node 1 is of class 0.
func ExampleNode() {
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
	e, err := explain.Node(context.Background(), diffuse.Normalize(w, 0), seeds, 1, 2, diffuse.Options{Alpha: 0.9})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, part := range e.Parts {
		fmt.Printf("seed %d gives class %d %.3f, along %v\n", part.Seed.Node, part.Seed.Class, part.Amount, part.Path)
	}
	fmt.Println("class", e.Label, "before", e.RunnerUp)
	// Output:
	// seed 0 gives class 0 0.250, along [1 0]
	// seed 3 gives class 1 0.189, along [1 2 3]
	// class 0 before 1
}
