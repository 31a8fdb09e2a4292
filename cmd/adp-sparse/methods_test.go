package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/run"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// TestMethods: each method of the table is known to --method, runs, says what it is in its
// report, is in the help, and in the documents that list methods; flags are refused to it
// or taken as its traits say.
func TestMethods(t *testing.T) {
	documents := map[string]string{}
	for _, name := range []string{"../../README.md", "../../docs/method.md"} {
		documents[name] = read(t, name)
	}
	flags := run.New(streams.Stdio{}).Flags()
	t.Chdir(files(t, "g", "a b\nb c\na c\nc d\nd e\ne f\nd f\n", "s", "a x\nf y\n"))
	_, manual, _ := call("man", "run")
	for _, m := range adp.Methods() {
		name := m.String()
		if code, _, errs := call("run", "--edges", "g", "--labels", "s", "--method", name, "--out", "out", "--report", "r.json"); code != 0 {
			t.Errorf("%s: exit %d, %s", name, code, errs)
			continue
		}
		if !strings.Contains(read(t, "r.json"), `"method": "`+name+`"`) || strings.Count(read(t, "out"), "\n") != 7 {
			t.Errorf("%s: the report does not name it, or labels are missing", name)
		}
		if !strings.Contains(manual, roff(m.Described())) {
			t.Errorf("%s is not in the manual", m.Described())
		}
		for file, text := range documents {
			if !strings.Contains(text, "`--method "+name+"`") && !strings.Contains(text, "`"+name+"`") {
				t.Errorf("%s does not name the method %s", file, name)
			}
		}
		for _, part := range run.LookedAt {
			for _, flag := range part.Flags {
				_, _, errs := call("run", "--edges", "g", "--labels", "s", "--out", "out", "--method", name, "--"+flag, flags.Lookup(flag).DefValue)
				if refused := strings.Contains(errs, "--"+flag+" is for --method "); refused == m.Has(part.Trait) {
					t.Errorf("--method %s --%s: %s", name, flag, errs)
				}
			}
		}
	}
	for _, part := range run.LookedAt {
		if slices.Equal(part.Trait.Methods(), adp.Methods()) {
			t.Errorf("all methods look at %v, which need no entry", part.Flags)
		}
	}
}
