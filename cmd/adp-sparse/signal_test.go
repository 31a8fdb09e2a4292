//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/configfile"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
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

// TestTwinSignals: two terminations within milliseconds, as to a process and to its group, are one: the run ends
// in order and leaves nothing.
func TestTwinSignals(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	dir, program := longRun(t)
	cmd := exec.Command(program, "run", "--edges", dir+"/g", "--labels", dir+"/s", "--out", dir+"/out", "--method", "dense")
	var errs strings.Builder
	cmd.Stderr = &errs
	must(t, cmd.Start())
	begun(t, func() bool { return has(dir, ".out.partial") })
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	for range 10 {
		time.Sleep(time.Millisecond)
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 143 || !strings.Contains(errs.String(), "interrupted; no output") {
		t.Errorf("%v, stderr %q", cmd.ProcessState, errs.String())
	}
	if left := listing(t, dir); left != "g s" {
		t.Errorf("left %s", left)
	}
}

// TestCallerEnds: a program that another one runs for itself ends with that, as at an interrupt, and takes the
// folder of the run with it. Another folder that the variable names stays, and so does one of another name.
func TestCallerEnds(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	for _, c := range []struct {
		name string
		own  bool // the folder is that of the run
		gone bool
	}{{"adp-sparse-1", true, true}, {"adp-sparse-1", false, false}, {"home", true, false}} {
		from, program := longRun(t)
		dir := filepath.Join(t.TempDir(), c.name)
		must(t, os.Mkdir(dir, 0o700))
		for _, file := range []string{"g", "s"} {
			must(t, os.Rename(filepath.Join(from, file), filepath.Join(dir, file)))
		}
		folder := dir
		if !c.own {
			folder = filepath.Join(t.TempDir(), c.name)
			must(t, os.Mkdir(folder, 0o700))
		}
		cmd := exec.Command(program, "run", "--edges", "g", "--labels", "s", "--out", "out", "--method", "dense")
		var errs strings.Builder
		cmd.Dir, cmd.Stderr, cmd.Env = dir, &errs, append(os.Environ(), "ADPSPARSE_HELD="+folder)
		pipe, err := cmd.StdinPipe()
		must(t, err)
		must(t, cmd.Start())
		begun(t, func() bool { return has(dir, ".out.partial") })
		must(t, pipe.Close())
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(errs.String(), "interrupted; no output") {
			t.Errorf("%v, stderr %q", cmd.ProcessState, errs.String())
		}
		if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) != c.gone {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestInterruptWhileWriting: convert from a file in memory form, and partition, end
// by the first interrupt and leave nothing.
func TestInterruptWhileWriting(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if code, _, errs := call(strings.Fields("gen --nodes 3000 --out g.csr --quiet")...); code != 0 {
		t.Fatal(errs)
	}
	for _, args := range []string{"convert --graph g.csr --out g.tsv", "convert --graph g.csr --out g.mtx", "partition --graph g.csr --parts 3 --out p"} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var errs strings.Builder
		if code := execute(ctx, strings.Fields(args), streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &errs}); code != 130 || !strings.Contains(errs.String(), "interrupted; no output was written") {
			t.Errorf("%s: exit %d, %s", args, code, errs.String())
		}
		if left := listing(t, dir); left != "g.csr" {
			t.Errorf("%s: left %s", args, left)
		}
	}
}

// TestLeftOutput: a reader of standard output that has left ends the program without a message;
// files besides are whole, and there is no temporary one.
func TestLeftOutput(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nd y\n", "report.json", "old\n")
	before := listing(t, dir)
	cmd := exec.Command(built(t), "run", "--edges", "g", "--labels", "s", "--report", "report.json", "--quiet")
	out, in, err := os.Pipe()
	must(t, err)
	must(t, out.Close())
	defer in.Close()
	var errs strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, in, &errs
	err = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != exits.Gone || errs.String() != "" {
		t.Errorf("exit %d (%v), %q", code, err, &errs)
	}
	if after := listing(t, dir); after != before || !json.Valid([]byte(read(t, dir+"/report.json"))) {
		t.Errorf("left %s, before %s", after, before)
	}
}

// TestStoppedInput: reading ends with the context, from files too, and flags that name
// a file take a pipe.
func TestStoppedInput(t *testing.T) {
	dir := files(t, "g", "a b\n")
	ctx, stop := context.WithCancel(context.Background())
	f, in, err := inputs.Open(ctx, dir+"/g")
	must(t, err)
	defer f.Close()
	b := make([]byte, 2)
	if n, err := in.Read(b); n != 2 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	stop()
	if n, err := in.Read(b); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes, %v after the end", n, err)
	}
	if n, err := in.(io.ReaderAt).ReadAt(b, 0); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes at 0, %v after the end", n, err)
	}
	must(t, syscall.Mkfifo(dir+"/p", 0o600))
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	if err := configfile.Load(cmd, dir+"/p"); !errors.Is(err, context.Canceled) {
		t.Errorf("--config: %v", err)
	}
}

