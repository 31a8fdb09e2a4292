//go:build mpi

package mpi

// #cgo CFLAGS: -Wno-stringop-overflow
// #include <stdlib.h>
// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

// MPI may be entered by the thread that began it alone: the main goroutine keeps
// it.
func init() { runtime.LockOSThread() }

// Comm is a [dist.Comm]. It is used by the main goroutine.
type Comm struct {
	rank, size int
	deadline   time.Duration
	set        *C.shim_set // of the calls that wait before they return
	inside     atomic.Bool // MPI is in a call that may wait
	late       *time.Timer // calls stuck
	stuck      func()
}

// grace is how long a call may last after its time until MPI is stuck, hurry the time
// that waits have after [Comm.Hurry].
const (
	grace = 5 * time.Second
	hurry = 2 * time.Second
)

// Init begins MPI; deadline bounds every wait for another rank. It is called
// once. stuck is called, by another goroutine, if MPI does not come back from a call
// although its time is over: Open MPI may stay in one that finds a connection broken.
func Init(deadline time.Duration, stuck func()) (*Comm, error) {
	var rank, size C.int
	if code := C.shim_init(&rank, &size); code != 0 {
		return nil, fmt.Errorf("mpi: MPI does not begin: %s", message(code))
	}
	set := C.shim_new()
	if set == nil {
		return nil, errors.New("mpi: no memory")
	}
	c := &Comm{rank: int(rank), size: int(size), deadline: deadline, set: set, stuck: stuck}
	c.late = time.AfterFunc(never, func() { c.stuck() })
	return c, nil
}

// never stands for no deadline.
const never = time.Duration(math.MaxInt64 / 2)

// enter and leave stand around calls that may wait.
func (c *Comm) enter() {
	c.inside.Store(true)
	c.late.Reset(c.deadline + grace)
}

func (c *Comm) leave() {
	c.late.Stop()
	c.inside.Store(false)
}

// Hurry makes waits end in [dist.Lost] soon, the one under way too. It may be called
// by any goroutine.
func (c *Comm) Hurry() {
	C.shim_hurry(C.double(hurry.Seconds()))
	time.AfterFunc(hurry+grace, func() {
		if c.inside.Load() {
			c.stuck()
		}
	})
}

// Rank returns the number of this process, from 0 on.
func (c *Comm) Rank() int { return c.rank }

// Size returns how many processes there are.
func (c *Comm) Size() int { return c.size }

// Barrier waits until all ranks have come to it, for as long as that takes.
func (c *Comm) Barrier() error {
	defer func(deadline time.Duration) { c.deadline = deadline }(c.deadline)
	c.deadline = never
	return dist.Catch(func() error {
		c.Exchange(make([][]byte, c.size))
		return nil
	})
}

// Finalize ends MPI. Every rank calls it, after all else.
func (c *Comm) Finalize() error {
	C.shim_free(c.set)
	if code := C.shim_finalize(); code != 0 {
		return fmt.Errorf("mpi: MPI does not end: %s", message(code))
	}
	return nil
}

// Abort ends all ranks, with an exit code.
func (c *Comm) Abort(code int) { C.shim_abort(C.int(code)) }

// message is the text of an error code.
func message(code C.int) string {
	switch code {
	case C.SHIM_MEMORY:
		return "no memory"
	case C.SHIM_THREADS:
		return "it does not know threads (MPI_THREAD_FUNNELED)"
	}
	var text [512]C.char
	C.shim_message(code, &text[0], C.int(len(text)))
	return C.GoString(&text[0])
}

// must panics with what MPI has against a call that concerns a rank.
func (c *Comm) must(code C.int, peer int) {
	if code != 0 {
		panic(&dist.Lost{Rank: peer, Why: fmt.Sprintf("rank %d: MPI: %s", c.rank, message(code))})
	}
}

// wait waits for all requests of a set.
func (c *Comm) wait(set *C.shim_set) {
	peer := C.int(-1)
	c.enter()
	code := C.shim_wait(set, C.double(c.deadline.Seconds()), &peer)
	c.leave()
	if code != C.SHIM_LATE {
		c.must(code, int(peer))
		return
	}
	who := "another rank"
	if peer >= 0 {
		who = fmt.Sprintf("rank %d", peer)
	}
	panic(&dist.Lost{Rank: int(peer), Why: fmt.Sprintf("rank %d has waited %v for %s, which is slow, stopped or cut off", c.rank, c.deadline, who)})
}

