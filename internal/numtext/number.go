package numtext

import (
	"errors"
	"math"
	"strconv"
)

var (
	errNotDecimal = errors.New("not in decimal form")
	errNotFinite  = errors.New("not finite")
	errRange      = errors.New("outside the range of float32")
)

// IsNumber reports whether text is a number of any kind, NaN and infinities
// included.
func IsNumber(text []byte) bool {
	_, err := Float32(text)
	return err != errNotDecimal
}

// Float32 returns the float32 nearest to a decimal number. Hexadecimal,
// underscores, NaN, infinities and numbers past the range of float32 are
// errors; a number too small to be represented becomes 0.
func Float32(text []byte) (float32, error) {
	for _, b := range text {
		if (b < '0' || b > '9') && b != '+' && b != '-' && b != '.' && b != 'e' && b != 'E' {
			if f, err := strconv.ParseFloat(string(text), 64); err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
				return 0, errNotFinite
			}
			return 0, errNotDecimal
		}
	}
	f, err := strconv.ParseFloat(string(text), 32)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errRange
	case err != nil:
		return 0, errNotDecimal
	}
	return float32(f), nil
}

// Whole returns the value of an integer of at least 0.
func Whole(text []byte) (uint64, error) {
	return strconv.ParseUint(string(text), 10, 64)
}
