package streams

import (
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/visible"
)

// Shown returns names as they are, or quoted where a terminal would not show
// them.
func Shown(name string) string { return visible.Name(name) }

// Brief is a name for a line of a table: at most 60 bytes of it.
func Brief(name string) string {
	const most = 60
	if len(name) > most {
		return Shown(strings.ToValidUTF8(name[:most], "")) + "…"
	}
	return Shown(name)
}
