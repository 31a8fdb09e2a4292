//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
)

// trouble is a case of the corpus: what the program is given, how it must end
// and what it must say. The tables are in corpus_*_test.go.
//
// A case runs in a folder of its own, which holds the edges g (a path a–b–c–d),
// the seeds s (a is x, d is y) and the old outputs out, out.csr and out.tsv, and
// whatever the case adds. All names in messages are relative to it.
type trouble struct {
	name string
	given
	code int
	// says is what standard error must hold; parts that " … " separates must
	// be there in order. After success it may also be in the output.
	says string
}

// given is what the program is given.
type given struct {
	args  string // separated by blanks
	stdin string
	files map[string]string
	setup func(t *testing.T, dir string)
	env   string // a shell that runs the program, "$@", in other circumstances
	drop  bool   // run without the rights of root
}

// with returns g with more flags, which take the places of those that it has.
func (g given) with(flags ...string) given {
	g.args = strings.Join(instead(strings.Fields(g.args), strings.Fields(strings.Join(flags, " "))...), " ")
	return g
}

const (
	onPath  = "run --edges g --labels s --out out --topk 2"
	oldText = "what was here before\n"
)

// edges runs on an edge list.
func edges(text string, more ...string) given {
	return given{args: onPath, files: map[string]string{"g": text}}.with(more...)
}

// seeds runs with labels.
func seeds(text string, more ...string) given {
	return given{args: onPath, files: map[string]string{"s": text}}.with(more...)
}

// matrix converts a graph in a binary or matrix format.
func matrix(name, content string, more ...string) given {
	return given{args: "convert --out out.tsv --graph " + name, files: map[string]string{name: content}}.with(more...)
}

// vectors makes a graph of features.
func vectors(name, content string, more ...string) given {
	return given{args: "knn --k 1 --out out.tsv --features " + name, files: map[string]string{name: content}}.with(more...)
}

// command runs any command line.
func command(args string) given { return given{args: args} }

// TestCorpus runs the program on every case, most of them in workers. Beyond the exit code and the
// message it checks that nothing looks like a crash, that standard error is
// short, clean text, that what was there before is as it was and nothing else
// was left, and that no case takes much memory or time.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	root, err := os.MkdirTemp("", "adp-sparse-corpus-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	must(t, os.Chmod(root, 0o755))
	program := built(t)
	cases := corpus(t)
	t.Logf("%d cases", len(cases))
	t.Run("cases", func(t *testing.T) {
		names := map[string]bool{}
		for k, c := range cases {
			if names[c.name] {
				t.Errorf("two cases are called %q", c.name)
			}
			names[c.name] = true
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.check(t, program, filepath.Join(root, fmt.Sprint(k)))
			})
		}
	})
}

// corpus returns the cases of all tables.
func corpus(t *testing.T) []trouble {
	return slices.Concat(textCases, compressionCases(t), weightCases, idCases, labelCases, columnCases(t), labelTableCases(t), edgeTableCases(t), jsonCases(t), topologyCases, vectorCases(t), usageCases, formatCases(t), metisCases(t), graphMLCases(t), parquetCases(t), fileCases, readingCases(t), graphFileCases(t), foreignCases(t), rowCases, streamCases(t), strangerCases(t), adviceCases(t), tableCases(t), solverCases, joinedCases())
}

