//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// named finds what looks like a flag in a message, with the word before it.
var named = regexp.MustCompile("(?:([a-z-]+) )?--([a-z][a-z0-9-]*)")

// others are command lines of other programs, in messages and examples.
var others = regexp.MustCompile("(zstd|xz|curl|nx|pip|go|mpirun|jq) [^);`]*")

// flagFaults returns the flags that a message names and that neither the command at hand has nor the
// command that stands before them, such as run in "run --multilabel".
func flagFaults(root, cmd *cobra.Command, message string) (faults []string) {
	last := cmd
	message = others.ReplaceAllString(message, "")
	for _, m := range named.FindAllStringSubmatch(message, -1) {
		if m[2] == "help" || m[2] == "version" { // which all have
			continue
		}
		of := cmd
		if m[1] == root.Name() {
			of = root
		}
		for _, other := range root.Commands() {
			if other.Name() == m[1] {
				of, last = other, other
			}
		}
		if !slices.Contains(usage.FlagNames(of), m[2]) && !slices.Contains(usage.FlagNames(last), m[2]) {
			faults = append(faults, "--"+m[2])
		}
	}
	return faults
}

// TestFlagsInMessages runs the commands on all inputs of the corpus, and each flag that they name
// on standard error is one that the command has.
func TestFlagsInMessages(t *testing.T) {
	if testing.Short() {
		return
	}
	root := newRoot(streams.Stdio{})
	said := map[string]string{} // by command and flag
	folder, runs := t.TempDir(), 0
	for k, c := range corpus(t) {
		if named := strings.Contains(c.says, "--"); !full() && k%16 != 0 && !(named && k%4 == 0) {
			continue
		}
		if c.env != "" || c.drop || c.stdin != "" || c.setup != nil || isLarge(c.files) {
			continue
		}
		dir := filepath.Join(folder, fmt.Sprint(k))
		c.prepare(t, dir)
		must(t, os.WriteFile(filepath.Join(dir, "p"), []byte(fewPredicted), 0o644))
		t.Chdir(dir)
		for _, args := range readings(c.args) {
			runs++
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			if args[0] == "serve" { // until it serves
				ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
			}
			var out, errs bytes.Buffer
			execute(ctx, args, streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs})
			cancel()
			cmd, _, err := root.Find(args)
			if err != nil {
				continue
			}
			for _, fault := range flagFaults(root, cmd, errs.String()) {
				if !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, fault) }) { // which it refuses
					said[args[0]+" "+fault] = errs.String()
				}
			}
		}
	}
	t.Logf("%d runs", runs)
	for key, message := range said {
		t.Errorf("%s: %s", key, message)
	}
}

// isLarge reports whether a file holds more than 100 KiB; with ADPSPARSE_FULL as it is, else
// unpacked, for a dozen commands would read all of it.
func isLarge(files map[string]string) bool {
	const most = 100 << 10
	for _, text := range files {
		if len(text) > most {
			return true
		}
		if full() {
			continue
		}
		if plain, err := stream.Reader(strings.NewReader(text)); err == nil {
			n, _ := io.CopyN(io.Discard, plain, most+1) // how far a damaged one can be read
			if n > most {
				return true
			}
		}
	}
	return false
}

// readings returns a command line of the corpus, and those of other commands that read the same
// files.
func readings(args string) (all [][]string) {
	words := strings.Fields(args)
	if len(words) == 0 || words[0] == "serve" {
		return nil
	}
	all = append(all, words)
	rest, isRun := strings.CutPrefix(args, onPath)
	if !isRun || rest != "" {
		return all
	}
	for _, other := range []string{
		"convert --edges g --out out.tsv", "inspect --edges g --labels s", "inspect --edges g --labels s --json", "partition --edges g --parts 1 --out parts", "suggest --edges g --labels s",
		"explain --edges g --labels s --node a", "tune --edges g --labels s --methods lgc --alphas 0.5", "eval --predictions p --truth s", "convert --edges s --out out.tsv", "knn --features g --k 1 --out out.tsv", "knn --features s --k 1 --out out.tsv",
		"serve --edges g --labels s --listen 127.0.0.1:0",
		"run --edges g --features s --labels s", "run --edges g --labels s --multilabel", "eval --predictions g --truth s", "eval --predictions p --truth g",
	} {
		all = append(all, strings.Fields(other))
	}
	return all
}

// homes are the commands that a package of commands prints the messages of; tune prints command lines
// of run too.
var homes = map[string]string{"run": "run", "tune": "tune run", "predict": "predict", "serve": "serve", "diffusion": "explain suggest", "tables": "knn convert partition gen eval inspect"}

// TestFlagsInTexts: each flag in a text of the program is one of a command that can print the text;
// of texts that commands share, one of any.
func TestFlagsInTexts(t *testing.T) {
	root := newRoot(streams.Stdio{})
	all := []*cobra.Command{root}
	all = append(all, root.Commands()...)
	found := 0
	for _, tree := range []string{".", "../internal"} {
		must(t, filepath.WalkDir(tree, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			commands := all
			if home := homes[filepath.Base(filepath.Dir(path))]; home != "" {
				commands = nil
				for _, name := range strings.Fields(home) {
					cmd, _, err := root.Find([]string{name})
					must(t, err)
					commands = append(commands, cmd)
				}
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			must(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				text, ok := n.(*ast.BasicLit)
				if !ok || text.Kind != token.STRING || !strings.Contains(text.Value, "--") {
					return true
				}
				found++
				// A flag that some command lacks is a fault if all of them do.
				var faults []string
				for k, cmd := range commands {
					lacks := flagFaults(root, cmd, text.Value)
					if k == 0 {
						faults = lacks
					}
					faults = slices.DeleteFunc(faults, func(flag string) bool { return !slices.Contains(lacks, flag) })
				}
				if len(faults) > 0 {
					t.Errorf("%s: no command here has %s: %s", files.Position(text.Pos()), strings.Join(faults, ", "), text.Value)
				}
				return true
			})
			return nil
		}))
	}
	if found < 200 {
		t.Errorf("%d texts with flags: the test tells little", found)
	}
}

// TestFlagFaults: a flag of another command counts where that command is named.
func TestFlagFaults(t *testing.T) {
	root := newRoot(streams.Stdio{})
	for message, want := range map[string]string{
		"say --labels-header":                              "--labels-header",
		"say --truth-header":                               "",
		"run --labels-header":                              "",
		"run --labels-header and --edges":                  "",
		"adp-sparse run --topk":                            "",
		"convert --labels-header":                          "--labels-header",
		"unpack it (zstd -d --long=31)":                    "",
		"unpack it (zstd -d --long=31), and --no-such-one": "--no-such-one",
		"see adp-sparse eval --help":                       "",
	} {
		cmd, _, err := root.Find([]string{"eval"})
		must(t, err)
		if got := strings.Join(flagFaults(root, cmd, message), " "); got != want {
			t.Errorf("%s: %q, expected %q", message, got, want)
		}
	}
}
