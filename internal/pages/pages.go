// Package pages reads the documents of the project for the tests that hold them to the programs:
// their blocks of code, the commands in these, and their prose. Only tests import it.
package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Page is a document.
type Page struct {
	Name   string // from the root of the repository
	Lines  []string
	Blocks []Block
}

// Block is a fenced block of code. Its first word of the fence says what it is: of `console` the
// lines `$ command` are run and what follows is what they print; those of `sh` are run. Words
// after it are the reason why they are not run: then their flags are parsed alone.
type Block struct {
	Kind, Reason string
	Line         int // of the fence, from 1
	Lines        []string
}

// All returns README.md and the pages of docs, given the root of the repository.
func All(root string) ([]*Page, error) {
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	var all []*Page
	for _, name := range append([]string{filepath.Join(root, "README.md")}, names...) {
		p, err := Read(root, name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Read reads a page.
func Read(root, name string) (*Page, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	short, err := filepath.Rel(root, name)
	if err != nil {
		return nil, err
	}
	p := &Page{Name: filepath.ToSlash(short), Lines: strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")}
	var open *Block
	for k, line := range p.Lines {
		mark, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && open == nil:
			kind, reason, _ := strings.Cut(mark, " ")
			open = &Block{Kind: kind, Reason: strings.TrimSpace(reason), Line: k + 1}
		case fence:
			p.Blocks = append(p.Blocks, *open)
			open = nil
		case open != nil:
			open.Lines = append(open.Lines, line)
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%s:%d: a block of code has no end", p.Name, open.Line)
	}
	return p, nil
}

// Command is a command line of a page.
type Command struct {
	Page  string
	Line  int // of its beginning, from 1
	Text  string
	Run   bool     // it is to be run; else its flags are parsed
	Shown bool     // it is of a block of console
	Print []string // what it prints, of a block of console
}

// Commands returns the commands of a page in their order: of blocks, and of lines that are
// indented by four blanks.
func (p *Page) Commands() (all []Command) {
	inside := make([]bool, len(p.Lines)+2)
	for _, b := range p.Blocks {
		for k := range len(b.Lines) + 2 {
			inside[b.Line-1+k] = true
		}
		all = append(all, b.commands(p.Name)...)
	}
	for k, line := range p.Lines {
		if text, ok := strings.CutPrefix(line, "    "); ok && !inside[k] && program.MatchString(text) {
			all = append(all, Command{Page: p.Name, Line: k + 1, Text: text})
		}
	}
	slices.SortStableFunc(all, func(a, b Command) int { return a.Line - b.Line })
	return all
}

// program is how a line of code that calls one of the programs begins.
var program = regexp.MustCompile(`^(\$ )?(adp-sparse|adp-bench|mpirun|srun|go run|python3|Rscript) `)

func (b *Block) commands(page string) (all []Command) {
	shown := b.Kind == "console"
	if !shown && b.Kind != "sh" && b.Kind != "" {
		return nil
	}
	more := false
	for k, line := range b.Lines {
		text, prompt := strings.CutPrefix(line, "$ ")
		last := len(all) - 1
		switch {
		case more:
			all[last].Text += " " + strings.TrimSpace(strings.TrimSuffix(line, `\`))
			more = strings.HasSuffix(line, `\`)
			continue
		case shown && !prompt:
			if last >= 0 {
				all[last].Print = append(all[last].Print, line)
			}
			continue
		case strings.TrimSpace(text) == "" || strings.HasPrefix(strings.TrimSpace(text), "#"):
			continue
		case b.Kind == "" && !program.MatchString(strings.TrimSpace(text)):
			continue // a block without a kind has anything
		}
		more = strings.HasSuffix(text, `\`)
		all = append(all, Command{
			Page: page, Line: b.Line + 1 + k, Text: strings.TrimSpace(strings.TrimSuffix(text, `\`)),
			Shown: shown, Run: b.Reason == "" && b.Kind != "",
		})
	}
	return all
}

// Words splits a command line at blanks, as a shell does: quotes hold words together, and # begins
// a comment. A pipe and redirections stand as words of their own.
func (c *Command) Words() (words []string) {
	var word strings.Builder
	var quote rune
	open := false
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for _, r := range c.Text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ':
			end()
		case r == '#' && !open:
			return words
		default:
			open = true
			word.WriteRune(r)
		}
	}
	end()
	return words
}

// Calls returns the arguments of each call of a program in a command, behind `go run ./cmd/NAME`,
// mpirun and srun too.
func (c *Command) Calls(name string) (calls [][]string) {
	words := c.Words()
	for k := 0; k < len(words); k++ {
		if words[k] != name && words[k] != "./cmd/"+name && words[k] != "./"+name || k > 0 && (strings.HasPrefix(words[k-1], "--") || words[k-1] == "-o" || slices.Contains(words[:k], "build")) {
			continue // --program ./adp-sparse and go build are no calls
		}
		end := k + 1
		for end < len(words) && !slices.Contains([]string{"|", ">", "<", "&&", ";", "2>"}, words[end]) {
			end++
		}
		if args := words[k+1 : end]; len(args) > 0 {
			calls = append(calls, args)
		}
		k = end
	}
	return calls
}

// Program is the word that a command begins with.
func (c *Command) Program() string {
	for _, word := range c.Words() {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}

var code = regexp.MustCompile("`[^`]+`")

// Code returns the pieces of code within the prose of a page, with the line of each.
func (p *Page) Code(each func(line int, text string)) {
	p.Prose(func(line int, text string) {
		for _, piece := range code.FindAllString(text, -1) {
			each(line, strings.Trim(piece, "`"))
		}
	})
}

// Prose calls each for each line that is not in a block of code, with its number.
func (p *Page) Prose(each func(line int, text string)) {
	next := 0
	for k, line := range p.Lines {
		for next < len(p.Blocks) && k+1 > p.Blocks[next].Line+len(p.Blocks[next].Lines)+1 {
			next++
		}
		if next < len(p.Blocks) && k+1 >= p.Blocks[next].Line {
			continue
		}
		if !strings.HasPrefix(line, "    ") {
			each(k+1, line)
		}
	}
}
