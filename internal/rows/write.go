package rows

import (
	"context"
	"errors"
	"io"
	"sync"
)

// errBlock stands where a block was not made, because make panicked.
var errBlock = errors.New("rows: a block was not made")

// Write writes n rows to w. Blocks of rows are made side by side, and each is written after the one
// before it. The text of a block may be reused by the next call of the same worker. The error is
// that of the first block that failed; nothing of that block or a later one is written.
func Write(w io.Writer, n, threads int, text func(worker, lo, hi int) ([]byte, error)) error {
	line := queue{w: w}
	line.moved.L = &line.lock
	err := Do(context.Background(), n, threads, func(worker, lo, hi int) (err error) {
		block, fault := []byte(nil), errBlock
		defer func() { err = line.write(lo, hi, block, fault) }()
		block, fault = text(worker, lo, hi)
		return nil
	})
	if line.err != nil {
		return line.err
	}
	return err
}

// queue writes blocks in their order.
type queue struct {
	w     io.Writer
	lock  sync.Mutex
	moved sync.Cond
	at    int   // rows that are written
	err   error // of the first block that failed
}

// write waits for the blocks before row lo, then writes the block or, if it has a fault, takes that for the
// error of all.
func (q *queue) write(lo, hi int, block []byte, fault error) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	for q.at != lo && q.err == nil {
		q.moved.Wait()
	}
	if q.err == nil {
		if q.err = fault; fault == nil {
			_, q.err = q.w.Write(block)
		}
	}
	q.at = hi
	q.moved.Broadcast()
	return q.err
}
