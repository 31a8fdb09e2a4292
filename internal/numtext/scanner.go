// Package numtext reads text files whose lines are numbers between blanks,
// which is the syntax of Matrix Market and libsvm files, and the decimal
// numbers in them.
package numtext

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// maxLine is the longest line that is read, so that a file without line ends
// cannot fill the memory. A line may hold all values of a long row.
const maxLine = 64 << 20

// Scanner reads the lines of a file one by one. A byte order mark is
// stripped and blank lines are skipped.
type Scanner struct {
	// Comment, when not 0, starts a comment that goes to the end of its line.
	Comment byte
	// KeepBlank makes blank lines lines without fields. Lines that start with
	// a comment are skipped then too.
	KeepBlank bool
	// Comments counts the lines that are comments; FirstComment is the number of the first.
	Comments, FirstComment int

	file   string
	in     *bufio.Reader
	long   []byte // a line longer than the buffer of in
	line   int
	fields [][]byte
	err    error
}

// NewScanner returns a scanner of r. The file name is for messages.
func NewScanner(r io.Reader, file string) *Scanner {
	return &Scanner{file: file, in: bufio.NewReaderSize(r, 64<<10)}
}

// Scan advances to the next line that has fields. It returns false at the
// end and at an error, which Err returns.
func (s *Scanner) Scan() bool {
	for s.err == nil {
		text, more := s.next()
		if !more {
			return false
		}
		if s.Comment != 0 {
			at := bytes.IndexByte(text, s.Comment)
			if at == 0 {
				if s.Comments++; s.Comments == 1 {
					s.FirstComment = s.line
				}
				continue
			}
			if at > 0 {
				text = text[:at]
			}
		}
		if s.split(text); len(s.fields) > 0 || s.KeepBlank {
			return true
		}
	}
	return false
}

// next returns the next line and false at the end or an error.
func (s *Scanner) next() ([]byte, bool) {
	s.long = s.long[:0]
	for {
		text, err := s.in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			s.long = append(s.long, text...)
			if len(s.long) > maxLine {
				s.line++
				s.err = s.Errorf("line longer than %d bytes", maxLine)
				return nil, false
			}
			continue
		}
		if len(s.long) > 0 {
			s.long = append(s.long, text...)
			text = s.long
		}
		if err == io.EOF && len(text) == 0 {
			return nil, false
		}
		s.line++
		if err != nil && err != io.EOF {
			s.err = &lines.ReadError{File: s.file, Line: s.line, Err: err}
			return nil, false
		}
		if s.line == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		return text, true
	}
}

// split cuts a line into fields at spaces, tabs and the line end.
func (s *Scanner) split(text []byte) {
	s.fields = s.fields[:0]
	for at := 0; at < len(text); {
		if isBlank(text[at]) {
			at++
			continue
		}
		end := at
		for end < len(text) && !isBlank(text[end]) {
			end++
		}
		s.fields = append(s.fields, text[at:end:end])
		at = end
	}
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// Fields returns the fields of the current line, at least one without
// KeepBlank, valid until the next Scan.
func (s *Scanner) Fields() [][]byte { return s.fields }

// Quoted returns the name of the file as a line of Python has it.
func (s *Scanner) Quoted() string { return lines.Quote([]byte(s.file)) }

// Line returns the number of the current line.
func (s *Scanner) Line() int { return s.line }

// Err returns the error that ended the scan, nil at the end of the file.
func (s *Scanner) Err() error { return s.err }

// Errorf returns a [*lines.Error] at the current line.
func (s *Scanner) Errorf(format string, args ...any) error {
	return &lines.Error{File: s.file, Line: s.line, Msg: fmt.Sprintf(format, args...)}
}

// CheckText refuses a field that is not UTF-8 without control characters.
func (s *Scanner) CheckText(text []byte) error {
	if !utf8.Valid(text) || bytes.ContainsFunc(text, lines.IsControl) {
		return s.Errorf("%s, expected UTF-8 without control characters", lines.Quote(text))
	}
	return nil
}
