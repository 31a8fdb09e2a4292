package methodflags

import (
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
)

// List returns methods as text, each as describe writes it, with word before the last.
func List(methods []adp.Method, word string, describe func(adp.Method) string) string {
	var b strings.Builder
	for k, m := range methods {
		switch {
		case k > 0 && k == len(methods)-1:
			b.WriteString(" " + word + " ")
		case k > 0:
			b.WriteString(", ")
		}
		b.WriteString(describe(m))
	}
	return b.String()
}
