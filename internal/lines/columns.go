package lines

import (
	"fmt"
	"slices"
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

// inARow reports whether the titles that are whole numbers are numbers in a row, in any order.
func inARow(titles []string) bool {
	numbers := whole(titles)
	slices.Sort(numbers)
	return ascend(numbers)
}

// whole returns the titles that are whole numbers.
func whole(titles []string) (numbers []int) {
	for _, title := range titles {
		if v, err := strconv.Atoi(title); err == nil {
			numbers = append(numbers, v)
		}
	}
	return numbers
}

// ascend reports whether each number is one more than the one before.
func ascend(numbers []int) bool {
	for k := 1; k < len(numbers); k++ {
		if numbers[k] != numbers[k-1]+1 {
			return false
		}
	}
	return true
}

// NumberTitles reports whether a first line numbers the columns: all of them from 0 on, or from 1 on where they are
// four or more, in any order; or five or more of them in a row, where the others are words.
func NumberTitles(titles []string) bool {
	const fromZero, fromOne, some = 3, 4, 5
	numbers := whole(titles)
	if n := len(numbers); n == len(titles) && inARow(titles) {
		return n >= fromZero && slices.Min(numbers) == 0 || n >= fromOne && slices.Min(numbers) == 1 || n >= some && ascend(numbers)
	}
	return len(numbers) >= some && ascend(numbers) && !slices.ContainsFunc(titles, func(title string) bool {
		_, whole := strconv.Atoi(title)
		_, err := strconv.ParseFloat(title, 64)
		return whole != nil && err == nil
	})
}
