package vecs_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/stream"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// fuzz reads any content as a format, with its size known and not: both must
// agree, memory must stay within the limit, and accepted content must be
// features of finite values.
func fuzz(f *testing.F, ending string, seeds ...[]byte) {
	malformed, err := filepath.Glob(malformed + "vecs/*." + ending)
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range malformed {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		opt := vecs.Options{MemoryLimit: 64 << 20}
		known, err := vecs.Read(bytes.NewReader(content), "f."+ending, int64(len(content)), opt)
		unknown, streamErr := vecs.Read(bytes.NewReader(content), "f."+ending, -1, opt)
		if (err == nil) != (streamErr == nil) {
			t.Fatalf("%v with the size known, %v without", err, streamErr)
		}
		if err != nil {
			if len(err.Error()) > 4<<10 || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Fatalf("message %q", err)
			}
			return
		}
		if !sameFeatures(known, unknown) {
			t.Fatal("other features with the size known than without")
		}
		checkFeatures(t, known)
	})
}

// checkFeatures asks for what Read promises.
func checkFeatures(t *testing.T, f *vecs.Features) {
	if (f.Dense == nil) == (f.Sparse == nil) || f.Rows() < 1 || f.Dims() < 1 {
		t.Fatalf("dense %v, sparse %v, %d×%d", f.Dense, f.Sparse, f.Rows(), f.Dims())
	}
	if f.Sparse != nil {
		indptr, indices, data := f.Sparse.Arrays()
		if _, err := csr.New(f.Rows(), f.Dims(), indptr, indices, data); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(f.Dense.Data) != f.Rows()*f.Dims() {
		t.Fatalf("%d values for %d×%d", len(f.Dense.Data), f.Rows(), f.Dims())
	}
	for k, v := range f.Dense.Data {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			t.Fatalf("value %d is %v", k, v)
		}
	}
}

// goldens returns the files of testdata with the given ending.
func goldens(f *testing.F, ending string) [][]byte {
	names, err := filepath.Glob("testdata/*." + ending)
	if err != nil {
		f.Fatal(err)
	}
	contents := [][]byte{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		contents = append(contents, content)
	}
	return contents
}

func FuzzNPY(f *testing.F) { fuzz(f, "npy", goldens(f, "npy")...) }

func FuzzNPZ(f *testing.F) { fuzz(f, "npz", goldens(f, "npz")...) }

func FuzzFvecs(f *testing.F) { fuzz(f, "fvecs", rowFile([][]float32{{1, 2}, {3, 4}}, floatBytes)) }

func FuzzBvecs(f *testing.F) {
	fuzz(f, "bvecs", rowFile([][]byte{{1, 2}, {3, 4}}, func(b []byte, v byte) []byte { return append(b, v) }))
}

func FuzzCSV(f *testing.F) {
	fuzz(f, "csv", []byte("x,y\n1,2\n3,4\n"), []byte("1\t-2e3\n3\t.5\n"), []byte("# c\n1  2\n"))
}

func FuzzSVM(f *testing.F) {
	fuzz(f, "svm", []byte("+1 1:2 3:4\n-1 2:.5 # c\n"), []byte("1,2\t7:1\r\na\r\n"))
}

func FuzzWords(f *testing.F) {
	fuzz(f, "vec", []byte("2 2\na 1 2\nb c 3 4\n"), []byte("# 1\n\" .5 \r\n"), []byte("1 1\n"))
}

// FuzzNeighbors reads any pair of files as neighbours.
func FuzzNeighbors(f *testing.F) {
	f.Add(rowFile([][]int{{1, 2}, {0, 2}, {0, 1}}, intBytes), rowFile([][]float32{{1, 2}, {1, 2}, {1, 2}}, floatBytes))
	f.Fuzz(func(t *testing.T, ids, dists []byte) {
		nb, err := vecs.ReadNeighbors(source("i.ivecs", ids), source("d.fvecs", dists))
		if err == nil && (len(nb.IDs) != nb.N*nb.K || len(nb.Dists) != nb.N*nb.K || nb.N < 1 || nb.K < 1) {
			t.Fatalf("%+v", nb)
		}
		if err == nil {
			nb.Similar()
			nb.Squared(&csr.Dense{Rows: nb.N, Cols: 1, Data: make([]float32, nb.N)})
		}
		if err != nil && !errors.Is(err, vecs.ErrSyntax) && !stream.Compressed(ids) && !stream.Compressed(dists) {
			t.Fatalf("%v does not wrap ErrSyntax", err)
		}
	})
}
