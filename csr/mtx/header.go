package mtx

import (
	"fmt"
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
	symmetric, array    bool
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
	if len(words) == 5 { // scipy and others write these for numbers without a sign, and of C
		words[3] = strings.TrimPrefix(strings.Replace(words[3], "double", "real", 1), "unsigned-")
	}
	accepted := [][]string{{"%%matrixmarket"}, {"matrix"}, {"coordinate", "array"}, {"real", "integer", "pattern"}, {"general", "symmetric"}}
	for k, word := range words {
		if !slices.Contains(accepted[k], word) {
			advice := ""
			if slices.Contains(signed, word) {
				advice = fmt.Sprintf(`; by absolute values, in Python: import scipy.io; scipy.io.mmwrite("graph.mtx", abs(scipy.io.mmread(%s)))`, s.Quoted())
			}
			return s.Errorf("%s matrices are not read, expected %s%s", lines.Quote([]byte(word)), strings.Join(accepted[k], ", "), advice)
		}
	}
	h.field, h.symmetric, h.array = words[3], words[4] == "symmetric", words[2] == "array"
	if h.array && h.field == "pattern" {
		return s.Errorf("an array of the field pattern, expected values: real or integer")
	}
	return nil
}

// signed are kinds of matrices that are no weights, and whose absolute values may be some.
var signed = []string{"complex", "hermitian", "skew-symmetric"}

func (h *header) readSizes(s *numtext.Scanner) error {
	fields := s.Fields()
	sizes := []*uint64{&h.rows, &h.cols, &h.entries}
	switch {
	case h.array && len(fields) != 2:
		return s.Errorf("%d fields in the line of sizes, expected rows and columns of an array", len(fields))
	case h.array:
		sizes = sizes[:2]
	case len(fields) != 3:
		return s.Errorf("%d fields in the line of sizes, expected rows, columns and entries", len(fields))
	}
	for k, to := range sizes {
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
	switch {
	case h.array && h.symmetric:
		h.entries = h.rows * (h.rows + 1) / 2
	case h.array:
		h.entries = h.rows * h.cols
	}
	return nil
}
