package vecs_test

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/mtx"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/stream"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

const malformed = "../../testdata/malformed/"

// read reads a file of any format of this and the matrix packages.
func read(r io.Reader, name string, size int64) error {
	var err error
	switch path.Ext(stream.TrimEnding(name)) {
	case ".mtx":
		_, err = mtx.Read(r, name)
	case ".csr":
		if stream.TrimEnding(name) != name {
			if r, err = stream.Reader(r); err != nil {
				return err
			}
			size = -1
		}
		_, _, err = store.Read(r, name, size)
	default:
		_, err = vecs.Read(r, name, size, vecs.Options{})
	}
	return err
}

type malformedCase struct{ file, wrong, message string }

func malformedCases(t *testing.T) []malformedCase {
	in, err := os.Open(malformed + "vecs_cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cases := []malformedCase{}
	for s := bufio.NewScanner(in); s.Scan(); {
		if f := strings.Split(s.Text(), "\t"); len(f) == 3 && !strings.HasPrefix(f[0], "#") {
			cases = append(cases, malformedCase{f[0], f[1], f[2]})
		}
	}
	return cases
}

// TestMalformed reads every file of the table, with its size known and as a
// stream of unknown size: the first must give the message of the table, the
// second any error, and neither may take more memory than the small files
// justify.
func TestMalformed(t *testing.T) {
	const allowed = 4 << 20 // bytes; the files are below 5 KiB, buffers and decoders take the rest
	listed := map[string]bool{}
	for _, c := range malformedCases(t) {
		listed[c.file] = true
		content, err := os.ReadFile(malformed + "vecs/" + c.file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, size := range []int64{int64(len(content)), -1} {
			before := allocated()
			err := read(strings.NewReader(string(content)), c.file, size)
			if taken := allocated() - before; taken > allowed {
				t.Errorf("%s, size %d: %d bytes allocated, expected at most %d", c.file, size, taken, allowed)
			}
			switch {
			case err == nil:
				t.Errorf("%s, size %d: accepted although %s", c.file, size, c.wrong)
			case !errors.Is(err, vecs.ErrSyntax):
				t.Errorf("%s, size %d: %v does not wrap ErrSyntax", c.file, size, err)
			case size >= 0 && err.Error() != c.file+c.message:
				t.Errorf("%s (%s):\n got %s\nwant %s", c.file, c.wrong, err, c.file+c.message)
			}
		}
	}
	files, err := filepath.Glob(malformed + "vecs/*")
	if err != nil || len(files) != len(listed) {
		t.Errorf("%d files and %d cases (%v)", len(files), len(listed), err)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
