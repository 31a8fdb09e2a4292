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
	if s.Err() != nil {
		return nil, s.Err()
	}
	if uint64(len(e.row)) != h.entries {
		return nil, s.Errorf("ends after %d entries, expected the %d that the header promised", len(e.row), h.entries)
	}
	if most := freeRows + rowsPerEntry*h.entries; h.rows > most {
		return nil, s.Errorf("%d rows for %d entries, expected at most %d rows", h.rows, h.entries, most)
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
