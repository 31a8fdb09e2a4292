package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// format is a format of graphs.
type format int

// The formats. Edge lists are what no ending and no content says to be another.
const (
	edgeListFormat format = iota
	csrFormat
	mtxFormat
	npzFormat
	metisFormat
	graphMLFormat
	parquetFormat
)

// formats say what each is called in messages, by which flag it is read, by
// which endings it is known, and what its content starts with, if that tells.
var formats = [...]struct {
	what, flag string
	endings    []string
	starts     []string
}{
	edgeListFormat: {"an edge list", "edges", []string{".tsv", ".csv", ".txt", ".edges", ".edgelist", ".el"}, nil},
	csrFormat:      {"a .csr graph", "graph", []string{".csr"}, []string{"\x89CSR\r\n"}},
	mtxFormat:      {"a Matrix Market file", "graph", []string{".mtx"}, []string{"%%MatrixMarket"}},
	npzFormat:      {"a .npz (zip) archive", "graph", []string{".npz"}, []string{"PK\x03\x04"}},
	metisFormat:    {"a METIS graph", "graph", []string{".graph", ".metis"}, nil},
	graphMLFormat:  {"a GraphML (XML) file", "graph", []string{".graphml"}, []string{"<?xml", "<graphml"}},
	parquetFormat:  {"a Parquet file", "edges", []string{".parquet", ".pq"}, []string{parquet.Magic}},
}

// formatOf returns the ending of a name, without that of a compression.
func formatOf(name string) string {
	name = stream.TrimEnding(name)
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		return name[dot:]
	}
	return ""
}

// separatesByCommas says whether the ending of a text file asks for commas.
func separatesByCommas(name string) bool {
	return strings.EqualFold(formatOf(filepath.Base(name)), ".csv")
}

// tableOf returns how labels are written to a file.
func tableOf(name string, proba bool) labelfile.Table {
	return labelfile.Table{Comma: separatesByCommas(name), Proba: proba}
}

// checkRowsOut refuses endings of formats that rows of nodes are not written in, of others
// than text too unless parquet is.
func checkRowsOut(name, what string, parquet bool) error {
	ending := strings.ToLower(formatOf(filepath.Base(name)))
	switch f, _ := formatByName(name); {
	case f == parquetFormat && parquet:
	case f != edgeListFormat, ending == ".npy", ending == ".json", ending == ".html":
		also := map[bool]string{true: " or .parquet"}[parquet]
		return usage.Errorf("--out %s: %s are written as text (.tsv, .csv, .txt; .gz and .zst compress)%s", name, what, also)
	}
	return nil
}

// formatByName returns the format that the ending of a name says.
func formatByName(name string) (f format, known bool) {
	ending := strings.ToLower(formatOf(filepath.Base(name)))
	for k, one := range formats {
		for _, e := range one.endings {
			if e == ending {
				return format(k), true
			}
		}
	}
	return edgeListFormat, false
}

// sniffed is the number of bytes that formatByContent needs.
const sniffed = 64

// formatByContent returns the format that the first bytes of a file say.
func formatByContent(head []byte) (f format, known bool) {
	text := bytes.TrimLeft(lines.TrimMark(head), " \t\r\n")
	for k, one := range formats {
		for _, start := range one.starts {
			if bytes.HasPrefix(head, []byte(start)) || len(text) >= len(start) && start[0] >= ' ' && strings.EqualFold(string(text[:len(start)]), start) {
				return format(k), true
			}
		}
	}
	return edgeListFormat, false
}

// decideFormat returns the format of an input for a flag, by its ending and by
// its first bytes, which must not say otherwise. An edge list may have any
// ending.
func decideFormat(flag, name string, head []byte) (format, error) {
	byName, named := formatByName(name)
	byContent, seen := formatByContent(head)
	if flag == "edges" && byName != parquetFormat {
		byName, named = edgeListFormat, false
	}
	switch {
	case seen && named && byContent != byName:
		return 0, &lines.Error{File: name, Msg: fmt.Sprintf("the content is %s, the ending that of %s", formats[byContent].what, formats[byName].what)}
	case seen:
		byName = byContent
	case !named && flag == "graph":
		return 0, usage.Errorf("--graph %q, expected a file .csr, .mtx, .npz, .graph (METIS) or .graphml; edge lists and Parquet files are read by --edges", name)
	}
	if want := formats[byName].flag; want != flag {
		return 0, usage.Errorf("--%s %q is %s, which is read by --%s", flag, name, formats[byName].what, want)
	}
	return byName, nil
}

// peek returns the first bytes of r, and a reader of all of it: r itself where
// it can be read at any place.
func peek(r io.Reader, size int64) ([]byte, io.Reader) {
	head := make([]byte, sniffed)
	if at, ok := r.(io.ReaderAt); ok && size >= 0 {
		n, _ := at.ReadAt(head, 0) // what fails fails again
		return head[:n], r
	}
	buffered := bufio.NewReaderSize(r, 64<<10)
	head, _ = buffered.Peek(sniffed)
	return head, buffered
}

// whole returns all of r as a reader of any place, with its size: r itself, or
// a copy in memory of a file that must start like the magic.
func whole(r io.Reader, name string, size int64, magic, what string) (io.ReaderAt, int64, error) {
	if at, ok := r.(io.ReaderAt); ok && size >= 0 {
		return at, size, nil
	}
	text, err := npy.ReadStream(r, name, magic, what, npy.MostStream)
	return bytes.NewReader(text), int64(len(text)), err
}

// wholeParquet is whole for a Parquet file, which may be compressed.
func wholeParquet(r io.Reader, name string, size int64) (io.ReaderAt, int64, error) {
	plain, size, err := decompress(r, name, size)
	if err != nil {
		return nil, 0, err
	}
	return whole(plain, name, size, parquet.Magic, "a Parquet file")
}

// checkWritten refuses outputs in a format that is read only, and fractional
// weights in one that has whole ones.
func checkWritten(flag, name string, whole bool) error {
	switch f, _ := formatByName(name); {
	case f == graphMLFormat:
		return usage.Errorf("--%s %s: GraphML is read and not written; write .tsv, .csr, .mtx, .npz, .graph or .parquet", flag, name)
	case f == metisFormat && !whole:
		return usage.Errorf("--%s %s: METIS graphs have whole weights, and these are fractions; write .tsv, .csr, .mtx, .npz or .parquet", flag, name)
	}
	return nil
}

// checkNamed refuses to lose names: formats that number nodes by their row
// hold only graphs whose nodes are called so, unless the names are written beside.
func checkNamed(flag, name, beside string, names *ids.Table) error {
	if f, _ := formatByName(name); beside != "" || f != mtxFormat && f != npzFormat && f != metisFormat {
		return nil
	}
	for i := range names.Len() {
		if got := names.Name(i); got != fmt.Sprint(i) {
			return usage.Errorf("--%s %s: the format has no names, and row %d is node %s; write .csr, .parquet or an edge list, or the names beside it by --nodes-out", flag, name, i, lines.Quote([]byte(got)))
		}
	}
	return nil
}
