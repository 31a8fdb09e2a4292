package visible

import (
	"strings"
	"testing"
	"unicode"
)

// strange are characters that nobody sees or that change how others look.
const strange = "\u0000\u001b\u007f\u0080\u0085\u009b\u00a0\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\u206a\u3000\u3164\ufeff\uffa0\ufff9\U000e0001\U000e0041\U000e007f\U000e0101\ue000"

// TestStrange: none of them is in what is shown, and each can be told from it.
func TestStrange(t *testing.T) {
	seen := map[string]rune{}
	for _, r := range strange {
		for _, got := range []string{Name("a" + string(r) + "b"), Text("a" + string(r) + "b")} {
			if strings.ContainsRune(got, r) || !strings.Contains(got, `\`) {
				t.Errorf("%U is shown as %s", r, got)
			}
		}
		name := Name("a" + string(r))
		if other, ok := seen[name]; ok {
			t.Errorf("%U and %U are both shown as %s", r, other, name)
		}
		seen[name] = r
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.Is(unicode.Bidi_Control, r) && Is(r) || unicode.Is(unicode.Cc, r) && Is(r) {
			t.Errorf("%U is shown", r)
		}
	}
}

// TestShown: names as people write them stay, and what is quoted cannot be taken for another name.
func TestShown(t *testing.T) {
	for name, want := range map[string]string{
		"":             "",
		"a b":          "a b",
		"größe":        "größe",
		"日本語":          "日本語",
		"עברית":        "עברית",
		"❤️":           "❤️",
		`say "x"`:      `say "x"`,
		`a\u202eb`:     `a\u202eb`,
		"a\u202eb":     `"a\u202eb"`,
		"a\u202e\"":    `"a\u202e\""`,
		"a\xffb":       `"a\xffb"`,
		"a\u3164b":     `"a\u3164b"`,
		"a\U000e0101b": `"a\U000e0101b"`,
	} {
		if got := Name(name); got != want {
			t.Errorf("%q: %s, expected %s", name, got, want)
		}
	}
	const text = "one\n\ttwo"
	if got := Text(text + "\x1b[31m"); got != text+`\u001b[31m` {
		t.Errorf("%q", got)
	}
}
