package knn

import "sync"

// counter reports the number of finished pieces of work, one call at a time.
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
