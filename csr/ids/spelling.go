package ids

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// invisible are characters that nobody sees at the ends of a name: a mark of UTF-8, as in the middle of
// joined files, a no-break space, and spaces without width.
const invisible = "\ufeff\u00a0\u200b\u2060"

// Respelled returns the name without characters around it that nobody sees and with letters and their
// marks in one (NFC of Unicode; macOS writes them apart), or the plain whole number that it is another spelling of: 1 of 1.0, 01, +1 and 1.000e+00, as numpy.savetxt writes it. It returns false for plain numbers, for other names, and for
// 1e5, which may be a name in hexadecimal digits.
func Respelled(name []byte) (plain []byte, ok bool) {
	const most = 1 << 53 // whole numbers that float64 keeps
	if seen := norm.NFC.Bytes(bytes.Trim(name, invisible)); !bytes.Equal(seen, name) && len(seen) > 0 {
		return seen, true
	}
	if len(name) == 0 || name[0] > '9' || len(bytes.Trim(name, "0123456789+-.eE")) > 0 {
		return nil, false
	}
	if _, ok := Plain(name); ok || !bytes.ContainsAny(name, ".+") && !IsInteger(name) {
		return nil, false
	}
	v, err := strconv.ParseFloat(string(name), 64)
	if err != nil || v != float64(int64(v)) || v > most || v < -most {
		return nil, false
	}
	return strconv.AppendInt(nil, int64(v), 10), true
}

// bare returns a name without quotes around it, and as [Respelled] writes it.
func bare(name []byte) []byte {
	if n := len(name); n > 2 && (name[0] == '"' || name[0] == '\'') && name[n-1] == name[0] {
		name = name[1 : n-1]
	}
	if plain, ok := Respelled(name); ok {
		return plain
	}
	return name
}

// Alike returns the first name of the table that differs from another one in spelling alone: 01, 1.0
// and "1", in quotes, for 1. It returns nil if there is none. Cost: O(n), unless all names are
// plain whole numbers.
func (t *Table) Alike(name []byte) []byte {
	want := bare(name)
	if _, ok := t.Lookup(want); ok && !bytes.Equal(want, name) {
		return want
	}
	if t.sequence >= 0 || t.values != nil {
		return nil
	}
	for i := range t.Len() {
		if has := t.bytes(uint32(i)); bytes.Equal(bare(has), want) && !bytes.Equal(has, name) {
			return bytes.Clone(has)
		}
	}
	return nil
}

// NoteSpelling notes the names that are whole numbers in another spelling: those that another name of
// the table equals, and, if no name is a fraction, those with a decimal point. It notes many names that
// others equal but for capitals, names in quotes, which separators other than commas do not take off, and those that mean a missing one
// elsewhere. Cost: O(n).
func (t *Table) NoteSpelling(list *notes.List) {
	if t.sequence >= 0 || t.values != nil {
		return
	}
	alike, pointed, quoted, first, pair, quote := 0, 0, 0, "", "", ""
	write := "if they are one node, write both alike"
	for i := range t.Len() {
		name := t.bytes(uint32(i))
		if len(name) == 0 || name[0] > '9' && isASCII(name) {
			continue
		}
		plain, ok := Respelled(name)
		if len(name) > 2 && name[0] == '\'' && name[len(name)-1] == '\'' {
			_, ok = t.Lookup(name[1 : len(name)-1])
			plain = name[1 : len(name)-1]
		}
		switch {
		case len(name) > 2 && name[0] == '"' && name[len(name)-1] == '"':
			if quoted++; quoted == 1 {
				quote = string(name)
			}
		case !ok && bytes.IndexByte(name, '.') >= 0 && isDecimal(name):
			pointed = -t.Len() // fractions are names
		case !ok:
		default:
			if _, found := t.Lookup(plain); found {
				if alike++; alike == 1 {
					pair = string(plain) + " / " + string(name)
					if !norm.NFC.IsNormal(name) {
						write += ": the second has letters and marks apart (NFD of Unicode, as macOS writes), the first is NFC"
					}
				}
			} else if bytes.IndexByte(name, '.') >= 0 && bytes.IndexByte(plain, '.') < 0 {
				if pointed++; first == "" {
					first = string(name)
				}
			}
		}
	}
	for _, none := range []string{"NA", "N/A", "<NA>", "nan", "NaN", "None", "null", "NULL"} {
		if _, found := t.Lookup([]byte(none)); found {
			list.Doubt(notes.MissingIDs, 1, 0, none, "if it means that an id is missing, leave its lines out")
		}
	}
	if alike == 0 {
		alike, pair = t.cased()
	}
	list.Doubt(notes.SimilarIDs, alike, 0, pair, write)
	list.Doubt(notes.QuotedIDs, quoted, 0, quote, "between tabs and blanks quotes are letters: write the file without (R: quote=FALSE), or with commas")
	shortened := ""
	if bytes.IndexByte([]byte(first), 'E') >= 0 { // numpy writes e
		shortened = "; an id that was shortened to powers of ten, as Excel does, may stand for several nodes: take it from the source"
	}
	list.Doubt(notes.DecimalIDs, pointed, 0, first, "ids are texts: write whole numbers (numpy.savetxt with fmt='%d'; in pandas astype(int)), also in the other files"+shortened)
}

// cased counts the names in capitals, or with a first one, that another name equals but for these, and returns the
// first pair. It returns 0 where few names have such another one, as words have at the beginning of a sentence. Names
// of fewer than three characters are not looked at, nor those with other mixtures of letters, as of random ids.
func (t *Table) cased() (count int, pair string) {
	const leastPairs, oneOf, leastBytes, looked = 3, 4, 3, 4096
	var small, title []byte
	capitals := 0
	for i := range t.Len() {
		name := t.bytes(uint32(i))
		small = append(small[:0], name...)
		first, all, some := -1, true, 0 // the first letter, and whether all and how many are capitals
		for k, b := range name {
			switch {
			case b >= 'A' && b <= 'Z':
				small[k], some = b+'a'-'A', some+1
			case b >= 'a' && b <= 'z':
				all = false
			default:
				continue
			}
			if first < 0 {
				first = k
			}
		}
		if some == 0 || len(name) < leastBytes || !all && (some > 1 || small[first] == name[first]) {
			continue
		}
		capitals++
		other := small
		_, found := t.Lookup(small)
		if !found && all {
			title = append(title[:0], small...)
			title[first] = name[first]
			other = title
			_, found = t.Lookup(title)
			found = found && some > 1
		}
		if found {
			if count++; count == 1 {
				pair = string(other) + " / " + string(name)
			}
		} else if capitals > looked && oneOf*count < capitals {
			break
		}
	}
	if count < leastPairs || oneOf*count < t.Len() {
		return 0, ""
	}
	return count, pair
}

// isASCII reports whether all characters of a name are ASCII's.
func isASCII(name []byte) bool {
	for _, b := range name {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isDecimal reports whether a name is a decimal number.
func isDecimal(name []byte) bool {
	_, err := strconv.ParseFloat(string(name), 64)
	return err == nil
}
