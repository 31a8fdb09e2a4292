//go:build mpi

package mpi

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/diffuse/dist/disttest"
)

// Tests run in goroutines of their own, and MPI may be entered by the main one
// alone: it does what they ask for.
var (
	asked = make(chan func() error)
	done  = make(chan error)
	world *Comm
)

func TestMain(m *testing.M) {
	var err error
	if world, err = Init(5*time.Minute, func() {
		fmt.Fprintln(os.Stderr, "MPI is stuck")
		os.Exit(1)
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := make(chan int)
	go func() { code <- m.Run() }()
	for {
		select {
		case body := <-asked:
			done <- body()
		case status := <-code:
			if status != 0 {
				world.Abort(status) // the others may wait for this one
			}
			if err := world.Finalize(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(status)
		}
	}
}

// TestBattery runs the battery on the ranks that mpirun has started.
func TestBattery(t *testing.T) {
	disttest.Run(t, func(t *testing.T, body func(c dist.Comm, threads int) error) {
		t.Helper()
		asked <- func() error { return body(world, 1) }
		if err := <-done; err != nil {
			t.Fatalf("rank %d of %d: %v", world.rank, world.size, err)
		}
	})
}
