package crossval_test

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Two methods on the same folds: each of the eight known labels is left out once.
func ExampleHoldOut() {
	if err := compare(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// lgc: 1.00 ± 0.06
	// gfhf: 1.00 ± 0.06
}

func compare() error {
	edges := &csr.Edges{} // two rings of 20 nodes, and an edge between them
	for i := range uint32(20) {
		edges.Src = append(edges.Src, i, 20+i)
		edges.Dst = append(edges.Dst, (i+1)%20, 20+(i+1)%20)
	}
	edges.Src, edges.Dst = append(edges.Src, 0), append(edges.Dst, 20)
	w, _, err := csr.FromEdges(40, edges, csr.BuildOptions{})
	if err != nil {
		return err
	}
	var known []diffuse.Seed
	for _, node := range []uint32{3, 8, 13, 18, 23, 28, 33, 38} {
		known = append(known, diffuse.Seed{Node: node, Class: node / 20, Weight: 1})
	}
	y, err := diffuse.NewSeeds(40, 2, known)
	if err != nil {
		return err
	}
	for _, method := range []adp.Method{adp.LGC, adp.GFHF} {
		held, err := crossval.HoldOut(y, crossval.ChoiceFolds, 1, crossval.ChoiceSeed, func(train *diffuse.Seeds) ([]int32, error) {
			r, err := adp.Run(context.Background(), w, train, adp.Options{Method: method})
			if err != nil {
				return nil, err
			}
			return r.Labels, nil
		})
		if err != nil {
			return err
		}
		share, deviation := held.Accuracy()
		fmt.Printf("%v: %.2f ± %.2f\n", method, share, deviation)
	}
	return nil
}
