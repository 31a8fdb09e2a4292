// Package configfile sets the flags of a command from a file of settings.
package configfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// maxConfig is the largest --config file.
const maxConfig = 1 << 20

// Flag is the flag that names the file. It cannot be in the file.
const Flag = "config"

// Load sets the flags of a command from a TOML file, those of the command
// line aside: keys before the first table are flags of any command that has
// them, those of a table [run] flags of run.
//
//	threads = 4
//	[run]
//	labels = "seeds.tsv"
//	alpha = 0.99
//
// A key that is no flag of its command, and a value that the flag does not take,
// are errors with their line.
func Load(cmd *cobra.Command, name string) error {
	f, in, err := inputs.Open(cmd.Context(), name)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxConfig+1))
	if err != nil {
		return err
	}
	c := config{file: name, text: text, cmd: cmd}
	if len(text) > maxConfig {
		return c.errorf(0, "longer than %d bytes", maxConfig)
	}
	// All rules of TOML, with good messages; the order and the lines of keys are
	// the parser's below.
	var fault *toml.DecodeError
	if err := toml.Unmarshal(text, new(map[string]any)); errors.As(err, &fault) {
		line, _ := fault.Position()
		return c.errorf(line, "%s, expected TOML: flag = value%s", lines.Quote([]byte(fault.Error())), orQuotes(text, line))
	} else if err != nil {
		return c.errorf(0, "%v", err)
	}
	return c.apply()
}

// orQuotes is advice about a line that cannot be read, where its value has letters and no quotes.
func orQuotes(text []byte, line int) string {
	all := bytes.Split(text, []byte("\n"))
	if line < 1 || line > len(all) {
		return ""
	}
	_, value, found := bytes.Cut(all[line-1], []byte("="))
	value, _, _ = bytes.Cut(value, []byte("#"))
	if !found || bytes.ContainsAny(value, `"'`) || !bytes.ContainsFunc(value, unicode.IsLetter) {
		return ""
	}
	return `; text wants quotes: flag = "value"`
}

// config is a file on its way to the flags of a command.
type config struct {
	file  string
	text  []byte
	cmd   *cobra.Command
	table *cobra.Command // whose table it is; nil before the first
}

func (c *config) errorf(line int, format string, args ...any) error {
	return usage.Error{Err: &lines.Error{File: c.file, Line: line, Msg: fmt.Sprintf(format, args...)}}
}

// line returns the line of a node.
func (c *config) line(n *unstable.Node) int {
	return 1 + bytes.Count(c.text[:min(int(n.Raw.Offset), len(c.text))], []byte("\n"))
}

func (c *config) apply() error {
	given := map[string]bool{} // by the command line
	for _, name := range usage.FlagNames(c.cmd) {
		given[name] = c.cmd.Flags().Changed(name)
	}
	var p unstable.Parser
	p.Reset(c.text)
	for p.NextExpression() {
		e := p.Expression()
		var err error
		switch e.Kind {
		case unstable.Table:
			err = c.open(e)
		case unstable.KeyValue:
			err = c.set(e, given)
		case unstable.ArrayTable:
			it := e.Key()
			it.Next()
			err = c.errorf(c.line(it.Node()), "an array of tables, expected tables named like commands")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// key returns the name of a key or table that has no dots, and its line.
func (c *config) key(e *unstable.Node) (string, int, error) {
	it := e.Key()
	it.Next()
	name, line := string(it.Node().Data), c.line(it.Node())
	if it.Next() {
		return "", line, c.errorf(line, "%s.%s has a dot, expected the name of a flag or a command", name, it.Node().Data)
	}
	return name, line, nil
}

// open starts the table of a command.
func (c *config) open(e *unstable.Node) error {
	name, line, err := c.key(e)
	if err != nil {
		return err
	}
	for _, command := range c.cmd.Root().Commands() {
		if command.Name() == name {
			c.table = command
			return nil
		}
	}
	return c.errorf(line, "no command %s; see %s --help", lines.Quote([]byte(name)), c.cmd.Root().Name())
}

// set sets a flag, unless the command line has, or the table is another
// command's.
func (c *config) set(e *unstable.Node, given map[string]bool) error {
	name, line, err := c.key(e)
	if err != nil {
		return err
	}
	of := c.cmd
	if c.table != nil {
		of = c.table
	}
	flag := of.Flags().Lookup(name)
	if flag == nil {
		flag = of.InheritedFlags().Lookup(name)
	}
	if flag == nil && c.table == nil && hasFlag(c.cmd.Root(), name) {
		return nil // of other commands
	}
	if flag == nil || name == Flag || name == "help" {
		return c.errorf(line, "no flag %s of %s; see %s --help", lines.Quote([]byte(name)), of.CommandPath(), of.CommandPath())
	}
	values, err := c.values(e.Value(), line)
	if err != nil {
		return err
	}
	if given[name] || !c.isMine() {
		return nil
	}
	isArray := e.Value().Kind == unstable.Array
	switch _, list := flag.Value.(pflag.SliceValue); {
	case isArray && !list && flag.Annotations[usage.Listed] == nil:
		return c.errorf(line, "%s is a list, expected one value", name)
	case isArray && !list, flag.Value.Type() == "stringSlice":
		if values, err = joined(values); err != nil {
			return c.errorf(line, "%s: %v", name, err)
		}
	case list && flag.Value.Type() != "stringArray": // which is given once for each item
		values = []string{strings.Join(values, ",")}
	}
	flag.Changed = false // by the command line: the table of a command may have what stands above the tables, too
	for _, value := range values {
		if err := c.cmd.Flags().Set(name, value); err != nil {
			return c.errorf(line, "%s = %s: %v", name, lines.Quote([]byte(value)), usage.Advised(c.cmd, err))
		}
	}
	return nil
}

// joined returns the items of a list as the command line has them: with quotes where they have commas.
func joined(items []string) ([]string, error) {
	if len(items) == 0 {
		return []string{""}, nil
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	if err := w.Write(items); err != nil {
		return nil, err
	}
	w.Flush()
	return []string{strings.TrimSuffix(text.String(), "\n")}, nil
}

// hasFlag reports whether a command or one of its parts has a flag.
func hasFlag(cmd *cobra.Command, name string) bool {
	return cmd.Flags().Lookup(name) != nil || slices.ContainsFunc(cmd.Commands(), func(part *cobra.Command) bool { return hasFlag(part, name) })
}

// isMine reports whether the table is of the command, or of one that it is a
// part of.
func (c *config) isMine() bool {
	for cmd := c.cmd; cmd != nil; cmd = cmd.Parent() {
		if c.table == nil || cmd == c.table {
			return true
		}
	}
	return false
}

// values returns a value, or the items of an array, as the command line has them.
func (c *config) values(n *unstable.Node, line int) ([]string, error) {
	switch n.Kind {
	case unstable.String:
		return []string{string(n.Data)}, nil
	case unstable.Bool:
		return []string{string(n.Data)}, nil
	case unstable.Integer, unstable.Float:
		return []string{strings.ReplaceAll(string(n.Data), "_", "")}, nil
	case unstable.Array:
		var items []string
		for it := n.Children(); it.Next(); {
			of, err := c.values(it.Node(), line)
			if err != nil {
				return nil, err
			}
			items = append(items, of...)
		}
		return items, nil
	}
	return nil, c.errorf(line, "a value of kind %s, expected text, a number, true, false or an array of these", n.Kind)
}
