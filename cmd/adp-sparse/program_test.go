package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// build makes the program, once, in a folder that every user may read. Another one
// can be tested in its place, made for another processor or system:
// ADP_SPARSE_PROGRAM is its path.
var build = sync.OnceValues(func() (path string, err error) {
	if path = os.Getenv("ADP_SPARSE_PROGRAM"); path != "" {
		return path, nil
	}
	if programFolder, err = os.MkdirTemp("", "adp-sparse-test-*"); err != nil {
		return "", err
	}
	if err := os.Chmod(programFolder, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(programFolder, "adp-sparse")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if text, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return path, nil
})

var programFolder string

// built returns the path of the program.
func built(t *testing.T) string {
	t.Helper()
	if racing.On {
		t.Skip("under the race detector: the program that is built here has none; this test runs without it")
	}
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMain(m *testing.M) {
	code := m.Run()
	if programFolder != "" {
		os.RemoveAll(programFolder)
	}
	os.Exit(code)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// path is an edge list of a path of n nodes, star one of a star.
func path(n int) string {
	var text strings.Builder
	for i := range n - 1 {
		fmt.Fprintln(&text, i, i+1)
	}
	return text.String()
}

func star(n int) string {
	var text strings.Builder
	for i := range n - 1 {
		fmt.Fprintln(&text, 0, i+1)
	}
	return text.String()
}
