package edgeparquet

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
)

// Options are the options of [Read].
type Options struct {
	// Columns names those of the two ends and of the weight, which may be left
	// out: then all are 1. They are titles, or numbers from 1. Empty means the first of the
	// pairs that the file has: src and dst, source and target, from and to, and others that
	// edge lists know, in letters of any case; and the column weight where there is one.
	Columns []string
	Edges   edgelist.Options
	// MemoryLimit refuses a file whose edges would need more. Zero means none.
	MemoryLimit int64
}

// Read reads the edges in r, of size bytes; the file is not decompressed, but its pages
// are. The file name is for messages. Ids
// are whole numbers or text, weights numbers of any kind; a row without one of
// these is an error. Where the rules of edge lists speak of lines, rows count,
// from 1. One column, and more than three, are an [edgelist.ErrOptions].
//
// Memory: that of [edgelist.Read], and a page of each column, at most three
// times 256 MiB, a few MiB in most files.
func Read(r io.ReaderAt, name string, size int64, opt Options) (*edgelist.Graph, error) {
	table, err := parquet.Open(r, name, size)
	if err != nil {
		return nil, err
	}
	columns, err := findColumns(name, table.Columns(), opt.Columns)
	if err != nil {
		return nil, err
	}
	if rows := table.Rows(); opt.MemoryLimit > 0 && rows > (opt.MemoryLimit-leastBytes)/edgeBytes {
		return nil, fmt.Errorf("%w: %s has %d edges, which need %.3g GB, of %.3g", edgelist.ErrMemory, name, rows,
			(float64(rows)*edgeBytes+leastBytes)/1e9, float64(opt.MemoryLimit)/1e9)
	}
	g := edgelist.NewGatherer(name, opt.Edges)
	var src, dst []byte
	err = table.Read(columns, func(line int, values []parquet.Value) error {
		for k := range 2 {
			if kind := values[k].Kind; kind != parquet.Int && (kind != parquet.Text || len(bytes.Trim(values[k].Text, lines.Blanks)) == 0) {
				return &lines.Error{File: name, Line: line, Msg: fmt.Sprintf("%s %s, expected a whole number or text", columns[k], lines.Quote([]byte(values[k].String())))}
			}
		}
		weight := 1.0
		if len(columns) == 3 {
			w := values[2]
			if weight = w.Float; w.Kind != parquet.Int && w.Kind != parquet.Float || !(weight >= 0 && weight <= math.MaxFloat64) {
				return &lines.Error{File: name, Line: line, Msg: fmt.Sprintf("%s %s, expected a number of at least 0", columns[2], lines.Quote([]byte(w.String())))}
			}
		}
		if values[0].Kind == parquet.Int && values[1].Kind == parquet.Int {
			return g.Numbers(values[0].Int, values[1].Int, weight, line)
		}
		src, dst = id(src, values[0]), id(dst, values[1])
		return g.Edge(src, dst, weight, line)
	})
	if err != nil {
		return nil, err
	}
	graph, err := g.Graph()
	if err == nil {
		note(&graph.Notes, table.Columns(), columns, len(opt.Columns) > 0)
		if lines.AreTwoKinds(columns[0], columns[1]) && ids.IsInteger([]byte(graph.IDs.Name(graph.IDs.Len()-1))) {
			graph.Notes.Doubt(notes.TwoKinds, 1, 0, columns[0]+" "+columns[1], "if 1 is not the same in both columns, write the ids of one with a letter before them")
		}
	}
	return graph, err
}

// note notes the columns that were not read. One that may hold weights is a doubt where no other
// does, unless the user chose the columns.
func note(list *notes.List, has, read []string, said bool) {
	var left []string
	doubt := ""
	for _, title := range has {
		if slices.Contains(read, title) {
			continue
		}
		left = append(left, title)
		if doubt == "" && lines.MayWeigh(title) && len(read) == 2 && !said {
			doubt = title
		}
	}
	if text := strings.Join(left, ", "); doubt == "" {
		list.Add(notes.Columns, len(left), 0, text)
	} else {
		list.Doubt(notes.Columns, len(left), 0, text, fmt.Sprintf("if column %s holds weights, say edgeparquet.Options.Columns %s,%s", lines.Quote([]byte(doubt)), strings.Join(read, ","), doubt))
	}
}

// edgeBytes is the peak of [edgelist.Read] for an edge, leastBytes the memory
// needed beside.
const (
	edgeBytes  = 36
	leastBytes = 24 << 20
)

// id writes the text of a value to dst.
func id(dst []byte, v parquet.Value) []byte {
	if v.Kind == parquet.Text {
		return append(dst[:0], bytes.Trim(v.Text, lines.Blanks)...)
	}
	return fmt.Append(dst[:0], v.Int)
}

// findColumns returns the columns to read.
func findColumns(file string, has, named []string) (columns []string, err error) {
	if len(named) == 1 || len(named) > 3 {
		return nil, fmt.Errorf("%w: %s, expected 2 or 3: those of the ends, and that of the weight", edgelist.ErrOptions, lines.Columns(len(named)))
	}
	if len(named) > 0 {
		for _, name := range named {
			k, err := lines.FindColumn(has, name, true, "")
			if err != nil {
				return nil, &lines.Error{File: file, Msg: err.Error()}
			}
			columns = append(columns, has[k])
		}
		return columns, nil
	}
	if src, dst, ok := lines.FindEnds(has); ok {
		columns = []string{has[src], has[dst]}
		if weight := parquet.WeightOf(has); weight != "" {
			columns = append(columns, weight)
		}
		return columns, nil
	}
	return nil, &lines.Error{File: file, Msg: fmt.Sprintf("columns %s, expected src and dst, source and target, or from and to; edgeparquet.Options.Columns names others", lines.Titles(has))}
}
