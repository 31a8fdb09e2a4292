package mtx

import (
	"strconv"

	"github.com/adp-sparse/adp-sparse/internal/grow"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// entries are the lines of a file, counted from 0: 12 bytes each, 8 for
// pattern files, whose values are nil.
type entries struct {
	row, col []uint32
	value    []float32
}

// A matrix takes 8 bytes a row beside its entries. So that a file of a few
// lines cannot make a program fill the memory with empty rows, a file with e
// entries may have at most freeRows + rowsPerEntry*e rows.
const (
	freeRows     = 1 << 20
	rowsPerEntry = 1 << 10
)

// readEntries reads the lines after the header.
func readEntries(s *numtext.Scanner, h header) (*entries, error) {
	e := &entries{}
	for s.Scan() {
		if uint64(len(e.row)) == h.entries {
			return nil, s.Errorf("an entry after the %d that the header promised", h.entries)
		}
		if err := e.add(s, h); err != nil {
			return nil, err
		}
	}
	if err := e.check(s, h, uint64(len(e.row))); err != nil {
		return nil, err
	}
	return e, nil
}

// check compares the number of entries read with the header, at the end of the file.
func (e *entries) check(s *numtext.Scanner, h header, read uint64) error {
	if s.Err() != nil {
		return s.Err()
	}
	if read != h.entries {
		return s.Errorf("ends after %d entries, expected the %d that the header promised", read, h.entries)
	}
	if most := freeRows + rowsPerEntry*h.entries; h.rows > most {
		return s.Errorf("%d rows for %d entries, expected at most %d rows", h.rows, h.entries, most)
	}
	return nil
}

// readArray reads the values of a dense matrix, one a line, and keeps those that are not 0.
func readArray(s *numtext.Scanner, h header) (*entries, error) {
	e := &entries{value: []float32{}}
	read, i, j := uint64(0), uint64(0), uint64(0)
	for s.Scan() {
		switch {
		case read == h.entries:
			return nil, s.Errorf("an entry after the %d that the header promised", h.entries)
		case len(s.Fields()) != 1:
			return nil, s.Errorf("%d fields, expected one value in a line of an array", len(s.Fields()))
		}
		v, err := value(s, s.Fields()[0], h.field)
		if err != nil {
			return nil, err
		}
		if v != 0 {
			e.row, e.col, e.value = append(e.row, uint32(i)), append(e.col, uint32(j)), append(e.value, v)
		}
		read++
		if i++; i == h.rows {
			j++
			i = 0
			if h.symmetric {
				i = j
			}
		}
	}
	if err := e.check(s, h, read); err != nil {
		return nil, err
	}
	return e, nil
}

// add reads one line.
func (e *entries) add(s *numtext.Scanner, h header) error {
	fields := s.Fields()
	want := 3
	if h.field == "pattern" {
		want = 2
	}
	if len(fields) != want {
		return s.Errorf("%d fields, expected %d in a line of a %s matrix", len(fields), want, h.field)
	}
	i, err := index(s, fields[0], "row", h.rows)
	if err != nil {
		return err
	}
	j, err := index(s, fields[1], "column", h.cols)
	if err != nil {
		return err
	}
	if h.symmetric && i < j {
		return s.Errorf("entry (%d, %d) is above the diagonal, expected only the lower triangle of a symmetric matrix", i+1, j+1)
	}
	e.row = append(grow.Slice(e.row, int64(h.entries)), i)
	e.col = append(grow.Slice(e.col, int64(h.entries)), j)
	if want == 2 {
		return nil
	}
	v, err := value(s, fields[2], h.field)
	e.value = append(grow.Slice(e.value, int64(h.entries)), v)
	return err
}

func index(s *numtext.Scanner, text []byte, what string, most uint64) (uint32, error) {
	v, err := numtext.Whole(text)
	if err != nil || v == 0 || v > most {
		return 0, s.Errorf("%s %s, expected a whole number from 1 to %d", what, lines.Quote(text), most)
	}
	return uint32(v - 1), nil
}

func value(s *numtext.Scanner, text []byte, field string) (float32, error) {
	if field == "integer" {
		v, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return 0, s.Errorf("value %s, expected a whole number in an integer matrix", lines.Quote(text))
		}
		return float32(v), nil
	}
	v, err := numtext.Float32(text)
	if err != nil {
		return 0, s.Errorf("value %s is %v, expected a decimal number", lines.Quote(text), err)
	}
	return v, nil
}
