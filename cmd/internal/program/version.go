package program

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newVersion(std streams.Stdio) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(std.Out, cmd.Root().Name(), Version())
			return err
		},
	}
}

// release is the version that `make dist` embeds.
var release string

// Version is the version embedded, or the module's as the Go tool recorded it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case ok && release != "":
		return release + " " + info.GoVersion
	case !ok || info.Main.Version == "":
		return "(devel)"
	}
	return info.Main.Version + " " + info.GoVersion
}
