//go:build unix

package outfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestStrangers: what is at the name of a partial file or a lock and was not made by a run stays,
// whatever it is, and is named in the error.
func TestStrangers(t *testing.T) {
	plants := map[string]func(name string) error{
		"an empty folder": func(name string) error { return os.Mkdir(name, 0o755) },
		"a pipe":          func(name string) error { return syscall.Mkfifo(name, 0o644) },
		"a link":          func(name string) error { return os.Symlink("elsewhere", name) },
		"a broken link":   func(name string) error { return os.Symlink("nowhere", name) },
	}
	write := func(name string) error {
		return os.WriteFile(name, []byte("a text of mine, of more than a line"), 0o644)
	}
	for _, kind := range []string{"partial", "lock"} {
		for what, plant := range plants {
			stays(t, kind, what, plant)
		}
	}
	stays(t, "lock", "a file", write)
	// What killed runs leave is taken over.
	for kind, text := range map[string]string{"partial": strings.Repeat("half", 100), "lock": "4194304\n"} {
		path := filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(beside(path, kind), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		o, err := Create(OS{}, path)
		if err != nil {
			t.Fatalf("what a killed run left at the %s: %v", kind, err)
		}
		if err := errors.Join(o.Finish(), o.Replace(), o.Discard()); err != nil {
			t.Error(err)
		}
	}
}

// stays plants something and lets an output be made there.
func stays(t *testing.T, kind, what string, plant func(name string) error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	name := beside(path, kind)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "elsewhere"), nil, 0o644), plant(name)); err != nil {
		t.Fatal(err)
	}
	before, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Create(OS{}, path)
	if stranger := new(Stranger); !errors.As(err, &stranger) || stranger.Name != name || !strings.Contains(err.Error(), path) {
		t.Errorf("%s at the %s: %v", what, kind, err)
	}
	if after, err := os.Lstat(name); err != nil || !os.SameFile(before, after) || before.Size() != after.Size() {
		t.Errorf("%s at the %s: is another one (%v)", what, kind, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("%s at the %s: left %v", what, kind, left)
	}
}

// TestLockReplaced: a lock that somebody has put another file in place of stays theirs.
func TestLockReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o, err := Create(OS{}, path)
	if err != nil {
		t.Fatal(err)
	}
	name := beside(path, "lock")
	if err := errors.Join(os.Remove(name), os.WriteFile(name, []byte("mine"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := o.Discard(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(name); string(text) != "mine" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestOwner: who may give files away gives the new one to the owner and the group of the old one.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give a file away; .ci/run is root")
	}
	path := filepath.Join(t.TempDir(), "out")
	if err := errors.Join(os.WriteFile(path, nil, 0o640), os.Chown(path, 65534, 4321)); err != nil {
		t.Fatal(err)
	}
	o, err := Create(OS{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(o.Finish(), o.Replace(), o.Discard()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if uid, gid, _ := ownerOf(info); uid != 65534 || gid != 4321 || info.Mode().Perm() != 0o640 {
		t.Errorf("owner %d, group %d, mode %v", uid, gid, info.Mode())
	}
}

// selfish is a file that cannot be given away.
type selfish struct{ File }

func (selfish) Chown(int, int) error { return syscall.EPERM }

// ofGroup is a file's information with another group.
type ofGroup struct {
	os.FileInfo
	gid uint32
}

func (o ofGroup) Sys() any {
	stat := *o.FileInfo.Sys().(*syscall.Stat_t)
	stat.Gid = o.gid
	return &stat
}

// TestGroupNotKept: another group gets the rights of all others, not those of the old group.
func TestGroupNotKept(t *testing.T) {
	dir := t.TempDir()
	old, name := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	for before, want := range map[os.FileMode]os.FileMode{0o640: 0o600, 0o664: 0o644, 0o600: 0o600, 0o777: 0o777} {
		if err := errors.Join(os.WriteFile(old, nil, 0o644), os.Chmod(old, before)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(old)
		if err != nil {
			t.Fatal(err)
		}
		f, err := OS{}.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := Resemble(selfish{f}, ofGroup{info, 4321}); err != nil {
			t.Error(err)
		}
		if info, _ := f.Stat(); info.Mode().Perm() != want {
			t.Errorf("%v became %v, expected %v", before, info.Mode().Perm(), want)
		}
		if err := errors.Join(f.Close(), os.Remove(name)); err != nil {
			t.Fatal(err)
		}
	}
}
