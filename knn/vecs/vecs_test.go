package vecs_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/adp-sparse/adp-sparse/internal/panics"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// compressed returns content as it is, by gzip and by zstd.
func compressed(t *testing.T, content []byte) map[string][]byte {
	t.Helper()
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"": content, ".gz": z.Bytes(), ".zst": e.EncodeAll(content, nil)}
}

// onlyReader hides that a reader is an io.ReaderAt.
type onlyReader struct{ io.Reader }

// readAllWays reads content plain and compressed, with its size known and
// not, in place and as a stream, and wants the same features each time.
func readAllWays(t *testing.T, content []byte, name string, opt vecs.Options) *vecs.Features {
	t.Helper()
	var first *vecs.Features
	for ending, content := range compressed(t, content) {
		for _, size := range []int64{int64(len(content)), -1} {
			for _, r := range []io.Reader{bytes.NewReader(content), onlyReader{bytes.NewReader(content)}} {
				f, err := vecs.Read(r, name+ending, size, opt)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = f
				}
				if !sameFeatures(f, first) {
					t.Fatalf("%s, size %d: other features than before", name+ending, size)
				}
			}
		}
	}
	return first
}

func sameFeatures(a, b *vecs.Features) bool {
	if (a.Dense == nil) != (b.Dense == nil) || a.Rows() != b.Rows() || a.Dims() != b.Dims() || !slices.Equal(a.Labels, b.Labels) {
		return false
	}
	if a.Dense != nil {
		return slices.Equal(a.Dense.Data, b.Dense.Data)
	}
	ap, ai, ad := a.Sparse.Arrays()
	bp, bi, bd := b.Sparse.Arrays()
	return slices.Equal(ap, bp) && slices.Equal(ai, bi) && slices.Equal(ad, bd)
}

