package lines

import (
	"fmt"
	"strconv"
	"strings"
)

// FindColumn returns the column, from 0, that a user names by its title or by its number from 1. Titled says
// that the first line is known to be titles: else a number is a number. Titles that are numbers, as of
// pandas, come first where they are all in a row: others may be values. Where is added to a message, such
// as " in the first line".
func FindColumn(titles []string, name string, titled bool, where string) (int, error) {
	number, fault := strconv.Atoi(name)
	inRange := fault == nil && number >= 1 && number <= len(titles)
	var at []int
	for _, sign := range []string{"", "#% "} { // titles may stand in a comment
		for k := 0; k < len(titles) && (titled || fault != nil); k++ {
			if strings.TrimLeft(titles[k], sign) == name {
				at = append(at, k)
			}
		}
		if len(at) > 0 {
			break
		}
	}
	switch {
	case inRange && (len(at) == 0 || !inARow(titles)):
		return number - 1, nil
	case len(at) == 1:
		return at[0], nil
	case len(at) > 1:
		return 0, fmt.Errorf("two columns are named %s; say its number", Quote([]byte(name)))
	case len(titles) == 0:
		return 0, fmt.Errorf("no column named %s%s, and no other", Quote([]byte(name)), where)
	case fault == nil && !titled:
		return 0, fmt.Errorf("%s, expected column %d%s", Columns(len(titles)), number, FromOne(number))
	}
	return 0, fmt.Errorf("no column named %s%s, expected one of %s, or a number from 1 to %d", Quote([]byte(name)), where, Titles(titles), len(titles))
}

// inARow reports whether the titles that are whole numbers are each one more than the one before.
func inARow(titles []string) bool {
	before, any := 0, false
	for _, title := range titles {
		v, err := strconv.Atoi(title)
		switch {
		case err != nil:
		case any && v != before+1:
			return false
		default:
			before, any = v, true
		}
	}
	return true
}

// NumberTitles reports whether a first line numbers the columns: with 0, 1, 2, … all of them, or with five
// whole numbers or more in a row those that have numbers.
func NumberTitles(titles []string) bool {
	const least, many = 3, 5
	numbers := 0
	for _, title := range titles {
		if _, err := strconv.Atoi(title); err == nil {
			numbers++
		} else if _, err := strconv.ParseFloat(title, 64); err == nil {
			return false
		}
	}
	return inARow(titles) && (numbers >= many || numbers == len(titles) && numbers >= least && titles[0] == "0")
}
