// Package figures writes and reads numbers as people have them: counts with what they
// count, and bytes with a unit.
package figures

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseBytes reads a number of bytes with a unit: B, KB, KiB, MB, … or none.
func ParseBytes(text string) (int64, error) {
	units := map[string]float64{
		"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40,
	}
	at := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if at < 0 {
		at = len(text)
	}
	number, err := strconv.ParseFloat(text[:at], 64)
	unit, ok := units[strings.ToUpper(strings.TrimSpace(text[at:]))]
	if err == nil && !ok {
		return 0, fmt.Errorf("the unit %q is not known, expected B, KB, MB, GB, TB, KiB, MiB, GiB or TiB", strings.TrimSpace(text[at:]))
	}
	if bytes := number * unit; err == nil && ok && bytes >= 1 && bytes < 1<<62 {
		return int64(bytes), nil
	}
	return 0, errors.New("it is no number of bytes")
}

// Counted writes a number with what it counts.
func Counted(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "s"):
		what += "es"
	default:
		what += "s"
	}
	return Count(n) + " " + what
}

// Either returns the words for one or for any other number.
func Either(n int, one, others string) string {
	if n == 1 {
		return one
	}
	return others
}

// Count writes a number with its thousands apart.
func Count(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Bytes writes bytes in binary units, with three digits or all that are before the point.
func Bytes(bytes int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	value, unit := float64(bytes), 0
	for value >= 1024 && unit+1 < len(units) {
		value /= 1024
		unit++
	}
	if value >= 999.5 { // %.3g would write 1e+03
		return fmt.Sprintf("%.0f %s", value, units[unit])
	}
	return fmt.Sprintf("%.3g %s", value, units[unit])
}