func golden(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestNumpyFiles reads the 3×4 array 0, 1, …, 11 in every type, byte order
// and header version: np.save(f, np.arange(12).reshape(3, 4).astype(type)) and
// np.lib.format.write_array(f, …, version=(2, 0) or (3, 0)) by numpy 1.24.2;
// x.npz is np.savez_compressed(f, x=…) and two.npz np.savez(f, a=…, b=-…); x_fortran.npy
// and fortran.npz (np.savez) are of np.asfortranarray.
func TestNumpyFiles(t *testing.T) {
	types := strings.Fields("f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 big_f4 big_f8 big_i2 version2 version3 fortran")
	files := map[string]vecs.Options{"x.npz": {}, "fortran.npz": {}, "two.npz": {Array: "a"}}
	for _, name := range types {
		files["x_"+name+".npy"] = vecs.Options{}
	}
	for name, opt := range files {
		expectCount(t, name, readAllWays(t, golden(t, name), name, opt), 1)
	}
	expectCount(t, "two.npz, b", readAllWays(t, golden(t, "two.npz"), "two.npz", vecs.Options{Array: "b"}), -1)
	_, err := vecs.Read(bytes.NewReader(golden(t, "two.npz")), "two.npz", -1, vecs.Options{Array: "c"})
	if want := `two.npz: no array "c" in the archive, expected one of "a" "b"`; err == nil || err.Error() != want {
		t.Errorf("got %v, expected %s", err, want)
	}
}

// expectCount wants the 3×4 array of sign·0, 1, …, 11.
func expectCount(t *testing.T, what string, f *vecs.Features, sign float32) {
	t.Helper()
	if f.Sparse != nil || f.Rows() != 3 || f.Dims() != 4 {
		t.Fatalf("%s: %d×%d, expected a dense 3×4 array", what, f.Rows(), f.Dims())
	}
	for k, v := range f.Dense.Data {
		if v != sign*float32(k) {
			t.Errorf("%s: value %d is %v", what, k, v)
		}
	}
}

// TestScipyFile reads save_npz(f, csr_matrix(([1, 2, 3.5, -4], ([0, 0, 2, 3],
// [1, 4, 0, 2])), shape=(4, 5), dtype='f8')), written by scipy 1.10.1.
func TestScipyFile(t *testing.T) {
	f := readAllWays(t, golden(t, "sparse.npz"), "sparse.npz", vecs.Options{})
	expectSparse(t, f, 4, 5, map[[2]int]float64{{0, 1}: 1, {0, 4}: 2, {2, 0}: 3.5, {3, 2}: -4})
}

func expectSparse(t *testing.T, f *vecs.Features, rows, cols int, want map[[2]int]float64) {
	t.Helper()
	if f.Dense != nil || f.Rows() != rows || f.Dims() != cols || f.Sparse.NNZ() != len(want) {
		t.Fatalf("%d×%d with %v, expected a sparse %d×%d matrix with %d entries", f.Rows(), f.Dims(), f.Sparse, rows, cols, len(want))
	}
	for at, v := range want {
		if got := f.Sparse.At(at[0], at[1]); got != v {
			t.Errorf("%v is %v, expected %v", at, got, v)
		}
	}
}

// rowFile returns the bytes of a .fvecs, .bvecs or .ivecs file.
func rowFile[T any](rows [][]T, value func([]byte, T) []byte) []byte {
	b := []byte{}
	for _, row := range rows {
		b = append(b, byte(len(row)), byte(len(row)>>8), 0, 0)
		for _, v := range row {
			b = value(b, v)
		}
	}
	return b
}

func le32(b []byte, u uint32) []byte {
	return append(b, byte(u), byte(u>>8), byte(u>>16), byte(u>>24))
}

func floatBytes(b []byte, v float32) []byte { return le32(b, math.Float32bits(v)) }
func intBytes(b []byte, v int) []byte       { return le32(b, uint32(v)) }

// TestRowFiles reads rows of lengths around the buffers.
func TestRowFiles(t *testing.T) {
	for _, dims := range []int{1, 3, 300, 40000} {
		rows := [][]float32{}
		rng := rand.New(rand.NewPCG(1, uint64(dims)))
		for range 5 {
			row := make([]float32, dims)
			for j := range row {
				row[j] = float32(rng.IntN(256))
			}
			rows = append(rows, row)
		}
		want := slices.Concat(rows...)
		for name, content := range map[string][]byte{
			"x.fvecs": rowFile(rows, floatBytes),
			"x.bvecs": rowFile(rows, func(b []byte, v float32) []byte { return append(b, byte(v)) }),
		} {
			if f := readAllWays(t, content, name, vecs.Options{}); f.Rows() != 5 || f.Dims() != dims || !slices.Equal(f.Dense.Data, want) {
				t.Errorf("%s of %d dims: other values came back", name, dims)
			}
		}
	}
}

// TestCSV reads text with and without header and ids.
func TestCSV(t *testing.T) {
	want := []float32{1, 2.5, -3, 4e-2}
	for _, c := range []struct {
		text string
		opt  vecs.Options
		ids  string
	}{
		{"1,2.5\n-3,4e-2", vecs.Options{}, ""},
		{"# c\r\n1\t2.5\r\n\r\n-3\t4e-2\r\n", vecs.Options{}, ""},
		{"\xef\xbb\xbfx,y\n1, 2.5\n-3,4e-2\n", vecs.Options{}, ""},
		{"1   2.5\n -3 4e-2\n", vecs.Options{Header: vecs.HeaderNo}, ""},
		{"7,8\n1,2.5\n-3,4e-2\n", vecs.Options{Header: vecs.HeaderYes}, ""},
		{"x,\"name\",y\n1,b,2.5\n-3,a,4e-2\n", vecs.Options{IDColumn: "name"}, "b a"},
		{"x,name,y\n1,8,2.5\n-3,9,4e-2\n", vecs.Options{IDColumn: "2"}, "8 9"},
		{"b,1,2.5\na,-3,4e-2\n", vecs.Options{IDColumn: "1"}, "b a"},
		{"x,y,\n1,2.5,b\n-3,4e-2,a\n", vecs.Options{IDColumn: "3"}, "b a"},
		{"x;\"a; name\";y\n1;b;2.5\n-3;\"a\";4e-2\n", vecs.Options{IDColumn: "a; name"}, "b a"},
		{"\"a b\";\"c, d\"\n1;2.5\n-3;4e-2\n", vecs.Options{}, ""},
		{"x,note,y\n1,b,2.5\n-3,,4e-2\n", vecs.Options{Without: []string{"note"}}, ""},
		{"1,b,2.5\n-3,c,4e-2\n", vecs.Options{Without: []string{"2"}}, ""},
		{"b,9,2.5,1\na,9,4e-2,-3\n", vecs.Options{IDColumn: "1", Columns: []string{"4", "3"}, Titles: []string{"x", "y"}}, "b a"},
		{"name,2020,2019,x\nb,2.5,1,\na,4e-2,-3,no\n", vecs.Options{IDColumn: "name", Columns: []string{"2020", "2019"}, Titles: []string{"2019", "2020"}}, "b a"},
		{"2020,2019\n2.5,1\n4e-2,-3\n", vecs.Options{Titles: []string{"2019", "2020"}}, ""},
		{"1,2.5\n-3,4e-2\n", vecs.Options{Titles: []string{"y", "x"}, Optional: []string{"1", "kind"}}, ""},
		{"y,kind,x,7\n2.5,b,1,\n4e-2,,-3,\n", vecs.Options{Titles: []string{"x", "y"}, Optional: []string{"7", "kind", "other"}}, ""},
	} {
		f := readAllWays(t, []byte(c.text), "x.csv", c.opt)
		if f.Rows() != 2 || !slices.Equal(f.Dense.Data, want) {
			t.Errorf("%q: %v", c.text, f.Dense)
		}
		if (f.IDs != nil) != (c.ids != "") || f.IDs != nil && f.IDs.Name(0)+" "+f.IDs.Name(1) != c.ids {
			t.Errorf("%q: other ids than %q", c.text, c.ids)
		}
	}
}

// TestCSVOptions refuses what only options make wrong.
func TestCSVOptions(t *testing.T) {
	for _, c := range []struct {
		text string
		opt  vecs.Options
		want string
	}{
		{"x,y\n1,2\n", vecs.Options{Header: vecs.HeaderNo}, `x.csv:1: columns 1,2 hold words, such as "x", expected decimal numbers; say what they are: vecs.Options.IDColumn names the points, vecs.Options.Categories takes columns of categories, vecs.Options.Without leaves columns out`},
		{"name,y,kind\ns01,2,a\n", vecs.Options{}, `x.csv:2: columns "name","kind" hold words, such as "s01", expected decimal numbers; say what they are: vecs.Options.IDColumn names the points, vecs.Options.Categories takes columns of categories, vecs.Options.Without leaves columns out`},
		{"y,z,kind\n1,2,a\n", vecs.Options{}, `x.csv:2: column 3: "a" is not in decimal form, expected a decimal number; if the column holds categories, say vecs.Options.Categories "kind", if it is no feature, vecs.Options.Without "kind"`},
		{"x,y\n1,2\n", vecs.Options{IDColumn: "z"}, `x.csv:1: no column named "z" in the first line, expected one of "x", "y", or a number from 1 to 2`},
		{"x,y\n1,2\n", vecs.Options{IDColumn: "3"}, `x.csv:1: 2 columns, expected column 3`},
		{"x,y\n1,2\n", vecs.Options{IDColumn: "x", Header: vecs.HeaderNo}, `x.csv:1: the column "x" has a name, which a file without a header cannot have`},
		{"a,1\nb,2\na,3\n", vecs.Options{IDColumn: "1"}, `x.csv:3: id "a" is given twice, first to row 0`},
		{"a,1\n,2\n", vecs.Options{IDColumn: "1"}, `x.csv:2: empty id in column 1`},
		{"y,z,kind\n1,2,3\n", vecs.Options{Titles: []string{"z", "x", "y"}}, `x.csv:1: columns "y", "z", "kind", expected those of vecs.Options.Titles, in any order: "z", "x", "y"; missing: "x"; unknown: "kind"; if it names the points, say vecs.Options.IDColumn "kind", if it is no feature, vecs.Options.Without "kind"`},
		{"y,z,y\n1,2,3\n", vecs.Options{IDColumn: "z", Titles: []string{"y"}}, `x.csv:1: columns "y", "y", expected those of vecs.Options.Titles, in any order: "y"; unknown: "y"; if it is no feature, say vecs.Options.Without 3`},
		{"y,z\n1,2\n", vecs.Options{Columns: []string{"y", "x"}}, `x.csv:1: no column named "x" in the first line, expected one of "y", "z", or a number from 1 to 2`},
		{"y,z\n1,2\n", vecs.Options{Columns: []string{"y"}, Without: []string{"1"}}, `x.csv:1: column "y" is to be a feature, but it holds ids or labels, or is to be left out`},
		{"y,z\n1,2\n", vecs.Options{Without: []string{"x"}}, `x.csv:1: no column named "x" in the first line, expected one of "y", "z", or a number from 1 to 2`},
		{"5.1,3.5,setosa\n", vecs.Options{}, `x.csv:1: column 3 is "setosa" and column 2 a number, expected numbers, or names in a header; if column 3 names the points, say vecs.Options.IDColumn 3, if it holds categories, vecs.Options.Categories 3, if it is no feature, vecs.Options.Without 3`},
		{"y,\"z, w\"\n1,\n", vecs.Options{}, `x.csv:2: column 2 is empty, a missing value: fill it in, or leave out the row, or the column: vecs.Options.Without 2; if it holds numbers, vecs.Options.Impute takes their mean`},
		{"1,5;2,5\n", vecs.Options{}, `x.csv:1: column 2: "5;2" is not in decimal form, expected a decimal number; if this is a decimal comma, write a point`},
		{"a\nb\n", vecs.Options{IDColumn: "1"}, `x.csv: no columns, expected at least one`},
		{"1\n", vecs.Options{Format: "hdf5"}, `x.csv: unknown format of features "hdf5", expected one of bvecs, csv, emb, fvecs, glove, libsvm, npy, npz, svm, svmlight, tsv, txt, vec, word2vec`},
	} {
		_, err := vecs.Read(strings.NewReader(c.text), "x.csv", -1, c.opt)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q, %+v:\n got %v\nwant %s", c.text, c.opt, err, c.want)
		}
	}
}

