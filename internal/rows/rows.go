// Package rows runs work over blocks of matrix rows on several workers so
// that the result has the same bits for any number of workers.
//
// Blocks have a fixed size, whatever the number of workers. A body that
// writes only its own rows is therefore deterministic, and a reduction is
// too because Reduce adds the partial sums of blocks in block order.
package rows

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// BlockSize is the number of rows a worker takes at a time. It is part of
// the definition of every floating-point sum made here, so it is a constant
// and not an option.
const BlockSize = 512

// MaxWorkers bounds Workers: what each has of its own is made for all of them at
// once, and an absurd number would end the process for want of memory.
const MaxWorkers = 4096

// Workers returns the number of workers used for the option value threads:
// the value itself, or MaxWorkers if that is less, when positive, else GOMAXPROCS.
func Workers(threads int) int {
	if threads > 0 {
		return min(threads, MaxWorkers)
	}
	return runtime.GOMAXPROCS(0)
}

// InOrder returns the numbers of n rows, 0 to n−1.
func InOrder[N int | int32 | uint32](n int) []N {
	order := make([]N, n)
	for i := range order {
		order[i] = N(i)
	}
	return order
}

// Tasks calls body(worker, k) for k = 0 to n-1. Tasks are handed out in order
// as workers become free; worker is in [0, Workers(threads)) and no two calls
// with the same worker overlap, so it may index scratch memory. Tasks returns
// the first error, or ctx.Err() when the context has ended, even if only
// after the last task. A panic of a worker goes on in the goroutine of the caller, as
// a [*Panic], when all workers have ended.
func Tasks(ctx context.Context, n, threads int, body func(worker, k int) error) error {
	workers := min(Workers(threads), n)
	if workers <= 1 {
		for k := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := body(0, k); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	group, inner := errgroup.WithContext(ctx)
	var next atomic.Int64
	var panicked atomic.Pointer[Panic] // whatever another worker fails with before
	for worker := range workers {
		group.Go(func() error {
			err := Catch(func() error {
				for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
					if err := inner.Err(); err != nil {
						return err
					}
					if err := body(worker, k); err != nil {
						return err
					}
				}
				return nil
			})
			var p *Panic
			if errors.As(err, &p) {
				panicked.CompareAndSwap(nil, p)
			}
			return err
		})
	}
	err := group.Wait()
	if p := panicked.Load(); p != nil {
		panic(p)
	}
	if err != nil {
		return err
	}
	return ctx.Err()
}

// Do calls body(worker, lo, hi) for the consecutive blocks [lo,hi) of BlockSize
// rows that cover [0,n), as [Tasks] does for tasks.
func Do(ctx context.Context, n, threads int, body func(worker, lo, hi int) error) error {
	return Tasks(ctx, (n+BlockSize-1)/BlockSize, threads, func(worker, b int) error {
		return body(worker, b*BlockSize, min((b+1)*BlockSize, n))
	})
}

// Each is Do for bodies that cannot fail and are too short to cancel. With one
// thread it allocates nothing. Only a [Fault] makes it panic, and a panic of the body.
func Each(n, threads int, body func(lo, hi int)) {
	if Workers(threads) == 1 {
		for lo := 0; lo < n; lo += BlockSize {
			body(lo, min(lo+BlockSize, n))
		}
		return
	}
	mustEnd(Do(context.Background(), n, threads, func(_, lo, hi int) error {
		body(lo, hi)
		return nil
	}))
}

// EachTask is Tasks for bodies that cannot fail and are too short to cancel, and panics as [Each] does.
func EachTask(n, threads int, body func(k int)) {
	mustEnd(Tasks(context.Background(), n, threads, func(_, k int) error {
		body(k)
		return nil
	}))
}

// mustEnd panics with the error of bodies that return none, in a context that never ends: a Fault.
func mustEnd(err error) {
	if err != nil {
		panic(err)
	}
}

// Reducer sums width float64 values over all rows. It owns the partial sums,
// 8*width bytes a block, so that a solver can reuse it in every iteration.
type Reducer struct {
	n, width int
	partial  []float64
	sum      []float64
	across   Folder // nil where all rows are here
	add      func(sum []float64)
}

// Folder adds sums up over processes that hold consecutive rows, each from a
// multiple of BlockSize on.
type Folder interface {
	// Fold has add called once in each process, in the order of their rows, with
	// sum as the process before left it; at the end sum is in all of them what
	// the last one left. All call it together.
	Fold(sum []float64, add func(sum []float64))
}

// NewReducer returns a reducer of width sums over n rows.
func NewReducer(n, width int) *Reducer {
	blocks := (n + BlockSize - 1) / BlockSize
	r := &Reducer{n: n, width: width, partial: make([]float64, blocks*width), sum: make([]float64, width)}
	r.add = r.addTo
	return r
}

// Across makes the sums go on over the rows of other processes: the same bits
// as if all were here. With nil it changes nothing. It returns r.
func (r *Reducer) Across(f Folder) *Reducer {
	r.across = f
	return r
}

// Sum calls body for each block with its zeroed partial sums (length width)
// and returns the totals, added in block order. The result is valid until
// the next call.
func (r *Reducer) Sum(threads int, body func(lo, hi int, partial []float64)) []float64 {
	Each(r.n, threads, func(lo, hi int) { body(lo, hi, r.Partial(lo)) })
	return r.Total()
}

// Partial returns the partial sums, zeroed, of the block that begins at row
// lo: the caller's own loop over all blocks makes them, and [Reducer.Total]
// adds them.
func (r *Reducer) Partial(lo int) []float64 {
	b := lo / BlockSize * r.width
	partial := r.partial[b : b+r.width : b+r.width]
	clear(partial)
	return partial
}

// Total returns the partial sums of all blocks, added in block order. The
// result is valid until the next call.
func (r *Reducer) Total() []float64 {
	clear(r.sum)
	if r.across != nil {
		r.across.Fold(r.sum, r.add)
	} else {
		r.addTo(r.sum)
	}
	return r.sum
}

// addTo adds the partial sums to sum, block by block.
func (r *Reducer) addTo(sum []float64) {
	for b := 0; b < len(r.partial); b += r.width {
		for j, v := range r.partial[b : b+r.width] {
			sum[j] += v
		}
	}
}
