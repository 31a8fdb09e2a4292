// Package model stores the F of a run in a file, so that new nodes get labels without a run
// ([Model.Predict]), and so that a run with other labels or edges starts from it (adp.Options.Start).
//
// The file is a .npz archive of numpy arrays, each with a checksum; docs/format-model.md describes
// it, and np.load shows its content. Nothing in a file is trusted: memory grows with the bytes that
// arrive, sizes must agree, and values are checked before a model is returned.
package model

import (
	"errors"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/knn"
)

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax

// ErrModel is wrapped by the errors of [Model.Write] about the model.
var ErrModel = errors.New("model: invalid model")

// Version is the newest format version. [Model.Write] uses the oldest one that can hold the model
// (docs/format-model.md): Version if features are categories, or have means; biasVersion if what features say has a bias; nearVersion if neighbours' features say something of new points; rootsVersion if values of words become roots; treesVersion if trees say something of new points; limitVersion if scaled values have a limit; linkVersion if edges alone say
// something of new points; guessVersion if features alone do; titledVersion if the columns of the points have titles or were chosen, scaledVersion if they
// are scaled, plainVersion if they are none of these. A reader that does not know of them must not
// accept such points.
const (
	Version       = 11
	biasVersion   = 10
	nearVersion   = 9
	rootsVersion  = 8
	treesVersion  = 7
	limitVersion  = 6
	linkVersion   = 5
	guessVersion  = 4
	titledVersion = 3
	scaledVersion = 2
	plainVersion  = 1
)

// Model holds the results of a run on n nodes and c classes that later commands need.
type Model struct {
	// Program is the version of the program that made the model, Method and Alpha those of its run.
	Program string
	Method  string
	Alpha   float64
	// Choice is the chosen setting of the learned graphs; zero if the result is of the original
	// graph. Rounds is the number of A-steps made to find it.
	Choice adp.Setting
	Rounds int
	// SeedPrior says that classes had the sizes of the seeds (choice.SeedPrior).
	SeedPrior bool
	// Products is the number of products of S with an n×c block that round 0 took without a start.
	Products int
	Classes  []string // c names
	Several  bool     // nodes may have several of the classes
	// Labels says which of several; nil where nodes have one, and in files of before it was kept.
	Labels *multilabel.Rule
	Nodes  *ids.Table // n names
	// F is the classification of the result, n×c. Degrees are the scales of its rows, nil for 1
	// (adp.Result.Degrees).
	F       *csr.Dense
	Degrees []float64
	// Start is F of round 0, on the original graph, from which another run starts; nil if that is F
	// itself.
	Start *csr.Dense
	// Features and Joins describe a graph of feature vectors by nearest neighbours; nil for
	// other graphs. Guess is what the features alone say, or without Features whom a point is joined to; it
	// needs no Joins. It is nil where the run had no edges, or no mixture.
	Features *Features
	Joins    *knn.Attachment
	Guess    *adp.Guess
	// Trees is the share of an [adp.Surrogate] in the labels of new points ([adp.SurrogateShare]), 0 for none. It comes with Joins.
	Trees float64
	// Edges says that the graph has edges that were given; nil for features alone, and in files of
	// before this was kept.
	Edges *Edges
}

// Edges describes edges that were given.
type Edges struct {
	// Beta is what the weight of an edge of the features' graph counts beside one of them; 0 where
	// the graph is of edges alone.
	Beta float64 `json:"beta"`
}

// Features names the feature vectors behind a graph.
type Features struct {
	File     string `json:"file"` // as the user named it
	Format   string `json:"format,omitempty"`
	Array    string `json:"array,omitempty"`
	IDColumn string `json:"id_column,omitempty"`
	// Without names columns of a csv file with a header that hold labels. Columns are the chosen
	// columns of any csv file, Drop those left out.
	Without []string `json:"without,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Drop    []string `json:"drop,omitempty"`
	Dims    int      `json:"dims"`
	// Titles are the titles of the dimensions, from the header of a csv file; nil for none.
	Titles []string `json:"titles,omitempty"`
	// Categories are the features of a table that are categories, whose values are dimensions.
	Categories []Categories `json:"categories,omitempty"`
	// Means are those of the features of a table, before categories became dimensions, which missing values are filled with; nil where
	// these are refused.
	Means []float32 `json:"means,omitempty"`
	// Sum is the [Sum] of the vectors. In models without Joins of sparse ones it may be 0.
	Sum uint32 `json:"crc32c"`
	// Scaling is the scaling of the columns, nil for none.
	Scaling *knn.Scaling `json:"scaling,omitempty"`
}

// Categories are the values of feature number Feature, from 0, of a table: dimensions of 0 and 1 that follow each other.
type Categories struct {
	Feature int      `json:"feature"`
	Values  []string `json:"values"`
}

// FeaturesOf describes the features x of a run, n×d: with their sum, and the scaling of their columns, nil for none.
func FeaturesOf(x diffuse.Features, scaling *knn.Scaling) *Features {
	_, d := x.Dims()
	return &Features{Dims: d, Scaling: scaling, Sum: Sum(x)}
}

// Points returns vectors in the form that the graph uses: x itself, or with columns scaled, n×d.
func (f *Features) Points(x *csr.Dense, threads int) *csr.Dense {
	if f.Scaling == nil {
		return x
	}
	return f.Scaling.Apply(x, threads)
}

// Limited reports whether scaled values have a limit. The guess of such a model is of scaled columns, that of older ones of
// columns as they are.
func (f *Features) Limited() bool { return f != nil && f.Scaling != nil && f.Scaling.Limit > 0 }

// Check checks that x are the vectors that f names.
func (f *Features) Check(x diffuse.Features, nodes int) error {
	if n, d := x.Dims(); n != nodes || d != f.Dims {
		return fmt.Errorf("%w: %d points of %d dimensions, the model is of %d of %d", knn.ErrFeatures, n, d, nodes, f.Dims)
	}
	if sum := Sum(x); sum != f.Sum {
		return fmt.Errorf("%w: other values than those that the model is of: CRC-32C %08x, expected %08x", knn.ErrFeatures, sum, f.Sum)
	}
	return nil
}

// From returns the start of a run on the nodes and classes named: the rows and columns of m with
// the same names, and 0 for new ones. Memory: n×c.
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
