package model

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/knn"
)

func appendInt(b []byte, i int) []byte { return strconv.AppendInt(b, int64(i), 10) }

// Read reads the model in the file r of the given size; the name is for
// messages. Errors wrap [ErrSyntax], except those of r. Memory: that of the
// model, and a third more while an array grows.
func Read(r io.ReaderAt, name string, size int64) (*Model, error) {
	archive, err := npy.OpenArchive(r, name, size)
	if err != nil {
		return nil, err
	}
	for _, array := range archive.Names() {
		if !slices.Contains(arrays, array) {
			return nil, archive.Errorf("array %s, expected those of a model: %s", lines.Quote([]byte(array)), strings.Join(arrays, ", "))
		}
	}
	f := file{archive}
	a, err := f.about()
	if err != nil {
		return nil, err
	}
	m := &Model{Program: a.Program, Method: a.Method, Alpha: a.Alpha, Choice: a.Choice, Rounds: a.Rounds, Products: a.Products, Classes: a.Classes, Several: a.Several, Features: a.Features, Joins: a.Joins}
	if m.Nodes, err = f.names(a.Nodes); err != nil {
		return nil, err
	}
	if m.F, err = f.block("f", a); err != nil {
		return nil, err
	}
	if archive.Has("start") {
		if m.Start, err = f.block("start", a); err != nil {
			return nil, err
		}
	}
	if archive.Has("degrees") {
		if m.Degrees, err = vector(f, "degrees", a.Nodes, (*npy.Array).Doubles, func(v float64) bool { return v >= 0 }); err != nil {
			return nil, err
		}
	}
	return m, f.joins(m)
}

// arrays are those that a model may have: a damaged name would leave one out.
var arrays = []string{"about", "names", "name_ends", "f", "degrees", "start", "sigma", "radius"}

// file reads the arrays of an archive.
type file struct{ *npy.Archive }

// about reads what is said of the rest.
func (f file) about() (*about, error) {
	text, err := open(f, "about", (*npy.Array).Bytes)
	if err != nil {
		return nil, err
	}
	var a about
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, f.Errorf("array about: not the text of a model: %v", err)
	}
	seen := map[string]bool{}
	for j, name := range a.Classes {
		if err := lines.CheckName([]byte(name), '\t'); err != nil || seen[name] {
			return nil, f.Errorf("class %d is %s, expected names that differ", j, lines.Quote([]byte(name)))
		}
		seen[name] = true
	}
	switch {
	case a.Version != Version:
		return nil, f.Errorf("a model of version %d, expected %d", a.Version, Version)
	case a.Products < 0 || a.Rounds < 0:
		return nil, f.Errorf("%d products and %d rounds, expected at least 0", a.Products, a.Rounds)
	case a.Choice != adp.Setting{} && !(a.Choice.TopK > 0 && a.Choice.Anchor >= 0 && a.Choice.GraphAlpha > 0 && a.Choice.GraphAlpha < 1):
		return nil, f.Errorf("choice %+v, expected a top-k of at least 1, an anchor of at least 0 and a graph alpha between 0 and 1", a.Choice)
	case a.Nodes < 1 || int64(a.Nodes) > csr.MaxDim || len(a.Classes) < 1:
		return nil, f.Errorf("%d nodes and %d classes, expected at least 1 of both", a.Nodes, len(a.Classes))
	case !(a.Alpha > 0 && a.Alpha < 1):
		return nil, f.Errorf("alpha %v, expected between 0 and 1", a.Alpha)
	case (a.Features == nil) != (a.Joins == nil):
		return nil, f.Errorf("features without the weights of their graph, or the other way round")
	}
	return &a, nil
}

// names reads the names of n nodes.
func (f file) names(n int) (*ids.Table, error) {
	if !f.Has("names") {
		return ids.Sequence(n), nil
	}
	text, err := open(f, "names", (*npy.Array).Bytes)
	if err != nil {
		return nil, err
	}
	ends, err := vector(f, "name_ends", n+1, (*npy.Array).Ints, func(v int64) bool { return v >= 0 })
	if err != nil {
		return nil, err
	}
	offsets := make([]uint64, len(ends))
	for k, v := range ends {
		offsets[k] = uint64(v)
	}
	table, err := ids.FromText(text, offsets)
	if err != nil {
		return nil, f.Errorf("%v", err)
	}
	return table, nil
}

// block reads an n×c array of values of at least 0.
func (f file) block(name string, a *about) (*csr.Dense, error) {
	array, closer, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	n, c := int64(a.Nodes), int64(len(a.Classes))
	if len(array.Shape) != 2 || array.Shape[0] != n || array.Shape[1] != c || array.Fortran && min(n, c) > 1 {
		return nil, array.Errorf("shape %s, expected (%d, %d) in C order", array.ShapeText(), n, c)
	}
	data, err := array.Floats()
	if err != nil {
		return nil, err
	}
	for k, v := range data {
		if v < 0 {
			return nil, array.Errorf("row %d, column %d: value %v, expected at least 0", int64(k)/c, int64(k)%c, v)
		}
	}
	return &csr.Dense{Rows: a.Nodes, Cols: len(a.Classes), Data: data}, nil
}

// joins reads the scales of the points.
func (f file) joins(m *Model) error {
	a, n := m.Joins, m.F.Rows
	if a == nil {
		return nil
	}
	switch {
	case a.Metric < knn.L2 || a.Metric > knn.InnerProduct || a.Weighting < knn.SymmetricGaussian || a.Weighting > knn.Uniform || a.Symmetry < csr.Mean || a.Symmetry > csr.Min:
		return f.Errorf("metric %v, weights %v, symmetry %d, expected known ones", a.Metric, a.Weighting, a.Symmetry)
	case a.K < 1 || a.Search < a.K || a.Search >= n || !(a.Least > 0) || m.Features.Dims < 1:
		return f.Errorf("%d neighbours of %d, least bandwidth %v, %d dimensions: expected at least 1, and fewer than %d neighbours", a.K, a.Search, a.Least, m.Features.Dims, n)
	}
	var err error
	if a.Weighting < knn.CosineWeight {
		if a.Sigma, err = vector(f, "sigma", n, (*npy.Array).Floats, func(v float32) bool { return v > 0 }); err != nil {
			return err
		}
	}
	a.Radius, err = vector(f, "radius", n, (*npy.Array).Floats, func(v float32) bool { return v >= 0 || a.Metric == knn.InnerProduct })
	return err
}

// vector reads a 1-D array of n elements that are as valid says.
func vector[T any](f file, name string, n int, read func(*npy.Array) ([]T, error), valid func(T) bool) ([]T, error) {
	array, closer, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	if len(array.Shape) != 1 || array.Elements() != int64(n) {
		return nil, array.Errorf("shape %s, expected (%d,)", array.ShapeText(), n)
	}
	values, err := read(array)
	if err != nil {
		return nil, err
	}
	for k, v := range values {
		if !valid(v) {
			return nil, array.Errorf("element %d: value %v is out of range", k, v)
		}
	}
	return values, nil
}

// open reads an array whose length may be any.
func open[T any](f file, name string, read func(*npy.Array) ([]T, error)) ([]T, error) {
	array, closer, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return read(array)
}

// ReadStream reads a model that is not a plain file, such as a compressed one,
// from r: it is held in memory whole.
func ReadStream(r io.Reader, name string) (*Model, error) {
	content, err := npy.ReadStream(r, name, "PK", "a model, which is an .npz archive", npy.MostStream)
	if err != nil {
		return nil, err
	}
	return Read(bytes.NewReader(content), name, int64(len(content)))
}
