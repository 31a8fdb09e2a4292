package rows

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// sizes straddle the ends of blocks.
var sizes = []int{0, 1, 511, 512, 513, 1024, 1025, 10*BlockSize + 7}

func TestDoCoversEachRowOnce(t *testing.T) {
	for _, n := range sizes {
		for _, threads := range []int{0, 1, 2, 3, 8, 100} {
			seen := make([]atomic.Int32, n)
			busy := make([]atomic.Bool, Workers(threads))
			err := Do(context.Background(), n, threads, func(worker, lo, hi int) error {
				if !busy[worker].CompareAndSwap(false, true) {
					t.Errorf("worker %d is called twice at a time", worker)
				}
				defer busy[worker].Store(false)
				if lo%BlockSize != 0 || hi != min(lo+BlockSize, n) {
					t.Errorf("block [%d,%d) of %d rows", lo, hi, n)
				}
				for i := lo; i < hi; i++ {
					seen[i].Add(1)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range seen {
				if c := seen[i].Load(); c != 1 {
					t.Fatalf("n %d, threads %d: row %d is visited %d times", n, threads, i, c)
				}
			}
		}
	}
}

func TestWorkers(t *testing.T) {
	if Workers(3) != 3 || Workers(0) != runtime.GOMAXPROCS(0) || Workers(-1) != runtime.GOMAXPROCS(0) {
		t.Errorf("got %d, %d, %d", Workers(3), Workers(0), Workers(-1))
	}
}

func TestDoStopsAtError(t *testing.T) {
	fault := errors.New("fault")
	for _, threads := range []int{1, 3} {
		var calls atomic.Int32
		err := Do(context.Background(), 1000*BlockSize, threads, func(_, lo, _ int) error {
			calls.Add(1)
			if lo == 2*BlockSize {
				return fault
			}
			runtime.Gosched()
			return nil
		})
		if err != fault {
			t.Errorf("threads %d: got %v", threads, err)
		}
		if threads == 1 && calls.Load() != 3 {
			t.Errorf("%d blocks, want 3", calls.Load())
		}
	}
}

func TestDoStopsWithContext(t *testing.T) {
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		var calls atomic.Int32
		canceled := make(chan struct{})
		err := Do(ctx, 1000*BlockSize, threads, func(_, _, _ int) error {
			switch n := calls.Add(1); {
			case n == 5:
				cancel()
				close(canceled)
			case n > 5: // the fifth may be kept waiting between its count and cancel
				<-canceled
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || int(calls.Load()) > 5+threads {
			t.Errorf("threads %d: %v after %d blocks", threads, err, calls.Load())
		}
		if err := Do(ctx, 1, threads, func(_, _, _ int) error { t.Error("called"); return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("threads %d: got %v", threads, err)
		}
	}
}

// A context that ends in the last block is reported for any number of
// threads.
func TestDoReportsLateEnd(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 8} {
		for _, n := range []int{1, 2 * BlockSize} {
			ctx, cancel := context.WithCancel(context.Background())
			var left atomic.Int32
			left.Store(int32((n + BlockSize - 1) / BlockSize))
			err := Do(ctx, n, threads, func(_, _, _ int) error {
				if left.Add(-1) == 0 {
					cancel()
				}
				return nil
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("n %d, threads %d: got %v", n, threads, err)
			}
		}
	}
}

// Sums have the same bits for any number of threads, though the first blocks are done
// last, are right, and a Reducer can be used again.
func TestReducer(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range sizes {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Exp(20 * random.NormFloat64())
		}
		var want []float64
		for _, threads := range []int{1, 2, 3, 16} {
			r := NewReducer(n, 2)
			for range 3 {
				got := r.Sum(threads, func(lo, hi int, partial []float64) {
					if threads > 1 { // else one of them makes all blocks, in their order
						time.Sleep(time.Duration(n-lo) * 50 * time.Nanosecond)
					}
					for i := lo; i < hi; i++ {
						partial[0] += x[i]
						partial[1]++
					}
				})
				if want == nil {
					want = slices.Clone(got)
				}
				if !slices.Equal(got, want) {
					t.Errorf("n %d, threads %d: %v, with one thread %v", n, threads, got, want)
				}
			}
		}
		exact := 0.0
		for _, v := range x {
			exact += v
		}
		if want[1] != float64(n) || math.Abs(want[0]-exact) > 1e-12*exact {
			t.Errorf("n %d: sums %v, want %v and %d", n, want, exact, n)
		}
	}
}

// A panic of a worker goes on in the goroutine of the caller, with the stack of the worker,
// also out of loops in loops and where another worker has failed before; one that is
// caught is an error.
func TestPanicOfWorker(t *testing.T) {
	fault := errors.New("fault")
	mine := func() error {
		var none []int
		return errors.New(fmt.Sprint(none[len(none)]))
	}
	for name, loop := range map[string]func(threads int) error{
		"Tasks": func(threads int) error {
			return Tasks(context.Background(), 4, threads, func(_, _ int) error { return mine() })
		},
		"Each": func(threads int) error {
			Each(4*BlockSize, threads, func(_, _ int) { mine() })
			return nil
		},
		"loops in loops": func(threads int) error {
			return Tasks(context.Background(), 2, threads, func(_, _ int) error {
				Each(4*BlockSize, threads, func(_, _ int) { mine() })
				return nil
			})
		},
		"after an error": func(threads int) error {
			if threads == 1 {
				return mine()
			}
			failed := make(chan struct{})
			return Tasks(context.Background(), 2, 2, func(_, k int) error {
				if k == 1 {
					close(failed)
					return fault
				}
				<-failed
				for range 100 { // until the error has ended the loop
					runtime.Gosched()
				}
				return mine()
			})
		},
	} {
		for _, threads := range []int{1, 4} {
			err := Catch(func() error { return loop(threads) })
			var p *Panic
			var own runtime.Error
			if !errors.As(err, &p) || !errors.As(err, &own) || !strings.Contains(string(p.Stack), "TestPanicOfWorker") || !strings.Contains(err.Error(), "index out of range [0]") {
				t.Errorf("%s, %d threads: caught %v", name, threads, err)
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s, %d threads: no panic in the caller", name, threads)
					}
				}()
				if err := loop(threads); err != nil {
					t.Errorf("%s, %d threads: the panic became %v", name, threads, err)
				}
			}()
		}
	}
	defer func() {
		if p, ok := recover().(*Panic); !ok || p.Value != "mine" {
			t.Errorf("went on with %v", p)
		}
	}()
	Rethrow(nil)
	Rethrow(fault)
	Rethrow(errors.Join(fault, Catch(func() error { panic("mine") })))
}

// TestWorkersOfAbsurdThreads: memory is made for all workers at once.
func TestWorkersOfAbsurdThreads(t *testing.T) {
	if got := Workers(math.MaxInt); got != MaxWorkers {
		t.Errorf("%d workers, want %d", got, MaxWorkers)
	}
}
