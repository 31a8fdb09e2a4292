package model

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/knn"
)

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
	m := &Model{Program: a.Program, Method: a.Method, Alpha: a.Alpha, Choice: a.Choice, Rounds: a.Rounds, SeedPrior: a.Prior, Products: a.Products, Classes: a.Classes, Several: a.Several, Labels: a.Labels, Features: a.Features, Joins: a.Joins, Guess: a.Guess, Trees: a.Trees, Edges: a.Edges}
	if m.Nodes, err = ids.ReadArrays(f.Archive, a.Nodes); err != nil {
		return nil, err
	}
	if m.F, err = f.block("f", a.Nodes, a); err != nil {
		return nil, err
	}
	if archive.Has("start") {
		if m.Start, err = f.block("start", a.Nodes, a); err != nil {
			return nil, err
		}
	}
	if archive.Has("degrees") {
		if m.Degrees, err = npy.Vector(f.Archive, "degrees", a.Nodes, (*npy.Array).Doubles); err != nil {
			return nil, err
		}
	}
	if err := f.joins(m); err != nil {
		return nil, err
	}
	if m.Guess != nil {
		if m.Guess.V, err = f.block("guess", m.guessDims(), a); err != nil {
			return nil, err
		}
		if near := m.Guess.Near; near != nil {
			if near.V, err = f.block("near", m.guessDims(), a); err != nil {
				return nil, err
			}
			if near.Around, err = f.block("around", a.Nodes, a); err != nil {
				return nil, err
			}
		}
	}
	if err := m.check(); err != nil {
		return nil, archive.Errorf("%v", err)
	}
	return m, nil
}

// arrays are the names that a model may have: a damaged name would leave one out.
var arrays = []string{"about", "names", "name_ends", "f", "degrees", "start", "sigma", "radius", "guess", "near", "around"}

// file reads the arrays of an archive.
type file struct{ *npy.Archive }

// about reads the description of the other arrays.
func (f file) about() (*about, error) {
	text, err := open(f, "about", (*npy.Array).Bytes)
	if err != nil {
		return nil, err
	}
	var a about
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, f.Errorf("array about: not the text of a model: %v", err)
	}
	switch {
	case a.Version < plainVersion || a.Version > Version:
		return nil, f.Errorf("a model of version %d, expected %d to %d", a.Version, plainVersion, Version)
	case a.Nodes < 1 || int64(a.Nodes) > csr.MaxDim || len(a.Classes) < 1:
		return nil, f.Errorf("%d nodes and %d classes, expected at least 1 of both", a.Nodes, len(a.Classes))
	}
	return &a, nil
}

// block reads an n×c array, or one of another number of rows.
func (f file) block(name string, rows int, a *about) (*csr.Dense, error) {
	array, closer, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	n, c := int64(rows), int64(len(a.Classes))
	if len(array.Shape) != 2 || array.Shape[0] != n || array.Shape[1] != c || array.Fortran && min(n, c) > 1 {
		return nil, array.Errorf("shape %s, expected (%d, %d) in C order", array.ShapeText(), n, c)
	}
	data, err := array.Floats()
	if err != nil {
		return nil, err
	}
	return &csr.Dense{Rows: rows, Cols: len(a.Classes), Data: data}, nil
}

// joins reads the scales of the points.
func (f file) joins(m *Model) error {
	a, n := m.Joins, m.F.Rows
	if a == nil {
		return nil
	}
	var err error
	if a.Weighting < knn.CosineWeight {
		if a.Sigma, err = npy.Vector(f.Archive, "sigma", n, (*npy.Array).Floats); err != nil {
			return err
		}
	}
	a.Radius, err = npy.Vector(f.Archive, "radius", n, (*npy.Array).Floats)
	return err
}

// open reads an array of any length.
func open[T any](f file, name string, read func(*npy.Array) ([]T, error)) ([]T, error) {
	array, closer, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return read(array)
}

// ReadStream reads a model that is not a plain file, such as a compressed one, from r. It holds the
// whole file in memory.
func ReadStream(r io.Reader, name string) (*Model, error) {
	content, err := npy.ReadStream(r, name, "PK", "a model, which is an .npz archive", npy.MostStream)
	if err != nil {
		return nil, err
	}
	return Read(bytes.NewReader(content), name, int64(len(content)))
}
