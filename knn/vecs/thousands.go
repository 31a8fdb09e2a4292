package vecs

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// thousands sees whether the numbers of a column may have points between their thousands, as in 12.500 for twelve thousand
// five hundred, which would be read as fractions. In such a column values of a thousand or more have a point before their last three
// digits, and others have none. Above a million a value has two points, which is no number.
type thousands struct {
	no      bool     // some value is not written so
	pointed []string // different values with a point, no more than are needed
	zero    bool     // one with a point ends with 0
	largest uint64   // of those with a point, what stands before it
	whole   []bool   // whether 0, 1, … to 999 stand without a point
}

// In order: the least number of different values with a point; the least number of different ones without that are larger.
const (
	leastPointed = 3
	leastLarger  = 5
)

// add takes the next value.
func (t *thousands) add(field []byte) {
	if t.no {
		return
	}
	whole, rest, pointed := bytes.Cut(bytes.TrimLeft(field, "+-"), []byte("."))
	v, err := strconv.ParseUint(string(whole), 10, 64)
	switch {
	case err != nil || v > 999 || len(whole) > 1 && whole[0] == '0':
		t.no = true
	case !pointed:
		for uint64(len(t.whole)) <= v {
			t.whole = append(t.whole, false)
		}
		t.whole[v] = true
	case v == 0 || len(rest) != 3 || !isDigits(rest):
		t.no = true
	default:
		if len(t.pointed) < leastPointed && !slices.Contains(t.pointed, string(field)) {
			t.pointed = append(t.pointed, string(field))
		}
		t.zero = t.zero || rest[2] == '0'
		t.largest = max(t.largest, v)
	}
}

// likely reports whether the points seem to separate thousands: where another column has decimal commas, or where numbers without a point
// are the larger ones, and some with a point end with 0. A program that writes three decimals writes them for all numbers, or for all
// but whole ones, which are no larger than others. A program that leaves zeros out leaves out these too.
func (t *thousands) likely(commas bool) bool {
	if t.no || len(t.pointed) < leastPointed {
		return false
	}
	all, larger := 0, 0
	for v, has := range t.whole {
		if has && v > 0 {
			if all++; uint64(v) > t.largest {
				larger++
			}
		}
	}
	return commas || t.zero && larger >= leastLarger && 2*larger >= all
}

func isDigits(text []byte) bool { return len(bytes.Trim(text, "0123456789")) == 0 }

// isGrouped reports whether a field is a number with points between its thousands, two or more of them or before a decimal comma.
func isGrouped(field []byte) bool {
	whole, fraction, comma := bytes.Cut(bytes.TrimLeft(field, "+-"), []byte(","))
	groups := bytes.Split(whole, []byte("."))
	if len(groups) < 2 || len(groups) < 3 && !comma || !isDigits(fraction) || !isDigits(groups[0]) || len(groups[0]) < 1 || len(groups[0]) > 3 {
		return false
	}
	return !slices.ContainsFunc(groups[1:], func(group []byte) bool { return len(group) != 3 || !isDigits(group) })
}

// isCommaNumber reports whether a field is a number with one decimal comma.
func isCommaNumber(field []byte) bool {
	whole, fraction, comma := bytes.Cut(bytes.TrimLeft(field, "+-"), []byte(","))
	return comma && len(whole) > 0 && len(fraction) > 0 && isDigits(fraction) && (isDigits(whole) || isGrouped(field))
}

// seeThousands looks at the fields of a line for points and commas of another language: where commas or blanks do not separate columns,
// and as long as some column may have them.
func (t *table) seeThousands(fields [][]byte) {
	if sep := t.scanner.Separator(); sep != ';' && sep != '\t' || t.fractions {
		return
	}
	if t.grouped == nil {
		t.grouped = make([]thousands, len(t.features))
	}
	t.fractions = true
	for at, k := range t.features {
		if t.categorical(at) {
			t.grouped[at].no = true
		}
		if !t.imputes() || !isMissing(fields[k]) {
			t.grouped[at].add(fields[k])
		}
		t.fractions = t.fractions && t.grouped[at].no
	}
	if len(fields) > len(t.features) && !t.commas { // in columns that are no features; others have numbers
		t.commas = slices.ContainsFunc(fields, isCommaNumber)
	}
}

// noteThousands notes the columns whose points seem to separate thousands.
func (t *table) noteThousands(list *notes.List) {
	for at, k := range t.features {
		if t.grouped != nil && t.grouped[at].likely(t.commas) {
			name := "column " + strconv.Itoa(k+1)
			if t.dims != nil {
				name = t.dims[at]
			}
			list.Doubt(notes.Thousands, 1, 0, name, "if points separate thousands in it, leave them out")
		}
	}
}
