//go:build unix

package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/npz"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

const malformed = "../../testdata/malformed/"

// formatCases are files in the binary and matrix formats: those of the table
// vecs_cases.tsv, which the readers' own test knows too, and more.
func formatCases(t *testing.T) []trouble {
	table, err := os.ReadFile(malformed + "vecs_cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var cases []trouble
	for _, line := range strings.Split(string(table), "\n") {
		row := strings.Split(line, "\t")
		if len(row) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(malformed, "vecs", row[0]))
		if err != nil {
			t.Fatal(err)
		}
		input := vectors(row[0], string(content))
		if format := format.Ending(row[0]); format == ".csr" || format == ".mtx" {
			input = matrix(row[0], string(content))
		}
		says := row[0] + exits.AsFlags.Replace(row[2])
		if strings.HasSuffix(row[0], ".gz") {
			says = row[0] + ": " // the table has the messages for content that is plain
		}
		cases = append(cases, trouble{"file: " + row[0] + ": " + row[1], input, 1, says})
	}
	return append(cases, moreFormats(t)...)
}

// vector runs with labels in y.npy, of four nodes.
func vector(header []byte, elements ...byte) given {
	return given{
		args:  "run --edges g --labels y.npy --out out --topk 2",
		files: map[string]string{"g": "0 1\n1 2\n2 3\n", "y.npy": string(append(header, elements...))},
	}
}

