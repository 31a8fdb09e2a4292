package usage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Strict makes help and completion, which cobra adds to a root command, refuse what they do not
// know: cobra would print help on standard output and succeed. Its output must be set.
func Strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.DisableSuggestions = true // [AdvisedCommand] makes them, in one line
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Run, cmd.RunE = nil, help
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// help prints the help on a command.
func help(cmd *cobra.Command, args []string) error {
	of, rest, err := cmd.Root().Find(args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0 && of.HasSubCommands():
		return fmt.Errorf("unknown command %q for %q", rest[0], of.CommandPath())
	case len(rest) > 0:
		return Errorf("unexpected argument %q after help %s", rest[0], strings.Join(args[:len(args)-len(rest)], " "))
	}
	of.InitDefaultHelpFlag() // which is shown
	return of.Help()
}

// AdvisedCommand adds to cobra's error of an unknown command those that may be meant.
func AdvisedCommand(root *cobra.Command, err error) error {
	var name, above string
	if err == nil {
		return nil
	}
	if n, _ := fmt.Sscanf(err.Error(), "unknown command %q for %q", &name, &above); n < 2 {
		return err
	}
	of, _, finding := root.Find(strings.Fields(above)[1:])
	if finding != nil {
		return err
	}
	message := fmt.Sprintf("unknown command %q for %q", name, above)
	of.SuggestionsMinimumDistance = 2
	if meant := of.SuggestionsFor(name); len(meant) > 0 {
		return Errorf("%s; did you mean %s? See %s --help", message, strings.Join(meant, " or "), above)
	}
	return Errorf("%s; see %s --help", message, above)
}
