package dist_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/diffuse/dist/disttest"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// TestLocal runs the battery on 1 to 4 ranks, with two threads in the case of
// three, which is all that short tests run.
func TestLocal(t *testing.T) {
	disttest.Run(t, func(t *testing.T, body func(c dist.Comm, threads int) error) {
		for size := 1; size <= 4; size++ {
			if testing.Short() && size != 3 {
				continue
			}
			t.Run(fmt.Sprintf("%d ranks", size), func(t *testing.T) {
				threads := 1
				if size == 3 {
					threads = 2
				}
				if err := dist.Local(size, func(c dist.Comm) error { return body(c, threads) }); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

// TestSlices: ranks that solve for some of the columns at a time, in slices of unlike
// widths, have the bits of one process.
func TestSlices(t *testing.T) {
	const n, c = 2*rows.BlockSize + 99, 24
	graph, _, err := csr.FromEdges(n, disttest.Ring(n), csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := slices.Repeat([]int{-1}, n)
	for j := range c {
		labels[j*n/c] = j
	}
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	opt := diffuse.Options{Alpha: 0.9}
	want, stats, err := diffuse.LGC(context.Background(), diffuse.Normalize(graph, 1), y, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := dist.Local(2, func(comm dist.Comm) error {
		w, own := disttest.Share(comm, graph)
		g := dist.Normalize(w, own, 1)
		lo, hi, _ := w.Rows()
		f := csr.NewDense(hi-lo, c)
		work := diffuse.NewSlicedWorkspace(hi-lo, c, 16, 1).Across(w)
		got, err := work.LGC(context.Background(), f, g, g.Degrees, y, opt)
		if err != nil || got != stats || !slices.Equal(f.Data, want.Data[lo*c:hi*c]) {
			return fmt.Errorf("rank %d: another F, or %+v for %+v: %w", comm.Rank(), got, stats, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
