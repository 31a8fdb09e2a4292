package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/mtx"
	"github.com/adp-sparse/adp-sparse/csr/npz"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// graph is what all commands work on: the affinity W and the names of its
// nodes, however they came.
type graph struct {
	W    *csr.Matrix
	IDs  *ids.Table
	Read edgelist.Stats // what the reader counted
	KNN  *knnFacts      // how it was built from features; else nil
	peak int64          // about the bytes that reading or building it needed
	file *store.File    // where W and IDs lie, when they are mapped; else nil
}

// guard calls f, which reads the graph: a mapped file that another process
// cuts short gives an error and does not end the program.
func (g *graph) guard(f func() error) error {
	if g.file == nil {
		return f()
	}
	return g.file.Guard(f)
}

// close frees a mapped file.
func (g *graph) close() error {
	if g.file == nil {
		return nil
	}
	return g.file.Close()
}

// graphFormats are the formats that --graph reads, by ending.
var graphFormats = map[string]func(r io.Reader, name string, size int64) (*csr.Matrix, *ids.Table, error){
	".csr": store.Read,
	".mtx": readMtx,
	".npz": readNpz,
}

// formatOf returns the ending of a name, without that of a compression.
func formatOf(name string) string {
	name = stream.TrimEnding(name)
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		return name[dot:]
	}
	return ""
}

// readGraphFile reads a graph in a binary or matrix format, or maps it: a
// .csr file that is not compressed. A matrix that is not symmetric is refused
// unless its entries are directed edges.
func readGraphFile(name string, std stdio, directed bool, threads int) (*graph, error) {
	read, ok := graphFormats[formatOf(name)]
	if !ok {
		return nil, usagef("--graph %q, expected a file .csr, .mtx or .npz; edge lists are read by --edges", name)
	}
	g := &graph{}
	if filepath.Ext(name) == ".csr" {
		file, err := store.Open(name)
		if err != nil {
			return nil, err
		}
		g.W, g.IDs, g.file = file.Matrix(), file.IDs(), file
	} else if err := readInput(name, std, func(r io.Reader, shown string, size int64) error {
		plain, size, err := decompress(r, shown, size)
		if err == nil {
			g.W, g.IDs, err = read(plain, shown, size)
		}
		return err
	}); err != nil {
		return nil, err
	}
	if err := g.guard(func() error { return g.symmetric(name, directed, threads) }); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// symmetric makes an affinity of the matrix that was read.
func (g *graph) symmetric(name string, directed bool, threads int) error {
	if n, _ := g.W.Dims(); n == 0 {
		return &lines.Error{File: name, Msg: "no rows, expected at least one node"}
	}
	if g.W, g.Read.SelfLoops = csr.WithoutDiagonal(g.W); directed {
		if r, c := g.W.Dims(); r == c {
			g.W = csr.Symmetrize(g.W, csr.Mean, threads)
		}
	}
	if err := csr.CheckAffinity(g.W, threads); err != nil {
		return &lines.Error{File: name, Msg: strings.TrimPrefix(err.Error(), "csr: ") + "; --directed makes (W+Wᵀ)/2 of a matrix that is not symmetric"}
	}
	g.Read.Edges = g.W.NNZ() / 2
	return nil
}

// decompress returns the plain content of a file; its size is only known when
// it was plain already.
func decompress(r io.Reader, name string, size int64) (io.Reader, int64, error) {
	head := make([]byte, 4)
	at, ok := r.(io.ReaderAt)
	if ok && size >= 0 {
		n, _ := at.ReadAt(head, 0)
		if !stream.Compressed(head[:n]) {
			return r, size, nil
		}
	}
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, 0, &lines.ReadError{File: name, Line: 1, Err: err}
	}
	return plain, -1, nil
}

func readMtx(r io.Reader, name string, _ int64) (*csr.Matrix, *ids.Table, error) {
	m, err := mtx.Read(r, name)
	return sequence(m, err)
}

func readNpz(r io.Reader, name string, size int64) (*csr.Matrix, *ids.Table, error) {
	at, ok := r.(io.ReaderAt)
	if !ok || size < 0 { // compressed, or standard input
		text, err := npy.ReadStream(r, name, npy.MostStream)
		if err != nil {
			return nil, nil, err
		}
		at, size = bytes.NewReader(text), int64(len(text))
	}
	m, err := npz.Read(at, name, size)
	return sequence(m, err)
}

func sequence(m *csr.Matrix, err error) (*csr.Matrix, *ids.Table, error) {
	if err != nil {
		return nil, nil, err
	}
	n, _ := m.Dims()
	return m, ids.Sequence(n), nil
}

// writeGraph writes a graph in the format of the file's ending: .csr, .mtx,
// .npz, or an edge list.
func (o *outputSet) writeGraph(name string, m *csr.Matrix, names *ids.Table) error {
	return o.write(name, func(w io.Writer) error {
		switch formatOf(name) {
		case ".csr":
			return store.Write(w, m, names)
		case ".mtx":
			return mtx.Write(w, m)
		case ".npz":
			return npz.Write(w, m)
		case ".csv":
			return edgelist.Write(w, m, names, ',')
		}
		return edgelist.Write(w, m, names, '\t')
	})
}

// checkNamed refuses to lose names: formats that number nodes by their row
// hold only graphs whose nodes are called so.
func checkNamed(flag, name string, names *ids.Table) error {
	format := formatOf(name)
	if format != ".mtx" && format != ".npz" {
		return nil
	}
	for i := range names.Len() {
		if got := names.Name(i); got != fmt.Sprint(i) {
			return usagef("--%s %s: the format has no names, and row %d is node %s; write .csr or an edge list", flag, name, i, lines.Quote([]byte(got)))
		}
	}
	return nil
}
