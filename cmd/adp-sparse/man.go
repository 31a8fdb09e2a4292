package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newMan(std streams.Stdio) *cobra.Command {
	dir := ""
	cmd := &cobra.Command{
		Use:   "man [COMMAND] [--dir FOLDER]",
		Short: "Print the manual page of a command, or write those of all",
		Example: `  adp-sparse man run | man -l -
  adp-sparse man --dir /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if dir != "" {
				if len(args) > 0 {
					return usage.Errorf("--dir writes the pages of all commands, and takes no %q", args[0])
				}
				return outputs.Texts(std, outputs.File{Flag: "dir", Name: dir}, manuals(root))
			}
			of, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usage.Errorf("no command %q; see adp-sparse --help", strings.Join(args, " "))
			}
			return writeManual(std.Out, of)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "folder for the pages of all commands: adp-sparse.1, adp-sparse-run.1, …\nIt is made if it is not there.")
	return cmd
}

// manuals returns the pages of a command and of those below it.
func manuals(cmd *cobra.Command) []outputs.Text {
	var page bytes.Buffer
	writeManual(&page, cmd) // memory takes all
	pages := []outputs.Text{{Name: manualName(cmd) + ".1", Content: page.Bytes()}}
	for _, below := range documented(cmd) {
		pages = append(pages, manuals(below)...)
	}
	return pages
}

// documented are the commands below one that have a page.
func documented(cmd *cobra.Command) (all []*cobra.Command) {
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() && below.Name() != "help" {
			all = append(all, below)
		}
	}
	return all
}

func manualName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// writeManual writes a page in the macros of man(7), from the same tree that
// --help shows.
func writeManual(w io.Writer, cmd *cobra.Command) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, ".TH %s 1 \"\" %q %q\n", strings.ToUpper(roff(manualName(cmd))), "adp-sparse "+roff(program.Version()), "adp-sparse")
	fmt.Fprint(out, ".ad l\n.hy 0\n")
	fmt.Fprintf(out, ".SH NAME\n%s \\- %s\n", roff(manualName(cmd)), roff(cmd.Short))
	fmt.Fprintf(out, ".SH SYNOPSIS\n\\fB%s\\fR %s\n", roff(cmd.CommandPath()), roff(strings.TrimSpace(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath()))))
	if cmd.Long != "" {
		fmt.Fprint(out, ".SH DESCRIPTION\n")
		paragraphs(out, cmd.Long)
	}
	if below := documented(cmd); len(below) > 0 {
		fmt.Fprint(out, ".SH COMMANDS\n")
		for _, c := range below {
			fmt.Fprintf(out, ".TP\n\\fB%s\\fR(1)\n%s\n", roff(manualName(c)), roff(c.Short))
		}
	}
	if many(cmd) {
		fmt.Fprint(out, ".SH OPTIONS\n")
		for _, g := range groupsOf(cmd, true) {
			manualFlags(out, ".SS "+g.title, g.FlagSet)
		}
	} else {
		manualFlags(out, ".SH OPTIONS", cmd.NonInheritedFlags())
	}
	manualFlags(out, ".SH OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprint(out, ".SH EXAMPLES\n.nf\n")
		for line := range strings.Lines(cmd.Example) {
			fmt.Fprintln(out, roff(strings.TrimRight(line, "\n")))
		}
		fmt.Fprint(out, ".fi\n")
	}
	if cmd.HasParent() {
		fmt.Fprintf(out, ".SH SEE ALSO\n\\fB%s\\fR(1), which lists the exit codes\n", roff(manualName(cmd.Parent())))
	}
	return out.Flush()
}

func paragraphs(w io.Writer, text string) {
	for k, paragraph := range strings.Split(text, "\n\n") {
		if k > 0 {
			fmt.Fprintln(w, ".PP")
		}
		for line := range strings.Lines(paragraph) {
			fmt.Fprintln(w, roff(strings.TrimSpace(line)))
		}
	}
}

func manualFlags(w io.Writer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintln(w, title)
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		kind, text := pflag.UnquoteUsage(flag)
		text, _, _ = strings.Cut(text, "\n")
		short := ""
		if flag.Shorthand != "" {
			short = "\\fB\\-" + roff(flag.Shorthand) + "\\fR, "
		}
		fmt.Fprintf(w, ".TP\n%s\\fB\\-\\-%s\\fR", short, roff(flag.Name))
		if kind != "" {
			fmt.Fprintf(w, " \\fI%s\\fR", roff(kind))
		}
		fmt.Fprintf(w, "\n%s", roff(text))
		if v := flag.DefValue; v != "" && v != "0" && v != "false" && v != "[]" && !strings.Contains(text, "(default") {
			fmt.Fprintf(w, " (default %s)", roff(v))
		}
		if details := usage.Details(flag); details != "" {
			fmt.Fprintf(w, ".\n%s", roff(details))
		}
		fmt.Fprintln(w)
	})
}

// roff escapes text: no byte of it is a request or an escape, and all are ASCII.
func roff(text string) string {
	text = strings.NewReplacer("\\", "\\e", "-", "\\-", "\"", "\\(dq").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = "\\&" + text
	}
	var ascii strings.Builder
	for _, r := range text {
		if r < 0x80 {
			ascii.WriteRune(r)
		} else {
			fmt.Fprintf(&ascii, "\\[u%04X]", r)
		}
	}
	return ascii.String()
}
