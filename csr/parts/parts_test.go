package parts

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
)

func writeTo(dir string) error {
	return Write(context.Background(), dir, csr.Identity(3), ids.Sequence(3), nil, []int{0, 3}, "none", nil)
}

// TestKilled: what a killed Write has left is in nobody's way, what others have put
// there stays, and one that still runs is not disturbed.
func TestKilled(t *testing.T) {
	folder := t.TempDir()
	dir := filepath.Join(folder, "g")
	if err := os.Mkdir(dir+".partial", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{partName(0), nodesName, manifestName, "mine"} {
		if err := os.WriteFile(filepath.Join(dir+".partial", name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mine := filepath.Join(dir+".partial", "mine")
	if err := writeTo(dir); err == nil {
		t.Error("a file of others was removed")
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}

	lock, err := outfile.Lock(outfile.OS{}, dir)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no locks")
	}
	if err != nil {
		t.Fatal(err)
	}
	var path *os.PathError
	if err := writeTo(dir); !errors.As(err, new(outfile.Busy)) || !errors.As(err, &path) || path.Path != dir {
		t.Errorf("while another writes: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if err := writeTo(dir + "/"); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 || !Is(dir) {
		t.Errorf("left %v", left)
	}
	if err := writeTo(dir); !errors.Is(err, os.ErrExist) {
		t.Errorf("a folder that is there: %v", err)
	}
}

// TestPlaces: nodes that have no row, or that of another, are not written.
func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		place []uint32
		fine  bool
	}{
		{nil, true},
		{[]uint32{2, 0, 1}, true},
		{[]uint32{1, 1, 0}, false},
		{[]uint32{0, 1, 3}, false},
		{[]uint32{1, 0}, false},
		{[]uint32{1, 0, 2, 3}, false},
	} {
		dir := filepath.Join(t.TempDir(), "g")
		err := Write(context.Background(), dir, csr.Identity(3), ids.Sequence(3), test.place, []int{0, 3}, "none", nil)
		left, _ := filepath.Glob(dir + "*")
		if (err == nil) != test.fine || !test.fine && len(left) > 0 {
			t.Errorf("places %v: %v, left %v", test.place, err, left)
			continue
		}
		if f, err := Open(dir); test.fine && (err != nil || f.Close() != nil) {
			t.Errorf("places %v cannot be opened: %v", test.place, err)
		}
	}
}

// TestEntries: a manifest that says another number of entries than the parts have is
// refused; parts that are elsewhere may have the rest.
func TestEntries(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	if err := writeTo(dir); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, manifestName)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		entries string
		fine    bool
	}{{"2", false}, {"4", false}, {"-1", false}, {"3", true}} {
		text := strings.Replace(string(whole), `"entries": 3`, `"entries": `+test.entries, 1)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := Open(dir)
		if (err == nil) != test.fine {
			t.Errorf("%s entries: %v", test.entries, err)
		}
		if err == nil && f.Close() != nil {
			t.Error("not closed")
		}
	}
	if err := os.Remove(filepath.Join(dir, partName(0))); err != nil {
		t.Fatal(err)
	}
	if f, err := Open(dir); err != nil || f.Close() != nil {
		t.Errorf("a part that is elsewhere: %v", err)
	}
}

// TestBounds: what Open would refuse is not written.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		n      int
		bounds []int
		fine   bool
	}{
		{1000, []int{0, 512, 1000}, true},
		{1000, []int{0, 512, 512, 1000}, true},
		{1000, []int{0, 500, 1000}, false},
		{1000, []int{0, 512}, false},
		{1000, []int{512, 1000}, false},
		{2000, []int{0, 1024, 512, 2000}, false},
		{1000, []int{0}, false},
		{1000, nil, false},
		{0, []int{0, 0}, false},
	} {
		dir := filepath.Join(t.TempDir(), "g")
		err := Write(context.Background(), dir, csr.Identity(test.n), ids.Sequence(test.n), nil, test.bounds, "none", nil)
		_, missing := os.Stat(dir)
		if (err == nil) != test.fine || (missing == nil) != test.fine {
			t.Errorf("%d nodes, bounds %v: %v", test.n, test.bounds, err)
			continue
		}
		if f, err := Open(dir); test.fine && (err != nil || f.Close() != nil) {
			t.Errorf("bounds %v cannot be opened: %v", test.bounds, err)
		}
	}
}

// TestManifestSize: no more of parts.json is read than one can have, and no larger one is
// written.
func TestManifestSize(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	if err := writeTo(dir); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, manifestName)
	if err := os.Truncate(name, 64<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, lines.ErrSyntax) || !strings.Contains(err.Error(), name+": more than 1665552 bytes") {
		t.Errorf("%v, expected one that says that the file is too long", err)
	}
	for fault, test := range map[string]struct {
		bounds []int
		order  string
	}{
		"parts, expected at most":  {append(make([]int, MostParts+1), 1), "none"},
		"order of 2000000 bytes, ": {[]int{0, 1}, strings.Repeat("x", 2_000_000)},
	} {
		dir := filepath.Join(t.TempDir(), "g")
		err := Write(context.Background(), dir, csr.Identity(1), ids.Sequence(1), nil, test.bounds, test.order, nil)
		if _, missing := os.Stat(dir); err == nil || !strings.Contains(err.Error(), fault) || missing == nil {
			t.Errorf("%v, expected one that says %q", err, fault)
		}
	}
	m := Manifest{Version: 1, Nodes: csr.MaxDim, Order: "cluster", Bounds: append(make([]int, 1, MostParts+1), slices.Repeat([]int{csr.MaxDim}, MostParts)...)}
	if text, err := m.text(); err != nil || m.check() != nil || len(text) > mostManifest {
		t.Errorf("the largest manifest has %d bytes, %v", len(text), err)
	}
}

// TestWriteOfChanged: where the graph turns out to have been changed there is no folder.
func TestWriteOfChanged(t *testing.T) {
	dir := t.TempDir()
	changed := errors.New("changed")
	err := Write(context.Background(), filepath.Join(dir, "p"), csr.Identity(3), ids.Sequence(3), nil, []int{0, 3}, "none", func() error { return changed })
	left, readErr := os.ReadDir(dir)
	if !errors.Is(err, changed) || readErr != nil || slices.ContainsFunc(left, fs.DirEntry.IsDir) {
		t.Errorf("%v, left %v, %v", err, left, readErr)
	}
}
