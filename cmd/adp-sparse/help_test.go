package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// commandsWithFlags are the commands that show flags of their own.
func commandsWithFlags() (all []*cobra.Command) {
	for _, cmd := range newRoot(streams.Stdio{}).Commands() {
		if cmd.Runnable() && !cmd.Hidden && cmd.NonInheritedFlags().HasAvailableFlags() && cmd.Name() != "help" {
			all = append(all, cmd)
		}
	}
	return all
}

// shown counts the lines of help that show a flag.
func shown(help, name string) int {
	return len(regexp.MustCompile(`(?m)^  (    |-., )--`+name+`( |$)`).FindAllString(help, -1))
}

// TestHelp: the help on a command shows its basic flags, and --help-all all of them, each once, on
// one line of at most helpWidth letters, in a group with a title. The manual page has the same
// groups, and the details that the help leaves out.
func TestHelp(t *testing.T) {
	for _, cmd := range commandsWithFlags() {
		basic := slices.Contains(usage.FlagNames(cmd), helpAll)
		code, help, errs := call(cmd.Name(), "--help")
		if again, other, _ := call("help", cmd.Name()); code != 0 || errs != "" || again != 0 || other != help {
			t.Errorf("%s --help: exit %d, %s", cmd.Name(), code, errs)
		}
		all := help
		if basic {
			_, all, _ = call(cmd.Name(), "--help-all")
			if lines := strings.Count(help, "\n"); lines > 60 || !strings.Contains(help, "--help-all lists all flags") {
				t.Errorf("%s --help has %d lines", cmd.Name(), lines)
			}
		}
		_, flags, _ := strings.Cut(all, "Usage:\n")
		if _, after, examples := strings.Cut(flags, "\nExamples:\n"); examples {
			_, flags, _ = strings.Cut(after, "\n\n")
		}
		for line := range strings.Lines(flags) {
			flag := strings.HasPrefix(line, "      --") || strings.HasPrefix(line, "  -")
			if title := strings.HasSuffix(line, ":\n"); line != "\n" && !flag && !title || len([]rune(line)) > helpWidth+1 {
				t.Errorf("%s --help-all has the line %q of %d letters", cmd.Name(), line, len([]rune(line)))
			}
		}
		if strings.Contains(all, "\n"+otherFlags+":") {
			t.Errorf("%s has flags in no group: %s", cmd.Name(), all)
		}
		_, manual, _ := call("man", cmd.Name())
		cmd.NonInheritedFlags().VisitAll(func(flag *pflag.Flag) {
			if n := shown(all, flag.Name); n != 1 && !flag.Hidden {
				t.Errorf("%s --help-all has --%s %d times", cmd.Name(), flag.Name, n)
			}
			if details := usage.Details(flag); !strings.Contains(manual, roff(details)) {
				t.Errorf("the manual page of %s lacks %q", cmd.Name(), details)
			}
		})
		for _, g := range groupsOf(cmd, true) {
			if basic && !strings.Contains(manual, ".SS "+g.title+"\n") {
				t.Errorf("the manual page of %s has no group %q", cmd.Name(), g.title)
			}
		}
	}
}

// TestHelpOrder: what a command alone has comes first, and experts' flags are not in the short help.
func TestHelpOrder(t *testing.T) {
	for name, first := range map[string]string{"run": "edges", "explain": "node", "suggest": "count", "serve": "items", "tune": "methods"} {
		_, help, _ := call(name, "--help")
		if m := regexp.MustCompile(`(?m)^      --([a-z-]+)`).FindStringSubmatch(help); m == nil || m[1] != first {
			t.Errorf("%s begins with %v, expected --%s", name, m, first)
		}
		for _, expert := range []string{"gamma", "zeta", "anchor", "faint", "name-key"} {
			if shown(help, expert) > 0 {
				t.Errorf("%s --help shows --%s", name, expert)
			}
		}
	}
	_, help, _ := call("help", "run")
	described, _, _ := strings.Cut(help, "\n\nUsage:\n")
	if lines := strings.Count(described, "\n") + 1; lines < 3 || lines > 6 {
		t.Errorf("run is described in %d lines: %s", lines, described)
	}
}

// TestFlagGroups: no flag is in two groups, and none that is not there in any.
func TestFlagGroups(t *testing.T) {
	var all, grouped []string
	for _, cmd := range newRoot(streams.Stdio{}).Commands() {
		cmd.InitDefaultHelpFlag()
		all = append(all, usage.FlagNames(cmd)...)
	}
	for _, g := range flagGroups {
		for _, name := range strings.Fields(g.basic + " " + g.expert) {
			if slices.Contains(grouped, name) || !slices.Contains(all, name) {
				t.Errorf("%s: --%s is in another group, or no flag", g.title, name)
			}
			grouped = append(grouped, name)
		}
	}
}

// TestRemovedFlags: a flag that is gone says what to do now.
func TestRemovedFlags(t *testing.T) {
	for args, want := range map[string]string{
		"run --balance none":     "say --class-prior none",
		"explain --balance none": "say --class-prior none",
		"run --harden soft":      "adp.Options.Harden",
		"run --hubs whole":       "adp.Options.Hubs",
	} {
		if code, _, errs := call(strings.Fields(args)...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s", args, code, errs)
		}
	}
}
