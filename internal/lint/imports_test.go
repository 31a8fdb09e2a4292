package lint

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/adp-sparse/adp-sparse/"

// layers are the packages of the project, lowest first. A package may import those of its own
// layer and of lower ones. A name stands for itself and the packages below it, unless a longer
// name says otherwise.
var layers = [][]string{
	{"internal"},
	{"csr"},
	{"knn", "diffuse"},
	{"adp/calibrate", "adp/crossval", "adp/internal", "adp/paper", "adp/score", "adp/stack"},
	{"adp"},
	{"adp/fit", "adp/model"},
	{"internal/htmlreport", "internal/picture", "internal/service"},
	{"bench"},
	{"cmd/internal"},
	{"cmd/adp-sparse/internal/format"},
	{"cmd/adp-sparse/internal/opened"},
	{"cmd/adp-sparse/internal/points"},
	{"cmd/adp-sparse/internal/source", "cmd/adp-sparse/internal/methodflags"},
	{"cmd/adp-sparse/internal/needs"},
	{"cmd/adp-sparse/internal/report"},
	commands,
	{"cmd"},
}

// commands are the packages of the commands of adp-sparse. None imports another.
var commands = []string{
	"cmd/adp-sparse/internal/run", "cmd/adp-sparse/internal/tune", "cmd/adp-sparse/internal/diffusion",
	"cmd/adp-sparse/internal/serve", "cmd/adp-sparse/internal/predict", "cmd/adp-sparse/internal/tables", "cmd/adp-sparse/internal/demo",
}

// strangers must not import each other, though their layers would let them. A package that a
// higher layer names by itself, such as adp/fit, is not one of those above it; a program is all
// that is below it.
var strangers = [][2]string{
	{"knn", "diffuse"},
	{"diffuse", "knn"},
	{"adp", "knn"},
	{"cmd/adp-sparse", "bench"},
	{"cmd/adp-sparse", "cmd/adp-bench"},
	{"cmd/adp-bench", "cmd/adp-sparse"},
	{"cmd/internal", "cmd/adp-sparse"},
	{"cmd/internal", "cmd/adp-bench"},
	{"cmd/internal", "bench"},
}

// exceptions are imports that a rule above would refuse, with the reason.
var exceptions = map[[2]string]string{
	{"cmd/adp-sparse/internal/tables", "bench/gen"}: "gen writes the random graphs of the benchmarks for users",
	{"cmd/internal/exits", "bench/gen"}:             "its errors have exit codes",
}

// edges are the packages that alone may import heavy libraries.
var edges = map[string][]string{
	"gonum.org/v1/plot":                {"bench/plot"},
	"github.com/parquet-go/parquet-go": {"internal/parquet"},
	"github.com/spf13":                 {"cmd"},
	"github.com/schollz/progressbar":   {"cmd"},
	"github.com/james-bowman/sparse":   {"csr/convert", "bench"},
}

// testOnly are packages that only tests import.
var testOnly = []string{"internal/pages", "internal/oracle", "internal/gen", "internal/panics", "internal/mutant", "diffuse/dist/disttest", "adp/internal/planted"}

// below reports whether a package is the named one or below it.
func below(pkg, name string) bool { return pkg == name || strings.HasPrefix(pkg, name+"/") }

// layer returns the layer of a package, by its longest name.
func layer(pkg string) (at int, ok bool) {
	longest := -1
	for k, names := range layers {
		for _, name := range names {
			if below(pkg, name) && len(name) > longest {
				at, longest = k, len(name)
			}
		}
	}
	return at, longest >= 0
}

// fault returns the fault of an import; empty if it is right.
func fault(pkg, imported string, test bool) string {
	for library, homes := range edges {
		if below(imported, library) && !test && !slices.ContainsFunc(homes, func(home string) bool { return below(pkg, home) }) {
			return "only " + strings.Join(homes, " and ") + " may import " + library
		}
	}
	ours, own := strings.CutPrefix(imported, module)
	if !own || test {
		return ""
	}
	if slices.Contains(testOnly, ours) && !slices.Contains(testOnly, pkg) {
		return ours + " is for tests"
	}
	if exceptions[[2]string{pkg, ours}] != "" {
		return ""
	}
	from, ok := layer(pkg)
	to, known := layer(ours)
	switch {
	case !ok || !known:
		return "no layer of " + pkg + " or " + ours
	case to > from:
		return ours + " is above"
	}
	if pkg != ours && slices.Contains(commands, pkg) && slices.Contains(commands, ours) {
		return "commands do not know each other"
	}
	for _, pair := range strangers {
		base, _ := layer(pair[0])
		if program := strings.HasPrefix(pair[0], "cmd/"); below(pkg, pair[0]) && below(ours, pair[1]) && (program || from <= base) {
			return pair[0] + " and " + pair[1] + " do not know each other"
		}
	}
	return ""
}

// TestImports: imports go one way, and heavy libraries stay at the edge.
func TestImports(t *testing.T) {
	root, seen := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata") {
			if err == nil && name != root {
				return filepath.SkipDir
			}
			return err
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, imported := range file.Imports {
			to, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				return err
			}
			seen++
			if wrong := fault(filepath.ToSlash(relative), to, strings.HasSuffix(name, "_test.go")); wrong != "" {
				t.Errorf("%s imports %s: %s", name, to, wrong)
			}
		}
		return nil
	})
	if err != nil || seen < 100 {
		t.Fatalf("%d imports seen, %v", seen, err)
	}
}

// TestFault: the rules refuse what they are for.
func TestFault(t *testing.T) {
	for _, c := range []struct {
		pkg, imported string
		right         bool
	}{
		{"csr", module + "internal/rows", true},
		{"csr", module + "adp", false},
		{"knn", module + "diffuse", false},
		{"adp", module + "knn", false},
		{"adp/fit", module + "knn", true},
		{"adp", module + "adp/fit", false},
		{"adp", module + "adp/crossval", true},
		{"adp/crossval", module + "adp", false},
		{"adp/crossval", module + "knn", false},
		{"adp/choice", module + "adp", true},
		{"adp/choice", module + "knn", false},
		{"internal/rows", module + "csr", false},
		{"internal/service", module + "adp", true},
		{"cmd/adp-sparse", module + "bench", false},
		{"cmd/adp-sparse/internal/run", module + "bench", false},
		{"cmd/adp-sparse/internal/run", module + "cmd/adp-sparse/internal/report", true},
		{"cmd/adp-sparse/internal/report", module + "cmd/adp-sparse/internal/run", false},
		{"cmd/adp-sparse/internal/serve", module + "cmd/adp-sparse/internal/run", false},
		{"internal/clock", module + "adp", false},
		{"cmd/adp-sparse", "gonum.org/v1/plot/vg", false},
		{"knn/vecparquet", "github.com/parquet-go/parquet-go", false},
		{"adp", module + "internal/oracle", false},
		{"new", module + "csr", false},
	} {
		if wrong := fault(c.pkg, c.imported, false); (wrong == "") != c.right {
			t.Errorf("%s imports %s: %q", c.pkg, c.imported, wrong)
		}
	}
}
