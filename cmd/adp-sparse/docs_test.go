package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/pages"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

const root = "../.."

// documents returns README.md and the pages of docs.
func documents(t *testing.T) []*pages.Page {
	t.Helper()
	all, err := pages.All(root)
	must(t, err)
	if len(all) < 15 {
		t.Fatalf("%d pages", len(all))
	}
	return all
}

// unrun are pages whose plain blocks of sh are not run here, with the reason.
var unrun = map[string]string{
	"docs/python-r.md": "it needs Python, R, and files of theirs",
	"docs/serve.md":    "serve waits for requests",
}

// TestDocuments runs the commands of all pages, each page in a new folder with copies of
// testdata/tutorial and testdata/graphs, and compares what those of blocks of console print with
// what stands there: … stands for any text, a line of … alone for any lines, and numbers may
// differ by 2 in a thousand. ADPSPARSE_GOLDEN=1 writes what they print into the pages, with … for
// times and memory. Under the race detector all commands run with their flags, on smaller sets (see
// [smaller]), and what they print is not compared.
func TestDocuments(t *testing.T) {
	home, err := filepath.Abs(root)
	must(t, err)
	for _, page := range documents(t) {
		t.Run(page.Name, func(t *testing.T) {
			t.Chdir(copies(t, "testdata/tutorial", "testdata/graphs"))
			for _, c := range page.Commands() {
				if !c.Run || unrun[page.Name] != "" {
					continue
				}
				got, known := shell(t, &c)
				if !known {
					continue
				}
				if !c.Shown || racing.On {
					continue
				}
				line, ok := matches(linesOf(strings.Join(c.Print, "\n")), linesOf(got))
				switch {
				case ok:
				case os.Getenv("ADPSPARSE_GOLDEN") != "":
					must(t, rewrite(filepath.Join(home, page.Name), &c, got))
				default:
					t.Errorf("%s:%d: $ %s\nno line like %q in what it prints:\n%s", page.Name, c.Line, c.Text, line, got)
				}
			}
			if page.Name == "README.md" { // who tries it in that folder has the guide before him
				unchanged(t, filepath.Join(home, "testdata/tutorial"))
			}
		})
	}
}

// unchanged checks that the files of a folder are as they were where their copies were worked on.
func unchanged(t *testing.T, folder string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	for _, e := range entries {
		if read(t, e.Name()) != read(t, filepath.Join(folder, e.Name())) {
			t.Errorf("%s was written over", e.Name())
		}
	}
}

// copies returns a new folder with the files of some folders of the repository.
func copies(t *testing.T, folders ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(root, folder))
		must(t, err)
		for _, e := range entries {
			must(t, os.WriteFile(filepath.Join(dir, e.Name()), []byte(read(t, filepath.Join(root, folder, e.Name()))), 0o644))
		}
	}
	return dir
}

// passing is what differs from run to run.
var passing = regexp.MustCompile(`\d[\d.,]*( (min|s|ms|B|KiB|MiB|GiB))\b`)

// rewrite puts what a command prints into its page.
func rewrite(file string, c *pages.Command, got string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(c.Text, " ")
	old := strings.Join(c.Print, "\n") + "\n"
	before, after, found := strings.Cut(string(text), "\n$ "+first)
	for found { // the place whose command and print are these
		rest := after
		skipped := strings.Count(before, "\n") + 2
		if skipped == c.Line {
			head, tail, ok := strings.Cut(rest, "\n"+old)
			if !ok {
				return fmt.Errorf("%s:%d: no such print", c.Page, c.Line)
			}
			new := passing.ReplaceAllString(strings.TrimRight(got, "\n"), "…$1") + "\n"
			return os.WriteFile(file, []byte(before+"\n$ "+first+head+"\n"+new+tail), 0o644)
		}
		var more string
		more, after, found = strings.Cut(rest, "\n$ "+first)
		before += "\n$ " + first + more
	}
	return fmt.Errorf("%s:%d: the command has moved: run the test again", c.Page, c.Line)
}

// TestFlagsOfDocuments: all commands of the pages are of programs that this test knows, those of
// adp-sparse have a command and flags that it has, and each flag that a page names is one of a
// program.
func TestFlagsOfDocuments(t *testing.T) {
	known := flagsOfAll()
	bench := read(t, root+"/cmd/adp-bench/bench.go") + read(t, root+"/cmd/adp-bench/kernels.go") + read(t, root+"/cmd/adp-bench/peers.go") +
		read(t, root+"/cmd/adp-bench/stages.go") + read(t, root+"/cmd/adp-bench/memory.go") + read(t, root+"/cmd/adp-bench/paper.go")
	calls, run := 0, 0
	for _, page := range documents(t) {
		for _, c := range page.Commands() {
			if c.Run {
				run++
			}
			at := fmt.Sprintf("%s:%d: $ %s", page.Name, c.Line, c.Text)
			for _, args := range c.Calls("adp-sparse") {
				calls++
				if err := parsed(args); err != nil {
					t.Errorf("%s: %v", at, err)
				}
			}
			if fault := foreign(t, &c); fault != "" {
				t.Errorf("%s: %s", at, fault)
			}
		}
		page.Code(func(line int, text string) {
			at := fmt.Sprintf("%s:%d: %s", page.Name, line, text)
			if args, ours := strings.CutPrefix(text, "adp-sparse "); ours && !strings.Contains(args, "…") {
				if err := parsed(strings.Fields(args)); err != nil {
					t.Errorf("%s: %v", at, err)
				}
			}
			for _, m := range flagName.FindAllStringSubmatch(text, -1) {
				if !known[m[1]] && !strings.Contains(bench, `"`+m[1]+`"`) && !slices.Contains(othersFlags, m[1]) {
					t.Errorf("%s: no program has the flag --%s", at, m[1])
				}
			}
		})
	}
	if calls < 60 || run < 40 {
		t.Errorf("%d calls of adp-sparse, %d commands that are run: the tests say little", calls, run)
	}
	for _, wrong := range []string{"run --edgse g", "rnu", "run --k x"} {
		if parsed(strings.Fields(wrong)) == nil {
			t.Errorf("adp-sparse %s is right for this test", wrong)
		}
	}
}

