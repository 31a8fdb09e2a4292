package main

import (
	"strings"
	"testing"
)

// TestTune: points that differ by direction, not by distance, are best
// told by the cosine metric; the last line is a command that runs.
func TestTune(t *testing.T) {
	dir := directions(t)
	code, out, errs := call("tune", "--features", dir+"/x.csv", "--labels", dir+"/s", "--metrics", "l2,cosine", "--ks", "4,12", "--methods", "lgc", "--alphas", "0.9")
	if code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 1+4+1+1 || !strings.Contains(lines[1], "--metric cosine --method lgc --alpha 0.9") || !strings.Contains(lines[1], "1.0000") {
		t.Errorf("%s", out)
	}
	command := lines[len(lines)-1]
	if !strings.HasPrefix(command, "adp-sparse run --features=") || !strings.Contains(command, "--metric cosine") {
		t.Fatalf("%s", command)
	}
	args := strings.Fields(strings.Replace(command, "labels.tsv", dir+"/out", 1))[1:]
	if code, _, errs := call(args...); code != 0 || len(read(t, dir+"/out")) == 0 {
		t.Errorf("%s: exit %d, %s", command, code, errs)
	}
	for _, test := range []struct {
		says string
		args []string
	}{
		{"no seed can be left out", []string{"--features", dir + "/x.csv", "--labels", dir + "/one"}},
		{"--labels FILE", []string{"--features", dir + "/x.csv"}},
		{"--folds 1", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--folds", "1"}},
		{"--methods \"dense\"", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--methods", "dense"}},
		{"is no setting", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--alphas", "2"}},
		{"is no setting", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--topks", "0"}},
		{"standard input cannot be read again", []string{"--features", dir + "/x.csv", "--labels", "-", "--ks", "4,12"}},
		{"for graphs made of --features", []string{"--edges", dir + "/x.csv", "--labels", dir + "/s", "--metrics", "l2"}},
	} {
		if code, _, errs := call(append([]string{"tune"}, test.args...)...); code != 2 || !strings.Contains(errs, test.says) {
			t.Errorf("%q: exit %d, %s", test.args, code, errs)
		}
	}
}

func TestShellQuote(t *testing.T) {
	for word, want := range map[string]string{"a.b/c-1": "a.b/c-1", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'"} {
		if got := quoteFor("linux", word); got != want {
			t.Errorf("%q: %s, expected %s", word, got, want)
		}
	}
	for word, want := range map[string]string{`C:\a\b-1.tsv`: `C:\a\b-1.tsv`, "": `""`, `C:\a b`: `"C:\a b"`, `C:\a b\`: `"C:\a b\\"`, "it's": `"it's"`, "5%": `"5%"`} {
		if got := quoteFor("windows", word); got != want {
			t.Errorf("Windows, %q: %s, expected %s", word, got, want)
		}
	}
}
