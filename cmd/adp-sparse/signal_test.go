//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals: the first interrupt or termination ends a run with its exit
// code, one message, and no output.
func TestSignals(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	dir, program := longRun(t)
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		cmd := exec.Command(program, "run", "--edges", dir+"/g", "--labels", dir+"/s", "--out", dir+"/out", "--method", "dense")
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		begun(t, func() bool { return has(dir, ".out.partial") })
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != code || !strings.Contains(errs.String(), "interrupted; no output") {
			t.Errorf("%v: %v, stderr %q", signal, err, errs.String())
		}
		if left := listing(t, dir); left != "g s" {
			t.Errorf("%v: left %s", signal, left)
		}
	}
}

// TestSecondInterrupt: a program that is busy where it does not see the first
// interrupt, here reading a pipe that stays open, ends by the next.
func TestSecondInterrupt(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	dir := files(t, "s", "a x\n", "out", "old\n")
	cmd, in := waiting(t, dir)
	defer in.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// When an interrupt is seen depends on the system: send them until one ends it.
	sent := 0
	for over := false; !over; sent++ {
		_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended
		select {
		case <-ended:
			over = true
		case <-time.After(10 * time.Millisecond):
		}
	}
	state, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || state.Signal() != syscall.SIGINT || sent < 2 {
		t.Errorf("%v after %d interrupts, expected the second to end it", cmd.ProcessState, sent)
	}
	if read(t, dir+"/out") != "old\n" {
		t.Error("the output was changed")
	}
}

// begun waits until the run that was started is so far.
func begun(t *testing.T, sofar func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !sofar(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the run does not begin")
		}
	}
}

func has(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// longRun returns the program and makes a graph, g, on which the dense form takes
// minutes, with seeds s.
func longRun(t *testing.T) (dir, program string) {
	t.Helper()
	dir = t.TempDir()
	program = built(t)
	var edges strings.Builder
	const n = 3000
	for i := range n { // the dense form takes minutes on it
		fmt.Fprintf(&edges, "%d %d\n%d %d\n%d %d\n", i, (i+1)%n, i, (i*7+3)%n, i, (i*31+11)%n)
	}
	for name, text := range map[string]string{"g": edges.String(), "s": "0 a\n1500 b\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, program
}

// TestCutDuringRun: a graph file that is cut short while it is mapped ends
// the run as bad data, and not by a signal.
func TestCutDuringRun(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	dir, program := longRun(t)
	if code, _, errs := call("convert", "--edges", dir+"/g", "--out", dir+"/g.csr"); code != 0 {
		t.Fatal(errs)
	}
	cmd := exec.Command(program, "run", "--graph", dir+"/g.csr", "--labels", dir+"/s", "--out", dir+"/out", "--method", "dense")
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun(t, func() bool {
		maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", cmd.Process.Pid))
		if err != nil { // a system without it
			time.Sleep(time.Second)
		}
		return err != nil || strings.Contains(string(maps), dir+"/g.csr")
	})
	if err := os.Truncate(dir+"/g.csr", 128); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(errs.String(), "g.csr: cut short by another process") {
		t.Errorf("%v, stderr %q", err, errs.String())
	}
}
