package format

import (
	"context"
	"io"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgejson"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/edgeparquet"
	"github.com/adp-sparse/adp-sparse/csr/graphml"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/metis"
	"github.com/adp-sparse/adp-sparse/csr/mtx"
	"github.com/adp-sparse/adp-sparse/csr/npz"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
)

// all are the formats, in the order of lists and of the table in docs/formats.md.
var all []*Format

func init() { all = []*Format{EdgeList, CSR, MatrixMarket, NPZ, METIS, GraphML, Parquet, JSONLines} } // they name the list

// EdgeList is the format of what no ending and no content says to be another.
var EdgeList = &Format{
	Title: "edge list", What: "an edge list", Flag: "edges",
	Endings: []string{".tsv", ".csv", ".txt", ".edges", ".edgelist", ".el"},
	Names:   true, Weights: "any", Columns: true,
	Read: func(ctx context.Context, in Input, opt Options) (*edgelist.Graph, error) {
		list, err := edgelist.Parse(in.R, in.Name, opt.Edges)
		if err != nil {
			return nil, err
		}
		return list.Graph(ctx)
	},
	Write: func(w io.Writer, name string, m *csr.Matrix, names *ids.Table) error {
		return edgelist.Write(w, m, names, Separator(name))
	},
	CheckName: func(_ string, name []byte) error { return lines.CheckName(name, '\t') },
}

// Separator returns what separates the fields of a text file: a tab, or a comma where its ending
// asks for one.
func Separator(name string) byte {
	if Commas(name) {
		return ','
	}
	return '\t'
}

// CSR is the project's own format, which is mapped where it is a plain file.
var CSR = &Format{
	Title: "`.csr` (ours, mapped)", What: "a .csr graph", Flag: "graph",
	Endings: []string{".csr"}, Starts: []string{"\x89CSR\r\n"},
	Names: true, Weights: "float32", Matrix: true,
	Read: func(_ context.Context, in Input, _ Options) (*edgelist.Graph, error) {
		w, names, err := store.Read(in.R, in.Name, in.Size)
		return matrix(w, names, err)
	},
	Write: func(w io.Writer, _ string, m *csr.Matrix, names *ids.Table) error { return store.Write(w, m, names) },
}

// MatrixMarket is the text format of NIST.
var MatrixMarket = &Format{
	Title: "Matrix Market", What: "a Matrix Market file", Flag: "graph",
	Endings: []string{".mtx"}, Starts: []string{"%%MatrixMarket"},
	Weights: "float32", Matrix: true, FromOne: true,
	Read: func(_ context.Context, in Input, _ Options) (*edgelist.Graph, error) {
		w, err := mtx.Read(in.R, in.Name)
		return matrix(w, nil, err)
	},
	Write: func(w io.Writer, _ string, m *csr.Matrix, _ *ids.Table) error { return mtx.Write(w, m) },
}

// NPZ is the archive that scipy.sparse.save_npz writes.
var NPZ = &Format{
	Title: "scipy CSR", What: "a .npz (zip) archive", Flag: "graph", Maker: "scipy",
	Endings: []string{".npz"}, Starts: []string{"PK\x03\x04"},
	Weights: "float32", Matrix: true,
	Read: func(_ context.Context, in Input, _ Options) (*edgelist.Graph, error) {
		at, size, err := whole(in, "PK", "a .npz archive")
		if err != nil {
			return nil, err
		}
		w, err := npz.Read(at, in.Name, size)
		return matrix(w, nil, err)
	},
	Write: func(w io.Writer, _ string, m *csr.Matrix, _ *ids.Table) error { return npz.Write(w, m) },
}

// METIS is the text format of the partitioner.
var METIS = &Format{
	Title: "METIS", What: "a METIS graph", Flag: "graph", Called: "METIS",
	Endings: []string{".graph", ".metis"},
	Weights: "whole (out), above 0 (in)", Matrix: true, Whole: true, FromOne: true,
	Read: func(_ context.Context, in Input, _ Options) (*edgelist.Graph, error) {
		w, ignored, err := metis.Read(in.R, in.Name)
		g, err := matrix(w, nil, err)
		if err == nil {
			g.Notes = ignored
		}
		return g, err
	},
	Write: func(w io.Writer, _ string, m *csr.Matrix, _ *ids.Table) error { return metis.Write(w, m) },
}

// GraphML is the XML of networkx, igraph and Gephi.
var GraphML = &Format{
	Title: "GraphML", What: "a GraphML (XML) file", Flag: "graph",
	Endings: []string{".graphml"}, Starts: []string{"<?xml", "<graphml"},
	Names: true, Weights: "any",
	Read: func(_ context.Context, in Input, opt Options) (*edgelist.Graph, error) {
		return graphml.Read(in.R, in.Name, graphml.Options{Weight: opt.WeightKey, Name: opt.NameKey, Edges: opt.Edges})
	},
}

// Parquet is a table of edges. Labels and vectors come in it too.
var Parquet = &Format{
	Title: "Parquet", What: parquetFile, Flag: "edges",
	Endings: []string{".parquet", ".pq"}, Starts: []string{parquet.Magic},
	Names: true, Weights: "any", Columns: true,
	Read: func(_ context.Context, in Input, opt Options) (*edgelist.Graph, error) {
		at, size, err := WholeParquet(in.R, in.Name, in.Size)
		if err != nil {
			return nil, err
		}
		return edgeparquet.Read(at, in.Name, size, edgeparquet.Options{Columns: opt.Columns, Edges: opt.Edges, MemoryLimit: opt.Memory})
	},
	Write: func(w io.Writer, _ string, m *csr.Matrix, names *ids.Table) error {
		return edgeparquet.Write(w, m, names)
	},
	CheckName: func(_ string, name []byte) error { return lines.CheckName(name, '\n') },
}

// JSONLines has an object an edge.
var JSONLines = &Format{
	Title: "JSON lines", What: "a JSON-lines file", Flag: "edges",
	Endings: []string{".jsonl", ".ndjson"},
	Names:   true, Weights: "any",
	Read: func(_ context.Context, in Input, opt Options) (*edgelist.Graph, error) {
		plain, _, err := Decompress(in.R, in.Name, -1)
		if err != nil {
			return nil, err
		}
		return edgejson.Read(plain, in.Name, edgejson.Options{Edges: opt.Edges, MemoryLimit: opt.Memory})
	},
	Write:     func(w io.Writer, _ string, m *csr.Matrix, names *ids.Table) error { return edgejson.Write(w, m, names) },
	CheckName: func(_ string, name []byte) error { return lines.CheckName(name, '\n') },
}

// matrix is the graph of a matrix that was read; without names its rows are numbered.
func matrix(w *csr.Matrix, names *ids.Table, err error) (*edgelist.Graph, error) {
	if err != nil {
		return nil, err
	}
	return &edgelist.Graph{W: w, IDs: names}, nil
}
