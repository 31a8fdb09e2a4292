package mtx

import (
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// header is what stands before the entries of a file.
type header struct {
	rows, cols, entries uint64
	field               string // real, integer or pattern
	symmetric           bool
}

func readHeader(s *numtext.Scanner) (h header, err error) {
	if !s.Scan() {
		if s.Err() != nil {
			return h, s.Err()
		}
		return h, s.Errorf("empty, expected a line that starts with %%%%MatrixMarket")
	}
	if err := h.readBanner(s); err != nil {
		return h, err
	}
	s.Comment = '%'
	if !s.Scan() {
		if s.Err() != nil {
			return h, s.Err()
		}
		return h, s.Errorf("ends before the line of sizes, expected rows, columns and entries")
	}
	return h, h.readSizes(s)
}

// readBanner reads the first line, whose words may be in any case.
func (h *header) readBanner(s *numtext.Scanner) error {
	words := []string{}
	for _, f := range s.Fields() {
		words = append(words, strings.ToLower(string(f)))
	}
	if words[0] != "%%matrixmarket" {
		return s.Errorf("%s, expected %%%%MatrixMarket", lines.Quote(s.Fields()[0]))
	}
	if len(words) != 5 {
		return s.Errorf("%d words, expected %%%%MatrixMarket matrix coordinate real general or the like", len(words))
	}
	accepted := [][]string{{"%%matrixmarket"}, {"matrix"}, {"coordinate"}, {"real", "integer", "pattern"}, {"general", "symmetric"}}
	for k, word := range words {
		if !slices.Contains(accepted[k], word) {
			return s.Errorf("%s matrices are not read, expected %s", lines.Quote([]byte(word)), strings.Join(accepted[k], ", "))
		}
	}
	h.field, h.symmetric = words[3], words[4] == "symmetric"
	return nil
}

func (h *header) readSizes(s *numtext.Scanner) error {
	fields := s.Fields()
	if len(fields) != 3 {
		return s.Errorf("%d fields in the line of sizes, expected rows, columns and entries", len(fields))
	}
	for k, to := range []*uint64{&h.rows, &h.cols, &h.entries} {
		v, err := numtext.Whole(fields[k])
		if err != nil {
			return s.Errorf("size %s, expected a whole number", lines.Quote(fields[k]))
		}
		*to = v
	}
	if max(h.rows, h.cols) > csr.MaxDim {
		return s.Errorf("%d rows and %d columns, expected at most %d", h.rows, h.cols, uint64(csr.MaxDim))
	}
	if h.symmetric && h.rows != h.cols {
		return s.Errorf("%d rows and %d columns, expected a symmetric matrix to be square", h.rows, h.cols)
	}
	return nil
}