// TestInterruptAtPipe: the first interrupt or termination ends a program that waits
// for a pipe, whatever it reads from it: standard input that stays open, or a pipe
// by name, which nobody writes to or where the writer stops.
func TestInterruptAtPipe(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	program := built(t)
	fifo := func(name, text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			must(t, syscall.Mkfifo(dir+"/"+name, 0o600))
			if text == "" {
				return
			}
			f, err := os.OpenFile(dir+"/"+name, os.O_RDWR, 0) // does not wait for a reader
			must(t, err)
			_, err = f.WriteString(text)
			must(t, err)
			t.Cleanup(func() { f.Close() })
		}
	}
	gzip := packed(t, ".gz", strings.Repeat("a b\n", 1000))
	for k, c := range []struct {
		args, stdin string
		setup       func(t *testing.T, dir string)
	}{
		{"run --edges - --labels s --out out", "", nil},
		{"run --edges - --labels s --out out", "a b\nb ", nil},
		{"run --edges - --labels s --out out", gzip[:len(gzip)-9], nil},
		{"run --edges - --labels s --out out --memory-limit 1GiB --checkpoint state", "a b\n", nil},
		{"run --edges g --labels - --out out", "a x\n", nil},
		{"run --edges g --labels - --label-column kind --out out", "id,kind\na,x\n", nil},
		{"run --edges g --labels - --out out", "PAR1", nil},
		{"run --features - --format csv --labels s --out out", "1,2\n3,4\n", nil},
		{"run --features - --format npy --labels s --out out", "\x93NUMPY", nil},
		{"convert --edges - --out out.csr", "a b\n", nil},
		{"convert --edges - --out out.csr --memory-limit 64MiB", "a b\n", nil},
		{"convert --graph p.mtx --out out.tsv", "", fifo("p.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n")},
		{"convert --graph p.graphml --out out.tsv", "", fifo("p.graphml", "<graphml><graph edgedefault='undirected'>")},
		{"convert --graph p.npz --out out.tsv", "", fifo("p.npz", "PK\x03\x04")},
		{"run --graph p.csr --labels s --out out", "", fifo("p.csr", "")},
		{"suggest --graph p.csr --count 1 --out out", "", fifo("p.csr", "\x89CSR")},
		{"run --edges p --labels s --out out", "", fifo("p", "")},
		{"run --edges g --labels p --out out", "", fifo("p", "")},
		{"run --edges /dev/stdin --labels s --out out", "a b\n", nil},
		{"run --edges g --labels s --warm p.npz --out out", "", fifo("p.npz", "")},
		{"knn --neighbors p.ivecs --distances p.ivecs --k 1 --out out.tsv", "", fifo("p.ivecs", "\x01\x00\x00\x00")},
		{"eval --predictions - --truth s", "node\tlabel\tconfidence\tmargin\tstatus\n", nil},
	} {
		dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nd y\n", "out", "old\n")
		if c.setup != nil {
			c.setup(t, dir)
		}
		before := listing(t, dir)
		cmd := exec.Command(program, append(strings.Fields(c.args), "--log", "json")...)
		cmd.Dir = dir
		in, err := cmd.StdinPipe()
		must(t, err)
		errs, err := os.Create(filepath.Join(t.TempDir(), "errs"))
		must(t, err)
		cmd.Stderr = errs
		must(t, cmd.Start())
		_, err = in.Write([]byte(c.stdin))
		must(t, err)
		begun(t, func() bool { return strings.Contains(read(t, errs.Name()), `"start"`) })
		time.Sleep(50 * time.Millisecond) // where it waits now, in most runs
		signal, code := syscall.SIGINT, 130
		if k%2 == 1 {
			signal, code = syscall.SIGTERM, 143
		}
		must(t, cmd.Process.Signal(signal))
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Errorf("%s: it goes on after %v", c.args, signal)
			must(t, cmd.Process.Kill())
			<-ended
			continue
		}
		text := read(t, errs.Name())
		if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(text, "interrupted; no output was written") {
			t.Errorf("%s: %v, exit %d, stderr %q", c.args, signal, got, text)
		}
		if after := listing(t, dir); after != before || read(t, dir+"/out") != "old\n" {
			t.Errorf("%s: left %s, before %s", c.args, after, before)
		}
	}
}

