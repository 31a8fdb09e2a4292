package exits

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/model"
)

// TestLibrariesNameNoFlags: errors of packages name their options, for their users have
// no flags, and each that looks like one is a flag in the command.
func TestLibrariesNameNoFlags(t *testing.T) {
	flag := regexp.MustCompile(`(^|[ (])--[a-z]`)
	option := regexp.MustCompile(`(^|[^a-zA-Z0-9])(to )?[a-z]+\.[A-Z]\w+(\.[A-Z]\w+)*`)
	options := 0
	for _, tree := range []string{"adp", "csr", "diffuse", "knn"} {
		err := filepath.WalkDir("../../../"+tree, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				text, ok := n.(*ast.BasicLit)
				if !ok || text.Kind != token.STRING {
					return true
				}
				if flag.MatchString(strings.Trim(text.Value, "\"`")) {
					t.Errorf("%s: a flag in %s", files.Position(text.Pos()), text.Value)
				}
				for _, name := range option.FindAllString(text.Value, -1) {
					if AsFlags.Replace(name) == name {
						t.Errorf("%s: %q is no flag in the command", files.Position(text.Pos()), name)
					}
					options++
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if options < 13 {
		t.Errorf("%d options in messages, expected all that become flags", options)
	}
}

// TestExitOfModel: a model that cannot be written is of bad data, no fault of the program.
func TestExitOfModel(t *testing.T) {
	err := (&model.Model{}).Write(io.Discard)
	if code := codeOf(context.Background(), err); code != Data {
		t.Errorf("%v: exit code %d, expected %d", err, code, Data)
	}
}

// TestOneLine: what is printed of several faults is a line, with each once.
func TestOneLine(t *testing.T) {
	for message, want := range map[string]string{
		"a":                            "a",
		"write o: full\nwrite o: full": "write o: full",
		"a\n\n b\r\nwith a\na":         "a; b; with a",
		"\n":                           "",
		"a folder\rof two lines: no":   "a folder; of two lines: no",
	} {
		if got := oneLine(message); got != want {
			t.Errorf("%q: %q, expected %q", message, got, want)
		}
	}
}
