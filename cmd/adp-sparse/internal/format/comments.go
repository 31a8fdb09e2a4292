package format

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Comments is the flag of what comment lines of text start with.
type Comments struct {
	given    []string
	Prefixes []string // as options take them: nil goes by the format, empty means no comments
}

// Bind binds the flag. Of names the inputs that it is for.
func (c *Comments) Bind(cmd *cobra.Command, of string) {
	cmd.Flags().StringSliceVar(&c.given, "comment", nil, "marks of comment lines in "+of+": none, '#', '%' or '#,%'\nIn text. Default: none in a .csv file and below a header, else # and %. In vectors # and % where the first column has numbers, else none.")
}

// Check reads the flag.
func (c *Comments) Check() error {
	switch {
	case c.given == nil:
		return nil
	case slices.Equal(c.given, []string{"none"}):
		c.Prefixes = []string{}
		return nil
	}
	if err := lines.CheckComments(c.given); err != nil {
		return usage.Errorf("--comment: %v, or none", err)
	}
	c.Prefixes = c.given
	return nil
}
