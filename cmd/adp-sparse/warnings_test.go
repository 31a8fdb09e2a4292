package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/predict"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/knn"
)

// TestWarningCodes: the codes in docs/errors.md, those in the source and those
// that runs give are the same, but for those of notes of readers, which the corpus provokes.
func TestWarningCodes(t *testing.T) {
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|").FindAllStringSubmatch(read(t, "../../docs/errors.md"), -1) {
		documented[m[1]] = true
	}
	of := noteCodes(t) // what readers count is a warning where the format does not ask for it
	source := constants(t, "internal/report", "Warn")
	maps.Copy(source, constants(t, "../../adp", "Warn"))
	all := maps.Clone(source)
	maps.Copy(all, of)
	if want, got := sorted(all), sorted(documented); !slices.Equal(want, got) || len(want) < 15 {
		t.Errorf("docs/errors.md has %q, the source %q", got, want)
	}
	given := map[string]bool{}
	for _, w := range provoked(t) {
		given[w.Code] = !of[w.Code]
		if w.Count <= 0 || w.Message == "" {
			t.Errorf("warning %+v", w)
		}
	}
	maps.DeleteFunc(given, func(_ string, warning bool) bool { return !warning })
	if want, got := sorted(source), sorted(given); !slices.Equal(want, got) {
		t.Errorf("runs gave %q, the source has %q", got, want)
	}
}

// noteCodes returns the codes of the kinds of notes.
func noteCodes(t *testing.T) map[string]bool {
	names, err := filepath.Glob("../../internal/notes/*.go")
	must(t, err)
	codes := map[string]bool{}
	for _, name := range names {
		for _, m := range regexp.MustCompile(`Kind\{"([a-z0-9-]+)"`).FindAllStringSubmatch(read(t, name), -1) {
			codes[m[1]] = true
		}
	}
	return codes
}

// TestExitCodes: the table of docs/errors.md has the codes of the source.
func TestExitCodes(t *testing.T) {
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(read(t, "../../docs/errors.md"), -1) {
		documented[m[1]] = true
	}
	want := map[string]bool{"143": true}
	for _, code := range []int{exits.OK, exits.Data, exits.Usage, exits.IO, exits.Memory, exits.Internal, exits.NotConverged, exits.Interrupted, exits.Gone} {
		want[strconv.Itoa(code)] = true
	}
	if got, want := sorted(documented), sorted(want); !slices.Equal(got, want) {
		t.Errorf("docs/errors.md has %q, the source %q", got, want)
	}
}

// namedPath is a path of names, from a to d and on, of eleven edges.
const namedPath = "a b\nb c\nc d\nd e\ne f\nf g\ng h\nh i\ni j\nj k\nk l\n"

