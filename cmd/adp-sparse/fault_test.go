package main

import (
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
)

// faulty is a file system whose call number at fails, or every call from there
// on.
type faulty struct {
	outfile.OS
	at, calls int
	forever   bool
	failed    []string // the calls that failed
}

func (f *faulty) step(call, name string) error {
	f.calls++
	if f.calls == f.at || f.forever && f.calls > f.at && f.at > 0 {
		f.failed = append(f.failed, call)
		return &fs.PathError{Op: call, Path: name, Err: syscall.ENOSPC}
	}
	return nil
}

func (f *faulty) Lstat(name string) (fs.FileInfo, error) {
	if err := f.step("lstat", name); err != nil {
		return nil, err
	}
	return f.OS.Lstat(name)
}

func (f *faulty) Readlink(name string) (string, error) {
	if err := f.step("readlink", name); err != nil {
		return "", err
	}
	return f.OS.Readlink(name)
}

func (f *faulty) Lock(name string) (io.Closer, error) {
	if err := f.step("lock", name); err != nil {
		return nil, err
	}
	lock, err := f.OS.Lock(name)
	return unlocker{lock, f, name}, err
}

type unlocker struct {
	io.Closer
	f    *faulty
	name string
}

// Close unlocks even where it says that it could not: the process would end.
func (u unlocker) Close() error {
	if err := u.f.step("unlock", u.name); err != nil {
		u.Closer.Close()
		return err
	}
	return u.Closer.Close()
}

func (f *faulty) Remove(name string) error {
	if err := f.step("remove", name); err != nil {
		return err
	}
	return f.OS.Remove(name)
}

func (f *faulty) Rename(from, to string) error {
	if err := f.step("rename", to); err != nil {
		return err
	}
	return f.OS.Rename(from, to)
}

func (f *faulty) SyncFolder(name string) error {
	if err := f.step("sync folder", name); err != nil {
		return err
	}
	return f.OS.SyncFolder(name)
}

func (f *faulty) Create(name string) (outfile.File, error) {
	if err := f.step("create", name); err != nil {
		return nil, err
	}
	file, err := f.OS.Create(name)
	return &faultyFile{file, f, name}, err
}

func (f *faulty) Open(name string) (outfile.File, error) {
	if err := f.step("open", name); err != nil {
		return nil, err
	}
	file, err := f.OS.Open(name)
	return &faultyFile{file, f, name}, err
}

type faultyFile struct {
	outfile.File
	f    *faulty
	name string
}

// Write writes half of b before it fails.
func (w *faultyFile) Write(b []byte) (int, error) {
	if err := w.f.step("write", w.name); err != nil {
		n, _ := w.File.Write(b[:len(b)/2])
		return n, err
	}
	return w.File.Write(b)
}

func (w *faultyFile) WriteAt(b []byte, at int64) (int, error) {
	if err := w.f.step("write at", w.name); err != nil {
		n, _ := w.File.WriteAt(b[:len(b)/2], at)
		return n, err
	}
	return w.File.WriteAt(b, at)
}

func (w *faultyFile) ReadAt(b []byte, at int64) (int, error) {
	if err := w.f.step("read at", w.name); err != nil {
		return 0, err
	}
	return w.File.ReadAt(b, at)
}

func (w *faultyFile) Truncate(size int64) error {
	if err := w.f.step("truncate", w.name); err != nil {
		return err
	}
	return w.File.Truncate(size)
}

func (w *faultyFile) Chmod(mode fs.FileMode) error {
	if err := w.f.step("chmod", w.name); err != nil {
		return err
	}
	return w.File.Chmod(mode)
}

func (w *faultyFile) Stat() (fs.FileInfo, error) {
	if err := w.f.step("stat", w.name); err != nil {
		return nil, err
	}
	return w.File.Stat()
}

func (w *faultyFile) Sync() error {
	if err := w.f.step("sync", w.name); err != nil {
		return err
	}
	return w.File.Sync()
}

func (w *faultyFile) Close() error {
	if err := w.f.step("close", w.name); err != nil {
		w.File.Close()
		return err
	}
	return w.File.Close()
}