// TestSecondInterrupt: a program that is busy where it does not see the first
// interrupt, here writing to a pipe that nobody reads, ends by the next.
func TestSecondInterrupt(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	dir := files(t, "g", path(20000), "s", "0 x\n19999 y\n", "old", "old\n")
	must(t, syscall.Mkfifo(dir+"/pipe", 0o600))
	cmd := exec.Command(built(t), "run", "--edges", "g", "--labels", "s", "--method", "lgc", "--alpha", "0.5", "--out", "pipe", "--report", "old", "--quiet")
	cmd.Dir = dir
	must(t, cmd.Start())
	pipe, err := os.Open(dir + "/pipe")
	must(t, err)
	defer pipe.Close()
	_, err = pipe.Read(make([]byte, 1)) // it writes, and more than the pipe holds
	must(t, err)
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
	if read(t, dir+"/old") != "old\n" {
		t.Error("the output was changed")
	}
}

// TestRewrittenParts: the names of a graph in parts are mapped; where another process writes
// into them during the run nothing is written.
func TestRewrittenParts(t *testing.T) {
	dir := files(t, "g", "n1 n2\nn2 n3\nn3 n4\n")
	if code, _, errs := call("partition", "--edges", dir+"/g", "--parts", "1", "--out", dir+"/parts"); code != 0 {
		t.Fatal(errs)
	}
	must(t, syscall.Mkfifo(dir+"/pipe", 0o600))
	nodes := dir + "/parts/nodes.csr"
	content := strings.Replace(read(t, nodes), "n4", "n5", 1)
	go func() {
		pipe, err := os.OpenFile(dir+"/pipe", os.O_WRONLY, 0) // when the run reads its labels
		if err != nil {
			t.Error(err)
			return
		}
		later := time.Now().Add(time.Minute)
		_, err = io.WriteString(pipe, "n1 x\nn3 y\n")
		if err := errors.Join(os.WriteFile(nodes, []byte(content), 0o600), os.Chtimes(nodes, later, later), err, pipe.Close()); err != nil {
			t.Error(err)
		}
	}()
	code, _, errs := call("run", "--graph", dir+"/parts", "--labels", dir+"/pipe", "--topk", "2", "--out", dir+"/out")
	if code != exits.Data || !strings.Contains(errs, "nodes.csr: changed by another process") {
		t.Errorf("exit %d, stderr %q", code, errs)
	}
	if got := listing(t, dir); got != "g parts pipe" {
		t.Errorf("left %s", got)
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

// endsAt is a context that ends where a package asks for it.
type endsAt struct {
	context.Context
	where string
	ended atomic.Bool
}

func (c *endsAt) Err() error {
	callers := make([]uintptr, 64)
	for frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)]); ; {
		frame, more := frames.Next()
		if strings.Contains(frame.Function, c.where) {
			c.ended.Store(true)
		}
		if !more {
			break
		}
	}
	if c.ended.Load() {
		return context.Canceled
	}
	return nil
}

// TestInterruptWhileDrawing: a run ends where its page and its pictures are drawn, and leaves nothing. So it
// does while the outputs are written.
func TestInterruptWhileDrawing(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\nd e\n", "s", "a x\ne y\n")
	t.Chdir(dir)
	for args, where := range map[string]string{
		"--report r.html":              "internal/htmlreport.",
		"--report r.json --pictures p": "internal/htmlreport.",
		"--report r.json":              "labelfile.Write",
		"--report s.json --quiet":      "report.WriteJSON",
	} {
		var errs strings.Builder
		code := execute(&endsAt{Context: t.Context(), where: where}, strings.Fields("run --edges g --labels s --out out "+args), streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
		if code != 130 || errs.String() != "adp-sparse: interrupted; no output was written\n" {
			t.Errorf("%s: exit %d, %s", args, code, errs.String())
		}
		if left := listing(t, dir); left != "g s" {
			t.Errorf("%s: left %s", args, left)
		}
	}
}
