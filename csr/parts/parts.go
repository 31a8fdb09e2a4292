// Package parts reads and writes partitioned graphs: a folder with the rows of a
// graph in several .csr files, one for each process or several, and one of its
// nodes. docs/format-parts.md describes it.
//
// The rows may have another order than the nodes: [Folder.Place] tells.
package parts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The names of files in the folder.
const (
	manifestName = "parts.json"
	nodesName    = "nodes.csr"
)

// MostParts is the largest number of parts of a graph.
const MostParts = 100_000

// mostManifest is the largest size of parts.json: 16 bytes for a bound, whose last is 4294967295
// at most, on its line, and room for the rest.
const mostManifest = 16*(MostParts+1) + 64<<10

func partName(k int) string { return fmt.Sprintf("part-%05d.csr", k) }

// Manifest is parts.json.
type Manifest struct {
	Version int    `json:"version"` // 1
	Nodes   int    `json:"nodes"`
	Entries int64  `json:"entries"`
	Order   string `json:"order"`  // of the rows, in words
	Bounds  []int  `json:"bounds"` // part k has rows bounds[k] to bounds[k+1]−1
}

// Parts returns how many there are.
func (m *Manifest) Parts() int { return len(m.Bounds) - 1 }

// Write makes the folder dir, which must not be there, of a graph with matrix w
// and the names of its nodes. Node i has row place[i], or i where place is nil.
// w has its rows in that order. Bounds go from 0 to n without a lesser one after a
// greater, those between are multiples of 512 (rows.BlockSize), and n is at least 1:
// others are an error, as are more than [MostParts] parts, an order in more words than some
// lines hold, and a place that is no row or that of two nodes.
//
// The folder has another name until it is whole; it is removed when ctx ends, and by
// the next Write where a process was killed. Meanwhile the folder is locked, as files
// of package outfile are: a second Write of it is an error.
//
// Unless it is nil, unchanged is asked when all is written: with an error, which Write
// returns, there is no folder. It is [store.File.Unchanged] where w or names are mapped.
func Write(ctx context.Context, dir string, w *csr.Matrix, names *ids.Table, place []uint32, bounds []int, order string, unchanged func() error) (err error) {
	n, _ := w.Dims()
	m := Manifest{Version: 1, Nodes: n, Entries: int64(w.NNZ()), Order: order, Bounds: bounds}
	if err := m.check(); err != nil {
		return fmt.Errorf("parts: %w", err)
	}
	manifest, err := m.text()
	if err != nil {
		return fmt.Errorf("parts: %w", err)
	}
	nodes, err := permutation(n, place)
	if err != nil {
		return fmt.Errorf("parts: places: %w", err)
	}
	if _, err := os.Lstat(dir); err == nil {
		return &os.PathError{Op: "mkdir", Path: dir, Err: os.ErrExist}
	}
	path := filepath.Clean(dir)
	partial := path + ".partial"
	lock, err := outfile.Lock(outfile.OS{}, path)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		partial += fmt.Sprint("-", os.Getpid())
	case err != nil:
		return outfile.Named(dir, err)
	default:
		defer func() { err = errors.Join(err, outfile.Named(dir, lock.Close())) }()
	}
	if err := removeLeft(partial); err != nil {
		return outfile.Named(dir, err)
	}
	if err := os.Mkdir(partial, 0o777); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	for k := range m.Parts() {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := csr.Slice(w, bounds[k], bounds[k+1])
		if err := writeFile(filepath.Join(partial, partName(k)), func(f io.Writer) error { return store.Write(f, part, nil) }); err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(partial, nodesName), func(f io.Writer) error { return store.Write(f, nodes, names) }); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(partial, manifestName), func(f io.Writer) error {
		_, err := f.Write(manifest)
		return err
	}); err != nil {
		return err
	}
	if unchanged != nil {
		if err := unchanged(); err != nil {
			return err
		}
	}
	if err := os.Rename(partial, path); err != nil {
		return err
	}
	return outfile.OS{}.SyncFolder(outfile.FolderOf(path))
}

