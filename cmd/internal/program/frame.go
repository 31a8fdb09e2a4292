package program

import (
	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/configfile"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// Frame gives a root command what every program has: the flags of all commands, with the
// file of settings and the form of standard error, and errors of flags that help. files are
// the flags that name files. Of a
// command that silent reports no event says that it starts; silent may be nil.
func Frame(root *cobra.Command, std streams.Stdio, files configfile.Files, silent func(cmd *cobra.Command) bool) {
	root.SilenceErrors, root.SilenceUsage = true, true
	var log, configFile string
	var quiet bool
	flags := root.PersistentFlags()
	flags.StringVar(&configFile, configfile.Flag, "", "TOML file with flags\nThose of a command are in a table of its name. The command line wins.")
	flags.StringVar(&log, "log", "text", "standard error as text or json\nJSON is an object a line: time, event, data.")
	flags.BoolVar(&quiet, "quiet", false, "only errors on standard error\nWith --log json the events, without messages.")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := settle(cmd, configFile, files, std); err != nil {
			return err
		}
		c := streams.ConsoleOf(std.Err)
		asJSON, err := usage.Choose("log", log, map[string]bool{"text": false, "json": true})
		if err != nil {
			return err
		}
		c.JSON, c.Quiet = asJSON, quiet
		c.Still, _ = cmd.Flags().GetBool("quiet") // that of the command where it has one
		if silent != nil && silent(cmd) {
			return nil
		}
		c.Event("start", map[string]string{"version": Version(), "command": cmd.CommandPath()})
		return nil
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage.Error{Err: usage.Advised(cmd, err)} })
	root.AddCommand(newVersion(std))
}

// settle sets the flags that the file of settings has, if there is one, and refuses files
// that have no name.
func settle(cmd *cobra.Command, configFile string, files configfile.Files, std streams.Stdio) error {
	if configFile != "" {
		if err := configfile.Load(cmd, configFile); err != nil {
			return err
		}
		if err := files.Spare(cmd, configFile, std); err != nil {
			return err
		}
	}
	return files.CheckGiven(cmd)
}
