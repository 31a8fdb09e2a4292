package dist

import (
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Local runs size ranks as goroutines of this process, body in each, and returns
// the first error other than that of a rank which another one left. A panic of a rank
// ends the others, and goes on in the goroutine of the caller.
func Local(size int, body func(Comm) error) error {
	hub := &hub{queues: make([]queue, size*size), ended: -1}
	hub.changed.L = &hub.lock
	var group errgroup.Group
	faults := make([]error, size)
	for rank := range size {
		group.Go(func() error {
			faults[rank] = catch(func() error { return body(&local{hub, rank, size}) })
			if faults[rank] != nil {
				hub.end(rank)
			}
			return nil
		})
	}
	group.Wait()
	for _, err := range faults {
		rows.Rethrow(err)
	}
	var lost *Lost
	for _, err := range faults {
		if err != nil && !errors.As(err, &lost) {
			return err
		}
	}
	return errors.Join(faults...)
}

// Catch calls body, which is what a rank does, and turns the panic with a [*Lost],
// or a fault of mapped memory, into an error.
func Catch(body func() error) error {
	err := catch(body)
	rows.Rethrow(err)
	return err
}

// catch is Catch that returns all other panics too, as errors.
func catch(body func() error) error {
	err := rows.Catch(body)
	var p *rows.Panic
	var lost *Lost
	if errors.As(err, &p) && errors.As(p, &lost) {
		return lost
	}
	return err
}

// hub is what the ranks of one process share.
type hub struct {
	lock    sync.Mutex
	changed sync.Cond
	queues  []queue // of messages from rank p to rank q, at p*size+q
	ended   int     // a rank that ended with an error, else -1
}

// queue holds messages, oldest first. A rank does not send more than a few
// before it needs one itself.
type queue []any

func (h *hub) end(rank int) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.ended < 0 {
		h.ended = rank
	}
	h.changed.Broadcast()
}

// local is a rank of [Local].
type local struct {
	*hub
	rank, size int
}

func (c *local) Rank() int { return c.rank }
func (c *local) Size() int { return c.size }

func (c *local) put(to int, message any) {
	c.lock.Lock()
	defer c.lock.Unlock()
	q := &c.queues[c.rank*c.size+to]
	*q = append(*q, message)
	c.changed.Broadcast()
}

// get waits for the next message of a rank.
func (c *local) get(from int) any {
	c.lock.Lock()
	defer c.lock.Unlock()
	q := &c.queues[from*c.size+c.rank]
	for len(*q) == 0 {
		if c.ended >= 0 {
			panic(&Lost{Rank: c.ended})
		}
		c.changed.Wait()
	}
	message := (*q)[0]
	*q = (*q)[1:]
	return message
}

func (c *local) Exchange(send [][]byte) [][]byte {
	for q := range c.size {
		c.put(q, slices.Clone(send[q]))
	}
	received := make([][]byte, c.size)
	for q := range c.size {
		received[q] = c.get(q).([]byte)
	}
	return received
}

func (c *local) Start(send, receive []Message, _ int) Request {
	for _, m := range send {
		c.put(m.Peer, slices.Clone(m.Rows))
	}
	return &localRequest{c, receive}
}

type localRequest struct {
	c       *local
	receive []Message
}

func (r *localRequest) Test() {}

func (r *localRequest) Wait() {
	for _, m := range r.receive {
		copy(m.Rows, r.c.get(m.Peer).([]float32))
	}
	r.receive = nil
}

func (c *local) Fold(sum []float64, add func(sum []float64)) {
	if c.rank > 0 {
		copy(sum, c.get(c.rank-1).([]float64))
	}
	add(sum)
	if c.rank < c.size-1 {
		c.put(c.rank+1, slices.Clone(sum))
		copy(sum, c.get(c.size-1).([]float64))
		return
	}
	for q := range c.size - 1 {
		c.put(q, slices.Clone(sum))
	}
}