// removeLeft removes the folder of a Write that was killed; one with files that are not
// ours stays, and is an error.
func removeLeft(partial string) error {
	info, err := os.Lstat(partial)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() { // or a link to one
		return &outfile.Stranger{Name: partial}
	}
	files, err := os.ReadDir(partial)
	if err != nil {
		return err
	}
	// A Write puts a file into its folder at once.
	if len(files) == 0 || slices.ContainsFunc(files, func(f os.DirEntry) bool { return !isOurs(f.Name()) }) {
		return &outfile.Stranger{Name: partial}
	}
	for _, f := range files {
		if err := os.Remove(filepath.Join(partial, f.Name())); err != nil {
			return err
		}
	}
	return os.Remove(partial)
}

// isOurs reports whether a file of a folder has a name that Write gives.
func isOurs(name string) bool {
	part, _ := filepath.Match("part-*.csr", name)
	return part || name == nodesName || name == manifestName
}

// permutation has a one in column place[i] of row i.
func permutation(n int, place []uint32) (*csr.Matrix, error) {
	m := csr.Identity(n)
	if place == nil {
		return m, nil
	}
	indptr, _, data := m.Arrays()
	m, err := csr.New(n, n, indptr, place, data)
	if err != nil {
		return nil, err
	}
	if i := taken(place); i >= 0 {
		return nil, fmt.Errorf("row %d is that of node %d and of an earlier one", place[i], i)
	}
	return m, nil
}

// taken returns the first node whose place an earlier one has, −1 for none. Places are
// below their number.
func taken(place []uint32) int {
	seen := make([]uint64, (len(place)+63)/64)
	for i, at := range place {
		if seen[at/64]>>(at%64)&1 != 0 {
			return i
		}
		seen[at/64] |= 1 << (at % 64)
	}
	return -1
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(f.Sync(), f.Close())
}

// Is reports whether path is a folder with a partitioned graph.
func Is(path string) bool {
	info, err := os.Stat(filepath.Join(path, manifestName))
	return err == nil && info.Mode().IsRegular()
}

// Folder is an open partitioned graph. Its names may lie in mapped memory: they
// are not to be used after Close.
type Folder struct {
	Manifest
	dir   string
	nodes *store.File
	place []uint32
}

// Open opens a folder and checks its manifest and its nodes; parts are checked
// when they are read. The nodes are mapped: 16 bytes each, and their names.
func Open(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	name := filepath.Join(dir, manifestName)
	text, err := readManifest(name)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &f.Manifest); err != nil {
		return nil, faultf(name, "%v", err)
	}
	if err := f.check(); err != nil {
		return nil, faultf(name, "%v", err)
	}
	if err := f.checkEntries(name); err != nil {
		return nil, err
	}
	if f.nodes, err = store.Open(filepath.Join(dir, nodesName)); err != nil {
		return nil, err
	}
	if err := f.nodes.Guard(f.checkNodes); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// readManifest reads parts.json, and holds no more of it than a manifest can have.
func readManifest(name string) ([]byte, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, mostManifest+1))
	if err == nil && len(text) > mostManifest {
		err = faultf(name, "more than %d bytes, which no manifest of up to %d parts has", mostManifest, MostParts)
	}
	return text, err
}

// text returns parts.json, which [readManifest] takes.
func (m *Manifest) text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return nil, err
	}
	if b.Len() > mostManifest {
		return nil, fmt.Errorf("an order of %d bytes, expected a few words", len(m.Order))
	}
	return b.Bytes(), nil
}

func (m *Manifest) check() error {
	if m.Version != 1 {
		return fmt.Errorf("version %d, expected 1", m.Version)
	}
	if m.Parts() > MostParts {
		return fmt.Errorf("%d parts, expected at most %d", m.Parts(), MostParts)
	}
	if m.Nodes < 1 || m.Nodes > csr.MaxDim || len(m.Bounds) < 2 || m.Bounds[0] != 0 || m.Bounds[m.Parts()] != m.Nodes {
		return fmt.Errorf("%d nodes with bounds %v, expected some from 0 to the number of nodes", m.Nodes, m.Bounds)
	}
	for k, bound := range m.Bounds[1:] {
		if bound < m.Bounds[k] || bound != m.Nodes && bound%rows.BlockSize != 0 {
			return fmt.Errorf("bound %d after %d, expected a multiple of %d that is not less", bound, m.Bounds[k], rows.BlockSize)
		}
	}
	return nil
}

