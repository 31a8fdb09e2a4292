package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// randomEdges returns edges with loops, duplicates both ways, weights of 0
// and, at times, a hub.
func randomEdges(rng *rand.Rand, n int) *csr.Edges {
	e := &csr.Edges{}
	weighted, hub := rng.IntN(2) == 0, rng.IntN(3) == 0
	for range rng.IntN(6 * n) {
		i, j := uint32(rng.IntN(n)), uint32(rng.IntN(n))
		if hub && rng.IntN(2) == 0 {
			j = 0
		}
		for range 1 + rng.IntN(2) {
			e.Src, e.Dst = append(e.Src, i), append(e.Dst, j)
			if weighted {
				e.Weight = append(e.Weight, float32(rng.IntN(4))/3)
			}
			i, j = j, i
		}
	}
	return e
}

func clone(e *csr.Edges) *csr.Edges {
	return &csr.Edges{Src: append([]uint32{}, e.Src...), Dst: append([]uint32{}, e.Dst...), Weight: append([]float32(nil), e.Weight...)}
}

func temporary(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// built adds the edges in pieces to a builder with the given memory and
// returns the file that Build makes.
func built(t *testing.T, n int, e *csr.Edges, opt csr.BuildOptions, names *ids.Table) ([]byte, csr.BuildStats) {
	t.Helper()
	opt.Scratch = temporary(t, "scratch")
	b := csr.NewBuilder(n, int64(len(e.Src)), e.Weight != nil, opt)
	for lo := 0; lo < len(e.Src); lo += 100 {
		hi := min(lo+100, len(e.Src))
		part := &csr.Edges{Src: e.Src[lo:hi], Dst: e.Dst[lo:hi]}
		if e.Weight != nil {
			part.Weight = e.Weight[lo:hi]
		}
		if err := b.Add(lo/100%max(opt.Threads, 1), part); err != nil {
			t.Fatal(err)
		}
	}
	f := temporary(t, "built.csr")
	_, stats, err := Build(context.Background(), f, b, names)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return content, stats
}

// TestBuild: the file made row by row, in any memory and by any number of
// threads, has the bytes of the matrix in memory.
func TestBuild(t *testing.T) {
	for trial := range uint64(120) {
		rng := rand.New(rand.NewPCG(trial, 21))
		n := 1 + rng.IntN(700)
		e := randomEdges(rng, n)
		opt := csr.BuildOptions{Directed: trial%3 > 0, Mean: trial%3 == 2, Duplicates: csr.Duplicates(trial % 2)}
		plain := opt
		plain.Mean = false
		m, want, err := csr.FromEdges(n, clone(e), plain)
		if err != nil {
			t.Fatal(err)
		}
		if opt.Mean {
			m = csr.Symmetrize(m, csr.Mean, 1)
		}
		names := []*ids.Table{nil, ids.Sequence(n), ids.NewTable()}[rng.IntN(3)]
		if names != nil && !names.IsSequence() {
			for i := range n {
				names.Add(fmt.Appendf(nil, "node %d", i))
			}
		}
		expected := written(t, m, names)
		for _, memory := range []int64{0, 1, 1 << 12, 1 << 16} {
			opt.Memory, opt.Threads = memory, 1+rng.IntN(4)
			got, stats := built(t, n, e, opt, names)
			if !bytes.Equal(got, expected) {
				t.Fatalf("trial %d, n %d, %d edges, %+v: other bytes than Write", trial, n, len(e.Src), opt)
			}
			if stats != want {
				t.Fatalf("trial %d: %+v, expected %+v", trial, stats, want)
			}
		}
	}
}

// failing is a file whose call number at fails.
type failing struct {
	*os.File
	at int
}

var errFailing = errors.New("disk on fire")

func (f *failing) fault() error {
	f.at--
	if f.at == 0 {
		return errFailing
	}
	return nil
}

func (f *failing) WriteAt(b []byte, at int64) (int, error) {
	if err := f.fault(); err != nil {
		return 0, err
	}
	return f.File.WriteAt(b, at)
}

func (f *failing) ReadAt(b []byte, at int64) (int, error) {
	if err := f.fault(); err != nil {
		return 0, err
	}
	return f.File.ReadAt(b, at)
}

func (f *failing) Truncate(size int64) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// TestBuildFaults fails each access to the scratch file and to the output,
// one after the other: each must end in that error.
func TestBuildFaults(t *testing.T) {
	e := randomEdges(rand.New(rand.NewPCG(1, 22)), 300)
	for _, which := range []string{"scratch", "output"} {
		calls := 0
		for done := false; !done; calls++ {
			scratch, output := &failing{File: temporary(t, "s")}, &failing{File: temporary(t, "o")}
			if which == "scratch" {
				scratch.at = calls + 1
			} else {
				output.at = calls + 1
			}
			b := csr.NewBuilder(300, int64(len(e.Src)), e.Weight != nil, csr.BuildOptions{Memory: 1, Scratch: scratch, Threads: 1})
			err := b.Add(0, clone(e))
			if err == nil {
				_, _, err = Build(context.Background(), output, b, nil)
			}
			done = err == nil
			if err != nil && !errors.Is(err, errFailing) {
				t.Fatalf("%s, call %d: %v", which, calls+1, err)
			}
		}
		if calls < 5 {
			t.Errorf("only %d calls of the %s", calls, which)
		}
	}
}

// TestBuildStops ends with its context.
func TestBuildStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := csr.NewBuilder(10, 0, false, csr.BuildOptions{Threads: 3})
	if _, _, err := Build(ctx, temporary(t, "o"), b, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