func moreFormats(t *testing.T) []trouble {
	uneven := newMatrix(t, 3, 3, []int64{0, 1, 2, 2}, []uint32{1, 2}, []float32{1, 1})
	wide := newMatrix(t, 2, 3, []int64{0, 1, 2}, []uint32{1, 0}, []float32{1, 1})
	zero := newMatrix(t, 3, 3, []int64{0, 2, 3, 4}, []uint32{1, 2, 0, 0}, []float32{0, 2, 0, 2})
	negative := newMatrix(t, 2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{-1, -1})
	var empty, unevenCSR, negativeCSR, zeroCSR, wideNPZ, unevenNPZ, zeroNPZ bytes.Buffer
	for _, err := range []error{
		store.Write(&empty, newMatrix(t, 0, 0, []int64{0}, nil, nil), nil),
		store.Write(&unevenCSR, uneven, nil), store.Write(&negativeCSR, negative, nil),
		store.Write(&zeroCSR, zero, nil), npz.Write(&zeroNPZ, zero),
		npz.Write(&wideNPZ, wide), npz.Write(&unevenNPZ, uneven),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return []trouble{
		{"graph: not symmetric .csr", matrix("x.csr", unevenCSR.String()), 1, "x.csr: "},
		{"graph: not symmetric .npz", matrix("x.npz", unevenNPZ.String()), 1, "x.npz: "},
		{"graph: not symmetric .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n2 3 1\n"), 1, "x.mtx: "},
		{"graph: not square .npz", matrix("x.npz", wideNPZ.String()), 1, "x.npz: "},
		{"graph: not square .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 1\n"), 1, "x.mtx"},
		{"graph: negative weight in .csr", matrix("x.csr", negativeCSR.String()), 1, "x.csr: "},
		{"graph: negative weight in .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 -1\n"), 1, "x.mtx: "},
		{"graph: accepted: weight 0 in .csr", matrix("x.csr", zeroCSR.String()), 0, "warning [zero-weights]: 1 edge of weight 0 dropped … out.tsv: -rw-r--r-- 0\t2\t2\n"},
		{"graph: accepted: weight 0 in .npz", matrix("x.npz", zeroNPZ.String()), 0, "warning [zero-weights]: 1 edge of weight 0 dropped … out.tsv: -rw-r--r-- 0\t2\t2\n"},
		{"graph: accepted: weight 0 in .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0\n3 1 2\n"), 0, "warning [zero-weights]: 1 edge of weight 0 dropped … out.tsv: -rw-r--r-- 0\t2\t2\n"},
		{"graph: accepted: weight 0 in .mtx, directed", matrix("x.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0\n2 1 -0\n3 1 2\n", "--directed"), 0, "warning [zero-weights]: 2 edges of weight 0 dropped … out.tsv: -rw-r--r-- 0\t2\t1\n"},
		{"graph: accepted: a weight that float32 rounds to 0 in .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1e-50\n3 1 2\n"), 0, "warning [zero-weights]: 1 edge of weight 0 dropped … out.tsv: -rw-r--r-- 0\t2\t2\n"},
		{"graph: accepted: nothing but weights 0, a page", given{args: "run --graph x.mtx --labels l --method lgc --report out.html --out out.tsv", files: map[string]string{
			"x.mtx": "%%MatrixMarket matrix coordinate real symmetric\n5 5 3\n2 1 1\n4 3 0\n5 4 0\n", "l": "0 a\n3 b\n",
		}}, 0, "2 edges of weight 0 dropped"},
		{"graph: no rows in .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n0 0 0\n"), 1, "x.mtx: no rows, expected at least one node"},
		{"graph: no rows, inspected", given{args: "inspect --graph x.mtx", files: map[string]string{"x.mtx": "%%MatrixMarket matrix coordinate real symmetric\n0 0 0\n"}}, 1, "x.mtx: no rows, expected at least one node"},
		{"graph: no rows in .csr", matrix("x.csr", empty.String()), 1, "x.csr: no rows, expected at least one node"},
		{"graph: accepted: one row, inspected", given{args: "inspect --graph x.mtx", files: map[string]string{"x.mtx": "%%MatrixMarket matrix coordinate real symmetric\n1 1 0\n"}}, 0, "nodes"},
		{"graph: an array in .npz", matrix("x.npz", archive(t, map[string]string{"a.npy": string(npy.AppendHeader(nil, "<f4", 1, 1)) + "\x00\x00\x00\x00"})), 1, `x.npz: no array "format" … d = numpy.load("x.npz"); `},
		{"labels: accepted: a vector", vector(npy.AppendHeader(nil, "|i1", 4), 0, 255, 255, 1), 0, ""},
		{"labels: a vector that is too short", vector(npy.AppendHeader(nil, "|i1", 3), 0, 255, 1), 1, "y.npy: 3 labels, expected 4: one for each of the nodes"},
		{"labels: a vector for nodes that edges name", given{args: "run --edges g --labels y.npy --out out --topk 2", files: map[string]string{
			"g": "a b\nb c\n", "y.npy": string(append(npy.AppendHeader(nil, "|i1", 3), 0, 255, 1)),
		}}, 1, `node "0" is not in the graph`},
		{"labels: a vector with a label below -1", vector(npy.AppendHeader(nil, "|i1", 4), 0, 254, 255, 1), 1, "y.npy: element 1: label -2, expected at least 0, or -1 for none"},
		{"labels: accepted: a vector of floats, two of them nan", vector(npy.AppendHeader(nil, "<f2", 4), 0, 0, 0, 0x7e, 0, 0x7e, 0, 0x3c), 0, "2 seed, 2 predicted"},
		{"labels: a vector of fractions", vector(npy.AppendHeader(nil, "<f2", 4), 0, 0, 0, 0x38, 0, 0, 0, 0), 1, "y.npy: element 1: value 0.5, expected whole numbers (or text: y.astype(str))"},
		{"labels: accepted: a vector of bytes in UTF-8", vector(npy.AppendHeader(nil, "|S6", 4), []byte("K\u00e4se\x00\x00\x00\x00\x00\x00\x00 b\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")...), 0, "K\u00e4se"},
		{"labels: a vector of bytes in Latin-1", vector(npy.AppendHeader(nil, "|S4", 4), []byte("b\x00\x00\x00K\xe4se\x00\x00\x00\x00\x00\x00\x00\x00")...), 1, `y.npy: element 1: "K\xe4se" is not UTF-8`},
		{"labels: a vector of texts, a control in one", vector(npy.AppendHeader(nil, "|S3", 4), []byte("b\x00\x00a\nb\x00\x00\x00\x00\x00\x00")...), 1, `y.npy: element 1: label "a\nb", expected UTF-8 without control characters`},
		{"labels: a vector that is cut", vector(npy.AppendHeader(nil, "|i1", 4), 0, 255), 1, "y.npy: ends after 2 of the 4 elements"},
		{"labels: a vector and the name of a column", vector(npy.AppendHeader(nil, "|i1", 4), 0, 255, 255, 1).with("--label-column x"), 2, "y.npy is one vector of labels"},
		{"labels: a vector and a header", vector(npy.AppendHeader(nil, "|i1", 4), 0, 255, 255, 1).with("--labels-header"), 2, "y.npy is one vector of labels, without a line as a header"},
		{"graph: an archive without arrays", matrix("x.npz", archive(t, map[string]string{"readme.txt": "hello"})), 1, `x.npz: no array "format"`},
		{"graph: 10^18 entries in .npz", matrix("x.npz", sparseArchive(t, 1e18)), 1, "x.npz: "},
		{"graph: 2^62 entries in .npz", matrix("x.npz", sparseArchive(t, 1<<62)), 1, "x.npz: "},
		{"graph: 10^9 rows in .npz.gz", matrix("x.npz.gz", packed(t, ".gz", sparseArchive(t, 1e9))), 1, "x.npz.gz: "},
		{"features: an unknown format", vectors("x.bin", "1 2\n"), 1, `x.bin: unknown format`},
		{"features: a Parquet file of four bytes", vectors("x.parquet", "PAR1"), 1, "x.parquet: 4 bytes, expected a Parquet file"},
		{"features: a feather file", vectors("x.feather", "FEA1"), 1, `x.feather: a Feather or Arrow file, which is not read; in Python: import pandas; pandas.read_feather("x.feather").to_csv("table.csv", index=False)`},
		{"features: an HDF5 file", vectors("x.h5", "\x89HDF\r\n\x1a\n"), 1, `in Python: import h5py, numpy; numpy.save("x.npy", h5py.File("x.h5")["NAME OF THE ARRAY"][:])`},
		{"features: a pickle as .npy", vectors("x.npy", "\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94"), 1, `x.npy: a pickle of Python, which is not read; in Python: import pandas; pandas.DataFrame(pandas.read_pickle("x.npy")).to_csv(`},
		{"features: 10^9 columns", vectors("x.npy", string(npy.AppendHeader(nil, "<f4", 4, 1e9))+"\x00\x00"), 1, "x.npy: 130 bytes, expected 16000000128 for shape (4, 1000000000)"},
		{"features: 10^18 rows", vectors("x.npy", string(npy.AppendHeader(nil, "<f4", 1e18, 4))+"\x00\x00"), 1, "x.npy: "},
		{"features: 10^12 columns, size not known", vectors("x.npy.gz", packed(t, ".gz", string(npy.AppendHeader(nil, "|u1", 2, 1e12))+"\x00\x00")), 1, "x.npy.gz: "},
		{"features: a format that it is not", vectors("x.npy", "p,q\n1,2\n3,4\n5,6\n", "--format npy"), 1, "x.npy: not a .npy array"},
		{"features: an array that is not there", vectors("x.npz", archive(t, map[string]string{"a.npy": string(npy.AppendHeader(nil, "<f4", 1, 1)) + "\x00\x00\x00\x00"}), "--array b"), 1, `x.npz: no array "b" in the archive, expected one of "a"`},
		{"features: an id column that is not there", vectors("x.csv", "id,p,q\na,1,2\nb,3,4\n", "--id-column name"), 1, `no column named "name" in the first line`},
		{"features: an id given twice", vectors("x.csv", "id,p,q\na,1,2\na,3,4\n", "--id-column id"), 1, `id "a" is given twice`},
		{"features: a column of texts, and labels elsewhere", given{args: "run --features x.csv --labels s --out out", files: map[string]string{"x.csv": "p,q,kind\n1,2,x\n3,4,y\n"}}, 1, `x.csv:2: column 3: "x" is not in decimal form, expected a decimal number; if the column holds categories, say --categories "kind", if it is no feature, --drop-columns "kind"` + "\n"},
		{"features: a column of texts, and no labels", given{args: "inspect --features x.csv", files: map[string]string{"x.csv": "p,q,kind\n1,2,\n3,4,y\n"}}, 1, `x.csv:2: column 3 is empty, a missing value: fill it in, or leave out the row, or the column: --drop-columns "kind"; if it holds numbers, --impute mean takes their mean; if it holds labels, give the file as --labels too, with --label-column "kind"`},
		{"features: texts without a header", vectors("x.csv", "5.1,3.5,setosa\n4.9,3,setosa\n"), 1, `x.csv:1: column 3 is "setosa" and column 2 a number, expected numbers, or names in a header; if column 3 names the points, say --id-column 3, if it holds categories, --categories 3, if it is no feature, --drop-columns 3`},
		{"features: accepted: texts without a header, left out", vectors("x.csv", "5.1,3.5,setosa\n4.9,3,setosa\n6,2,\n", "--drop-columns 3"), 0, "3 points of 2 dimensions"},
		{"features: a title with a comma", vectors("x.csv", "p,\"kind, of\"\n1,a\n"), 1, "if the column holds categories, say --categories 2, if it is no feature, --drop-columns 2"},
		{"features: a column to leave out that is not there", vectors("x.csv", "p,q\n1,2\n3,4\n", "--drop-columns p,r"), 1, `x.csv:1: no column named "r" in the first line, expected one of "p", "q", or a number from 1 to 2`},
		{"features: a column to take that is past the last", vectors("x.csv", "p,q\n1,2\n3,4\n", "--feature-columns 1,3"), 1, "x.csv:1: 2 columns, expected column 3"},
		{"features: all columns left out", vectors("x.csv", "p,q\n1,2\n3,4\n", "--drop-columns 1,2"), 1, "x.csv: no columns, expected at least one"},
		{"features: columns to take and to leave out", vectors("x.csv", "p,q\n1,2\n3,4\n", "--feature-columns p --drop-columns q"), 2, "--feature-columns and --drop-columns both choose the features; say one"},
		{"features: a column without a name", vectors("x.csv", "p,q\n1,2\n3,4\n", "--drop-columns q,"), 2, "--feature-columns and --drop-columns take titles, or numbers from 1, and one is empty"},
		{"features: columns of an array", vectors("x.npy", "\x93NUMPY", "--drop-columns 1"), 2, "--feature-columns and --drop-columns are for tables (csv, .parquet), and x.npy is no table"},
		{"features: columns of no features", command(onPath + " --drop-columns 1"), 2, "--drop-columns is for --features or --neighbors"},
		{"features: accepted: semicolons, and true and false", vectors("x.csv", "\"p; q\";r\n1;true\n2;False\n3;TRUE\n"), 0, "3 points of 2 dimensions"},
		{"features: a decimal comma", vectors("x.csv", "p;q\n1,5;2\n3;4\n"), 1, `x.csv:2: column 1: "1,5" is not in decimal form, expected a decimal number; if this is a decimal comma, write a point`},
		{"features: a decimal comma after thousands", vectors("x.csv", "p;q\n1.234,5;2\n3;4\n"), 1, `x.csv:2: column 1: "1.234,5" is not in decimal form, expected a decimal number; if points separate thousands and this is a decimal comma, leave the points out and write a point for the comma` + "\n"},
		{"features: three decimals after thousands", vectors("x.csv", "p;q\n1.234,567;2\n3;4\n"), 1, "if points separate thousands and this is a decimal comma"},
		{"features: decimal commas beside thousands", vectors("x.csv", "p;q\n1.234;2,5\n3.100;4\n"), 1, "; if this is a decimal comma, write a point, and leave out points between thousands\n"},
		{"features: millions", vectors("x.csv", "p;q\n3;2\n1.234.567;4\n"), 1, `x.csv:3: column 1: "1.234.567" is not in decimal form, expected a decimal number; if points separate thousands, leave them out; if the column is no feature, say --drop-columns "p"` + "\n"},
		{"features: millions without a header", vectors("x.csv", "1.234.567;2\n3;4\n"), 1, `x.csv:1: column 1: "1.234.567" is not in decimal form, expected a decimal number; if points separate thousands, leave them out; if the column names the points, say --id-column 1, if it is no feature, --drop-columns 1`},
		{"features: accepted: thousands", pointsOf("x.csv", "p;q\n1.200;1\n12.345;2\n2.500;1\n999;2\n850;2\n700;1\n612;1\n541;2\n", "0 x\n3 y\n"), 0, `warning [thousands-like]: features: 1 column of numbers with a point before three digits read as fractions (the first: "p"); if points separate thousands in it, leave them out`},
		{"features: decimal commas without a header", vectors("x.csv", "1,5;2,5\n3,5;4,5\n"), 1, `x.csv:1: column 2: "5;2" is not in decimal form, expected a decimal number; if this is a decimal comma, write a point`},
		{"features: accepted: truth in .npy", vectors("x.npy", string(npy.AppendHeader(nil, "|b1", 3, 2))+"\x00\x01\x01\x01\x01\x00"), 0, "3 points of 2 dimensions"},
		{"features: a column fewer", vectors("x.csv", "1,2\n3\n"), 1, "x.csv:2: 1 column, expected 2 as in the first line"},
		{"features: a column far out", given{args: "knn --features x.libsvm --k 2 --out out.tsv", files: map[string]string{"x.libsvm": "1 1:0 4000000000:1\n1 1:0 2:1\n1 1:5 2:5\n1 1:5 2:6\n1 1:9 2:1\n"}, env: `ulimit -v 4000000; "$@"`}, 0, "5 points of 4,000,000,000 dimensions"},
		{"features: a column far out in .npz", given{args: "run --features x.npz --labels s --k 2 --topk 2 --out out", files: map[string]string{"x.npz": farArchive(t), "s": "0 x\n3 y\n"}, env: `ulimit -v 4000000; "$@"`}, 0, "4 points of 4,000,000,001 dimensions"},
		{"features: a column far out, inspected", given{args: "inspect --features x.npz", files: map[string]string{"x.npz": farArchive(t)}, env: `ulimit -v 4000000; "$@"`}, 0, ""},
		{"features: sparse rows for lle", vectors("x.libsvm", "1 1:1\n2 2:1\n1 1:2\n", "--graph-kind lle"), 2, "--graph-kind lle takes dense features, and x.libsvm is sparse"},
		{"features: neighbours of other points", given{
			args:  "knn --features x.csv --neighbors n.ivecs --distances d.fvecs --k 1 --out out.tsv",
			files: map[string]string{"x.csv": "1,2\n3,4\n5,6\n", "n.ivecs": "\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00", "d.fvecs": "\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"},
		}, 1, "n.ivecs has 2 rows, x.csv 3"},
		{"features: a neighbour past the last point", given{
			args:  "knn --neighbors n.ivecs --distances d.fvecs --k 1 --out out.tsv",
			files: map[string]string{"n.ivecs": "\x01\x00\x00\x00\x09\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00", "d.fvecs": "\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"},
		}, 1, "n.ivecs: row 0, column 0: id 9, expected 0 to 1, or -1 for none"},
	}
}