// checkEntries makes sure that the parts have the entries that the manifest says. Parts
// that other machines have in their place of the folder are not counted.
func (f *Folder) checkEntries(name string) error {
	sum, all := int64(0), true
	for k := range f.Parts() {
		entries, err := store.Entries(filepath.Join(f.dir, partName(k)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			all = false
		case err != nil:
			return err
		}
		sum += entries
	}
	if f.Entries < sum || all && f.Entries != sum {
		return faultf(name, "%d entries, expected the %d of its parts", f.Entries, sum)
	}
	return nil
}

// checkNodes makes sure that every node has a row of its own.
func (f *Folder) checkNodes() error {
	name := filepath.Join(f.dir, nodesName)
	m := f.nodes.Matrix()
	if r, c := m.Dims(); r != f.Nodes || c != f.Nodes || m.NNZ() != f.Nodes {
		return faultf(name, "%d×%d with %d entries, expected one in each of %d rows", r, c, m.NNZ(), f.Nodes)
	}
	indptr, place, _ := m.Arrays()
	if i := taken(place); i >= 0 {
		return faultf(name, "node %d has no row of its own", i)
	}
	same := true
	for i, at := range place {
		if indptr[i+1] != int64(i+1) {
			return faultf(name, "node %d has no row of its own", i)
		}
		same = same && int(at) == i
	}
	if !same {
		f.place = place
	}
	return nil
}

// IDs returns the names of the nodes.
func (f *Folder) IDs() *ids.Table { return f.nodes.IDs() }

// Place returns the row of each node, nil where that is its number. It is not to
// be changed.
func (f *Folder) Place() []uint32 { return f.place }

// Guard calls read, which may use the names, as [store.File.Guard] does.
func (f *Folder) Guard(read func() error) error { return f.nodes.Guard(read) }

// Unchanged returns an error if another process has written into the file of the nodes, as
// [store.File.Unchanged] does.
func (f *Folder) Unchanged() error { return f.nodes.Unchanged() }

// Close frees the mapped memory.
func (f *Folder) Close() error { return f.nodes.Close() }

// Rows reads the parts from to to−1 into memory: their rows, × n.
func (f *Folder) Rows(from, to int) (*csr.Matrix, error) {
	indptr := []int64{0}
	var indices []uint32
	var data []float32
	for k := from; k < to; k++ {
		m, err := f.part(k)
		if err != nil {
			return nil, err
		}
		partPtr, cols, vals := m.Arrays()
		at := indptr[len(indptr)-1]
		for _, end := range partPtr[1:] {
			indptr = append(indptr, at+end)
		}
		if indices == nil {
			indices, data = cols, vals
			continue
		}
		indices, data = append(indices, cols...), append(data, vals...)
	}
	return csr.New(f.Bounds[to]-f.Bounds[from], f.Nodes, indptr, indices, data)
}

// part reads a part.
func (f *Folder) part(k int) (*csr.Matrix, error) {
	name := filepath.Join(f.dir, partName(k))
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	m, _, err := store.Read(in, name, info.Size())
	if err != nil {
		return nil, err
	}
	lo, hi := f.Bounds[k], f.Bounds[k+1]
	if r, c := m.Dims(); r != hi-lo || c != f.Nodes {
		return nil, faultf(name, "%d×%d, expected %d×%d", r, c, hi-lo, f.Nodes)
	}
	for i := range hi - lo {
		cols, vals := m.Row(i)
		for e, j := range cols {
			if int(j) == lo+i || vals[e] < 0 {
				return nil, faultf(name, "row %d: value %v in column %d, expected none below 0 and none on the diagonal", lo+i, vals[e], j)
			}
		}
	}
	return m, nil
}

func faultf(name, format string, args ...any) error {
	return &lines.Error{File: name, Msg: fmt.Sprintf(format, args...)}
}
