package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
