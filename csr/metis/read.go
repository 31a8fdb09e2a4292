package metis

import (
	"fmt"
	"io"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/grow"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// Read reads the graph in r: W, symmetric and without a diagonal. Vertex v is
// row v-1. The weight of an edge is a decimal number above 0, rounded to
// float32, and 1 where the format has none; METIS itself knows whole ones only.
// The file name is for messages; r is not decompressed.
//
// Sizes and weights of vertices are counted in the notes.
//
// A loop, an edge given twice on a line, one that stands on the line of one
// end only or with two weights, and counts other than the header's are errors.
//
// Memory: 8 bytes a vertex and 8 for each of the 2·edges entries, 4/3 of that
// at the peak. It grows with the lines that have arrived, whatever the header
// says.
func Read(r io.Reader, name string) (w *csr.Matrix, ignored notes.List, err error) {
	s := numtext.NewScanner(r, name)
	s.Comment, s.KeepBlank = '%', true
	h, err := readHeader(s)
	if err != nil {
		return nil, nil, err
	}
	b := builder{header: h, indptr: make([]int64, 1)}
	for s.Scan() {
		if uint64(len(b.indptr)) > h.vertices {
			if len(s.Fields()) == 0 { // blank lines after the last vertex
				continue
			}
			return nil, nil, s.Errorf("a line after that of vertex %d, the last", h.vertices)
		}
		if err := b.line(s); err != nil {
			return nil, nil, err
		}
	}
	if s.Err() != nil {
		return nil, nil, s.Err()
	}
	if got := uint64(len(b.indptr) - 1); got != h.vertices {
		return nil, nil, s.Errorf("ends after the lines of %d vertices, expected the %d that the header promised", got, h.vertices)
	}
	if got := uint64(len(b.indices)); got != 2*h.edges {
		return nil, nil, s.Errorf("%d ends of edges, expected %d for the %d edges that the header promised", got, 2*h.edges, h.edges)
	}
	w, err = b.matrix(name)
	return w, b.ignored, err
}

// builder collects the rows.
type builder struct {
	header
	indptr  []int64
	indices []uint32
	data    []float32
	ignored notes.List
}

// line reads the line of the next vertex.
func (b *builder) line(s *numtext.Scanner) error {
	i := uint32(len(b.indptr) - 1)
	fields := s.Fields()
	if len(fields) < b.skip {
		return s.Errorf("%d numbers, expected the size and weights of vertex %d first: %d numbers", len(fields), i+1, b.skip)
	}
	if b.skip > 0 {
		b.ignored.Add(notes.NodeWeights, b.skip, s.Line(), string(fields[0]))
	}
	for _, f := range fields[:b.skip] {
		if _, err := numtext.Whole(f); err != nil {
			return s.Errorf("size or weight %s of vertex %d, expected a whole number", lines.Quote(f), i+1)
		}
	}
	if err := b.edges(s, i, fields[b.skip:]); err != nil {
		return err
	}
	cols := b.indices[b.indptr[i]:]
	csr.SortRow(cols, b.data[b.indptr[i]:])
	for k, j := range cols {
		if k > 0 && cols[k-1] == j {
			return s.Errorf("vertex %d has the neighbour %d twice, expected each once", i+1, j+1)
		}
	}
	b.indptr = append(grow.Slice(b.indptr, int64(b.vertices)+1), int64(len(b.indices)))
	return nil
}

// edges reads the edges of vertex i, in any order.
func (b *builder) edges(s *numtext.Scanner, i uint32, fields [][]byte) error {
	step := 1
	if b.weighted {
		step = 2
	}
	if len(fields)%step != 0 {
		return s.Errorf("the last neighbour %s of vertex %d has no weight, which the format has for each", lines.Quote(fields[len(fields)-1]), i+1)
	}
	most := 2 * int64(b.header.edges)
	for k := 0; k < len(fields); k += step {
		j, err := numtext.Whole(fields[k])
		switch {
		case err != nil || j == 0 || j > b.vertices:
			return s.Errorf("neighbour %s of vertex %d, expected a whole number from 1 to %d", lines.Quote(fields[k]), i+1, b.vertices)
		case uint32(j-1) == i:
			return s.Errorf("vertex %d is its own neighbour, which the format does not have; vertices count from 1", i+1)
		}
		weight := float32(1)
		if b.weighted {
			weight, err = numtext.Float32(fields[k+1])
			if err != nil || weight <= 0 {
				return s.Errorf("weight %s of the edge %d–%d, expected a decimal number above 0", lines.Quote(fields[k+1]), i+1, j)
			}
		}
		b.indices = append(grow.Slice(b.indices, most), uint32(j-1))
		b.data = append(grow.Slice(b.data, most), weight)
	}
	return nil
}

// matrix checks what only the whole file shows.
func (b *builder) matrix(name string) (*csr.Matrix, error) {
	n := int(b.vertices)
	m, err := csr.New(n, n, b.indptr, b.indices, b.data)
	if err == nil {
		err = csr.CheckSymmetric(m, 1)
	}
	if err != nil {
		return nil, &lines.Error{File: name, Msg: fmt.Sprintf("%s: each edge stands on the lines of both ends, with one weight (rows and columns count from 0, vertices from 1)", strings.TrimPrefix(err.Error(), "csr: "))}
	}
	return m, nil
}
