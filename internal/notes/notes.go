// Package notes counts what a reader of a file did not take as it stands: what it skipped, merged,
// set to a default, or ignored. The readers of all formats fill a [List]. Summaries, reports,
// warnings and inspect print it by the same words.
package notes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind is a kind of thing that readers count.
type Kind struct {
	Code string // in JSON, and as the code of a warning
	Noun string // one of them, such as "comment line"
	Done string // what became of it, such as "skipped"
}

// The kinds. A reader that needs another adds it here, and its code to docs/errors.md.
var (
	Comments        = Kind{"comment-lines", "comment line", "skipped"}
	CommentData     = Kind{"comment-like-data", "comment line that reads like data", "skipped"}
	DataLikeComment = Kind{"data-like-comments", "line in the form of a comment", "read as data"}
	Header          = Kind{"header-lines", "line of titles", "read as such"}
	Konect          = Kind{"konect-header", "header of KONECT", "read"}
	ByRow           = Kind{"labels-by-row", "label of one column", "read in the order of nodes"}
	TwoKinds        = Kind{"two-kinds", "line of titles of two kinds of nodes", "read as one kind"}
	BlankLines      = Kind{"blank-lines", "blank line", "skipped"}
	Columns         = Kind{"ignored-columns", "column", "ignored"}
	Attributes      = Kind{"ignored-attributes", "attribute", "ignored"}
	DefaultWeights  = Kind{"default-weights", "edge without a weight", "given weight 1"}
)

// Note counts the things of one kind in a file.
type Note struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
	// Line is that of the first of them, from 1; 0 where lines are not known.
	Line int `json:"line,omitempty"`
	// First is the first of them, as text.
	First string `json:"first,omitempty"`
	// Advice says what to do where the format does not ask for what was done; such a note is a
	// warning.
	Advice string `json:"advice,omitempty"`

	kind Kind
}

// List has at most one note of each kind. The zero value is empty.
type List []Note

// Add counts n more things of a kind. The first of them is in the file at the line, from 1 (0: not
// known), and reads as text. A list keeps the lowest line.
func (l *List) Add(kind Kind, n, line int, text string) {
	l.add(Note{Code: kind.Code, Count: n, Line: line, First: text, kind: kind})
}

// Doubt is Add for what the format does not ask for. The advice is an imperative for the user.
func (l *List) Doubt(kind Kind, n, line int, text, advice string) {
	l.add(Note{Code: kind.Code, Count: n, Line: line, First: text, Advice: advice, kind: kind})
}

// Join adds the notes of another list, of a later part of the same file.
func (l *List) Join(other List) {
	for _, n := range other {
		l.add(n)
	}
}

func (l *List) add(n Note) {
	if n.Count <= 0 {
		return
	}
	for k := range *l {
		have := &(*l)[k]
		if have.Code != n.Code {
			continue
		}
		have.Count += n.Count
		if n.Line > 0 && (have.Line == 0 || n.Line < have.Line) {
			have.Line, have.First = n.Line, n.First
		}
		if have.Advice == "" {
			have.Advice = n.Advice
		}
		return
	}
	*l = append(*l, n)
}

// Count returns the number of things of a kind.
func (l List) Count(kind Kind) int {
	for _, n := range l {
		if n.Code == kind.Code {
			return n.Count
		}
	}
	return 0
}

// Only returns the notes of a kind.
func (l List) Only(kind Kind) List {
	return slices.DeleteFunc(slices.Clone(l), func(n Note) bool { return n.Code != kind.Code })
}

// Reword returns the list with other words for the advice, such as flags for options.
func (l List) Reword(words func(string) string) List {
	out := append(List(nil), l...)
	for k := range out {
		out[k].Advice = words(out[k].Advice)
	}
	return out
}

// Doubtful returns the notes with an advice.
func (l List) Doubtful() (out List) {
	for _, n := range l {
		if n.Advice != "" {
			out = append(out, n)
		}
	}
	return out
}

// String returns all notes as one line: "3 comment lines skipped (the first on line 1, "# a b")".
func (l List) String() string {
	texts := make([]string, len(l))
	for k, n := range l {
		texts[k] = n.String()
	}
	return strings.Join(texts, "; ")
}

// String returns the note without its advice.
func (n Note) String() string {
	noun := n.kind.Noun
	if n.Count != 1 {
		noun = plural(noun)
	}
	text := fmt.Sprintf("%d %s %s", n.Count, noun, n.kind.Done)
	var first []string
	if n.Line > 0 {
		first = append(first, "line "+strconv.Itoa(n.Line))
	}
	if n.First != "" {
		first = append(first, brief(n.First))
	}
	if len(first) > 0 {
		text += " (the first: " + strings.Join(first, ", ") + ")"
	}
	return text
}

// plural returns the plural of a noun, whose first word that a preposition or relative clause
// follows takes the s.
func plural(noun string) string {
	end := len(noun)
	for _, tail := range []string{" without ", " that ", " of ", " with ", " in ", " beside ", " between "} {
		if at := strings.Index(noun, tail); at >= 0 {
			end = min(end, at)
		}
	}
	return noun[:end] + "s" + strings.NewReplacer(" that reads ", " that read ", " that is ", " that are ", " that equals ", " that equal ", " that ends ", " that end ").Replace(noun[end:])
}

// brief quotes at most 40 runes of a text.
func brief(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return strconv.QuoteToGraphic(text)
}

// Drop takes out what was counted of a kind.
func (l *List) Drop(kind Kind) {
	*l = slices.DeleteFunc(*l, func(n Note) bool { return n.Code == kind.Code })
}