// TestTitles: the titles of the dimensions, and the columns left out.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ text, titles, left string }{
		{"id,x,kind,y,note\na,1,b,2,\n", `["y" "x"]`, `["kind" "note"]`},
		{"a,1,b,2,\n", `[]`, `[]`},
	} {
		opt := vecs.Options{IDColumn: "1", Without: []string{"3", "5"}, Titles: []string{"y", "x"}}
		f, err := vecs.Read(strings.NewReader(c.text), "x.csv", -1, opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]string{fmt.Sprintf("%q", f.Titles), fmt.Sprintf("%q", f.Left)}; got != [2]string{c.titles, c.left} {
			t.Errorf("%q: got %s", c.text, got)
		}
	}
}

// TestColumns: where the dimensions are in the file.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        vecs.Options
		want       []int
	}{
		{"x.csv", "a,1,5,2\nb,3,5,4\n", vecs.Options{IDColumn: "1", Without: []string{"3"}}, []int{1, 3}},
		{"x.csv", "x,id,y\n1,a,2\n3,b,4\n", vecs.Options{IDColumn: "id", Titles: []string{"y", "x"}}, []int{2, 0}},
		{"x.vec", "a 1 2\n", vecs.Options{}, nil},
	} {
		f, err := vecs.Read(strings.NewReader(c.text), c.name, -1, c.opt)
		if err != nil || !slices.Equal(f.Columns, c.want) {
			t.Errorf("%q: %v, %v, want %v", c.text, f, err, c.want)
		}
	}
}

