package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutput: nothing is seen of an output before Replace; then all of it is
// there, with the old mode, and nothing else.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("é", 120) // 240 bytes: too long for a name with an ending
	for _, name := range []string{"new", "old", long} {
		path := filepath.Join(dir, name)
		if name == "old" {
			write(t, path, "old", 0o600)
		}
		o, err := Create(OS{}, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Create(OS{}, path); !errors.As(err, new(Busy)) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.5s: a second output of the same name: %v", name, err)
		}
		if _, err := o.Write([]byte("text")); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) == "text" {
			t.Errorf("%.5s: there before Replace", name)
		}
		if err := errors.Join(o.Finish(), o.Replace(), o.Discard()); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); string(got) != "text" || err != nil {
			t.Errorf("%.5s: %q, %v", name, got, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "old")); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("the mode of the old file became %v (%v)", info.Mode(), err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("left %v", left)
	}
}

// TestDiscard: a discarded output leaves the old file, or nothing.
func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	write(t, path, "old", 0o644)
	for _, finish := range []bool{false, true} {
		o, err := Create(OS{}, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Write([]byte("text")); err != nil {
			t.Fatal(err)
		}
		if finish {
			err = o.Finish()
		}
		if err := errors.Join(err, o.Discard(), o.Discard()); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(path)
		if left, _ := os.ReadDir(dir); string(got) != "old" || len(left) != 1 {
			t.Errorf("finished: %v: %q, left %v", finish, got, left)
		}
	}
}

// TestIs: names that lead to one place, by links and without.
func TestIs(t *testing.T) {
	dir := t.TempDir()
	join := func(parts ...string) string { return strings.Join(append([]string{dir}, parts...), "/") }
	if err := os.Mkdir(join("sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"folder": "sub", "link": "sub/x", "circle": "circle", "sub/up": "../x"} {
		linked(t, to, join(name))
	}
	o, err := Create(OS{}, join("sub", "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Discard()
	for name, want := range map[string]bool{
		join("sub", "x"): true, join("folder", "x"): true, join("link"): true, join("sub", "..", "sub", "x"): true,
		join("x"): false, join("sub", "y"): false, join("folder", "up"): false,
	} {
		if got, err := o.Is(name); got != want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	var path *fs.PathError
	if _, err := o.Is(join("circle")); !errors.As(err, &path) || path.Path != join("circle") {
		t.Errorf("a link in a circle: %v", err)
	}
	up, err := Create(OS{}, join("folder", "up")) // out of a folder that is a link
	if err != nil {
		t.Fatal(err)
	}
	if there, err := up.Is(join("x")); !there || err != nil {
		t.Errorf("folder/up leads to %s, %v", up.path, err)
	}
	if err := up.Discard(); err != nil {
		t.Error(err)
	}
}

// linked makes a symbolic link, and skips the test where there are none to be had:
// Windows asks for a right, Wine only says that it made one.
func linked(t *testing.T, to, name string) {
	t.Helper()
	err := os.Symlink(to, name)
	if err == nil {
		_, err = os.Lstat(name)
	}
	if err != nil && os.PathSeparator != '/' {
		t.Skipf("no links to be had: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}
