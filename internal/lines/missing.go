package lines

import "strings"

// IsMissing reports whether a text is one that programs write for a missing value.
func IsMissing(text []byte) bool {
	switch strings.ToLower(string(text)) {
	case "na", "n/a", "<na>", "#n/a", "nan", "-nan", "none", "null", "nil", "missing", "?", "-", ".", "nat",
		`\n`, "#null!", "<null>", "[null]", "n.a.", "(blank)", "--", "undefined":
		return true
	}
	return false
}