// TestFaults: each call of the file system fails in turn, once and from then
// on, in commands that write outputs of every kind. The command says so with
// the name of the output; each output is the old file or the whole new one; and
// nothing else is left unless removing it failed too.
func TestFaults(t *testing.T) {
	defer func() { outputs.Disk = outfile.OS{} }()
	points := 0
	for name, command := range map[string]string{
		"run":     "run --edges g --labels s --topk 2 --quiet --out out.1 --graph-out out.2.gz",
		"links":   "run --edges g --labels s --topk 2 --quiet --out link --graph-out out.2.csr",
		"convert": "convert --edges g --out out.1.csr --quiet", // merges duplicates, and so moves what it wrote
		"knn":     "knn --features x.csv --k 1 --quiet --out out.1.npz --neighbors-out out.2.npy --distances-out out.3.npy",
		"gen":     "gen --nodes 40 --classes 2 --degree 3 --quiet --out out.1.csr --labels-out out.2 --seeds-out out.3 --seeds-per-class 2",
	} {
		for _, forever := range []bool{false, true} {
			for at := 0; ; at++ { // 0: no fault, to see the new outputs
				system := &faulty{at: at, forever: forever}
				want := faultRun(t, name, command, system)
				if at == 0 {
					wholeOutputs[name] = want
					continue
				}
				if len(system.failed) == 0 {
					break
				}
				points++
			}
		}
	}
	t.Logf("%d points of failure", points)
}

// wholeOutputs are the outputs of each command without a fault.
var wholeOutputs = map[string]map[string]string{}

// faultRun runs a command on a faulty file system, checks what it left and
// returns its outputs.
func faultRun(t *testing.T, name, command string, system *faulty) map[string]string {
	t.Helper()
	const old = "what was here before\n"
	dir := files(t, "g", "a b\nb c\nc d\na b\n", "s", "a x\nd y\n", "x.csv", "1,2\n3,4\n5,7\n",
		"out.1", old, "out.2", old, "out.2.gz", old, "out.1.csr", old, "out.2.csr", old, "out.1.npz", old, "out.2.npy", old, "out.3", old)
	links := runtime.GOOS != "windows" // asks for a right
	if links {
		must(t, os.Symlink("out.1", dir+"/link"))
	}
	t.Chdir(dir)
	outputs.Disk = system
	code, stdout, errs := call(strings.Fields(command)...)
	outputs := map[string]string{}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, entry := range entries {
		if strings.Contains(entry.Name(), "out.") {
			outputs[entry.Name()] = read(t, entry.Name())
		}
	}
	if info, err := os.Lstat("link"); links && (err != nil || info.Mode()&fs.ModeSymlink == 0) {
		t.Errorf("%s: the link is gone (%v)", name, err)
	}
	if system.at == 0 {
		if code != 0 {
			t.Fatalf("%s: exit %d, %s", name, code, errs)
		}
		return outputs
	}
	where := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: call %d failed (%v): "+format, append([]any{name, system.at, system.failed}, args...)...)
	}
	if len(system.failed) > 0 && (code != exits.IO || !strings.Contains(errs, "no space left on device") || !strings.Contains(errs, "write out.") && !strings.Contains(errs, "write link")) {
		where("exit %d, %s", code, errs)
	}
	if stdout != "" {
		where("standard output %q", stdout)
	}
	for output, content := range outputs {
		hidden := strings.HasPrefix(output, ".")
		removing := strings.Contains(strings.Join(system.failed, " "), "remove")
		switch {
		case hidden && !removing:
			where("%s was left", output)
		case !hidden && content != old && content != wholeOutputs[name][output]:
			where("%s is neither the old file nor the whole new one: %q", output, content)
		}
	}
	return outputs
}

// roomless is a file system without room: files can be made, and hold nothing.
type roomless struct{ outfile.OS }

func (f roomless) Create(name string) (outfile.File, error) {
	file, err := f.OS.Create(name)
	return roomlessFile{file}, err
}

type roomlessFile struct{ outfile.File }

func (roomlessFile) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestFolders: a command makes the folder of its files. On a full disk it leaves none, and a folder
// that was there stays.
func TestFolders(t *testing.T) {
	defer func() { outputs.Disk = outfile.OS{} }()
	for _, command := range []string{"demo --write", "man --dir", "run --edges g --labels s --quiet --out out --pictures"} {
		dir := files(t, "g", "a b\nb c\n", "s", "a x\nc y\n")
		t.Chdir(dir)
		must(t, os.Mkdir("there", 0o755))
		before := listing(t, dir)
		outputs.Disk = roomless{}
		for _, folder := range []string{"new", "there"} {
			code, _, errs := call(append(strings.Fields(command), folder)...)
			if after := listing(t, dir); code != exits.IO || !strings.Contains(errs, syscall.ENOSPC.Error()) || after != before {
				t.Errorf("%s %s: exit %d, %s left %s, before %s", command, folder, code, errs, after, before)
			}
		}
		outputs.Disk = outfile.OS{}
		if code, _, errs := call(append(strings.Fields(command), "new")...); code != 0 {
			t.Errorf("%s new: exit %d, %s", command, code, errs)
		}
		if made, err := os.ReadDir("new"); err != nil || len(made) < 3 {
			t.Errorf("%s new: %d files, %v", command, len(made), err)
		}
	}
}
