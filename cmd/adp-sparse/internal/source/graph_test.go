package source

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/store"
)

// TestMapped: a .csr file is mapped, and no file is too large for that, in letters of any case.
func TestMapped(t *testing.T) {
	w, _, err := csr.FromEdges(3, &csr.Edges{Src: []uint32{0, 1}, Dst: []uint32{1, 2}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := store.Write(&file, w, ids.Sequence(3)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"g.csr", "G.CSR"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		g := Flags{Graph: path, Threads: 1, Memory: limit.Memory{Bytes: 1}}
		graph, err := g.readFile(streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if graph.File == nil {
			t.Errorf("%s is read, expected it mapped", name)
		}
		if err := graph.Close(); err != nil {
			t.Error(err)
		}
	}
}
