package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/run"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
)

// stopped makes a graph and the state of a run on it that was interrupted after
// its first save, and returns their folder and what the run is.
func stopped(t *testing.T) (dir string, args []string) {
	t.Helper()
	dir = slowGraph(t, 40)
	t.Chdir(dir)
	args = strings.Fields("run --edges g --labels s --select none --rounds 2 --topk 3 --quiet --out out --checkpoint state --checkpoint-every 0s")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run.AfterSave = cancel
	defer func() { run.AfterSave = nil }()
	var errs bytes.Buffer
	if code := execute(ctx, args, streams.Stdio{In: strings.NewReader(""), Out: &errs, Err: &errs}); code != exits.Interrupted {
		t.Fatalf("exit %d, %s", code, &errs)
	}
	return dir, args
}

// TestCheckpointFaults: each call of the file system fails in turn, once and
// from then on, in a run with a checkpoint and in one that resumes. It exits 3
// with the name of the file, outputs are the old or the new ones, and resuming
// on a sound disk gives the new ones.
func TestCheckpointFaults(t *testing.T) {
	defer func() { outputs.Disk = outfile.OS{} }()
	dir, args := stopped(t)
	state := read(t, "state")
	resume := append(args, "--resume")
	if code, _, errs := call(resume...); code != exits.OK {
		t.Fatalf("exit %d, %s", code, errs)
	}
	want := read(t, "out")
	points, kept, stride := 0, 0, 1
	if testing.Short() {
		stride = 9
	}
	for _, again := range []bool{false, true} {
		for _, forever := range []bool{false, true} {
			for at := 1; ; at += stride {
				must(t, os.WriteFile("out", []byte("old\n"), 0o644))
				system := &faulty{at: at, forever: forever}
				now := args
				if os.Remove("state"); again {
					must(t, os.WriteFile("state", []byte(state), 0o644))
					now = resume
				}
				outputs.Disk = system
				code, _, errs := call(now...)
				outputs.Disk = outfile.OS{}
				if len(system.failed) == 0 {
					break
				}
				points++
				if code != exits.IO || !strings.Contains(errs, "no space left on device") || !strings.Contains(errs, "write out") && !strings.Contains(errs, "write state") && !strings.Contains(errs, " state: ") {
					t.Fatalf("call %d failed (%v): exit %d, %s", at, system.failed, code, errs)
				}
				if out := read(t, "out"); out != "old\n" && out != want {
					t.Fatalf("call %d failed (%v): the output is neither old nor new: %q", at, system.failed, out)
				}
				if _, err := os.Stat("state"); err == nil {
					kept++
				}
				if code, _, errs := call(resume...); code != exits.OK || read(t, "out") != want {
					t.Fatalf("call %d failed (%v): resuming: exit %d, %s", at, system.failed, code, errs)
				}
				for _, name := range []string{".state.partial", ".out.partial"} { // where removing failed too
					if err := os.Remove(name); err == nil && !strings.Contains(strings.Join(system.failed, " "), "remove") {
						t.Errorf("call %d failed (%v): %s was left", at, system.failed, name)
					}
				}
				if left := listing(t, dir); left != "g out s" {
					t.Fatalf("call %d failed (%v): left %s", at, system.failed, left)
				}
			}
		}
	}
	if kept == 0 || kept == points {
		t.Errorf("%d of %d runs kept a state", kept, points)
	}
	t.Logf("%d points of failure, a state after %d", points, kept)
}

// TestCheckpointLock: a run that would use the checkpoint of another is told so,
// whether it begins or resumes, and changes nothing.
func TestCheckpointLock(t *testing.T) {
	dir, args := stopped(t)
	state := read(t, "state")
	lock, err := outfile.Lock(outfile.OS{}, "state")
	must(t, err)
	want := "write state: another run is writing it"
	if runtime.GOOS != "windows" { // nobody can read the lock there
		want += fmt.Sprintf(" (process %d)", os.Getpid())
	}
	refused := func(now []string, left string) {
		t.Helper()
		if code, _, errs := call(now...); code != exits.IO || !strings.Contains(errs, want) || strings.Contains(errs, "go on with") || listing(t, dir) != left {
			t.Errorf("exit %d, %s; expected %q; left %s", code, errs, want, listing(t, dir))
		}
	}
	refused(append(args, "--resume"), ".state.lock g s state")
	must(t, os.Rename("state", "kept"))
	refused(args, ".state.lock g kept s")
	must(t, lock.Close())
	must(t, os.Rename("kept", "state"))
	if read(t, "state") != state {
		t.Error("the state was changed")
	}
	if code, _, errs := call(append(args, "--resume")...); code != exits.OK || listing(t, dir) != "g out s" {
		t.Errorf("exit %d, %s; left %s", code, errs, listing(t, dir))
	}
}

// TestResumeSaysHowToGoOn: a run that resumes and is interrupted, before or after
// it saves, names the command line that goes on.
func TestResumeSaysHowToGoOn(t *testing.T) {
	_, args := stopped(t)
	for _, every := range []string{"0s", "1h"} {
		ctx, cancel := context.WithCancel(context.Background())
		run.AfterSave = cancel
		if every == "1h" {
			cancel()
		}
		var errs bytes.Buffer
		code := execute(ctx, instead(args, "--resume", "--checkpoint-every", every), streams.Stdio{In: strings.NewReader(""), Out: &errs, Err: &errs})
		run.AfterSave = nil
		cancel()
		if want := "the state is in state; go on with\n  adp-sparse run --checkpoint state"; code != exits.Interrupted || !strings.Contains(errs.String(), want) || strings.Count(errs.String(), "--resume") != 1 {
			t.Errorf("every %s: exit %d, %s", every, code, &errs)
		}
	}
	if code, _, errs := call(append(args, "--resume")...); code != exits.OK {
		t.Errorf("exit %d, %s", code, errs)
	}
}
