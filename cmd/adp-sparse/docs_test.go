package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// TestTutorial runs the commands of docs/tutorial.md, in its order, on the files
// that it names, and compares what they print with what stands there.
func TestTutorial(t *testing.T) {
	runDocument(t, "../../docs/tutorial.md", "../../testdata/tutorial", "../../testdata/graphs")
}

// TestGuide runs those of docs/guide.md.
func TestGuide(t *testing.T) {
	runDocument(t, "../../docs/guide.md", "../../testdata/tutorial", "../../testdata/graphs")
}

// runDocument runs the lines `$ command` of the blocks of a document that are
// marked console, in a new folder with copies of all files of some others. What
// follows a command is what it prints: in it, … stands for any text, a line of …
// alone for any lines, and numbers may differ by 2 in a thousand.
func runDocument(t *testing.T, document string, folders ...string) {
	text := read(t, document)
	dir := t.TempDir()
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		must(t, err)
		for _, e := range entries {
			must(t, os.WriteFile(filepath.Join(dir, e.Name()), []byte(read(t, filepath.Join(folder, e.Name()))), 0o644))
		}
	}
	t.Chdir(dir)
	ran := 0
	for _, block := range regexp.MustCompile("(?ms)^```console\n(.*?)^```").FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			for strings.HasSuffix(command, `\`) {
				var more string
				more, want, _ = strings.Cut(want, "\n")
				command = strings.TrimSuffix(command, `\`) + more
			}
			got := shell(t, command)
			if line, ok := matches(linesOf(want), linesOf(got)); !ok {
				t.Errorf("%s: $ %s\nno line like %q in what it prints:\n%s", filepath.Base(document), command, line, got)
			}
			ran++
		}
	}
	if ran < 3 {
		t.Errorf("%s: %d commands", document, ran)
	}
}

func linesOf(text string) []string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// shell runs adp-sparse, cat or head, perhaps through head.
func shell(t *testing.T, command string) string {
	t.Helper()
	command, pipe, _ := strings.Cut(command, " | ")
	words := strings.Fields(command)
	var out bytes.Buffer
	switch words[0] {
	case "adp-sparse":
		if code := execute(context.Background(), words[1:], streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &out}); code != 0 {
			t.Fatalf("$ %s\nexit %d: %s", command, code, out.String())
		}
	case "cat":
		out.WriteString(read(t, words[1]))
	case "head":
		return head(t, read(t, words[2]), words[1])
	default:
		t.Fatalf("$ %s: not a command that this test knows", command)
	}
	if pipe != "" {
		return head(t, out.String(), strings.TrimPrefix(pipe, "head "))
	}
	return out.String()
}

func head(t *testing.T, text, flag string) string {
	n, err := strconv.Atoi(strings.TrimPrefix(flag, "-"))
	must(t, err)
	all := linesOf(text)
	return strings.Join(all[:min(n, len(all))], "\n")
}

// matches compares lines, and returns the first that is expected and not there.
func matches(want, got []string) (line string, ok bool) {
	for k, line := range want {
		if strings.TrimSpace(line) == "…" {
			for skip := range len(got) + 1 {
				if _, ok := matches(want[k+1:], got[skip:]); ok {
					return "", true
				}
			}
			return strings.Join(want[k+1:], "\n"), false
		}
		if len(got) == 0 || !alike(strings.Fields(line), strings.Fields(got[0])) {
			return line, false
		}
		got = got[1:]
	}
	if len(got) > 0 {
		return "(the end)", false
	}
	return "", true
}

// alike compares the words of two lines.
func alike(want, got []string) bool {
	for k, word := range want {
		if strings.Contains(word, "…") {
			for skip := range len(got) + 1 {
				if alike(want[k+1:], got[skip:]) {
					return true
				}
			}
			return false
		}
		if len(got) == 0 {
			return false
		}
		a, failed := strconv.ParseFloat(word, 64)
		b, wrong := strconv.ParseFloat(got[0], 64)
		if word != got[0] && (failed != nil || wrong != nil || math.Abs(a-b) > 0.002*math.Abs(a)) {
			return false
		}
		got = got[1:]
	}
	return len(got) == 0
}
