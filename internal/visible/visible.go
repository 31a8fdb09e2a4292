// Package visible shows names of strangers to people: characters that nobody sees, or that change
// how others look, are escaped. Files for programs have the names as they are.
package visible

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Is reports whether a character is seen as itself. Controls (a terminal acts on those from U+0080
// to U+009F too), marks of direction, characters without width, tags, blanks other than the usual
// one and bytes that are no UTF-8 are not.
func Is(r rune) bool {
	const supplement, end = 0xe0100, 0xe01ef // variation selectors that text has no use for
	return unicode.IsPrint(r) && r != unicode.ReplacementChar &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && (r < supplement || r > end)
}

// Name returns a name as it is, or quoted, with escapes as in Go and JSON, where a character of it
// is not seen.
func Name(name string) string {
	if strings.ContainsFunc(name, isNot) {
		return quoted(name)
	}
	return name
}

func isNot(r rune) bool { return !Is(r) }

func quoted(name string) string {
	var b strings.Builder
	for k, r := range strconv.Quote(name) { // which escapes quotes and most of the others
		if k > 0 && isNot(r) && r != unicode.ReplacementChar {
			b.WriteString(escape(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Text returns a text of any length with the characters escaped that are not seen, but for line
// ends and tabs.
func Text(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return isNot(r) && !isLayout(r) }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if Is(r) || isLayout(r) || r == unicode.ReplacementChar {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
	}
	return b.String()
}

// isLayout reports whether a character of a text sets it on lines.
func isLayout(r rune) bool { return r == '\n' || r == '\t' }

// escape returns the escape of a character.
func escape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
