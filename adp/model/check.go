package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/knn"
)

// check returns the fault of a model. A model that was read has none, and Write writes no model
// with one.
func (m *Model) check() error {
	if m.Nodes == nil || m.Nodes.Len() < 1 || len(m.Classes) < 1 {
		return fmt.Errorf("%d classes and the names of no nodes, expected at least 1 of both", len(m.Classes))
	}
	if m.Choice != (adp.Setting{}) && !(m.Choice.TopK > 0 && m.Choice.Anchor >= 0 && m.Choice.GraphAlpha > 0 && m.Choice.GraphAlpha < 1) {
		return fmt.Errorf("choice %+v, expected a top-k of at least 1, an anchor of at least 0 and a graph alpha between 0 and 1", m.Choice)
	}
	switch {
	case m.Products < 0 || m.Rounds < 0:
		return fmt.Errorf("%d products and %d rounds, expected at least 0", m.Products, m.Rounds)
	case !(m.Alpha > 0 && m.Alpha < 1):
		return fmt.Errorf("alpha %v, expected between 0 and 1", m.Alpha)
	case m.Features == nil && m.Joins != nil, m.Features != nil && m.Joins == nil && m.Guess == nil, m.Features == nil && m.Guess != nil && m.Edges == nil:
		return errors.New("features without the weights of their graph or what they say alone, or the other way round")
	case m.Trees != 0 && (!(m.Trees > 0 && m.Trees <= 1) || m.Joins == nil || m.Guess != nil):
		return fmt.Errorf("share %v of trees, expected 0 to 1, and 0 without a graph of features alone", m.Trees)
	case m.Edges != nil && !(m.Edges.Beta >= 0 && m.Edges.Beta <= math.MaxFloat64):
		return fmt.Errorf("beta %v of the edges, expected a finite number of at least 0", m.Edges.Beta)
	}
	if m.Labels != nil {
		if !m.Several {
			return errors.New("a rule of several labels where nodes have one")
		}
		if err := m.Labels.Check(len(m.Classes)); err != nil {
			return err
		}
	}
	for _, check := range []func() error{m.checkNames, m.checkBlocks, m.checkFeatures, m.checkJoins, m.checkGuess} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) checkNames() error {
	seen := map[string]bool{}
	for j, name := range m.Classes {
		if err := lines.CheckName([]byte(name), '\t'); err != nil || seen[name] {
			return fmt.Errorf("class %d is %s, expected names that differ", j, lines.Quote([]byte(name)))
		}
		seen[name] = true
	}
	var name []byte
	for i := range m.Nodes.Len() {
		if name = m.Nodes.AppendName(name[:0], i); !ids.Fits(name) {
			return fmt.Errorf("node %d is %s, expected a name of UTF-8 without control characters", i, lines.Quote(name))
		}
	}
	return nil
}

// checkBlocks checks F, the start and the degrees.
func (m *Model) checkBlocks() error {
	if m.F == nil {
		return errors.New("no array f")
	}
	if err := m.checkBlock("f", m.F); err != nil {
		return err
	}
	if m.Start != nil {
		if err := m.checkBlock("start", m.Start); err != nil {
			return err
		}
	}
	if m.Degrees == nil {
		return nil
	}
	// Sums of up to n weights, each a float32.
	most := float64(m.Nodes.Len()) * math.MaxFloat32
	return checkVector("degrees", m.Degrees, m.Nodes.Len(), func(v float64) bool {
		return v == 0 || v >= math.SmallestNonzeroFloat32 && v <= most
	})
}

func (m *Model) checkBlock(name string, x *csr.Dense) error {
	n, c := m.Nodes.Len(), len(m.Classes)
	if x.Rows != n || x.Cols != c || len(x.Data) != n*c {
		return fmt.Errorf("array %s: %d values of shape (%d, %d), expected (%d, %d)", name, len(x.Data), x.Rows, x.Cols, n, c)
	}
	for k, v := range x.Data {
		if !(v >= 0 && v <= math.MaxFloat32) {
			return fmt.Errorf("array %s: row %d, column %d: value %v, expected a finite number of at least 0", name, k/c, k%c, v)
		}
	}
	return nil
}

// checkJoins checks the scales of the points.
func (m *Model) checkJoins() error {
	a, n := m.Joins, m.Nodes.Len()
	if a == nil {
		return nil
	}
	switch {
	case !a.Metric.Valid() || a.Weighting < knn.SymmetricGaussian || a.Weighting > knn.Uniform || a.Symmetry < csr.Mean || a.Symmetry > csr.Min:
		return fmt.Errorf("metric %v, weights %v, symmetry %d, expected known ones", a.Metric, a.Weighting, a.Symmetry)
	case a.K < 1 || a.Search < a.K || a.Search >= n || !(a.Least >= math.SmallestNonzeroFloat32 && a.Least <= math.MaxFloat32):
		return fmt.Errorf("%d neighbours of %d, least bandwidth %v: expected at least 1, and fewer than %d neighbours", a.K, a.Search, a.Least, n)
	}
	if a.Weighting < knn.CosineWeight {
		if err := checkVector("sigma", a.Sigma, n, func(v float32) bool { return v > 0 }); err != nil {
			return err
		}
	}
	return checkVector("radius", a.Radius, n, func(v float32) bool { return v >= 0 || a.Metric == knn.InnerProduct })
}

