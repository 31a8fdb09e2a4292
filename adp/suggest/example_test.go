package suggest_test

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp/suggest"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// On a path of five nodes whose ends have unlike labels, the middle is in doubt.
func ExampleNext() {
	w, _, err := csr.FromEdges(5, &csr.Edges{Src: []uint32{0, 1, 2, 3}, Dst: []uint32{1, 2, 3, 4}}, csr.BuildOptions{})
	if err != nil {
		panic(err)
	}
	seeds, err := diffuse.NewSeeds(5, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 4, Class: 1, Weight: 1}})
	if err != nil {
		panic(err)
	}
	s := diffuse.Normalize(w, 0)
	f, _, err := diffuse.LGC(context.Background(), s, seeds, diffuse.Options{})
	if err != nil {
		panic(err)
	}
	next, err := suggest.Next(context.Background(), s, w, suggest.Doubt(f, seeds.Mask()), 3, 0)
	if err != nil {
		panic(err)
	}
	for _, x := range next {
		fmt.Printf("node %d, uncertainty %.2f\n", x.Node, x.Uncertainty)
	}
	// Output: node 2, uncertainty 1.00
}
