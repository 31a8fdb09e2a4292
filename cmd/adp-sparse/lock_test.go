//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
)

// waiting starts a run that has locked its output and waits for its edges.
func waiting(t *testing.T, dir string) (*exec.Cmd, io.WriteCloser) {
	cmd := exec.Command(built(t), "run", "--edges", "-", "--labels", "s", "--topk", "2", "--out", "out", "--quiet")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if pid, err := os.ReadFile(dir + "/.out.lock"); err == nil && strings.TrimSpace(string(pid)) == fmt.Sprint(cmd.Process.Pid) {
			if _, err := os.Stat(dir + "/.out.partial"); err == nil {
				return cmd, in
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("the run does not lock its output")
		}
	}
}

// TestSecondRun: of two runs that write one file the second is told who does;
// the first is not disturbed. After a SIGKILL the next run takes over.
func TestSecondRun(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nd y\n", "out", "old\n")
	second := []string{"run", "--edges", dir + "/g", "--labels", dir + "/s", "--topk", "2", "--out", dir + "/out", "--quiet"}
	first, in := waiting(t, dir)
	code, _, errs := call(second...)
	if want := fmt.Sprintf("out: another run is writing it (process %d)", first.Process.Pid); code != exits.IO || !strings.Contains(errs, want) {
		t.Errorf("exit %d, %s; want %q", code, errs, want)
	}
	fmt.Fprint(in, "a b\nb c\nc d\n")
	in.Close()
	must(t, first.Wait())
	want := read(t, dir+"/out")
	if !strings.HasPrefix(want, "node\t") || listing(t, dir) != "g out s" {
		t.Errorf("the first run left %s, out is %q", listing(t, dir), want)
	}

	first, _ = waiting(t, dir)
	must(t, first.Process.Kill())
	first.Wait()
	if read(t, dir+"/out") != want {
		t.Error("a killed run changed its output")
	}
	if code, _, errs := call(second...); code != 0 || listing(t, dir) != "g out s" || read(t, dir+"/out") != want {
		t.Errorf("after a SIGKILL: exit %d, %s; left %s", code, errs, listing(t, dir))
	}
}

// TestPairs starts runs for one output together, again and again: each either
// writes the whole output or says that another one does, and nothing is left.
func TestPairs(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	program := built(t)
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nd y\n")
	for range 20 {
		var all sync.WaitGroup
		var codes [4]int
		for k := range codes {
			all.Go(func() {
				cmd := exec.Command(program, "run", "--edges", "g", "--labels", "s", "--topk", "2", "--out", "out", "--quiet")
				cmd.Dir = dir
				text, _ := cmd.CombinedOutput()
				codes[k] = cmd.ProcessState.ExitCode()
				if codes[k] != 0 && !strings.HasPrefix(string(text), "adp-sparse: write out: another run is writing it") {
					t.Errorf("exit %d, %s", codes[k], text)
				}
			})
		}
		all.Wait()
		written := 0
		for _, code := range codes {
			if code == 0 {
				written++
			}
		}
		if written == 0 || listing(t, dir) != "g out s" {
			t.Fatalf("exits %v, left %s", codes, listing(t, dir))
		}
		lines := bufio.NewScanner(strings.NewReader(read(t, dir+"/out")))
		rows := 0
		for lines.Scan() {
			rows++
		}
		if rows != 5 {
			t.Fatalf("the output has %d lines", rows)
		}
	}
}

// TestKills kills runs at times that are spread over their length: the outputs
// are the old files or the whole new ones, and the next run succeeds and leaves
// nothing else.
func TestKills(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	program := built(t)
	dir := files(t, "g", path(3000), "s", "0 x\n2999 y\n", "out", "old\n", "out.tsv", "old\n")
	run := func() *exec.Cmd {
		cmd := exec.Command(program, "run", "--edges", "g", "--labels", "s", "--method", "lgc", "--out", "out", "--graph-out", "out.tsv", "--quiet")
		cmd.Dir = dir
		return cmd
	}
	start := time.Now()
	must(t, run().Run())
	length := time.Since(start)
	whole := [2]string{read(t, dir+"/out"), read(t, dir+"/out.tsv")}
	const kills = 40
	killed := 0
	for k := range kills {
		for name, content := range map[string]string{"/out": "old\n", "/out.tsv": "old\n"} {
			must(t, os.WriteFile(dir+name, []byte(content), 0o644))
		}
		cmd := run()
		must(t, cmd.Start())
		time.Sleep(length * time.Duration(k) / kills)
		cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		for k, name := range []string{"/out", "/out.tsv"} {
			if got := read(t, dir+name); got != "old\n" && got != whole[k] {
				t.Fatalf("%s is neither the old file nor the new one: %.100q", name, got)
			}
		}
	}
	must(t, run().Run())
	if got := listing(t, dir); got != "g out out.tsv s" {
		t.Errorf("left %s", got)
	}
	t.Logf("%d of %d runs were killed before they ended", killed, kills)
}
