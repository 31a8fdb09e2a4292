package usage

import (
	"strings"

	"github.com/spf13/pflag"
)

// The usage of a flag is a line, and perhaps details after it, which the manual page has and the
// help has not.

// Line is the line of the usage of a flag.
func Line(flag *pflag.Flag) string {
	line, _, _ := strings.Cut(flag.Usage, "\n")
	return line
}

// Details are what follows it; empty for nothing.
func Details(flag *pflag.Flag) string {
	_, details, _ := strings.Cut(flag.Usage, "\n")
	return details
}
