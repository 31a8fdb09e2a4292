package usage

import (
	"testing"
)

func TestShellQuote(t *testing.T) {
	for word, want := range map[string]string{"a.b/c-1": "a.b/c-1", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'"} {
		if got := quoteFor("linux", word); got != want {
			t.Errorf("%q: %s, expected %s", word, got, want)
		}
	}
	for word, want := range map[string]string{`C:\a\b-1.tsv`: `C:\a\b-1.tsv`, "": `""`, `C:\a b`: `"C:\a b"`, `C:\a b\`: `"C:\a b\\"`, "it's": `"it's"`, "5%": `"5%"`} {
		if got := quoteFor("windows", word); got != want {
			t.Errorf("Windows, %q: %s, expected %s", word, got, want)
		}
	}
}
