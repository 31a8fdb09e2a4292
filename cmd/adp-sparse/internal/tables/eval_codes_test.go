package tables

import (
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// TestNoteCodes: names of classes that do not go together are recognised, and plain errors are not
// taken for these.
func TestNoteCodes(t *testing.T) {
	for name, c := range map[string]struct {
		truth, predicted string // a label a node
		want             string // the code of the note, none for nothing
	}{
		"right":                {"a b c", "a b c", ""},
		"wrong":                {"a b c a", "a a b b", ""},
		"a class not said":     {"a b c", "a a a", ""},
		"a class too many":     {"a b a", "a b c", ""},
		"numbers":              {"1 2", "1.0 2.0", "similar-labels"},
		"one of two":           {"1 2 3", "1.0 2 3", "similar-labels"},
		"case":                 {"red Blue", "Red blue", "similar-labels"},
		"within the truth":     {"red Red", "red red", "similar-labels"},
		"from 0":               {"1 2 3 1", "0 1 2 0", "shifted-labels"},
		"from 1":               {"0 1 2 1", "1 2 3 2", "shifted-labels"},
		"far":                  {"10 11", "0 1", "shifted-labels"},
		"shifted, not all":     {"1 2 3", "0 1 1", "shifted-labels"},
		"right by chance":      {"1 1 2 2", "1 1 0 1", ""},
		"mixed up":             {"b b a c c c a b a a b c", "a a a a b b b b c c c c", ""},
		"numbers, a class new": {"1 2 2 1", "1 2 0 1", ""},
		"other names":          {"cat dog", "0 1", "foreign-labels"},
		"one other":            {"cat dog", "bird bird", "foreign-labels"},
		"exchanged":            {"a a b b c c", "b b c c a a", "renamed-labels"},
		"two exchanged":        {"0 0 1 1 1", "1 1 0 0 0", "renamed-labels"},
		"half exchanged":       {"0 0 1 1", "1 0 0 1", ""},
		"none predicted":       {"a b", "- -", ""},
	} {
		known, number, classes := 0, map[string]int32{"-": -1}, []string(nil)
		of := func(text string) (out []int32) {
			for _, label := range strings.Fields(text) {
				if _, ok := number[label]; !ok {
					number[label] = int32(len(classes))
					classes = append(classes, label)
				}
				out = append(out, number[label])
			}
			return out
		}
		y := of(c.truth)
		known = len(classes)
		labels := of(c.predicted)
		var list notes.List
		noteCodes(&list, classes, known, y, labels, make([]bool, len(y)))
		got := ""
		if len(list) > 0 {
			got = list[0].Code
		}
		if got != c.want || len(list.Doubtful()) != len(list) {
			t.Errorf("%s: %+v, expected %q", name, list, c.want)
		}
	}
}
