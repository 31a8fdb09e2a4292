package knn

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// each calls body(worker, k) for k = 0 … n-1, one at a time a worker: rows.Do
// for pieces of work that are too large to be handed out 512 at a time.
func each(ctx context.Context, n, threads int, body func(worker, k int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for worker := range min(rows.Workers(threads), n) {
		group.Go(func() error {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := body(worker, k); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return nil
}

// counter reports the pieces of work that are done, one call at a time.
type counter struct {
	lock        sync.Mutex
	done, total int
	report      func(done, total int)
}

func newCounter(total int, report func(done, total int)) *counter {
	return &counter{total: total, report: report}
}

func (c *counter) add() {
	if c.report == nil {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.done++
	c.report(c.done, c.total)
}
