package labelfile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// uncomment leaves the comments of a csv file out, but for their line ends: lines keep their
// numbers. A line inside a quoted field is none.
type uncomment struct {
	in       *bufio.Reader
	prefixes []string
	rest     []byte // of the current line
	inside   bool   // the current line ends in a quoted field
	midway   bool   // the current line goes on
	comment  bool   // the current line is one
	line     int
	count    int // comments
	first    int // the line of the first
}

// newUncomment returns a reader of in without comments that start with the prefixes.
func newUncomment(in io.Reader, prefixes []string) (*uncomment, error) {
	if err := lines.CheckComments(prefixes); err != nil {
		return nil, fmt.Errorf("labelfile: %w", err)
	}
	return &uncomment{in: bufio.NewReaderSize(in, 64<<10), prefixes: prefixes}, nil
}

// Read reads a piece of a line.
func (u *uncomment) Read(to []byte) (int, error) {
	for len(u.rest) == 0 {
		piece, err := u.in.ReadSlice('\n')
		if len(piece) == 0 && err != nil {
			return 0, err
		}
		u.rest = u.take(piece)
	}
	n := copy(to, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// take returns what is left of a piece of a line.
func (u *uncomment) take(piece []byte) []byte {
	if !u.midway {
		u.line++
		text := piece
		if u.line == 1 {
			text = lines.TrimMark(piece)
		}
		if u.comment = !u.inside && u.isComment(text); u.comment {
			if u.count++; u.count == 1 {
				u.first = u.line
			}
		}
	}
	ended := piece[len(piece)-1] == '\n'
	u.midway = !ended
	switch {
	case !u.comment:
		u.inside = u.inside != (bytes.Count(piece, []byte{'"'})%2 == 1)
		return piece
	case ended:
		return piece[len(piece)-1:]
	}
	return nil
}

func (u *uncomment) isComment(text []byte) bool {
	for _, p := range u.prefixes {
		if bytes.HasPrefix(text, []byte(p)) {
			return true
		}
	}
	return false
}
