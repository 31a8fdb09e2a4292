package main

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/pages"
)

// TestFlagsOfDocuments: the commands of adp-bench in README.md and docs have a command and flags
// that it has. They take hours and sets that are not here, so that they are not run.
func TestFlagsOfDocuments(t *testing.T) {
	all, err := pages.All("../..")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, page := range all {
		for _, c := range page.Commands() {
			for _, args := range c.Calls("adp-bench") {
				calls++
				if err := parsed(args); err != nil {
					t.Errorf("%s:%d: $ %s: %v", page.Name, c.Line, c.Text, err)
				}
			}
		}
	}
	if calls < 20 {
		t.Errorf("%d calls of adp-bench: the test says little", calls)
	}
	for _, wrong := range [][]string{{"accurcy"}, {"accuracy", "--dta", "x"}, {"accuracy", "--draws", "x"}} {
		if parsed(wrong) == nil {
			t.Errorf("adp-bench %v is right for this test", wrong)
		}
	}
}

// parsed finds the command of arguments and parses its flags.
func parsed(args []string) error {
	cmd, rest, err := newRoot(streams.Stdio{}).Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	return cmd.Args(cmd, cmd.Flags().Args())
}