func newMatrix(t *testing.T, rows, cols int, indptr []int64, indices []uint32, data []float32) *csr.Matrix {
	m, err := csr.New(rows, cols, indptr, indices, data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// csrFile and npzFile are the graph of one edge.
func csrFile(t *testing.T) string {
	var b bytes.Buffer
	must(t, store.Write(&b, oneEdge(t), nil))
	return b.String()
}

func npzFile(t *testing.T) string {
	var b bytes.Buffer
	must(t, npz.Write(&b, oneEdge(t)))
	return b.String()
}

func oneEdge(t *testing.T) *csr.Matrix {
	return newMatrix(t, 2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{1, 1})
}

// archive returns a .zip archive.
func archive(t *testing.T, files map[string]string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sparseArchive returns a small .npz matrix of 2 rows that claims entries.
func sparseArchive(t *testing.T, entries int64) string {
	return archive(t, map[string]string{
		"format.npy": string(npy.AppendHeader(nil, "|S3")) + "csr", "shape.npy": int64s(2, 2), "indptr.npy": int64s(0, 0, entries),
		"indices.npy": string(npy.AppendHeader(nil, "<i4", entries)) + "\x00\x00\x00\x00",
		"data.npy":    string(npy.AppendHeader(nil, "<f4", entries)) + "\x00\x00\x00\x00",
	})
}

// int64s is a vector of an archive.
func int64s(values ...int64) string {
	b := npy.AppendHeader(nil, "<i8", int64(len(values)))
	for _, v := range values {
		for k := range 8 {
			b = append(b, byte(v>>(8*k)))
		}
	}
	return string(b)
}

// farArchive returns 4 sparse points with an entry in the last of 4·10^9 columns.
func farArchive(t *testing.T) string {
	return archive(t, map[string]string{
		"format.npy": string(npy.AppendHeader(nil, "|S3")) + "csr", "shape.npy": int64s(4, 4_000_000_001), "indptr.npy": int64s(0, 1, 2, 3, 4),
		"indices.npy": int64s(0, 0, 4_000_000_000, 4_000_000_000),
		"data.npy":    string(npy.AppendHeader(nil, "<f4", 4)) + strings.Repeat("\x00\x00\x80\x3f", 4),
	})
}

// commentNames makes g.csr, whose two nodes have names that start comments.
func commentNames(t *testing.T, dir string) {
	table := ids.NewTable()
	for _, name := range []string{"#a", "%b"} {
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(dir, "g.csr"))
	if err != nil {
		t.Fatal(err)
	}
	m := newMatrix(t, 2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{1, 1})
	if err := store.Write(f, m, table); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
