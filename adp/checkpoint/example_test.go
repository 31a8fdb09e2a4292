package checkpoint_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/checkpoint"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// A run that is stopped after its second round goes on from the file: the same
// result as without a stop.
func Example() {
	if err := stopAndResume(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// stopped: context canceled
	// going on after round 2
	// the same F: true
}

func stopAndResume() error {
	// A ladder of 40 rungs, with a seed at each end.
	edges := &csr.Edges{}
	for i := range uint32(39) {
		edges.Src = append(edges.Src, i, 40+i, i)
		edges.Dst = append(edges.Dst, i+1, 41+i, 40+i)
	}
	w, _, err := csr.FromEdges(80, edges, csr.BuildOptions{})
	if err != nil {
		return err
	}
	labels := slices.Repeat([]int{-1}, 80)
	labels[0], labels[79] = 0, 1
	seeds, err := diffuse.HardSeeds(labels)
	if err != nil {
		return err
	}
	options := adp.Options{Select: adp.None, MinChange: -1, Rounds: 4}
	whole, err := adp.Run(context.Background(), w, seeds, options)
	if err != nil {
		return err
	}

	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "run.state")
	file, err := checkpoint.Create(name, "example 1")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	options.Checkpoint = func(s *adp.Snapshot) error {
		if round, _, _ := s.At(); round == 2 {
			cancel() // a signal, a deadline, …
		}
		return file.Save(s)
	}
	_, err = adp.Run(ctx, w, seeds, options)
	fmt.Println("stopped:", err)
	if err := file.Close(); err != nil {
		return err
	}

	file, snapshot, err := checkpoint.Open(name, "example 1")
	if err != nil {
		return err
	}
	round, _, _ := snapshot.At()
	fmt.Println("going on after round", round)
	options.Checkpoint = file.Save
	resumed, err := adp.Resume(context.Background(), w, seeds, options, snapshot)
	if err != nil {
		return err
	}
	fmt.Println("the same F:", slices.Equal(resumed.F.Data, whole.F.Data))
	return errors.Join(file.Remove(), file.Close())
}
