package adp_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
	"github.com/adp-sparse/adp-sparse/internal/scratch"
)

// inMemory returns a copy of a matrix that lies in files.
func inMemory(t *testing.T, m *csr.Matrix) *csr.Matrix {
	t.Helper()
	if m == nil {
		return nil
	}
	n, c := m.Dims()
	indptr, indices, data := m.Arrays()
	m, err := csr.New(n, c, slices.Clone(indptr), slices.Clone(indices), slices.Clone(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// closed returns a result without files.
func closed(t *testing.T, r *adp.Result) *adp.Result {
	t.Helper()
	graph := inMemory(t, r.Graph)
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	r.Graph = graph
	return r
}

// TestScratch: runs whose graphs lie in files, resumed ones too, have the bits of
// those in memory, and leave nothing. At full size every fifth snapshot is resumed.
func TestScratch(t *testing.T) {
	if racing.On {
		t.Skip("graphs of one block of rows, so one goroutine: the test runs without the race detector")
	}
	w, y := hardPlanted(t)
	dir := t.TempDir()
	open := openFiles()
	every := 20
	if full() {
		every = 5
	}
	for _, test := range resumable {
		for _, order := range []adp.Order{adp.GivenOrder, adp.ClusterOrder} {
			opt := test.opt
			opt.Order = order
			want, err := adp.Run(context.Background(), w, y, opt)
			if err != nil {
				t.Fatal(err)
			}
			var snapshots []*adp.Snapshot
			opt.Scratch = dir
			opt.Checkpoint = func(s *adp.Snapshot) error {
				// S, W in another order, the best A, and of a fold A and the best A: graphs of
				// no more use are freed.
				if now := openFiles(); now > open+1+4*3 {
					t.Errorf("%s: %d files are open in a round, before the run %d", test.name, now, open)
				}
				s = copyOf(s)
				same := s.Main.A == s.Main.BestGraph
				s.Main.A, s.Main.BestGraph = inMemory(t, s.Main.A), inMemory(t, s.Main.BestGraph)
				if same {
					s.Main.BestGraph = s.Main.A
				}
				if s.Fold != nil {
					s.Fold.A = inMemory(t, s.Fold.A)
				}
				snapshots = append(snapshots, s)
				return nil
			}
			got, err := adp.Run(context.Background(), w, y, opt)
			if err != nil {
				t.Fatal(test.name, err)
			}
			sameResult(t, test.name, closed(t, got), want)
			opt.Checkpoint = nil
			for k := 0; k < len(snapshots); k += every {
				got, err := adp.Resume(context.Background(), w, y, opt, snapshots[k])
				if err != nil {
					t.Fatal(test.name, err)
				}
				sameResult(t, test.name+", resumed", closed(t, got), want)
			}
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v left", left)
	}
}

// failingDisk makes the call of that number fail, of all temporary files.
type failingDisk struct {
	scratch.System
	calls, at int
}

var errFailing = errors.New("the disk failed")

func (d *failingDisk) step(call, name string) error {
	if d.calls++; d.calls == d.at {
		return &fs.PathError{Op: call, Path: name, Err: errFailing}
	}
	return nil
}

func (d *failingDisk) CreateTemp(dir string) (scratch.Handle, error) {
	if err := d.step("create", dir); err != nil {
		return nil, err
	}
	f, err := d.System.CreateTemp(dir)
	return &failingFile{f, d}, err
}

type failingFile struct {
	scratch.Handle
	d *failingDisk
}

func (f *failingFile) Map(size int64) ([]byte, error) {
	if err := f.d.step("map", f.Name()); err != nil {
		return nil, err
	}
	return f.Handle.Map(size)
}

func (f *failingFile) Truncate(size int64) error {
	if err := f.d.step("truncate", f.Name()); err != nil {
		return err
	}
	return f.Handle.Truncate(size)
}

// TestScratchFaults: each call of the file system fails in turn: the run ends with
// an error that says where, and nothing is left or stays open.
func TestScratchFaults(t *testing.T) {
	if racing.On {
		t.Skip("graphs of one block of rows, so one goroutine: the test runs without the race detector")
	}
	w, y := hardPlanted(t)
	dir := t.TempDir()
	disk := scratch.Disk
	defer func() { scratch.Disk = disk }()
	open := openFiles()
	calls := 0
	for at := 1; ; at++ {
		system := &failingDisk{System: disk, at: at}
		scratch.Disk = system
		result, err := adp.Run(context.Background(), w, y, adp.Options{Scratch: dir, Rounds: 1, Order: adp.DegreeOrder})
		if err == nil {
			closed(t, result)
			calls = system.calls
			if system.calls >= at {
				t.Errorf("call %d failed, and the run did not", at)
			}
			break
		}
		if !errors.Is(err, errFailing) || !strings.Contains(err.Error(), dir) {
			t.Fatalf("call %d failed: %v", at, err)
		}
	}
	if calls < 40 {
		t.Errorf("%d calls, expected more", calls)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v left", left)
	}
	if now := openFiles(); now > open {
		t.Errorf("%d files are open, before %d", now, open)
	}
	scratch.Disk = disk
	_, err := adp.Run(context.Background(), w, y, adp.Options{Scratch: filepath.Join(dir, "none")})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// openFiles returns the number of files that the process has open, where the
// system tells.
func openFiles() int {
	if runtime.GOOS != "linux" { // Wine shows its own
		return 0
	}
	open, _ := os.ReadDir("/proc/self/fd")
	count := 0
	for _, entry := range open { // not what Go waits with, from its first wait on
		if file, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil && !strings.HasPrefix(file, "anon_inode:") {
			count++
		}
	}
	return count
}
