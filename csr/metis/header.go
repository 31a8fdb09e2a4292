package metis

import (
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// header is the first line of a file.
type header struct {
	vertices, edges uint64
	skip            int  // numbers before the edges of a vertex: its size and weights
	weighted        bool // a weight follows each neighbour
}

// mostWeights bounds the weights of a vertex.
const mostWeights = 1 << 10

func readHeader(s *numtext.Scanner) (h header, err error) {
	for { // blank lines before the header say nothing
		if !s.Scan() {
			if s.Err() != nil {
				return h, s.Err()
			}
			return h, s.Errorf("empty, expected a line of vertices, edges and format")
		}
		if len(s.Fields()) > 0 {
			break
		}
	}
	fields := s.Fields()
	if len(fields) < 2 || len(fields) > 4 {
		return h, s.Errorf("%d numbers in the header, expected 2 to 4: vertices, edges, format and weights of a vertex", len(fields))
	}
	for k, to := range []*uint64{&h.vertices, &h.edges} {
		v, err := numtext.Whole(fields[k])
		if err != nil {
			return h, s.Errorf("%s in the header, expected a whole number", lines.Quote(fields[k]))
		}
		*to = v
	}
	if h.vertices > csr.MaxDim {
		return h, s.Errorf("%d vertices, expected at most %d", h.vertices, uint64(csr.MaxDim))
	}
	if h.edges > h.vertices*(h.vertices-min(1, h.vertices))/2 {
		return h, s.Errorf("%d edges between %d vertices, expected at most one a pair", h.edges, h.vertices)
	}
	return h, h.readFormat(s, fields[2:])
}

// readFormat reads the third and the fourth number.
func (h *header) readFormat(s *numtext.Scanner, fields [][]byte) error {
	if len(fields) == 0 {
		return nil
	}
	flags := [3]bool{} // of sizes, weights of vertices, weights of edges
	if len(fields[0]) > len(flags) {
		return s.Errorf("format %s, expected up to three digits", lines.Quote(fields[0]))
	}
	for k, digit := range fields[0] {
		if digit != '0' && digit != '1' {
			return s.Errorf("format %s, expected digits 0 or 1", lines.Quote(fields[0]))
		}
		flags[len(flags)-len(fields[0])+k] = digit == '1'
	}
	weights := uint64(0)
	if flags[1] {
		weights = 1
	}
	if len(fields) == 2 {
		var err error
		if weights, err = numtext.Whole(fields[1]); err != nil || weights > mostWeights || flags[1] != (weights > 0) {
			return s.Errorf("%s weights of a vertex with the format %s, expected a number that fits it, at most %d", lines.Quote(fields[1]), lines.Quote(fields[0]), mostWeights)
		}
	}
	h.skip, h.weighted = int(weights), flags[2]
	if flags[0] {
		h.skip++
	}
	return nil
}
