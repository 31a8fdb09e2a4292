package scratch

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNoName: a temporary file has no name at any time, so that a program that is
// killed as it opens one leaves nothing; one made with a name is seen.
func TestNoName(t *testing.T) {
	dir := t.TempDir()
	f, err := unnamed(dir)
	if err != nil {
		t.Skipf("%s: %v", dir, err)
	}
	f.Close()
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	if err != nil {
		t.Skipf("no inotify to watch the folder with: %v", err)
	}
	defer unix.Close(watch)
	if _, err := unix.InotifyAddWatch(watch, dir, unix.IN_CREATE|unix.IN_MOVED_TO); err != nil {
		t.Fatal(err)
	}
	events := make([]byte, 4096)
	for _, named := range []bool{false, true} {
		if named {
			defer func(disk System) { Disk = disk }(Disk)
			Disk = WithNames
		}
		m, err := Map(dir, 1<<12)
		if err != nil {
			t.Fatal(err)
		}
		m.Bytes[1] = 1
		if err := m.Free(); err != nil {
			t.Fatal(err)
		}
		_, err = unix.Read(watch, events)
		if seen := !errors.Is(err, unix.EAGAIN); seen != named {
			t.Errorf("named %v: a name was seen: %v (%v)", named, seen, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
