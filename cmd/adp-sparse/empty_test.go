package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// TestNothingToDo: lists without values and numbers of nothing are usage errors, before
// any work.
func TestNothingToDo(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nb x\nc y\nd y\n")
	tune := []string{"tune", "--edges", dir + "/g", "--labels", dir + "/s"}
	for _, c := range []struct {
		of, args []string
		says     string
	}{
		{tune, []string{"--methods", ""}, "--methods names none, expected some of adp, adp1, lgc, gfhf and poisson"},
	} {
		code, out, errs := func() (code int, out, errs string) {
			defer func() {
				if v := recover(); v != nil {
					t.Errorf("%q: panic: %v", c.args, v)
				}
			}()
			return call(append(c.of[:len(c.of):len(c.of)], c.args...)...)
		}()
		if code != exits.Usage || out != "" || !strings.Contains(errs, c.says) {
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
			if want := "--" + flag.Name + " has no name"; code != exits.Usage || out != "" || !strings.Contains(errs, want) {
				t.Errorf("%s --%s '': exit %d, %s%s", cmd.CommandPath(), flag.Name, code, out, errs)
			}
		})
		for _, sub := range cmd.Commands() {
			try(sub)
		}
	}
	try(newRoot(streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}))
	for _, name := range slices.Concat(fileFlags.Written, fileFlags.Others) {
		if !tried[name] {
			t.Errorf("no command has the flag %s of a file", name)
		}
	}
	for _, args := range [][]string{{"run", "--edges", "g", "--labels", "s", "--report", "r.json", "--report", ""}, {"run", "--config", ""}, {"run", "--config", dir + "/c.toml"}} {
		if code, _, errs := call(args...); code != exits.Usage || !strings.Contains(errs, " has no name") {
			t.Errorf("%q: exit %d, %s", args, code, errs)
		}
	}
}

// otherTexts are flags of text that name no file or folder.
var otherTexts = []string{
	"combine", "items-id", "items-image", "image-shape",
	"log", "header", "duplicates", "weight-key", "name-key", "label-column", "label-id", "label-weight", "unknown-labels", "impute", "format", "array", "id-column",
	"graph-kind", "metric", "scale", "weights", "knn", "symmetrize", "connect", "method", "class-prior", "solver", "faint", "select",
	"calibrate", "memory-limit", "reorder", "kind", "node", "listen", "set", "pattern", "python", "peers", "splits", "score",
}
