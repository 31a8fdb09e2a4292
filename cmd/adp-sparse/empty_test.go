package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestNothingToDo: lists without values and numbers of nothing are usage errors, before
// any work.
func TestNothingToDo(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nb x\nc y\nd y\n")
	for _, name := range []string{"karate.edges.tsv", "karate.labels.tsv"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(read(t, name)), 0o644))
	}
	tune := []string{"tune", "--edges", dir + "/g", "--labels", dir + "/s"}
	accuracy := []string{"bench", "accuracy", "--data", dir, "--methods", "lgc"}
	graphs := []string{"bench", "graphs", "--data", dir, "--sets", "karate"}
	confidence := []string{"bench", "confidence", "--data", dir, "--sets", "karate", "--method", "lgc"}
	for _, c := range []struct {
		of, args []string
		says     string
	}{
		{tune, []string{"--methods", ""}, "--methods names none, expected some of lgc, adp, adp1 and gfhf"},
		{accuracy, []string{"--sets", "karate", "--labels", "-1"}, "--labels -1, expected at least 1"},
		{accuracy, []string{"--sets", "karate", "--labels", "1,0"}, "--labels 0, expected at least 1"},
		{accuracy, []string{"--sets", "karate", "--draws", "0"}, "--draws 0, expected at least 1"},
		{accuracy, []string{"--sets", "karate", "--draws", "-3"}, "--draws -3, expected at least 1"},
		{accuracy, []string{"--sets", "karate:99"}, `set "karate:99": only sets of features can be cut to some classes`},
		{accuracy, []string{"--sets", ""}, "no sets, expected some"},
		{accuracy[:4], []string{"--sets", "karate", "--methods", ""}, "no methods, expected some"},
		{graphs, []string{"--labels", "-1"}, "--labels -1, expected at least 1"},
		{graphs, []string{"--methods", ""}, "no methods, expected some"},
		{confidence, []string{"--labels", "-1"}, "--labels -1, expected at least 1"},
		{confidence, []string{"--draws", "0"}, "--draws 0, expected at least 1"},
	} {
		code, out, errs := func() (code int, out, errs string) {
			defer func() {
				if v := recover(); v != nil {
					t.Errorf("%q: panic: %v", c.args, v)
				}
			}()
			return call(append(c.of[:len(c.of):len(c.of)], c.args...)...)
		}()
		if code != exitUsage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%q: exit %d, %s%s", c.args, code, out, errs)
		}
	}
}

// TestEmptyNames: a file or folder that is named by an empty text, as by a variable of the
// shell that is not set, is refused before anything is read, for every such flag of every
// command.
func TestEmptyNames(t *testing.T) {
	dir := files(t, "c.toml", "[run]\nout = ''\n")
	tried := map[string]bool{}
	var try func(cmd *cobra.Command)
	try = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if kind := flag.Value.Type(); kind != "string" && kind != "stringArray" || slices.Contains(otherTexts, flag.Name) {
				return
			}
			tried[flag.Name] = true
			code, out, errs := call(append(path[:len(path):len(path)], "--"+flag.Name, "")...)
			if want := "--" + flag.Name + " has no name"; code != exitUsage || out != "" || !strings.Contains(errs, want) {
				t.Errorf("%s --%s '': exit %d, %s%s", cmd.CommandPath(), flag.Name, code, out, errs)
			}
		})
		for _, sub := range cmd.Commands() {
			try(sub)
		}
	}
	try(newRoot(stdio{strings.NewReader(""), io.Discard, io.Discard}))
	for _, name := range slices.Concat(outputFlags, otherFiles) {
		if !tried[name] && name != configFlag {
			t.Errorf("no command has the flag %s of a file", name)
		}
	}
	for _, args := range [][]string{{"run", "--edges", "g", "--labels", "s", "--report", "r.json", "--report", ""}, {"run", "--config", ""}, {"run", "--config", dir + "/c.toml"}} {
		if code, _, errs := call(args...); code != exitUsage || !strings.Contains(errs, " has no name") {
			t.Errorf("%q: exit %d, %s", args, code, errs)
		}
	}
}

// otherTexts are flags of text that name no file or folder.
var otherTexts = []string{
	"log", "header", "duplicates", "weight-key", "label-column", "label-id", "label-weight", "unknown-labels", "format", "array", "id-column",
	"graph-kind", "metric", "scale", "weights", "knn", "symmetrize", "connect", "method", "balance", "class-prior", "solver", "faint", "select",
	"harden", "hubs", "calibrate", "memory-limit", "reorder", "kind", "node", "listen", "set", "pattern", "python", "peers", "splits", "score",
}
