package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// call runs the command line and returns the exit code and what was written.
func call(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = program.Run(context.Background(), args, streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, newRoot)
	return code, out.String(), errs.String()
}

// build makes both programs, once, in one folder.
var build = sync.OnceValues(func() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "adp-bench-test-*"); err != nil {
		return "", err
	}
	programFolder = folder
	if text, err := exec.Command("go", "build", "-o", folder, ".", "../adp-sparse").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return folder, nil
})

var programFolder string

// built returns the path of a program.
func built(t *testing.T, name string) string {
	t.Helper()
	if racing.On {
		t.Skip("under the race detector: the program that is built here has none; this test runs without it")
	}
	folder, err := build()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(folder, name)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if programFolder != "" {
		os.RemoveAll(programFolder)
	}
	os.Exit(code)
}

// files writes name–content pairs to a new folder.
func files(t *testing.T, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for k := 0; k < len(pairs); k += 2 {
		if err := os.WriteFile(filepath.Join(dir, pairs[k]), []byte(pairs[k+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFindProgram: the program that runs are made of is the one that is given, else the one
// beside this program, else the one on the PATH; none is an error of usage.
func TestFindProgram(t *testing.T) {
	name := measured
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir := files(t, name, "")
	at := filepath.Join(dir, name)
	if err := os.Chmod(at, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for _, given := range []string{"", measured, at} {
		if got, err := findProgram(given); err != nil || got != at {
			t.Errorf("%q: %q, %v, expected %q", given, got, err, at)
		}
	}
	t.Setenv("PATH", t.TempDir())
	for given, want := range map[string]string{"": "--program FILE says where it is", "none": "--program: ", "./none": "--program: "} {
		if _, err := findProgram(given); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", given, err, want)
		}
	}
	if code, out, errs := call("scaling", "--nodes", "100"); code != 2 || out != "" || !strings.Contains(errs, "adp-bench: no adp-sparse beside") {
		t.Errorf("exit %d, %s%s", code, errs, out)
	}
}
