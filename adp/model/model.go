// Package model keeps what a run leaves for later in a file: its F, so that new
// nodes get labels without a run (adp.Predict), and so that a run with other
// labels or edges starts from it (adp.Options.Start).
//
// The file is a .npz archive of numpy arrays, each with a checksum, described in
// docs/format-model.md; np.load shows what is in it. Nothing in a file is
// trusted: memory grows with what arrives, sizes must agree, and values are
// checked before a model is returned.
package model

import (
	"errors"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/knn"
)

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax

// ErrModel is wrapped by the errors of [Model.Write] about the model.
var ErrModel = errors.New("model: invalid model")

// Version is the version of the format that [Model.Write] writes where the columns of the
// points have titles or were chosen, scaledVersion where they are scaled, and plainVersion where they are
// neither: a reader that does not know of it must not take them as they are.
const (
	Version       = 3
	scaledVersion = 2
	plainVersion  = 1
)

// Model is what a run on n nodes and c classes leaves for later.
type Model struct {
	// Program is the version of the program that made the model, Method and Alpha
	// what it ran.
	Program string
	Method  string
	Alpha   float64
	// Choice is the setting of the learned graphs that was chosen; zero where the
	// result is of the original graph. Rounds is the number of A-steps that were
	// made to find it.
	Choice adp.Setting
	Rounds int
	// SeedPrior says that classes had the sizes of the seeds (adp.SeedPrior).
	SeedPrior bool
	// Products is the number of products of S with an n×c block that round 0
	// took without a start.
	Products int
	Classes  []string   // c names
	Several  bool       // nodes may have several of the classes
	Nodes    *ids.Table // n names
	// F is the classification of the result, n×c, Degrees what its rows are
	// scaled by, nil for 1 (adp.Result.Degrees).
	F       *csr.Dense
	Degrees []float64
	// Start is F of round 0, on the original graph, from which another run
	// starts; nil where that is F itself.
	Start *csr.Dense
	// Features and Joins say how the graph was made of dense feature vectors by
	// nearest neighbours; both nil for other graphs.
	Features *Features
	Joins    *knn.Attachment
}

// Features names the feature vectors that a graph was made of.
type Features struct {
	File     string `json:"file"` // as the user named it
	Format   string `json:"format,omitempty"`
	Array    string `json:"array,omitempty"`
	IDColumn string `json:"id_column,omitempty"`
	// Without are columns of a csv file with a header that hold labels; Columns are those
	// of any csv file that were chosen, and Drop those that were left out.
	Without []string `json:"without,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Drop    []string `json:"drop,omitempty"`
	Dims    int      `json:"dims"`
	// Titles are those of the dimensions, from the header of a csv file; nil for none.
	Titles []string `json:"titles,omitempty"`
	// Sum is the CRC-32C of the values as little-endian float32, row by row.
	Sum uint32 `json:"crc32c"`
	// Scaling is what columns were scaled by, nil for none.
	Scaling *knn.Scaling `json:"scaling,omitempty"`
}

// Points returns vectors as the graph is of them: x itself, or with columns scaled, n×d.
func (f *Features) Points(x *csr.Dense, threads int) *csr.Dense {
	if f.Scaling == nil {
		return x
	}
	return f.Scaling.Apply(x, threads)
}

// Check makes sure that x are the vectors that f names.
func (f *Features) Check(x *csr.Dense, nodes int) error {
	switch sum := Sum(x); {
	case x.Rows != nodes || x.Cols != f.Dims:
		return fmt.Errorf("%w: %d points of %d dimensions, the model is of %d of %d", knn.ErrFeatures, x.Rows, x.Cols, nodes, f.Dims)
	case sum != f.Sum:
		return fmt.Errorf("%w: other values than those that the model is of: CRC-32C %08x, expected %08x", knn.ErrFeatures, sum, f.Sum)
	}
	return nil
}

// From returns where a run on the nodes and classes named starts from: the rows
// and columns of m with the same names, and 0 for new ones. Memory: n×c.
func (m *Model) From(nodes *ids.Table, classes []string) (start *csr.Dense, known int) {
	f := m.Start
	if f == nil {
		f = m.F
	}
	column := make([]int, len(classes))
	for j, name := range classes {
		column[j] = -1
		for k, old := range m.Classes {
			if old == name {
				column[j] = k
			}
		}
	}
	start = csr.NewDense(nodes.Len(), len(classes))
	var name []byte
	for i := range nodes.Len() {
		name = nodes.AppendName(name[:0], i)
		old, ok := m.Nodes.Lookup(name)
		if !ok {
			continue
		}
		known++
		for j, k := range column {
			if k >= 0 {
				start.Set(i, j, f.At(int(old), k))
			}
		}
	}
	return start, known
}
