package stream

import (
	"bytes"
	"fmt"
)

// A few kilobytes of compressed line ends are gigabytes of them, which take a reader of lines many
// seconds to pass over. So a run of lines that say nothing is bounded: as long as mostIdle, and from
// compressed bytes that are leastRatio times as few. Data that merely begins with '#' is compressed
// less.
const (
	mostIdle   = 64 << 20
	leastRatio = 100
)

// idle follows decompressed text, and measures the run of lines that are blank or begin like
// comments.
type idle struct {
	state lineState
	run   int64 // bytes
	from  int64 // compressed bytes before the run
}

// lineState is what is known of the line at the end of what was read.
type lineState int

const (
	blankLine lineState = iota // nothing but blanks so far
	commentLine
	dataLine
)

// take looks at decompressed bytes b; compressed is the number of compressed bytes read so far. It returns an
// error when the run is too long.
func (i *idle) take(b []byte, compressed int64) error {
	i.state = i.state.follow(b)
	if i.state == dataLine { // the last line tells what follows
		i.run, i.from = 0, compressed
		if at := bytes.LastIndexByte(b, '\n'); at >= 0 {
			i.state = blankLine.follow(b[at+1:])
		}
		return nil
	}
	i.run += int64(len(b))
	if i.run >= mostIdle && i.run >= leastRatio*(compressed-i.from) {
		return fmt.Errorf("%d bytes of nothing but blank lines and comments from %d compressed bytes, expected data", i.run, compressed-i.from)
	}
	return nil
}

// follow returns the state after the lines of b, or at the first of them that has data.
func (s lineState) follow(b []byte) lineState {
	for len(b) > 0 && s != dataLine {
		if s == commentLine {
			at := bytes.IndexByte(b, '\n')
			if at < 0 {
				return s
			}
			s, b = blankLine, b[at:]
		}
		switch b[0] {
		case '\n', ' ', '\t', '\r':
			b = b[blanks(b):]
			continue
		case '#', '%':
			s = commentLine
		default:
			s = dataLine
		}
	}
	return s
}

// blanks returns the number of blanks and line ends that b begins with, and at least 1.
func blanks(b []byte) int {
	n := 1
	for n < len(b) && (b[n] == '\n' || b[n] == ' ' || b[n] == '\t' || b[n] == '\r') {
		n++
	}
	return n
}
