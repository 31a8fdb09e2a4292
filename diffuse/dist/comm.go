package dist

import "fmt"

// Comm joins Size ranks. Its methods are called by one goroutine of each rank.
type Comm interface {
	Rank() int
	Size() int
	// Exchange gives send[q] to each rank q, and returns what each has for this
	// one. All ranks call it together. It is not for the inner loop.
	Exchange(send [][]byte) [][]byte
	// Start begins to send and to receive rows of width floats, at most one
	// message each way between two ranks; both sides know of it. The data of both
	// belong to the request until it has ended.
	Start(send, receive []Message, width int) Request
	// Fold has add called once in each rank, in the order of ranks, with sum as
	// the rank before left it, and then gives all of them what the last one left.
	Fold(sum []float64, add func(sum []float64))
}

// Message is rows that go to a rank or come from it.
type Message struct {
	Peer int
	Rows []float32
}

// Request is an exchange under way.
type Request interface {
	// Test lets it go on; it does not wait.
	Test()
	// Wait returns when all has been sent and received.
	Wait()
}

// Lost says that this rank cannot go on, because of another one: it has ended, or
// nothing has come from it for too long.
type Lost struct {
	Rank int    // the other one; -1 where that is not known
	Why  string // in words; empty where it has ended with an error
}

func (l *Lost) Error() string {
	if l.Why != "" {
		return l.Why
	}
	return fmt.Sprintf("rank %d has ended", l.Rank)
}
