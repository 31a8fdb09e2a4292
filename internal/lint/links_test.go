package lint

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/adp-sparse/adp-sparse/internal/pages"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// linkFaults returns the links of a page to files of the repository that are not there, and to
// headings that their page has not.
func linkFaults(root string, p *pages.Page) (faults []string) {
	p.Prose(func(line int, text string) {
		for _, m := range link.FindAllStringSubmatch(inCode.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			path, heading, _ := strings.Cut(m[1], "#")
			target := filepath.Join(root, p.Name)
			if path != "" {
				target = filepath.Join(root, filepath.Dir(p.Name), path)
			}
			if err := linked(root, target, heading); err != nil {
				faults = append(faults, fmt.Sprintf("%s:%d: %s: %v", p.Name, line, m[1], err))
			}
		}
	})
	return faults
}

func linked(root, target, heading string) error {
	if _, err := os.Stat(target); err != nil || heading == "" {
		return err
	}
	p, err := pages.Read(root, target)
	if err != nil {
		return err
	}
	if name, err := url.PathUnescape(heading); err == nil {
		heading = name
	}
	var all []string
	p.Prose(func(_ int, text string) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(text, "#"), " "); ok && strings.HasPrefix(text, "#") {
			all = append(all, anchor(title))
		}
	})
	if !slices.Contains(all, heading) {
		return fmt.Errorf("no heading of it, expected one of %q", all)
	}
	return nil
}

// anchor is what a link to a heading ends in, as GitHub makes it.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, inLink.ReplaceAllString(title, "$1"))
}

// TestLinks: the links of all documents lead somewhere.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	all, err := pages.All(root)
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(root, "docs", "decisions", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(more, filepath.Join(root, "CONTRIBUTING.md"), filepath.Join(root, "testdata", "README.md")) {
		p, err := pages.Read(root, name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	for _, p := range all {
		for _, fault := range linkFaults(root, p) {
			t.Error(fault)
		}
	}
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# A title: `x`\n\n[a](#a-title-x) [b](page.md#other) [c](gone.md) `[d](gone.md)`\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := pages.Read(filepath.Dir(page), page)
	if err != nil {
		t.Fatal(err)
	}
	if got := linkFaults(filepath.Dir(page), p); len(got) != 2 || !strings.HasPrefix(got[0], "page.md:3: page.md#other") || !strings.HasPrefix(got[1], "page.md:3: gone.md") {
		t.Errorf("found %q", got)
	}
}
