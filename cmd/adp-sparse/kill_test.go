//go:build unix

package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// kills returns how many runs a test stops: ADPSPARSE_KILLS, else 20, or 5 with
// -short.
func kills(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("ADPSPARSE_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("ADPSPARSE_KILLS=%s, expected a number of runs", text)
		}
		return n
	}
	if testing.Short() {
		return 3
	}
	if full() {
		return 20
	}
	return 6
}

// victim is a run of the built program on a small graph.
type victim struct {
	dir, program string
	want         []any
	took         time.Duration // not stopped
	mixes        bool          // the run mixes methods, else labels by the graph alone
}

func newVictim(t *testing.T, mixes bool) *victim {
	t.Helper()
	v := &victim{program: built(t), dir: slowGraph(t, 400), mixes: mixes}
	must(t, os.Mkdir(v.dir+"/scratch", 0o755))
	start := time.Now()
	if text, err := exec.Command(v.program, v.args("want", "--checkpoint", v.dir+"/state", "--checkpoint-every", "0s")...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	v.took = time.Since(start)
	v.want = runContents(t, v.dir, "want")
	return v
}

// args are those of a run with all outputs.
func (v *victim) args(name string, more ...string) []string {
	args := append(runArgs(v.dir, name), more...)
	if !v.mixes {
		args = append(args, "--combine", "none")
	}
	return args
}

// command returns a run in the folder of the victim with all outputs, a state
// that is saved every round, any number of threads and, where it does not mix, half of the time
// with its graphs in files.
func (v *victim) command(rng *rand.Rand, more ...string) (*exec.Cmd, *strings.Builder) {
	args := append(v.args("out"), "--checkpoint", v.dir+"/state", "--checkpoint-every", "0s", "--threads", strconv.Itoa(1+rng.IntN(3)))
	if !v.mixes && rng.IntN(2) == 0 {
		args = append(args, "--scratch", v.dir+"/scratch")
	}
	cmd := exec.Command(v.program, append(args, more...)...)
	errs := &strings.Builder{}
	cmd.Stderr = errs
	return cmd, errs
}

const old = "what was there\n"

// prepare puts old outputs in place and removes what a run has left.
func (v *victim) prepare(t *testing.T) {
	t.Helper()
	left, err := filepath.Glob(v.dir + "/.out.*")
	for _, name := range append(left, v.dir+"/state", v.dir+"/.state.partial") {
		if e := os.Remove(name); !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	for _, ending := range []string{"tsv", "csr", "json"} {
		err = errors.Join(err, os.WriteFile(v.dir+"/out."+ending, []byte(old), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// check makes sure that each output is the old or the whole new one, and that no
// temporary file is left, which other systems than Linux do not promise: there a file
// has a name for a moment.
func (v *victim) check(t *testing.T) (written int) {
	t.Helper()
	if left, err := os.ReadDir(v.dir + "/scratch"); err != nil || len(left) > 0 && runtime.GOOS == "linux" {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	for k, ending := range []string{"tsv", "csr", "json"} {
		switch text := read(t, v.dir+"/out."+ending); {
		case text == old:
			continue
		case ending == "json" && !strings.HasSuffix(text, "\n}\n"), ending != "json" && text != v.want[k]:
			t.Errorf("out.%s is neither the old nor the new file: %d bytes", ending, len(text))
		}
		written++
	}
	return written
}

// finish resumes a run to its end and compares the outputs.
func (v *victim) finish(t *testing.T, rng *rand.Rand) {
	t.Helper()
	cmd, errs := v.command(rng, "--resume")
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	v.compare(t)
}

func (v *victim) compare(t *testing.T) {
	t.Helper()
	if !reflect.DeepEqual(runContents(t, v.dir, "out"), v.want) {
		t.Error("the outputs differ from those of a run that was not stopped")
	}
	if _, err := os.Stat(v.dir + "/state"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the state is still there: %v", err)
	}
}

// TestKill kills runs at random times, and those that resume them too: outputs
// are the old or the new files, whole, and the outputs of the run that ends at
// last are the same.
func TestKill(t *testing.T) {
	v := newVictim(t, false)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	killed, saved, mapped, runs := 0, 0, 0, 0
	for killed < kills(t) {
		v.prepare(t)
		resume := []string{}
		for {
			cmd, errs := v.command(rng, resume...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			runs++
			time.Sleep(time.Duration(rng.Int64N(int64(v.took))))
			_ = cmd.Process.Kill() // it may have ended
			err := cmd.Wait()
			v.check(t)
			if err == nil {
				break
			}
			if state, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || state.Signal() != syscall.SIGKILL {
				t.Fatalf("%v: %s", err, errs)
			}
			killed++
			if slices.Contains(cmd.Args, "--scratch") {
				mapped++
			}
			if _, err := os.Stat(v.dir + "/state"); err == nil {
				saved++
			}
			resume = []string{"--resume"}
			if rng.IntN(2) == 0 {
				v.finish(t, rng)
				break
			}
		}
		v.compare(t)
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d of %d runs killed, %d of them with a state, %d with graphs in files; a run takes %v", killed, runs, saved, mapped, v.took)
}

// TestInterruptAndGoOn interrupts runs at random times: they exit 130 or 143,
// write no output, and the command line that they name ends the run with the
// same outputs.
func TestInterruptAndGoOn(t *testing.T) {
	v := newVictim(t, true)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	advice := regexp.MustCompile(`(?s)interrupted; no output was written; the state is in \S+; go on with\n  (adp-sparse run .* --resume)\n`)
	interrupted, saved, most := 0, 0, kills(t)
	for try := 0; interrupted < most && try < 20*most; try++ {
		v.prepare(t)
		cmd, errs := v.command(rng)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// It has begun when there is a place for its state.
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if found, _ := filepath.Glob(v.dir + "/state*"); len(found) > 0 {
				break
			}
		}
		time.Sleep(time.Duration(rng.Int64N(int64(v.took))))
		signal, code := syscall.SIGINT, 130
		if rng.IntN(4) == 0 {
			signal, code = syscall.SIGTERM, 143
		}
		_ = cmd.Process.Signal(signal)
		err := cmd.Wait()
		if err == nil { // it was writing, or had ended
			v.compare(t)
			continue
		}
		interrupted++
		if cmd.ProcessState.ExitCode() != code || v.check(t) > 0 {
			t.Fatalf("%v: exit %d, %s", signal, cmd.ProcessState.ExitCode(), errs)
		}
		if found := advice.FindStringSubmatch(errs.String()); found != nil {
			saved++
			shell := exec.Command("sh", "-c", strings.Replace(found[1], "adp-sparse", v.program, 1))
			if text, err := shell.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", found[1], err, text)
			}
			v.compare(t)
		} else if strings.Contains(errs.String(), "no round was saved yet") {
			v.finish(t, rng)
		} else {
			t.Fatalf("no advice: %s", errs)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if interrupted < most {
		t.Errorf("%d of %d runs were interrupted", interrupted, most)
	}
	if left, _ := filepath.Glob(v.dir + "/.out*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Logf("%d interrupted, %d of them with a state; a run takes %v", interrupted, saved, v.took)
}
