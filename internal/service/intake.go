package service

import (
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

// intake reads the bodies of requests. Who sends slowly keeps nobody waiting: a body has bodyTime to
// arrive, and where mostArriving are under way the one that began first is given up for a new one.
// Bodies that have arrived wait for their turn with the other questions; they may hold mostHeld
// bytes together.
type intake struct {
	mu       sync.Mutex
	arriving []*arrival // in the order in which they began
	held     int        // bytes
}

// Limits of bodies.
const (
	mostArriving = 64
	mostHeld     = 32 * mostBody
	bodyTime     = 10 * time.Second
)

// arrival is a body under way.
type arrival struct {
	connection *http.ResponseController
	given      bool // up
}

var (
	errSlow = faultf(http.StatusRequestTimeout, "the body did not arrive within %v", bodyTime)
	errGive = faultf(http.StatusServiceUnavailable, "given up for newer requests, as its body arrived slowly and %d were under way; send it again", mostArriving)
	errHeld = faultf(http.StatusServiceUnavailable, "too many requests with long bodies at a time; send it again later")
)

// read returns the whole body of a request. release must be called when it is no longer needed.
func (in *intake) read(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error) {
	connection := http.NewResponseController(w)
	if r.ContentLength != 0 {
		body, err = in.receive(connection, r.Body)
	}
	if err != nil {
		w.Header().Set("Connection", "close") // what is still under way is not read
		return nil, nil, err
	}
	if !in.hold(len(body)) {
		return nil, nil, errHeld
	}
	return body, func() { in.hold(-len(body)) }, nil
}

// receive reads a body within its time.
func (in *intake) receive(connection *http.ResponseController, from io.Reader) ([]byte, error) {
	a := in.begin(connection)
	body, err := io.ReadAll(from)
	switch given := in.end(a); {
	case err == nil:
		return body, nil
	case given:
		return nil, errGive
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errSlow
	}
	return nil, badBody(err)
}

// begin adds a body, and gives the oldest up where there are too many.
func (in *intake) begin(connection *http.ResponseController) *arrival {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.arriving) >= mostArriving {
		oldest := in.arriving[0]
		in.arriving = in.arriving[1:]
		oldest.given = true
		_ = oldest.connection.SetReadDeadline(time.Now()) // its read ends
	}
	a := &arrival{connection: connection}
	in.arriving = append(in.arriving, a)
	_ = connection.SetReadDeadline(time.Now().Add(bodyTime)) // of connections: tests have others
	return a
}

// end takes a body out, and reports whether it was given up.
func (in *intake) end(a *arrival) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.arriving = slices.DeleteFunc(in.arriving, func(other *arrival) bool { return other == a })
	return a.given
}

// hold counts bytes of bodies that have arrived, and reports whether there is room for them.
func (in *intake) hold(bytes int) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.held+bytes > mostHeld {
		return false
	}
	in.held += bytes
	return true
}