// most is the largest number of bytes in a message: counts of MPI are of 32 bits.
const most = 1 << 30

// Exchange gives send[q] to each rank q and returns what each has for this one.
func (c *Comm) Exchange(send [][]byte) [][]byte {
	sizes, sizesIn := make([]int64, c.size), make([]int64, c.size)
	for q, b := range send {
		sizes[q] = int64(len(b))
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&sizes[0])
	pin.Pin(&sizesIn[0])
	c.must(C.shim_counts(c.set, unsafe.Pointer(&sizes[0]), unsafe.Pointer(&sizesIn[0])), -1)
	c.wait(c.set)
	received := make([][]byte, c.size)
	for q, n := range sizesIn {
		received[q] = aligned(n)
		if q == c.rank {
			copy(received[q], send[q])
			continue
		}
		c.pieces(&pin, received[q], func(b unsafe.Pointer, n C.int) C.int { return C.shim_receive(c.set, b, n, C.int(q)) }, q)
	}
	for q, b := range send {
		if q != c.rank {
			c.pieces(&pin, b, func(b unsafe.Pointer, n C.int) C.int { return C.shim_send(c.set, b, n, C.int(q)) }, q)
		}
	}
	c.wait(c.set)
	return received
}

// aligned returns n bytes that may be read as numbers.
func aligned(n int64) []byte {
	words := make([]uint64, (n+7)/8)
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:n]
}

// pieces passes on the bytes of a message in parts that MPI can count.
func (c *Comm) pieces(pin *runtime.Pinner, b []byte, pass func(b unsafe.Pointer, n C.int) C.int, peer int) {
	for len(b) > 0 {
		n := min(len(b), most)
		pin.Pin(&b[0])
		c.must(pass(unsafe.Pointer(&b[0]), C.int(n)), peer)
		b = b[n:]
	}
}

// Start begins to send and receive rows.
func (c *Comm) Start(send, receive []dist.Message, width int) dist.Request {
	r := &request{c: c, set: C.shim_new()}
	if r.set == nil {
		c.must(C.SHIM_MEMORY, -1)
	}
	for _, m := range receive {
		b, n := r.rows(m, width)
		c.must(C.shim_receive_rows(r.set, b, n, C.int(width), C.int(m.Peer)), m.Peer)
	}
	for _, m := range send {
		b, n := r.rows(m, width)
		c.must(C.shim_send_rows(r.set, b, n, C.int(width), C.int(m.Peer)), m.Peer)
	}
	return r
}

// request is a [dist.Request]. Its memory is pinned until it has ended.
type request struct {
	c   *Comm
	set *C.shim_set
	pin runtime.Pinner
}

// rows pins the rows of a message and returns where they are and how many.
func (r *request) rows(m dist.Message, width int) (unsafe.Pointer, C.int) {
	n := len(m.Rows) / width
	if n > 1<<31-1 {
		panic(&dist.Lost{Rank: m.Peer, Why: fmt.Sprintf("%d rows in a message, MPI takes less than 2^31: use more ranks", n)})
	}
	b := unsafe.SliceData(m.Rows)
	r.pin.Pin(b)
	return unsafe.Pointer(b), C.int(n)
}

// Test lets the exchange go on.
func (r *request) Test() {
	var done C.int
	r.c.enter()
	code := C.shim_test(r.set, &done)
	r.c.leave()
	r.c.must(code, -1)
}

// Wait ends the exchange.
func (r *request) Wait() {
	r.c.wait(r.set)
	C.shim_free(r.set)
	r.pin.Unpin()
}

// Fold has add called in each rank in turn.
func (c *Comm) Fold(sum []float64, add func(sum []float64)) {
	if len(sum) == 0 {
		add(sum)
		return
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&sum[0])
	b, n := unsafe.Pointer(&sum[0]), C.int(8*len(sum))
	if c.rank > 0 {
		c.must(C.shim_receive(c.set, b, n, C.int(c.rank-1)), c.rank-1)
		c.wait(c.set)
	}
	add(sum)
	if c.rank < c.size-1 {
		c.must(C.shim_send(c.set, b, n, C.int(c.rank+1)), c.rank+1)
		c.wait(c.set)
	}
	c.must(C.shim_broadcast(c.set, b, C.int(len(sum)), C.int(c.size-1)), c.size-1)
	c.wait(c.set)
}
