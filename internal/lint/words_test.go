package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/pages"
)

type phrase struct{ pattern, instead string }

// phrases are ways to write that the documents and messages do without, and what to write
// instead. A sentence has its subject first, one idea, and the present tense.
var phrases = []phrase{
	{`what (is|are|was|were|there)`, "name the thing: \"the result\", not \"what is found\""},
	{`what (it|they) (is|are|was|were)`, "name the thing"},
	{`(some|one|two|none|all|most|many|both|[0-9]+) of which`, "two sentences"},
	{`of which`, "two sentences, or \"whose\""},
	{`so many`, "the number"},
	{`as many as there`, "the number"},
	{`that there (is|are|was|were)`, "drop it"},
	{`none that (is|are)`, "\"not known\", \"not given\""},
	{`(he|she|those|people|one)? ?who wants?`, "\"to …, say …\""},
	{`takes? it away`, "\"remove\""},
	{`far too (sure|much|many)`, "\"overconfident\", a number"},
	{`as (it|they) comes?`, "\"unchanged\", \"the default\""},
	{`as \w+ (has|have) it`, "\"as in …\""},
	{`at hand`, "\"available\""},
	{`(is|are) said of`, "\"applies to\""},
	{`go(es)? round`, "\"circulate\""},
	{`stand-ins?`, "\"pseudo-labels\""},
	{`otherwise than`, "\"other than\", \"differently\""},
	{`have no better`, "a plain statement"},
	{`can hold no`, "a plain statement"},
	{`the more the`, "a plain statement"},
	{`for (people|strangers) to`, "drop it"},
	{`it takes (\w+ )?\w+ (fewer|more), at least`, "\"at least … fewer\""},
	{`nor (is|are|do|does) `, "a sentence with its subject first"},
	{`no sample of`, "\"not a random sample\""},
}

// inProse are those that pages do without, and messages of a line may have.
var inProse = []phrase{
	{`(is|are|was|were) of (the|a|an|one|those|these|its|all)`, "a verb: \"belongs to\", \"comes from\", \"has\""},
}

var banned, bannedInProse = compiled(phrases), compiled(inProse)

func compiled(phrases []phrase) *regexp.Regexp {
	var all []string
	for _, p := range phrases {
		all = append(all, "("+strings.ReplaceAll(p.pattern, "(", "(?:")+")")
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}

// mostWords is the length of the longest sentence.
const mostWords = 35

// wordFaults returns the phrases of a text that are banned.
func wordFaults(text string) []string { return found(text, banned, phrases) }

func found(text string, banned *regexp.Regexp, phrases []phrase) (faults []string) {
	for _, m := range banned.FindAllStringSubmatchIndex(text, -1) {
		for k := 1; k < len(m)/2; k++ {
			if m[2*k] >= 0 {
				faults = append(faults, fmt.Sprintf("%q, expected %s", text[m[0]:m[1]], phrases[k-1].instead))
			}
		}
	}
	return faults
}

var (
	inCode   = regexp.MustCompile("`[^`]*`")
	inLink   = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	endOf    = regexp.MustCompile(`([.!?:;])[)"*]*( |$)`)
	listItem = regexp.MustCompile(`^\s*([-*+]|\d+\.) `)
)

// plain is prose without code and addresses.
func plain(text string) string {
	return strings.ReplaceAll(inLink.ReplaceAllString(inCode.ReplaceAllString(text, "code"), "$1"), "*", "")
}

// longFaults returns the sentences of a paragraph that have too many words.
func longFaults(text string) (faults []string) {
	for sentence := range strings.SplitSeq(endOf.ReplaceAllString(text, "$1\x00"), "\x00") {
		if n := len(strings.Fields(sentence)); n > mostWords {
			faults = append(faults, fmt.Sprintf("a sentence of %d words, expected %d at most: %.60s…", n, mostWords, strings.TrimSpace(sentence)))
		}
	}
	return faults
}

// pageFaults returns the faults of the prose of a page. Tables have phrases, and no sentences.
func pageFaults(p *pages.Page) (faults []string) {
	var paragraph []string
	first := 0
	end := func() {
		text := plain(strings.Join(paragraph, " "))
		for _, fault := range slices.Concat(wordFaults(text), found(text, bannedInProse, inProse), longFaults(text)) {
			faults = append(faults, fmt.Sprintf("%s:%d: %s", p.Name, first, fault))
		}
		paragraph = nil
	}
	last := 0
	p.Prose(func(line int, text string) {
		text = strings.TrimSpace(text)
		table := strings.HasPrefix(text, "|")
		if text == "" || table || strings.HasPrefix(text, "#") || listItem.MatchString(text) || line != last+1 {
			end()
		}
		last = line
		switch {
		case table:
			for _, fault := range wordFaults(plain(text)) {
				faults = append(faults, fmt.Sprintf("%s:%d: %s", p.Name, line, fault))
			}
		case text != "":
			if paragraph == nil {
				first = line
			}
			paragraph = append(paragraph, listItem.ReplaceAllString(text, ""))
		}
	})
	end()
	return faults
}

// TestWords: the prose of README.md and docs, and the texts of both programs for their users, are
// without the phrases above and have no long sentences.
func TestWords(t *testing.T) {
	root := filepath.Join("..", "..")
	all, err := pages.All(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range all {
		for _, fault := range pageFaults(page) {
			t.Error(fault)
		}
	}
	texts := 0
	err = filepath.WalkDir(filepath.Join(root, "cmd"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		found, n, err := textFaults(name, nil)
		texts += n
		for _, fault := range found {
			t.Error(fault)
		}
		return err
	})
	if err != nil || texts < 500 {
		t.Errorf("%d texts, %v", texts, err)
	}
}

// textFaults returns the faults of the strings of a Go file that are texts, and their number. A
// string is a text where it has three words.
func textFaults(name string, source any) (faults []string, texts int, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, 0)
	if err != nil {
		return nil, 0, err
	}
	ast.Inspect(file, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil || len(strings.Fields(text)) < 3 {
			return true
		}
		texts++
		for _, fault := range wordFaults(strings.Join(strings.Fields(text), " ")) {
			faults = append(faults, fmt.Sprintf("%s: %s", files.Position(literal.Pos()), fault))
		}
		return true
	})
	return faults, texts, nil
}

// TestWordFaults: the checks find what they are for, with its line.
func TestWordFaults(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	long := strings.Repeat("a word and ", 13)
	text := "# Title\n\nA good sentence. `so many` in code is none.\n\n```sh\nof which\n```\n\nNodes of\nwhich there are so many.\n\n| a | what is left |\n\n- " + long + "end.\n- short: " + long + "end.\n"
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := pages.Read(filepath.Dir(page), page)
	if err != nil {
		t.Fatal(err)
	}
	got := pageFaults(p)
	want := []string{"page.md:9: \"of which\"", "page.md:9: \"so many\"", "page.md:12: \"what is\"", "page.md:14: a sentence of 40 words", "page.md:15: a sentence of 40 words"}
	if len(got) != len(want) || !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("found %q, expected %q", got, want)
	}
	found, texts, err := textFaults("x.go", "package x\nvar a, b = \"a plain good text\", `it says\nwhat is there`\n")
	if err != nil || texts != 2 || len(found) != 1 || !strings.HasPrefix(found[0], "x.go:2:") {
		t.Errorf("%q, %d, %v", found, texts, err)
	}
}
