package configfile

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// Files are the flags of a program that name files and folders, of all its commands.
type Files struct {
	Written []string // files that are written
	Others  []string // files that are read, and folders
}

// CheckGiven refuses a file that is named by an empty text, which a variable of the shell
// leaves that is not set: it would be as if the flag were not there, and the labels
// nowhere.
func (f Files) CheckGiven(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if kind := flag.Value.Type(); kind != "string" && kind != "stringArray" { // --labels can be a number
			return
		}
		of := flag.Name == Flag || slices.Contains(f.Written, flag.Name) || slices.Contains(f.Others, flag.Name)
		if of && slices.Contains(usage.FlagTexts(flag), "") {
			err = cmp.Or(err, error(usage.Errorf("--%s has no name of a file or folder, expected one, or no such flag", flag.Name)))
		}
	})
	return err
}

// Spare refuses an output that would replace the file of settings.
func (f Files) Spare(cmd *cobra.Command, name string, std streams.Stdio) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(f.Written, flag.Name) {
			return
		}
		for _, out := range usage.FlagTexts(flag) {
			err = cmp.Or(err, outputs.File{Flag: flag.Name, Name: out}.Spares(outputs.File{Flag: Flag, Name: name}, std))
		}
	})
	return err
}
