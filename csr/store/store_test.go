package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// matrix is that of the golden files.
func matrix(t testing.TB) *csr.Matrix {
	m, err := csr.New(3, 3, []int64{0, 1, 3, 4}, []uint32{1, 0, 2, 1}, []float32{1, 1, .5, .5})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func table(t testing.TB, names ...string) *ids.Table {
	table := ids.NewTable()
	for _, name := range names {
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

func written(t testing.TB, m *csr.Matrix, names *ids.Table) []byte {
	var b bytes.Buffer
	if err := Write(&b, m, names); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGolden reads and writes the files of format version 1 in testdata,
// which a Python program made byte by byte from docs/format-csr.md, with its
// own CRC-32C.
func TestGolden(t *testing.T) {
	for file, names := range map[string]*ids.Table{
		"v1.csr":       ids.Sequence(3),
		"v1_names.csr": table(t, "a", "b", "é"),
	} {
		content, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(written(t, matrix(t), names), content) {
			t.Errorf("%s: Write gives other bytes", file)
		}
		m, gotNames, err := Read(bytes.NewReader(content), file, int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		expect(t, file, m, gotNames, matrix(t), names)
	}
}

func expect(t *testing.T, what string, m *csr.Matrix, names *ids.Table, wantM *csr.Matrix, want *ids.Table) {
	t.Helper()
	rows, cols := m.Dims()
	wantRows, wantCols := wantM.Dims()
	p, i, d := m.Arrays()
	wp, wi, wd := wantM.Arrays()
	if rows != wantRows || cols != wantCols || !slices.Equal(p, wp) && len(wp) > 0 || !slices.Equal(i, wi) || !slices.Equal(d, wd) {
		t.Fatalf("%s: another matrix", what)
	}
	if names.Len() != want.Len() {
		t.Fatalf("%s: %d names, expected %d", what, names.Len(), want.Len())
	}
	for k := range want.Len() {
		at, ok := names.Lookup([]byte(want.Name(k)))
		if names.Name(k) != want.Name(k) || !ok || int(at) != k {
			t.Fatalf("%s: name %d is %q and found at %d (%v), expected %q", what, k, names.Name(k), at, ok, want.Name(k))
		}
	}
}

func randomMatrix(rng *rand.Rand) (*csr.Matrix, *ids.Table) {
	rows, cols := 1+rng.IntN(300), 1+rng.IntN(300)
	b := csr.NewRowBuffer(rows, cols, 2)
	names := ids.NewTable()
	for i := range rows {
		b.Set(i, []uint32{uint32(rng.IntN(cols))}, []float32{rng.Float32() - .5})
		names.Add(fmt.Appendf(nil, "%d-%d", rng.IntN(1000), i))
	}
	if rng.IntN(2) == 0 {
		names.Sort()
	}
	return b.Matrix(1), names
}

// TestRoundTrip reads random matrices in all three ways: from a stream of
// known and of unknown size, and by Open.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csr")
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		m, names := randomMatrix(rng)
		switch seed {
		case 0:
			m, names = &csr.Matrix{}, ids.Sequence(0)
		case 1:
			m, names = csr.Identity(100000), ids.Sequence(100000)
		}
		content := written(t, m, names)
		for _, size := range []int64{int64(len(content)), -1} {
			got, gotNames, err := Read(bytes.NewReader(content), "m.csr", size)
			if err != nil {
				t.Fatal(seed, err)
			}
			expect(t, fmt.Sprintf("seed %d, size %d", seed, size), got, gotNames, m, names)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(seed, err)
		}
		expect(t, fmt.Sprintf("seed %d, opened", seed), f.Matrix(), f.IDs(), m, names)
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBitRot changes every single bit of a file: each change must be found.
func TestBitRot(t *testing.T) {
	content := written(t, matrix(t), table(t, "a", "b", "é"))
	path := filepath.Join(t.TempDir(), "m.csr")
	for bit := range 8 * len(content) {
		content[bit/8] ^= 1 << (bit % 8)
		if _, _, err := Read(bytes.NewReader(content), "m.csr", int64(len(content))); !errors.Is(err, ErrSyntax) {
			t.Fatalf("Read: bit %d of byte %d changed: %v", bit%8, bit/8, err)
		}
		if bit%8 == bit/8%8 { // files are slower
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path); !errors.Is(err, ErrSyntax) {
				t.Fatalf("Open: bit %d of byte %d changed: %v", bit%8, bit/8, err)
			}
		}
		content[bit/8] ^= 1 << (bit % 8)
	}
}

// TestCut cuts a file at every length.
func TestCut(t *testing.T) {
	content := written(t, matrix(t), table(t, "a", "b", "c"))
	for n := range content {
		for _, size := range []int64{int64(n), int64(len(content)), -1} {
			if _, _, err := Read(bytes.NewReader(content[:n]), "m.csr", size); !errors.Is(err, ErrSyntax) {
				t.Fatalf("cut to %d of %d bytes, size %d: %v", n, len(content), size, err)
			}
		}
	}
}

// reseal makes all checksums of a file right again and the padding 0, as far
// as its header allows, so that only the checks of the content remain.
func reseal(content []byte) {
	if len(content) < headerSize {
		return
	}
	seal := func() {
		binary.LittleEndian.PutUint32(content[headerSize-4:], crc32.Checksum(content[:headerSize-4], castagnoli))
	}
	seal()
	h, err := decodeHeader(content)
	if err != nil {
		return
	}
	at := int64(headerSize)
	for k, n := range h.lengths() {
		if n > int64(len(content))-at || padded(n) > int64(len(content))-at {
			return
		}
		binary.LittleEndian.PutUint32(content[48+4*k:], crc32.Checksum(content[at:at+n], castagnoli))
		clear(content[at+n : at+padded(n)])
		at += padded(n)
	}
	seal()
}

// checkAccepted asks that what Read accepts is a valid matrix that Write
// turns into the same bytes.
func checkAccepted(t *testing.T, content []byte) (accepted bool) {
	m, names, err := Read(bytes.NewReader(content), "m.csr", int64(len(content)))
	_, _, streamErr := Read(bytes.NewReader(content), "m.csr", -1)
	if (err == nil) != (streamErr == nil) {
		t.Fatalf("%v with the size known, %v without, from %x", err, streamErr, content)
	}
	if err != nil {
		if !errors.Is(err, ErrSyntax) {
			t.Fatalf("%v does not wrap ErrSyntax", err)
		}
		return false
	}
	rows, cols := m.Dims()
	if _, err := csr.New(rows, cols, first(m), second(m), third(m)); err != nil {
		t.Fatalf("accepted %v from %x", err, content)
	}
	if !bytes.Equal(written(t, m, names), content) {
		t.Fatalf("other bytes came back from %x", content)
	}
	return true
}

func first(m *csr.Matrix) []int64   { p, _, _ := m.Arrays(); return p }
func second(m *csr.Matrix) []uint32 { _, i, _ := m.Arrays(); return i }
func third(m *csr.Matrix) []float32 { _, _, d := m.Arrays(); return d }

// TestWriteErrors fails the writer at every byte count and wants the error.
func TestWriteErrors(t *testing.T) {
	m, names := matrix(t), table(t, "a", "b", "c")
	for n := range written(t, m, names) {
		if err := Write(&full{left: n}, m, names); err != errFull {
			t.Fatalf("writer that is full after %d bytes: %v", n, err)
		}
	}
}

type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.left)
	if f.left -= n; n < len(b) {
		return n, errFull
	}
	return n, nil
}

// TestOpenMissing wants the errors of the system.
func TestOpenMissing(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open(t.TempDir()); err == nil || errors.Is(err, ErrSyntax) {
		t.Errorf("a folder: %v", err)
	}
}

// FuzzStore reads any bytes, as they are and with their checksums made right.
func FuzzStore(f *testing.F) {
	f.Add(written(f, matrix(f), nil))
	f.Add(written(f, matrix(f), table(f, "a", "b", "é")))
	f.Add(written(f, matrix(f), table(f, "10", "9", "-1")))
	f.Fuzz(func(t *testing.T, content []byte) {
		checkAccepted(t, content)
		content = bytes.Clone(content)
		reseal(content)
		checkAccepted(t, content)
	})
}

// TestWriteRefusesNames: what Read refuses is not written.
func TestWriteRefusesNames(t *testing.T) {
	for _, name := range []string{"", "a\nb", "\x7f", "\xff"} {
		names := table(t, "b", name, "c")
		var out bytes.Buffer
		if err := Write(&out, matrix(t), names); !errors.Is(err, ErrName) || out.Len() > 0 {
			t.Errorf("%q: %v, and %d bytes are written", name, err, out.Len())
		}
		f, err := os.Create(filepath.Join(t.TempDir(), "g.csr"))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Build(context.Background(), f, csr.NewBuilder(3, 0, false, csr.BuildOptions{}), names); !errors.Is(err, ErrName) {
			t.Errorf("%q, row by row: %v", name, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriteRefusesValues(t *testing.T) {
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		m := matrix(t)
		data := slices.Clone(third(m))
		data[len(data)-1] = float32(v)
		var out bytes.Buffer
		var fault *csr.StructureError
		if err := Write(&out, m.WithData(data), nil); !errors.As(err, &fault) || out.Len() > 0 {
			t.Errorf("%v: %v, and %d bytes are written", v, err, out.Len())
		}
	}
}