// provoked returns the warnings of runs that give each of them.
func provoked(t *testing.T) (all report.Warnings) {
	var counted, shuffled strings.Builder
	for i := range 12 {
		fmt.Fprintf(&counted, "%d,%d\n", i+1, i*i%7)
	}
	for i := range 20 {
		fmt.Fprintf(&shuffled, "%d,%d\n", i*7%20, i*i%7)
	}
	var ring, turns strings.Builder // each node has neighbours of the other label
	for i := range 60 {
		fmt.Fprintf(&ring, "%d %d\n", i, (i+1)%60)
		if i < 40 {
			fmt.Fprintf(&turns, "%d %c\n", i, 'a'+i%2)
		}
	}
	var noise, coins strings.Builder // which ten neighbours in 40 dimensions do not tell
	random := rand.New(rand.NewPCG(4, 4))
	for i := range 80 {
		for range 40 {
			fmt.Fprintf(&noise, "%.3f,", 3+random.NormFloat64())
		}
		noise.WriteString("1\n")
		if i < 40 {
			fmt.Fprintf(&coins, "%d %c\n", i, 'a'+i%2)
		}
	}
	dir := files(t,
		"noise.csv", noise.String(), "coins", coins.String(), "thousands.csv", strings.ReplaceAll(noise.String(), ",", "e3,"),
		"loops", "a b 1\nb a 2\nb b 1\nc d 0\nb e 1e300\ne f 1e-300\nf a 1\n", "labels", "a x\na x\nf y\nq y\nb x 0\n",
		"star", star(80), "two", "0 x\n1 y\n", "points.csv", "1,1\n1,1\n2,2\n3,1\n", "few", "a b\nb c\n", "header", "a NA\nb NA\nc NA\n", "aged", "id label age\na x 3\n",
		"ring", ring.String(), "turns", turns.String(), "counted.csv", counted.String(), "shuffled.csv", shuffled.String(), "wide.csv", "1,1,1000\n2,1,5000\n1,2,9000\n3,1,2000\n",
		"words", "person_a person_b\n"+namedPath,
		"weighed", "a x 0.001\na y 0.999\nc y 5\n", "times.csv", "1,1700000001\n5,1700000009\n2,1700000019\n7,1700000003\n", "named.csv", "id,x,y\n0,1,1\n1,1,2\n2,3,1\n3,0,0\n", "answers.csv", "1,5\n2,99\n99,4\n4,99\n3,1\n")
	for _, args := range [][]string{
		{"--edges", dir + "/loops", "--labels", dir + "/labels", "--unknown-labels", "skip", "--max-iterations", "1", "--combine", "none"},
		{"--edges", dir + "/star", "--labels", dir + "/two", "--method", "lgc", "--class-prior", "none", "--calibrate", "auto", "--graph-out", dir + "/graph"},
		{"--features", dir + "/points.csv", "--k", "1", "--labels", dir + "/two"},
		{"--features", dir + "/wide.csv", "--scale", "none", "--k", "1", "--labels", dir + "/two"},
		{"--features", dir + "/times.csv", "--k", "1", "--labels", dir + "/two"},
		{"--features", dir + "/answers.csv", "--k", "1", "--labels", dir + "/two"},
		{"--features", dir + "/counted.csv", "--k", "2", "--labels", dir + "/two"},
		{"--features", dir + "/shuffled.csv", "--k", "2", "--labels", dir + "/two"},
		{"--edges", dir + "/words", "--labels", dir + "/labels", "--unknown-labels", "skip"},
		{"--edges", dir + "/ring", "--labels", dir + "/turns", "--combine", "none"},
		{"--features", dir + "/noise.csv", "--labels", dir + "/coins", "--method", "lgc", "--model", dir + "/model"},
		{"--edges", dir + "/ring", "--labels", dir + "/turns", "--warm", dir + "/model"},
		{"--features", dir + "/times.csv", "--graph-kind", "lle", "--k", "2", "--labels", dir + "/two", "--model", dir + "/lle"},
		{"--edges", dir + "/few", "--labels", dir + "/header"},
		{"--edges", dir + "/few", "--labels", dir + "/weighed", "--method", "lgc"},
		{"--edges", dir + "/few", "--labels", dir + "/header", "--labels-header"},
		{"--edges", dir + "/few", "--labels", dir + "/aged", "--labels-header"},
		{"--edges", dir + "/star", "--features", dir + "/named.csv", "--id-column", "id", "--metric", "cosine", "--k", "1", "--labels", dir + "/two"},
	} {
		code, _, errs := call(append([]string{"run", "--out", dir + "/out", "--report", dir + "/report"}, args...)...)
		var r report.Run
		if err := json.Unmarshal([]byte(read(t, dir+"/report")), &r); err != nil || code != 0 {
			t.Fatalf("%q: exit %d, %v, %s", args, code, err, errs)
		}
		for _, w := range r.Warnings {
			if !strings.Contains(errs, "["+w.Code+"]: "+w.Message) {
				t.Errorf("standard error does not tell %+v", w)
			}
		}
		all = append(all, r.Warnings...)
	}
	var p predict.Report
	if code, _, errs := call("predict", "--model", dir+"/model", "--points", dir+"/thousands.csv", "--out", dir+"/new", "--report", dir+"/report"); code != 0 || json.Unmarshal([]byte(read(t, dir+"/report")), &p) != nil {
		t.Fatal(code, errs)
	}
	all = append(all, p.Warnings...)
	// Which points the ℓ1 solver gives up on is not for this test.
	all.AddBuilt(&opened.Built{GraphReport: fit.GraphReport{Points: 5, L1: &knn.SelfExpressiveReport{Certified: 3, Truncated: 1}}})
	// A search has a low recall among more points than a test has time for.
	for _, recall := range []float64{0.49, 0.5} {
		all.AddBuilt(&opened.Built{GraphReport: fit.GraphReport{KNN: &knn.GraphReport{Report: knn.Report{Met: 8192, Recall: recall}}}})
	}
	if n := strings.Count(fmt.Sprint(all), report.WarnFewFound); n != 1 {
		t.Errorf("%d warnings of few neighbours: %v", n, all)
	}
	return all
}

// constants returns the values of the text constants of a package whose names
// start with prefix.
func constants(t *testing.T, folder, prefix string) map[string]bool {
	t.Helper()
	names, err := filepath.Glob(folder + "/*.go")
	must(t, err)
	values := map[string]bool{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		p, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		must(t, err)
		ast.Inspect(p, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if ok && strings.HasPrefix(spec.Names[0].Name, prefix) && len(spec.Values) == 1 {
				if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
					value, err := strconv.Unquote(literal.Value)
					must(t, err)
					values[value] = true
				}
			}
			return true
		})
	}
	return values
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
