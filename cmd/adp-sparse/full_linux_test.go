package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
)

// TestFullDisk runs with outputs on a disk of every size up to what is needed:
// the run succeeds, or it exits 3 and leaves the old files and nothing else. It
// needs the right to mount; TestFaults tests the same everywhere.
func TestFullDisk(t *testing.T) {
	dir := files(t, "g", path(1500), "s", "0 x\n1499 y\n")
	disk := dir + "/disk"
	must(t, os.Mkdir(disk, 0o755))
	for pages, done := 2, false; !done; pages++ {
		err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", 4*pages))
		if err != nil {
			t.Logf("no small disk to be had: %v", err)
			return
		}
		done = fillDisk(t, dir, disk)
		must(t, syscall.Unmount(disk, 0))
		if pages > 200 {
			t.Fatal("800 KiB are not enough")
		}
		if done {
			t.Logf("enough are %d KiB", 4*pages)
		}
	}
}

// fillDisk runs once and reports whether the disk was large enough.
func fillDisk(t *testing.T, dir, disk string) bool {
	t.Helper()
	out, graph := disk+"/out", disk+"/a.tsv"
	for _, name := range []string{out, graph} {
		must(t, os.WriteFile(name, []byte("old\n"), 0o644))
	}
	code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--method", "lgc", "--out", out, "--graph-out", graph, "--quiet")
	if got := listing(t, disk); got != "a.tsv out" {
		t.Errorf("left %s", got)
	}
	if code == 0 {
		return true
	}
	if code != exits.IO || !strings.Contains(errs, "no space left on device") || !strings.Contains(errs, disk) {
		t.Errorf("exit %d, %s", code, errs)
	}
	for _, name := range []string{out, graph} {
		if got := read(t, name); got != "old\n" {
			t.Errorf("%s is %.60q", name, got)
		}
	}
	return false
}
