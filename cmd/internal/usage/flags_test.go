package usage

import "testing"

// TestWrap: lines break at blanks, and words longer than a line stand alone.
func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"a b":              "a b",
		"one two three":    "one two\nthree",
		"größe two":        "größe\ntwo",
		"a  longerthanall": "a\nlongerthanall",
	} {
		if got := Wrap(text, 7); got != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
}