var flagName = regexp.MustCompile(`(?:^|[ /(])--([a-z][a-z-]+)`)

// othersFlags are flags of other programs that the pages name.
var othersFlags = []string{"mca", "mpi", "down", "stop", "peers", "program", "draws", "max-draws", "set", "data-urlencode", "help-all", "verbose"}

// flagsOfAll are the names of the flags of all commands of adp-sparse.
func flagsOfAll() map[string]bool {
	known := map[string]bool{}
	var add func(*cobra.Command)
	add = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.InitDefaultVersionFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		for _, sub := range cmd.Commands() {
			add(sub)
		}
	}
	add(newRoot(streams.Stdio{}))
	return known
}

// parsed finds the command of arguments and parses its flags.
func parsed(args []string) error {
	top := newRoot(streams.Stdio{})
	top.InitDefaultHelpCmd()
	top.InitDefaultCompletionCmd(args...)
	top.InitDefaultVersionFlag()
	cmd, rest, err := top.Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if cmd.Args != nil {
		return cmd.Args(cmd, cmd.Flags().Args())
	}
	return nil
}

// foreign returns the fault of a command that begins with another program: a script that is not
// there or has not the flag, or a program that no page should need.
func foreign(t *testing.T, c *pages.Command) string {
	words := c.Words()
	switch program := c.Program(); program {
	case "python3", "Rscript":
		if !strings.HasPrefix(words[1], "bench/") && !strings.HasPrefix(words[1], "-") {
			return ""
		}
		if strings.HasPrefix(words[1], "-") {
			return ""
		}
		script := read(t, filepath.Join(root, words[1]))
		for _, word := range words[2:] {
			if name, _, _ := strings.Cut(word, "="); strings.HasPrefix(name, "--") && name != "--" && !strings.Contains(script, name) {
				return words[1] + " has no " + name
			}
		}
	case "adp-sparse", "./adp-sparse", "adp-bench", "go", "cat", "head", "cp", "make", "mpirun", "srun", "gpmetis", "apt-get", "docs/cluster/one-machine-slurm",
		"docs/cluster/two-hosts", "GOOS", "P", "CC", "git", "cd", "source", "curl", "pip", "Rscript -e", "for", "do", "done", "python", "printf":
	default:
		return "a program that this test does not know"
	}
	return ""
}

func linesOf(text string) []string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// shell runs adp-sparse, cat, head or cp, perhaps through head, and says whether it could: of
// other programs, such as go and make, other tests know.
func shell(t *testing.T, c *pages.Command) (printed string, known bool) {
	t.Helper()
	words, lines := c.Words(), ""
	if k := slices.Index(words, "|"); k >= 0 {
		if len(words) != k+3 || words[k+1] != "head" {
			t.Fatalf("%s:%d: $ %s: a pipe that this test does not know", c.Page, c.Line, c.Text)
		}
		words, lines = words[:k], words[k+2]
	}
	if words[0] == "go" && len(words) > 2 && words[1] == "run" && words[2] == "./cmd/adp-sparse" {
		words = append([]string{"adp-sparse"}, words[3:]...)
	}
	var out bytes.Buffer
	switch words[0] {
	case "adp-sparse":
		if len(words) == 2 && words[1] == "demo" && !c.Shown {
			return "", false // TestDemo runs it, and compares what it prints with README.md
		}
		if racing.On {
			defer smaller(t, words)()
		}
		if code := execute(context.Background(), words[1:], streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &out}); code != 0 {
			t.Fatalf("%s:%d: $ %s\nexit %d: %s", c.Page, c.Line, c.Text, code, out.String())
		}
	case "cat":
		for _, file := range words[1:] {
			out.WriteString(read(t, file))
		}
	case "head":
		return head(t, read(t, words[2]), words[1]), true
	default:
		if c.Shown {
			t.Fatalf("%s:%d: $ %s: not a command that this test knows", c.Page, c.Line, c.Text)
		}
		return "", false
	}
	if lines != "" {
		return head(t, out.String(), lines), true
	}
	return out.String(), true
}

// smaller changes the arguments of gen to a third of the nodes and features, and returns a function that
// cuts the images which demo wrote. Both leave more than a block of 512 rows.
func smaller(t *testing.T, words []string) (then func()) {
	switch words[1] {
	case "gen":
		for k := range words[:len(words)-1] {
			if n, err := strconv.Atoi(words[k+1]); err == nil && (words[k] == "--nodes" && n > 3*512 || words[k] == "--dims") {
				words[k+1] = fmt.Sprint(n / 3)
			}
		}
	case "demo":
		if len(words) == 4 && words[2] == "--write" {
			return func() { fewerDigits(t, words[3]) }
		}
	}
	return func() {}
}

// fewerDigits cuts the images that demo wrote to the first 720.
func fewerDigits(t *testing.T, dir string) {
	for _, name := range []string{"digits.csv", "known.tsv", "truth.tsv"} {
		at, kept := filepath.Join(dir, name), ""
		for k, line := range linesOf(read(t, at)) {
			if id, err := strconv.Atoi(strings.Split(line, "\t")[0]); err != nil && k < 720 || err == nil && id < 720 {
				kept += line + "\n"
			}
		}
		must(t, os.WriteFile(at, []byte(kept), 0o644))
	}
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
