package stream

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// members reads the members of a gzip file one after another (RFC 1952, 2.2). Other bytes after
// them are a fault. So are zeros, which gzip -d passes over: they fill up a block of a tape, and
// they also stand where a member of an incomplete copy is missing.
type members struct {
	in     *bufio.Reader
	member *gzip.Reader
}

var (
	errAfter = errors.New("gzip: bytes after the end that are no further member; unpack it first (gzip -d) if it is whole without them")
	errZeros = errors.New("gzip: zeros after the end, which fill up a file or stand where its rest is missing; unpack it first (gzip -d) if it is whole")
)

// newMembers returns a reader of a file that starts with a member.
func newMembers(in *bufio.Reader) (*members, error) {
	m := &members{in: in, member: new(gzip.Reader)}
	return m, m.begin()
}

// begin reads the header of a member.
func (m *members) begin() error {
	err := m.member.Reset(m.in)
	m.member.Multistream(false)
	if err == io.EOF { // in the name, where the package says so
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (m *members) Read(b []byte) (int, error) {
	for {
		n, err := m.member.Read(b)
		if n > 0 && err == io.EOF {
			return n, nil
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		if err := m.next(); err != nil {
			return 0, err
		}
		if len(b) == 0 {
			return 0, nil
		}
	}
}

// next begins the next member; it returns io.EOF if there is none.
func (m *members) next() error {
	head, err := m.in.Peek(2)
	switch {
	case len(head) == 0:
		return err
	case head[0] == 0:
		return errZeros
	case len(head) == 1 && head[0] == gzipMagic[0]:
		return io.ErrUnexpectedEOF
	case string(head) != string(gzipMagic):
		return errAfter
	}
	return m.begin()
}

func (m *members) Close() error { return m.member.Close() }
