//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// commandLine is a command line of the program and what it is given.
type commandLine struct {
	Dir   string
	Args  []string
	Stdin string
}

// ended is how a command line ended.
type ended struct {
	Code           int
	Stdout, Stderr string
	How            string // as the system says it, of a process that ended
	Peak           int64  // bytes of memory
	Took           time.Duration
}

// longest is the time that a command line may take.
const longest = 5 * time.Minute

// run runs the command line in a worker. With ADPSPARSE_FULL it starts the program, and also with
// ADP_SPARSE_PROGRAM, which says that another program is on trial.
func (c *commandLine) run(t *testing.T, program string) ended {
	t.Helper()
	if full() || os.Getenv("ADP_SPARSE_PROGRAM") != "" {
		return c.start(t, append([]string{program}, c.Args...), nil)
	}
	w := takeWorker(t)
	e, alive := w.run(t, c)
	if alive {
		idle <- w
	}
	return e
}

// start runs the command line in a process of its own: words are what the process is started by.
func (c *commandLine) start(t *testing.T, words []string, as *syscall.SysProcAttr) ended {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Env, cmd.SysProcAttr = c.Dir, strings.NewReader(c.Stdin), append(os.Environ(), "GOMAXPROCS=2"), as
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	e := endOf(cmd.ProcessState)
	e.Stdout, e.Stderr = stdout.String(), stderr.String()
	return e
}

// endOf is how a process ended.
func endOf(p *os.ProcessState) ended {
	e := ended{Code: p.ExitCode(), How: p.String(), Took: p.UserTime() + p.SystemTime()}
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		e.Peak = int64(usage.Maxrss) << 10
	}
	return e
}

// worker is this test binary in a process of its own, which runs one command line after another:
// starting the program for each takes several times the processor time of all that it does. A
// command line that ends its process takes the worker with it, and has what the worker wrote.
type worker struct {
	cmd      *exec.Cmd
	requests *gob.Encoder
	replies  *gob.Decoder
	written  *os.File // past the streams of the command line
}

// idle are the workers that wait for a command line. They end with this process, when their
// requests do.
var idle = make(chan *worker, 1024)

const workerVariable = "ADPSPARSE_TEST_WORKER"

func takeWorker(t *testing.T) *worker {
	t.Helper()
	select {
	case w := <-idle:
		return w
	default:
	}
	path, err := os.Executable()
	must(t, err)
	requests, toWorker, err := os.Pipe()
	must(t, err)
	fromWorker, replies, err := os.Pipe()
	must(t, err)
	w := &worker{cmd: exec.Command(path), requests: gob.NewEncoder(toWorker), replies: gob.NewDecoder(fromWorker)}
	w.written, err = os.CreateTemp("", "adp-sparse-worker-*")
	must(t, err)
	must(t, os.Remove(w.written.Name()))
	w.cmd.Env = append(os.Environ(), workerVariable+"=1", "GOMAXPROCS=2")
	w.cmd.Stdout, w.cmd.Stderr, w.cmd.ExtraFiles = w.written, w.written, []*os.File{requests, replies}
	must(t, w.cmd.Start())
	must(t, errors.Join(requests.Close(), replies.Close()))
	return w
}

// run has the worker run a command line, and says whether it lives.
func (w *worker) run(t *testing.T, c *commandLine) (e ended, alive bool) {
	t.Helper()
	late := time.AfterFunc(longest, func() { _ = w.cmd.Process.Kill() })
	defer late.Stop()
	err := w.requests.Encode(c)
	if err == nil {
		err = w.replies.Decode(&e)
	}
	if err != nil {
		_ = w.cmd.Wait() // its state says it
		e = endOf(w.cmd.ProcessState)
	}
	past, seekErr := w.written.Seek(0, io.SeekCurrent)
	must(t, seekErr)
	if past > 0 {
		text := make([]byte, past)
		_, readErr := w.written.ReadAt(text, 0)
		must(t, readErr)
		e.Stderr += string(text)
		if err == nil {
			t.Errorf("written past standard output and standard error: %s", text)
			_ = w.cmd.Process.Kill()
			_ = w.cmd.Wait()
		}
	}
	return e, err == nil && past == 0
}

// A worker is no test: it runs command lines until there are no more.
func init() {
	if os.Getenv(workerVariable) == "" {
		return
	}
	requests, replies := gob.NewDecoder(os.NewFile(3, "requests")), gob.NewEncoder(os.NewFile(4, "replies"))
	for {
		var c commandLine
		if err := requests.Decode(&c); err != nil {
			os.Exit(0)
		}
		e, err := c.inProcess()
		if err == nil {
			err = replies.Encode(e)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
	}
}

// inProcess runs the command line in this process.
func (c *commandLine) inProcess() (ended, error) {
	if err := os.Chdir(c.Dir); err != nil {
		return ended{}, err
	}
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // Linux: the peak begins anew
	before := processorTime()
	var stdout, stderr bytes.Buffer
	code := execute(context.Background(), c.Args, streams.Stdio{In: strings.NewReader(c.Stdin), Out: &stdout, Err: &stderr})
	return ended{Code: code, Stdout: stdout.String(), Stderr: stderr.String(), Peak: machine.PeakResident(), Took: processorTime() - before}, nil
}

// processorTime is what this process took.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
