package opened

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// What needs less memory than edges and features that are read whole.
var (
	LessForEdges    = fmt.Sprintf("convert --edges FILE --out FILE.csr --memory-limit SIZE (at least %s), then --graph FILE.csr", figures.Bytes(limit.LeastStreamed))
	LessForFeatures = "fewer columns or rows, sparse features where most values are 0 (.npz of scipy, .libsvm), an unpacked .npz, or neighbours that another program found (--neighbors)"
)

// TooMuch is the error of a file that does not fit the memory, with what needs less.
func TooMuch(l limit.Memory, err error, less string) error {
	return limit.Error{Message: fmt.Sprintf("%v; the limit is %s (%s); what needs less: %s", err, figures.Bytes(l.Bytes), l.From, less)}
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