func (m *Model) checkFeatures() error {
	f := m.Features
	switch {
	case f == nil:
		return nil
	case f.Dims < 1:
		return fmt.Errorf("features of %d dimensions, expected at least 1", f.Dims)
	case f.Scaling != nil:
		if err := f.Scaling.Check(f.Dims); err != nil {
			return err
		}
	}
	return cmp.Or(f.checkTitles(), f.checkCategories(), f.checkMeans())
}

// guessDims is the number of rows of V of the guess: the columns of the features, or the nodes.
func (m *Model) guessDims() int {
	if m.Features == nil {
		return m.F.Rows
	}
	return m.Features.Dims
}

// checkGuess checks what the features say alone, or the edges.
func (m *Model) checkGuess() error {
	g := m.Guess
	if g == nil {
		return nil
	}
	d, c := m.guessDims(), len(m.Classes)
	if err := cmp.Or(checkBlock("guess", g.V, d, c), checkPart("guess", g.Size, g.Share), checkBias("guess", g.Bias, c)); err != nil {
		return err
	}
	if s := g.Standard; s != nil {
		if err := checkVector("mean of guess", s.Mean, d, func(float64) bool { return true }); err != nil {
			return err
		}
		if err := checkVector("standard deviation of guess", s.SD, d, func(v float64) bool { return v >= 0 }); err != nil {
			return err
		}
	}
	if g.Near == nil {
		return nil
	}
	if m.Features == nil {
		return errors.New("a part of neighbours' features, expected none without features")
	}
	return cmp.Or(checkBlock("near", g.Near.V, d, c), checkBlock("around", g.Near.Around, m.F.Rows, c), checkPart("near", g.Near.Size, g.Near.Share), checkBlend(g.Near.Blend), checkBias("near", g.Near.Bias, c))
}

// checkBias checks the bias of c classes, which older models do not have.
func checkBias(part string, bias []float64, c int) error {
	if bias == nil {
		return nil
	}
	return checkVector("bias of "+part, bias, c, func(float64) bool { return true })
}

// checkBlock checks the shape and the values of an array of n×c numbers.
func checkBlock(name string, x *csr.Dense, n, c int) error {
	if x == nil || x.Rows != n || x.Cols != c || len(x.Data) != n*c {
		return fmt.Errorf("array %s: expected shape (%d, %d)", name, n, c)
	}
	return checkVector(name, x.Data, n*c, func(float32) bool { return true })
}

// checkBlend checks the part that neighbours' features have of what features say.
func checkBlend(blend float64) error {
	if !(blend >= 0 && blend <= 1) {
		return fmt.Errorf("near of blend %v, expected 0 to 1", blend)
	}
	return nil
}

// checkPart checks the size of scores and their share of an answer.
func checkPart(name string, size, share float64) error {
	if !(size > 0 && size <= math.MaxFloat32 && share >= 0 && share <= 1) {
		return fmt.Errorf("%s of size %v and share %v, expected above 0, and 0 to 1", name, size, share)
	}
	return nil
}

// checkTitles checks that there are as many titles as dimensions, or none, and that each is text of
// one line.
func (f *Features) checkTitles() error {
	if f.Titles != nil && len(f.Titles) != f.Dims {
		return fmt.Errorf("%d titles of columns for %d dimensions", len(f.Titles), f.Dims)
	}
	for k, title := range f.Titles {
		if !lines.IsTitle(title) {
			return fmt.Errorf("title %d is %s, expected UTF-8 without control characters", k, lines.Quote([]byte(title)))
		}
	}
	return nil
}

// checkCategories checks that the dimensions of categories are those of different features, one after the other, and that the values of
// each are different titles in ascending order.
func (f *Features) checkCategories() error {
	next, dims := 0, 0 // the least feature of the next categories, and the dimensions of those before it
	for _, c := range f.Categories {
		if c.Feature < next || len(c.Values) == 0 {
			return fmt.Errorf("categories of feature %d with %d values, expected feature %d or a later one, and values", c.Feature, len(c.Values), next)
		}
		dims, next = dims+c.Feature-next+len(c.Values), c.Feature+1
		if dims > f.Dims {
			return fmt.Errorf("categories of feature %d for more than %d dimensions", c.Feature, f.Dims)
		}
		for k, value := range c.Values {
			if !lines.IsTitle(value) || k > 0 && c.Values[k-1] >= value {
				return fmt.Errorf("value %d of the categories of feature %d is %s, expected ascending UTF-8 without control characters", k, c.Feature, lines.Quote([]byte(value)))
			}
		}
	}
	return nil
}

// checkMeans checks that there is a mean for each feature, or none.
func (f *Features) checkMeans() error {
	if f.Means == nil {
		return nil
	}
	features := f.Dims
	for _, c := range f.Categories {
		features -= len(c.Values) - 1
	}
	return checkVector("means", f.Means, features, func(float32) bool { return true })
}

// checkVector checks that there are n finite numbers for which valid holds.
func checkVector[T float32 | float64](name string, values []T, n int, valid func(T) bool) error {
	if len(values) != n {
		return fmt.Errorf("array %s: %d values, expected %d", name, len(values), n)
	}
	for k, v := range values {
		if v-v != 0 || !valid(v) {
			return fmt.Errorf("array %s: element %d: value %v is not finite, or out of range", name, k, v)
		}
	}
	return nil
}
