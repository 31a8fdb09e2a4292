package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// TestConfig: flags come from the file, the command line wins, and a run with
// either is the same.
func TestConfig(t *testing.T) {
	t.Chdir(files(t, "g", "a b\nb c\nc d\n", "s", "a x\nd y\n", "lists.toml", "[run]\nreport = ['a.json', 'b.json']\n", "study.toml", `# flags of any command
threads = 1
quiet = true

[run]
edges = "g"
labels = 's'
method = "lgc"
alpha = 0.5
max-iterations = 1_000

[tune]
alphas = [0.5, 0.9]
methods = ["lgc"]
`))
	if code, _, errs := call("run", "--config", "study.toml", "--out", "1"); code != 0 || errs != "" {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if code, _, errs := call(strings.Fields("run --edges g --labels s --method lgc --alpha 0.5 --max-iterations 1000 --quiet --out 2")...); code != 0 || read(t, "1") != read(t, "2") {
		t.Errorf("exit %d, %s, or another result", code, errs)
	}
	if code, _, errs := call(strings.Fields("run --config lists.toml --edges g --labels s --quiet --out 2")...); code != 0 || read(t, "a.json") == "" || read(t, "b.json") == "" {
		t.Errorf("a flag that may be given several times: exit %d, %s", code, errs)
	}
	if code, _, errs := call("run", "--config=study.toml", "--alpha", "0.9", "--out", "3"); code != 0 || read(t, "3") == read(t, "1") {
		t.Errorf("exit %d, %s, or the file won", code, errs)
	}
	for text, want := range map[string]string{
		"threads = 1\nlabel = 's'\n":         `x.toml:2: no flag "label" of adp-sparse run; see adp-sparse run --help`,
		"\n\n[run]\nalphas = [1]\n":          `x.toml:4: no flag "alphas" of adp-sparse run`,
		"[tune]\nalphas = [0.5]\nbeta = 1":   `x.toml:3: no flag "beta" of adp-sparse tune`,
		"[walk]\n":                           `x.toml:1: no command "walk"`,
		"[run.more]\n":                       "x.toml:1: run.more has a dot",
		"run.alpha = 1\n":                    "x.toml:1: run.alpha has a dot",
		"[[run]]\n":                          "x.toml:1: an array of tables",
		"alpha = 'high'\n":                   `x.toml:1: alpha = "high": invalid argument`,
		"#\nrounds = 1.5\n":                  `x.toml:2: rounds = "1.5": invalid argument`,
		"alpha = {a = 1}\n":                  "x.toml:1: a value of kind InlineTable",
		"alpha = 2026-11-21\n":               "x.toml:1: a value of kind LocalDate",
		"alpha = 0.5\nalpha = 0.6\n":         "x.toml:2: ",
		"alpha 0.5\n":                        "x.toml:1: ",
		"a = 1\nb = \n":                      "x.toml:2: ",
		"config = 'y.toml'\n":                `x.toml:1: no flag "config"`,
		"\xff = 1\n":                         "x.toml:1: ",
		strings.Repeat("# a comment\n", 1e5): "x.toml: longer than 1048576 bytes",
	} {
		must(t, os.WriteFile("x.toml", []byte(text), 0o644))
		code, _, errs := call("run", "--edges", "g", "--labels", "s", "--config", "x.toml")
		if code != 2 || !strings.HasPrefix(errs, "adp-sparse: "+want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%.40q: exit %d, %s", text, code, errs)
		}
	}
	if code, _, _ := call("run", "--config", "none.toml"); code != 3 {
		t.Errorf("a file that is not there: exit %d", code)
	}
}

// TestLogJSON: every line of standard error is an event, and those of a run are
// there; an error of flags is one too.
func TestLogJSON(t *testing.T) {
	t.Chdir(files(t, "g", "a b\nb c\nc d\nd d\n", "s", "a x\nd y\n"))
	events := func(args string) (names []string, last map[string]any) {
		t.Helper()
		_, _, errs := call(strings.Fields(args)...)
		for _, line := range strings.Split(strings.TrimSuffix(errs, "\n"), "\n") {
			var e struct {
				Time, Event string
				Data        map[string]any
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil || e.Time == "" {
				t.Fatalf("%s: %v, %q", args, err, line)
			}
			if names = append(names, e.Event); e.Data != nil {
				last = e.Data
			}
		}
		return names, last
	}
	names, last := events("run --edges g --labels s --topk 2 --out out --log json")
	if names[0] != "start" || names[1] != "round" || names[len(names)-1] != "done" || last["warnings"] == nil || last["converged"] == nil {
		t.Errorf("%v, %v", names, last)
	}
	names, _ = events("convert --edges g --out g.csr --log=json")
	if names[0] != "start" || !strings.Contains(strings.Join(names, " "), "message") {
		t.Errorf("%v", names)
	}
	// A graph in parts.
	if code, _, errs := call("partition", "--edges", "g", "--parts", "1", "--out", "p", "--quiet"); code != 0 {
		t.Fatal(errs)
	}
	names, last = events("run --graph p --labels s --topk 2 --out out --log json")
	if slices.Contains(names, "message") || names[0] != "start" || names[1] != "round" || names[len(names)-1] != "done" || last["ranks"] == nil || last["warnings"] == nil {
		t.Errorf("%v, %v", names, last)
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
	t.Setenv("OMPI_COMM_WORLD_RANK", "1") // of which the other one says that the run starts
	if names, _ = events("run --graph p --labels s --topk 2 --out out --log json"); slices.Contains(names, "start") {
		t.Errorf("%v of rank 1", names)
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "")
	t.Setenv("OMPI_COMM_WORLD_RANK", "")
	for args, code := range map[string]float64{"run --edges none --labels s --log json": 3, "run --log json --no-such-flag": 2, "run --edges g --labels s --log=json --alpha 7": 2} {
		if names, last := events(args); names[len(names)-1] != "error" || last["exit_code"] != code {
			t.Errorf("%s: %v, %v", args, names, last)
		}
	}
	if code, _, errs := call("version", "--log", "xml"); code != 2 || !strings.Contains(errs, `--log "xml" is not one of its values`) {
		t.Errorf("exit %d, %s", code, errs)
	}
	if code, out, errs := call(strings.Fields("tune --edges g --labels s --quiet --methods lgc")...); code != 2 || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

// TestCompletion: the scripts are there and, where the shell is, it can read
// them.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, script, errs := call("completion", shell)
		if code != 0 || !strings.Contains(script, "adp-sparse") {
			t.Fatalf("%s: exit %d, %s", shell, code, errs)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		cmd := exec.Command(path, "-n")
		cmd.Stdin = strings.NewReader(script)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v, %s", shell, err, out)
		}
	}
	if code, out, _ := call("__complete", "run", "--lab"); code != 0 || !strings.Contains(out, "--labels") || !strings.Contains(out, "--label-column") {
		t.Errorf("run --lab completes to %s", out)
	}
}

// TestManual: there is a page for each command, with each of its flags; groff,
// where it is, has nothing to say about them. Each command that does something
// has an example.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := call("man", "--dir", dir); code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	groff, _ := exec.LookPath("groff")
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		page := read(t, filepath.Join(dir, manualName(cmd)+".1"))
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if !flag.Hidden && !strings.Contains(page, `\-\-`+strings.ReplaceAll(flag.Name, "-", `\-`)+`\fR`) {
				t.Errorf("the page of %s has no --%s", cmd.CommandPath(), flag.Name)
			}
		})
		own := cmd.Parent() == nil || cmd.Parent().Name() != "completion" && cmd.Name() != "completion"
		if cmd.Runnable() && cmd.Example == "" && own && cmd.Name() != "version" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		if groff != "" {
			out, err := exec.Command(groff, "-man", "-ww", "-Wbreak", "-z", "-Tutf8", filepath.Join(dir, manualName(cmd)+".1")).CombinedOutput()
			if err != nil || len(out) > 0 {
				t.Errorf("groff: %v, %s", err, out)
			}
		}
		for _, below := range documented(cmd) {
			check(below)
		}
	}
	check(newRoot(streams.Stdio{In: nil, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}))
	if code, out, _ := call("man", "run"); code != 0 || !strings.HasPrefix(out, ".TH ADP\\-SPARSE\\-RUN 1") {
		t.Errorf("exit %d, %.80s", code, out)
	}
	for _, args := range [][]string{{"man", "walk"}, {"man", "run", "--dir", dir}} {
		if code, _, _ := call(args...); code != 2 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}
