package opened

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// TooMuch is the error of a file that does not fit the memory, with what needs less.
func TooMuch(l limit.Memory, err error) error {
	return limit.Error{Message: fmt.Sprintf("%v; the limit is %s (%s); what needs less: convert --edges FILE --out FILE.csr --memory-limit SIZE (at least %s), then --graph FILE.csr", err, figures.Bytes(l.Bytes), l.From, figures.Bytes(limit.LeastStreamed))}
}

// IsMapped reports whether W lies in its file.
func (g *Graph) IsMapped() bool { return g.File != nil && g.File.Matrix() == g.W }

// Held is the memory of the graph: none where it lies in its file.
func (g *Graph) Held() int64 {
	if g.IsMapped() {
		return 0
	}
	return g.W.Bytes() + g.IDs.Bytes()
}

// Mapped is the memory of a matrix that lies in the file, else 0.
func (g *Graph) Mapped(w *csr.Matrix) int64 {
	if g.File == nil || w != g.File.Matrix() {
		return 0
	}
	return w.Bytes()
}

// MappedBytes is the part of a mapped file that a run reads. It is resident where memory is free,
// and needs none.
func (g *Graph) MappedBytes() int64 {
	if g.File == nil {
		return 0
	}
	return g.File.Matrix().Bytes() + g.File.IDs().Bytes()
}