// TestSuspects: titles of ids and labels among features are noted; y beside x is a coordinate, and
// user, name and vertex are noted where whole numbers tell all points apart.
func TestSuspects(t *testing.T) {
	for text, want := range map[string]string{
		"user,b\n7,1\n3,2\n5,3\n":      "id-like-columns user",
		"b,Name\n1,7\n2,-3\n":          "id-like-columns Name",
		"vertex,id\n7,1\n3,2\n":        "id-like-columns vertex",
		"user,system\n7,1\n3,2\n7,3\n": "",
		"user,system\n.5,1\n3,2\n":     "",
		"userid,b\n.5,1\n.5,2\n":       "id-like-columns userid",
		"a,y\n1,0\n2,1\n":              "label-like-columns y",
		"a,Y\n1,0\n2,1\n":              "label-like-columns Y",
		"x,y\n1,0\n2,1\n":              "",
		"y,z,X\n1,0,3\n2,1,3\n":        "",
		"x,y,label\n1,0,0\n2,1,0\n":    "label-like-columns label",
		"7,1\n3,2\n":                   "",
	} {
		f, err := vecs.Read(strings.NewReader(text), "x.csv", -1, vecs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range f.Notes.Doubtful() {
			got = append(got, n.Code+" "+n.First)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	const left = "x,y\n1,0\n2,1\n" // the x that is no feature
	f, err := vecs.Read(strings.NewReader(left), "x.csv", -1, vecs.Options{Without: []string{"x"}})
	if err != nil || len(f.Notes.Doubtful()) > 0 {
		t.Errorf("%q without x: %v, %v", left, f.Notes, err)
	}
}

// TestTruth: true and false are 1 and 0 in text and in arrays of numpy, here as numpy's
// description of the format has np.array([[True, False], [False, True]]).
func TestTruth(t *testing.T) {
	npy := "\x93NUMPY\x01\x00v\x00{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }" + strings.Repeat(" ", 58) + "\n\x01\x00\x00\x01"
	for name, text := range map[string]string{"x.csv": "a,b\ntrue,False\nFALSE,True\n", "y.csv": "TRUE,0\nfalse,1\n", "x.npy": npy} {
		if f := readAllWays(t, []byte(text), name, vecs.Options{}); !slices.Equal(f.Dense.Data, []float32{1, 0, 0, 1}) {
			t.Errorf("%s: %v", name, f.Dense.Data)
		}
	}
}

// TestSVM reads a text with what the format allows: any order, comments,
// lines without entries, labels of any kind.
func TestSVM(t *testing.T) {
	const text = "# c\n+1 3:1.5 1:-2 # d\r\n\r\n-1\n1,2\t5:1e-3\n"
	f := readAllWays(t, []byte(text), "x.svm", vecs.Options{})
	expectSparse(t, f, 3, 5, map[[2]int]float64{{0, 0}: -2, {0, 2}: 1.5, {2, 4}: float64(float32(1e-3))})
	if !slices.Equal(f.Labels, []string{"+1", "-1", "1,2"}) {
		t.Errorf("labels %q", f.Labels)
	}
	f = readAllWays(t, []byte("a 0:1\nb 2:3\n"), "x.libsvm", vecs.Options{ZeroBased: true})
	expectSparse(t, f, 2, 3, map[[2]int]float64{{0, 0}: 1, {1, 2}: 3})
}

// TestMemoryLimit refuses features past the limit and takes those at it.
func TestMemoryLimit(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		bytes   int64
	}{
		"x.npy":      {golden(t, "x_f4.npy"), 48},
		"f.npy":      {golden(t, "x_fortran.npy"), 96}, // what is read and its copy
		"x.csv":      {[]byte("1,2\n3,4\n"), 16},
		"x.svm":      {[]byte("a 1:1\nb 1:2\n"), 40}, // 2 entries and 3 offsets
		"x.fvecs":    {rowFile([][]float32{{1, 2}, {3, 4}}, floatBytes), 16},
		"sparse.npz": {golden(t, "sparse.npz"), 727}, // what its directory says
	} {
		for _, size := range []int64{int64(len(c.content)), -1} {
			_, err := vecs.Read(bytes.NewReader(c.content), name, size, vecs.Options{MemoryLimit: c.bytes - 1})
			if !errors.Is(err, vecs.ErrMemory) {
				t.Errorf("%s, size %d: %v at a limit of %d bytes", name, size, err, c.bytes-1)
			}
			opt := vecs.Options{MemoryLimit: max(c.bytes, int64(len(c.content)))}
			if _, err := vecs.Read(bytes.NewReader(c.content), name, size, opt); err != nil {
				t.Errorf("%s, size %d: %v at a limit of %d bytes", name, size, err, opt.MemoryLimit)
			}
		}
	}
}

// errReader fails after its content.
type errReader struct{ r io.Reader }

var errDisk = errors.New("disk on fire")

func (e errReader) Read(b []byte) (int, error) {
	n, err := e.r.Read(b)
	if err == io.EOF {
		err = errDisk
	}
	return n, err
}

// TestReadErrors fails the reader at every byte of a file: the error must
// come through, and must not pass for a fault of the content.
func TestReadErrors(t *testing.T) {
	for name, content := range map[string][]byte{
		"x.npy":   golden(t, "x_u1.npy"),
		"x.npz":   golden(t, "x.npz"),
		"x.fvecs": rowFile([][]float32{{1, 2}, {3, 4}}, floatBytes),
		"x.csv":   []byte("a,b\n1,2\n"),
		"x.svm":   []byte("a 1:1\nb 2:1\n"),
	} {
		for n := range len(content) + 1 {
			for _, size := range []int64{int64(len(content)), -1} {
				_, err := vecs.Read(errReader{bytes.NewReader(content[:n])}, name, size, vecs.Options{})
				if !errors.Is(err, errDisk) || errors.Is(err, vecs.ErrSyntax) {
					t.Fatalf("%s cut to %d of %d bytes, size %d: %v", name, n, len(content), size, err)
				}
			}
		}
	}
}

// TestNeighbors reads ids and distances of three points in every form;
// ids.npy is np.save of int32 [[1, 2], [0, 2], [0, 1]], dists.npy of float32
// [[1, 2], [1, .5], [2, .5]], by numpy 1.24.2.
func TestNeighbors(t *testing.T) {
	wantIDs, wantDists := []int64{1, 2, 0, 2, 0, 1}, []float32{1, 2, 1, .5, 2, .5}
	ids := map[string][]byte{"ids.npy": golden(t, "ids.npy"), "f.npy": golden(t, "ids_fortran.npy"), "ids.ivecs": rowFile([][]int{{1, 2}, {0, 2}, {0, 1}}, intBytes)}
	dists := map[string][]byte{"d.npy": golden(t, "dists.npy"), "d.fvecs": rowFile([][]float32{{1, 2}, {1, .5}, {2, .5}}, floatBytes)}
	for idsName, content := range ids {
		for distsName, dist := range dists {
			for ending := range compressed(t, nil) {
				nb, err := vecs.ReadNeighbors(source(idsName+ending, compressed(t, content)[ending]), source(distsName, dist))
				if err != nil || nb.N != 3 || nb.K != 2 || !slices.Equal(nb.IDs, wantIDs) || !slices.Equal(nb.Dists, wantDists) {
					t.Errorf("%s, %s: %+v, %v", idsName+ending, distsName, nb, err)
				}
			}
		}
	}
}

func source(name string, content []byte) vecs.Source {
	return vecs.Source{R: bytes.NewReader(content), Name: name, Size: int64(len(content))}
}

// TestNeighborsFaults refuses files that do not belong together.
func TestNeighborsFaults(t *testing.T) {
	good := source("d.fvecs", rowFile([][]float32{{1, 2}, {3, 4}}, floatBytes))
	ids := func(rows ...[]int) vecs.Source { return source("i.ivecs", rowFile(rows, intBytes)) }
	for _, c := range []struct {
		ids, dists vecs.Source
		want       string
	}{
		{ids([]int{1, 2}, []int{0, 1}), good, "i.ivecs: row 0, column 1: id 2, expected 0 to 1, or -1 for none"},
		{ids([]int{1, -2}, []int{0, 1}), good, "i.ivecs: row 0, column 1: id -2, expected 0 to 1, or -1 for none"},
		{ids([]int{1}, []int{0}), good, "d.fvecs: 2×2 distances, expected 2×1 as in i.ivecs"},
		{ids([]int{1, 0}, []int{0, 1}, []int{0, -1}), good, "d.fvecs: 2×2 distances, expected 3×2 as in i.ivecs"},
		{ids(), good, "i.ivecs: no rows, expected at least one"},
		{good, good, `d.fvecs: ids in format "fvecs", expected .ivecs or .npy`},
		{ids([]int{1}), ids([]int{1}), `i.ivecs: row 0, column 0: id 1, expected 0 to 0, or -1 for none`},
		{ids([]int{0}), ids([]int{0}), `i.ivecs: distances in format "ivecs", expected .fvecs or .npy`},
		{source("i.npy", golden(t, "dists.npy")), good, "i.npy: elements are not integers, expected dtype i4 or i8"},
	} {
		c.dists.R, c.ids.R = restart(c.dists), restart(c.ids)
		_, err := vecs.ReadNeighbors(c.ids, c.dists)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, expected %s", err, c.want)
		}
	}
}

// restart returns the content of a source from its beginning.
func restart(s vecs.Source) io.Reader {
	return io.NewSectionReader(s.R.(io.ReaderAt), 0, s.Size)
}

func TestWriteOtherSizes(t *testing.T) {
	for _, size := range []int{5, 7} {
		ids := func() { _ = vecs.WriteIDs(io.Discard, "x.npy", make([]uint32, size), 2, 3) }
		dists := func() { _ = vecs.WriteDists(io.Discard, "x.fvecs", make([]float32, size), 3, 2) }
		for _, write := range []func(){ids, dists} {
			if said := panics.Of(write); !strings.HasPrefix(said, fmt.Sprintf("vecs: %d values, expected ", size)) {
				t.Errorf("%d values: %q", size, said)
			}
		}
	}
}
