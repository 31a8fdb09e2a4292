package ranks_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/ranks"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

// Three goroutines, each with a third of the rows, in the place of three processes.
func ExampleRun() {
	if err := overThree(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// labels of rank 0: 60, as those of one process: true
	// the same F: true
	// the estimate of each rank is below 1 MB: true
}

func overThree() error {
	edges := &csr.Edges{} // a ring with chords
	for i := range uint32(60) {
		edges.Src, edges.Dst = append(edges.Src, i, i), append(edges.Dst, (i+1)%60, (i+3)%60)
	}
	w, _, err := csr.FromEdges(60, edges, csr.BuildOptions{})
	if err != nil {
		return err
	}
	y, err := diffuse.NewSeeds(60, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 30, Class: 1, Weight: 1}})
	if err != nil {
		return err
	}
	ctx, options := context.Background(), adp.Options{Select: adp.None, Rounds: 2}
	one, err := adp.Run(ctx, w, y, options)
	if err != nil {
		return err
	}
	const size = 3
	indptr, _, _ := w.Arrays()
	var all *adp.Result
	small := [size]bool{}
	err = dist.Local(size, func(c dist.Comm) error {
		world := dist.NewWorld(c, dist.Split(indptr, size))
		lo, hi, _ := world.Rows()
		own := csr.Slice(w, lo, hi)
		memory := ranks.Measure(world, own, y.Classes)
		small[c.Rank()] = memory.Bytes(options, ranks.After{F: true}) < 1e6
		result, err := ranks.Run(ctx, world, own, y, nil, options)
		if err != nil {
			return err
		}
		if gathered := ranks.Gather(world, result, nil, true, false, 1); gathered != nil {
			all = gathered // rank 0
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("labels of rank 0: %d, as those of one process: %v\n", len(all.Labels), slices.Equal(all.Labels, one.Labels))
	fmt.Println("the same F:", slices.Equal(all.F.Data, one.F.Data))
	fmt.Println("the estimate of each rank is below 1 MB:", !slices.Contains(small[:], false))
	return nil
}
