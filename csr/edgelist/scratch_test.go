package edgelist

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/internal/racing"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/scratch"
)

var errFailing = errors.New("failing")

// failing makes temporary files; its call number at fails, or every call from
// there on.
type failing struct {
	disk      scratch.System
	calls, at int
	forever   bool
	failed    []string
	open      int
}

func (f *failing) step(call, name string) error {
	f.calls++
	if f.calls == f.at || f.forever && f.calls > f.at {
		f.failed = append(f.failed, call)
		return &fs.PathError{Op: call, Path: name, Err: errFailing}
	}
	return nil
}

func (f *failing) CreateTemp(dir string) (scratch.Handle, error) {
	if err := f.step("create", dir); err != nil {
		return nil, err
	}
	file, err := f.disk.CreateTemp(dir)
	f.open++
	return &failingFile{file, f}, err
}

func (f *failing) Remove(name string) error {
	if err := f.step("remove", name); err != nil {
		return err
	}
	return os.Remove(name)
}

type failingFile struct {
	scratch.Handle
	f *failing
}

// WriteAt writes half of b before it fails.
func (w *failingFile) WriteAt(b []byte, at int64) (int, error) {
	if err := w.f.step("write", w.Name()); err != nil {
		n, _ := w.Handle.WriteAt(b[:len(b)/2], at)
		return n, err
	}
	return w.Handle.WriteAt(b, at)
}

func (w *failingFile) ReadAt(b []byte, at int64) (int, error) {
	if err := w.f.step("read", w.Name()); err != nil {
		return 0, err
	}
	return w.Handle.ReadAt(b, at)
}

func (w *failingFile) Close() error {
	err := w.Handle.Close()
	w.f.open--
	return errors.Join(w.f.step("close", w.Name()), err)
}

// TestScratchFaults: each call of temporary files fails in turn, once and from
// then on. Only where a name could not be removed at once, and can later, is
// there a graph all the same; else the error names the file. Nothing stays open,
// and nothing is left unless removing it failed too.
func TestScratchFaults(t *testing.T) {
	disk := scratch.Disk
	defer func() { scratch.Disk = disk }()
	text := strings.Join(intLines(rand.New(rand.NewPCG(6, 9)), 300, 200_000, true, strconv.Itoa), "\n")
	points, seen := 0, map[string]bool{}
	for _, forever := range []bool{false, true} {
		if racing.On && forever { // the same goroutines, which fail again
			continue
		}
		for at := 1; ; at++ {
			system := &failing{disk: scratch.WithNames, at: at, forever: forever}
			scratch.Disk = system
			dir := t.TempDir()
			err := spilled(text, dir)
			if len(system.failed) == 0 {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			points++
			all := strings.Join(system.failed, " ")
			seen[system.failed[0]] = true
			var named *fs.PathError
			if err == nil && all != "remove" || err != nil && (!errors.Is(err, errFailing) || !errors.As(err, &named) || !strings.HasPrefix(named.Path, dir)) {
				t.Errorf("call %d failed (%s): %v", at, all, err)
			}
			if system.open != 0 {
				t.Errorf("call %d failed (%s): %d files are open", at, all, system.open)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 && !strings.Contains(all, "remove") {
				t.Errorf("call %d failed (%s): %v was left", at, all, left)
			}
		}
	}
	if len(seen) != 5 {
		t.Errorf("calls that failed first: %v, expected five kinds", seen)
	}
	t.Logf("%d points of failure", points)
}

// spilled builds the matrix of a list with next to no memory for its edges.
func spilled(text, dir string) error {
	l := &List{file: "f", opt: Options{Memory: 1 << 10, Dir: dir, Threads: 1}}
	if err := l.read(strings.NewReader(text)); err != nil {
		return errors.Join(err, l.Close())
	}
	l.IDs = l.nodes.sort()
	_, err := l.Graph(context.Background())
	return err
}

// slow reads a little at a time, and lets others wait for it: each of many workers then gets a
// block.
type slow struct{ io.Reader }

func (s *slow) Read(b []byte) (int, error) {
	time.Sleep(20 * time.Microsecond)
	return s.Reader.Read(b[:min(len(b), 1<<10)])
}

// TestManyThreadsLittleMemory: where memory is limited, the blocks of text of many workers stay
// within it.
func TestManyThreadsLittleMemory(t *testing.T) {
	defer func(usual int) { blockSize = usual }(blockSize)
	blockSize = 1 << 10 // each with room for the longest line before it
	text := strings.Repeat("1 2\n3 4\n", 1<<15)
	const memory = 48 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l, err := Parse(&slow{strings.NewReader(text)}, "f", Options{Memory: memory, Dir: t.TempDir(), Threads: 64})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if l.Stats.Edges != 1<<16 {
		t.Errorf("%d edges, expected %d", l.Stats.Edges, 1<<16)
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > memory/2 {
		t.Errorf("%d bytes were made for %d of text, of %d", made, len(text), memory)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// TestPanicOfReader: a panic of the reader, in whichever worker, goes on in the caller.
func TestPanicOfReader(t *testing.T) {
	defer func(usual int) { blockSize = usual }(blockSize)
	blockSize = 1 << 10
	for _, threads := range []int{1, 2, 3, 16} {
		in := io.MultiReader(&slow{strings.NewReader(strings.Repeat("1 2\n3 4\n", 1<<13))}, panicking{})
		err := rows.Catch(func() error {
			_, err := Parse(in, "f", Options{Threads: threads})
			return err
		})
		var p *rows.Panic
		if !errors.As(err, &p) || p.Value != "mine" {
			t.Errorf("%d threads: caught %v", threads, err)
		}
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("mine") }
