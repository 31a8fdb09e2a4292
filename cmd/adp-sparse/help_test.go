package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// TestHelpInGroups: the help on a command with many flags begins with the flags used
// most, has each flag once, and each in a group that says what it is about; the manual
// page has the same groups.
func TestHelpInGroups(t *testing.T) {
	for _, cmd := range newRoot(streams.Stdio{}).Commands() {
		many := 0
		cmd.NonInheritedFlags().VisitAll(func(*pflag.Flag) { many++ })
		if many < 16 {
			continue
		}
		code, help, errs := call("help", cmd.Name())
		_, manual, _ := call("man", cmd.Name())
		if code != 0 || errs != "" || strings.Contains(help, "\nOther:") || !strings.Contains(help, "\nUsed most:\n") {
			t.Errorf("help %s: exit %d, %s; %s", cmd.Name(), code, errs, help)
		}
		for _, title := range regexp.MustCompile(`(?m)^(Used most|Graph of vectors|Limits and running):$`).FindAllStringSubmatch(help, -1) {
			if !strings.Contains(manual, ".SS "+title[1]+"\n") {
				t.Errorf("the manual page of %s has no group %q", cmd.Name(), title[1])
			}
		}
		for _, name := range usage.FlagNames(cmd) {
			if n := len(regexp.MustCompile(`(?m)^  (    |-., )--`+name+`\b[^-]`).FindAllString(help, -1)); n != 1 {
				t.Errorf("help %s has --%s %d times", cmd.Name(), name, n)
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
		for _, name := range strings.Fields(g.flags) {
			if slices.Contains(grouped, name) || !slices.Contains(all, name) {
				t.Errorf("%s: --%s is in another group, or no flag", g.title, name)
			}
			grouped = append(grouped, name)
		}
	}
}
