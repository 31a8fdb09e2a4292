package lines

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrName is wrapped when a name cannot be written to a file so that reading
// gives it back.
var ErrName = errors.New("name does not fit the file")

// CheckCount returns an [ErrName] unless there is a name a row.
func CheckCount(names, rows int) error {
	if names != rows {
		return fmt.Errorf("%w: %d names for %d rows, expected one a row", ErrName, names, rows)
	}
	return nil
}

// AppendField appends a name to a line as a field before or behind the separator: in quotes, as RFC 4180 has them,
// where it would not be read back between commas without.
func AppendField(line, name []byte, separator byte) []byte {
	if separator != ',' || !bytes.ContainsAny(name, `,"`) {
		return append(line, name...)
	}
	return AppendQuoted(line, name)
}

// AppendQuoted appends a name in quotes, those in it twice.
func AppendQuoted(line, name []byte) []byte {
	line = append(line, '"')
	for _, b := range name {
		if b == '"' {
			line = append(line, b)
		}
		line = append(line, b)
	}
	return append(line, '"')
}

// CheckName returns an [ErrName] for a name that would not come back from a
// field of a line with the given separator: one that is empty or not UTF-8,
// that has the separator or a control byte in it, or a blank at an end, or,
// between commas, a quote at the start.
func CheckName(name []byte, separator byte) error {
	switch {
	case len(name) == 0:
		return fmt.Errorf("%w: it is empty", ErrName)
	case !utf8.Valid(name):
		return fmt.Errorf("%w: %s is not UTF-8", ErrName, Quote(name))
	case bytes.IndexByte(name, separator) >= 0:
		return fmt.Errorf("%w: %s has the separator %q in it", ErrName, Quote(name), separator)
	case bytes.ContainsFunc(name, IsControl):
		return fmt.Errorf("%w: %s has a control byte in it", ErrName, Quote(name))
	case name[0] == ' ' || name[len(name)-1] == ' ':
		return fmt.Errorf("%w: %s has a blank at an end", ErrName, Quote(name))
	case separator == ',' && name[0] == '"':
		return fmt.Errorf("%w: %s starts with a quote", ErrName, Quote(name))
	}
	return nil
}

// Columns writes a number of columns.
func Columns(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprint(n, " columns")
}

// FromOne returns a hint that columns count from 1, for a number below 1.
func FromOne(number int) string {
	if number < 1 {
		return "; columns count from 1"
	}
	return ""
}