// check runs a case in the folder dir.
func (c *trouble) check(t *testing.T, program, dir string) {
	c.prepare(t, dir)
	before := snapshot(t, dir)
	line := commandLine{Dir: dir, Args: strings.Fields(c.args), Stdin: c.stdin}
	if c.code == 0 && line.Args[0] == "run" && !strings.Contains(c.args, "--quiet") { // all that there is to say
		line.Args = append(line.Args, "--verbose")
	}
	var is ended
	if c.env != "" || c.drop || strings.Contains(c.args, "/dev/") { // about the process itself
		words := append([]string{program}, line.Args...)
		if c.env != "" {
			words = append([]string{"sh", "-c", c.env, "sh"}, words...)
		}
		var as *syscall.SysProcAttr
		if c.drop && os.Geteuid() == 0 {
			as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		is = line.start(t, words, as)
	} else {
		is = line.run(t, program)
	}
	errs := is.Stderr
	if is.Code != c.code {
		t.Errorf("exit %d %s, want %d", is.Code, is.How, c.code)
	}
	all := errs
	if c.code == exits.OK || c.code == exits.NotConverged {
		all += is.Stdout + contents(t, dir, before)
	} else {
		if is.Stdout != "" {
			t.Errorf("standard output of a failure: %.200q", is.Stdout)
		}
		if c.code == exits.Gone {
			if errs != "" {
				t.Errorf("standard error of a program whose reader has left: %.200q", errs)
			}
		} else if !strings.HasPrefix(errs, "adp-sparse: ") {
			t.Errorf("the message does not start with the program's name")
		}
	}
	rest := all
	for _, part := range strings.Split(c.says, " … ") {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Errorf("no %q", part)
		}
		rest = after
	}
	checkText(t, errs)
	checkLeft(t, c.code, before, snapshot(t, dir))
	if is.Peak>>20 > mostMiB {
		t.Errorf("%d MiB of memory, allowed are %d", is.Peak>>20, mostMiB)
	}
	if is.Took > mostTime {
		t.Errorf("%v of processor time, allowed are %v", is.Took, mostTime)
	}
	if t.Failed() && len(all) > 2000 {
		all = all[:2000]
	}
	if t.Failed() {
		t.Logf("adp-sparse %s\n%s", c.args, all)
	}
}

// mostTime is the processor time that a case may take, whatever else the machine
// does.
const mostTime = 20 * time.Second

// mostMiB is the memory that a case may take. No input of the corpus has more
// than a few nodes, whatever it claims.
const mostMiB = 256

// prepare makes the folder of a case.
func (c *trouble) prepare(t *testing.T, dir string) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"g": "a b\nb c\nc d\n", "s": "a x\nd y\n", "out": oldText, "out.csr": oldText, "out.tsv": oldText}
	maps.Copy(all, c.files)
	for name, content := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if c.drop {
		must(t, os.Chmod(dir, 0o777))
	}
	if c.setup != nil {
		c.setup(t, dir)
	}
}

// checkText checks that standard error is a text for people.
func checkText(t *testing.T, errs string) {
	for _, sign := range []string{"goroutine ", "panic:", "fatal error", "runtime error", "SIG", "%!"} {
		if strings.Contains(errs, sign) {
			t.Errorf("standard error has %q", sign)
		}
	}
	if len(errs) > 4<<10 || !utf8.ValidString(errs) {
		t.Errorf("standard error has %d bytes, UTF-8: %v", len(errs), utf8.ValidString(errs))
	}
	for _, r := range errs {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			t.Errorf("standard error has the control character %U", r)
		}
	}
}

// checkLeft checks what a run left: after a failure what was there before;
// else that, and the outputs, whose names start with "out". What a killed run
// left beside an output may be gone then.
func checkLeft(t *testing.T, code int, before, after map[string]string) {
	for name, was := range before {
		output := strings.HasPrefix(name, "out") && (code == exits.OK || code == exits.NotConverged)
		if is, ok := after[name]; !ok {
			if hidden := strings.HasPrefix(name, ".out."); !hidden || code != exits.OK {
				t.Errorf("%s is gone", name)
			}
		} else if is != was && !output {
			t.Errorf("%s is no longer as it was: %.200s", name, is)
		}
	}
	for name, is := range after {
		if _, ok := before[name]; !ok && (!strings.HasPrefix(name, "out") || code != exits.OK && code != exits.NotConverged) {
			t.Errorf("%s was left: %.200s", name, is)
		}
	}
}

// snapshot returns the kind, mode and content of all that is in a folder.
func snapshot(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, content := strings.TrimPrefix(path, dir), ""
		switch {
		case info.Mode().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(text)
		case info.Mode()&fs.ModeSymlink != 0:
			if content, err = os.Readlink(path); err != nil {
				return err
			}
		}
		all[strings.TrimPrefix(name, "/")] = fmt.Sprintf("%v %s", info.Mode(), content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// contents returns the text of the files that are not as they were.
func contents(t *testing.T, dir string, before map[string]string) string {
	var text strings.Builder
	after := snapshot(t, dir)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if is := after[name]; is != before[name] {
			fmt.Fprintf(&text, "%s: %s\n", name, is)
		}
	}
	return text.String()
}
