package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
}

// own reports whether the package is of this project.
func (p *listed) own() bool { return p.Module != nil && p.Module.Main }

// system holds the checked types of packages for a system, by path.
type system struct {
	name    string // GOOS/GOARCH
	fset    *token.FileSet
	checked map[string]*types.Package
	said    map[string]bool // errors: a file of a package is also one of its tests
}

// list returns the packages that the patterns name, their tests and all that they import, which comes first.
func (s *system) list(dir string, patterns ...string) (all []*listed, err error) {
	words := append([]string{"list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module"}, patterns...)
	cmd := exec.Command("go", words...)
	goos, goarch, _ := strings.Cut(s.name, "/")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	var says bytes.Buffer
	cmd.Stderr = &says
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, &says)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := d.Decode(p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(p.ImportPath, ".test") { // main of a test binary, which go test writes
			all = append(all, p)
		}
	}
}

// imports finds the packages that p imports.
type imports struct {
	*system
	p *listed
}

func (i imports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if to := i.p.ImportMap[path]; to != "" {
		path = to
	}
	if found := i.checked[path]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("%s is not among the packages before %s", path, i.p.ImportPath)
}

// check checks the types of a package; of others than ours without the bodies of functions.
func (s *system) check(p *listed) error {
	var files []*ast.File
	for _, name := range p.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		file, err := parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	var found []error
	_, goarch, _ := strings.Cut(s.name, "/")
	config := types.Config{
		Importer: imports{s, p}, Sizes: types.SizesFor("gc", goarch), IgnoreFuncBodies: !p.own(),
		Error: func(err error) {
			if !s.said[err.Error()] {
				s.said[err.Error()] = true
				found = append(found, err)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	s.checked[p.ImportPath], _ = config.Check(path, s.fset, files, nil)
	return errors.Join(found...)
}

// typeFaults returns what does not compile of the packages in dir, for a system.
func typeFaults(name, dir string, patterns ...string) (own int, err error) {
	s := &system{name, token.NewFileSet(), map[string]*types.Package{}, map[string]bool{}}
	all, err := s.list(dir, patterns...)
	if err != nil {
		return 0, err
	}
	for _, p := range all {
		if p.own() {
			own++
		}
		err = errors.Join(err, s.check(p))
	}
	return own, err
}

// TestSystems checks the types of all packages and their tests as other systems have them, from their sources: go vet
// compiles the standard library for each of them first, which takes twenty times as long.
func TestSystems(t *testing.T) {
	for name := range strings.SplitSeq(os.Getenv("ADP_SPARSE_SYSTEMS"), ",") {
		if name == "" {
			t.Skip("ADP_SPARSE_SYSTEMS, such as darwin/arm64,windows/amd64, is not set: .ci/run sets it")
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own, err := typeFaults(name, filepath.Join("..", ".."), "./...")
			if err != nil {
				t.Error(err)
			}
			if own < 100 {
				t.Errorf("%d packages and tests were checked", own)
			}
		})
	}
}
