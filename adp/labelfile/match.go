package labelfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// Match says which labels are of one class though they are spelled differently. The zero value
// joins none.
type Match struct {
	Number bool // numbers of one value: 1, 1.0 and 01 are 1
	Case   bool // texts but for letter case, blanks and quotes around, signs of no width, and forms of Unicode: Red and " red" are red
}

// ErrMatch is wrapped by the error for a word that ParseMatch does not know.
var ErrMatch = errors.New("unknown match of labels")

// ParseMatch returns the match of some words: number, case, or both; exact for none.
func ParseMatch(words []string) (m Match, err error) {
	for _, word := range words {
		switch word {
		case "exact":
		case "number":
			m.Number = true
		case "case":
			m.Case = true
		default:
			return m, fmt.Errorf("%w: %q, expected exact, number, case, or number,case", ErrMatch, word)
		}
	}
	return m, nil
}

// Name returns the name of the class of a label.
func (m Match) Name(label string) string {
	if m.Case {
		label = strings.Map(seen, norm.NFC.String(label))
		label = strings.ToLower(strings.Join(strings.Fields(strings.Trim(label, `"' `)), " "))
	}
	if m.Number {
		return number(label)
	}
	return label
}

// seen drops signs that nobody sees, such as a space of no width.
func seen(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// number returns a decimal number without the signs and zeros that do not change it; other texts,
// and numbers whose digits float64 does not keep, as they are.
func number(label string) string {
	const digits = 15
	if len(label) > digits || strings.Trim(label, "0123456789+-.eE") != "" {
		return label
	}
	v, err := strconv.ParseFloat(label, 64)
	switch {
	case err != nil:
		return label
	case v == 0:
		return "0"
	case v > -1e15 && v < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// NoteAlike notes pairs of classes that differ in spelling alone, and reports whether there are
// any. A class stands in one pair, with the first that it is like. Cost: a name a class.
func NoteAlike(list *notes.List, classes []string) bool {
	first, pairs := map[string]string{}, 0
	for _, class := range classes {
		name := Match{Number: true, Case: true}.Name(class)
		like, found := first[name]
		if !found {
			first[name] = class
			continue
		}
		if pairs++; pairs == 1 {
			list.Doubt(notes.SimilarLabels, 1, 0, like+" / "+class, "if they mean the same, labelfile.Options.Match "+joining(like, class)+" makes them one")
		} else {
			list.Add(notes.SimilarLabels, 1, 0, "")
		}
	}
	return pairs > 0
}

// joining returns the words of the least match that joins two labels.
func joining(a, b string) string {
	for _, m := range []Match{{Number: true}, {Case: true}} {
		if m.Name(a) == m.Name(b) {
			return map[bool]string{true: "number", false: "case"}[m.Number]
		}
	}
	return "number,case"
}

// Note notes what a reader of another format did not take as it stands.
func (c *Collector) Note(kind notes.Kind, n, line int, text string) {
	c.out.Notes.Add(kind, n, line, text)
}
