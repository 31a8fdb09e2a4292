package usage

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

// TestOnce: two values of a flag of one value are an error that names both, of the flags of a
// command and of those of all commands. The same value in two spellings and lists pass.
func TestOnce(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"go", "--edges", "a b", "--edges", "c"}, `--edges is given twice, "a b" and "c", expected once; for several files: cat 'a b' c | program go --edges - …, if none has a header`},
		{[]string{"go", "--n=1", "--n", "2"}, `--n is given twice, "1" and "2", expected once`},
		{[]string{"go", "--n=0", "--n", "2"}, `--n is given twice, "0" and "2", expected once`},
		{[]string{"--all", "go", "--all=false"}, `--all is given twice, "true" and "false", expected once`},
		{[]string{"go", "--n=1", "--n", "01", "--all", "--all=T", "--edges=x", "--edges", "x", "--list", "1,2", "--list", "3"}, ""},
		{[]string{"go", "--n=x"}, `invalid argument "x" for "--n" flag: expected a whole number such as 3`},
		{[]string{"go", "--n=99999999999999999999"}, `invalid argument "99999999999999999999" for "--n" flag: it is out of range, expected a whole number such as 3`},
		{[]string{"go", "--list", ""}, `invalid argument "" for "--list" flag: expected whole numbers such as 3,5`},
		{[]string{"go", "--all=perhaps"}, `invalid argument "perhaps" for "--all" flag: expected true or false`},
	} {
		root := &cobra.Command{Use: "program", SilenceErrors: true, SilenceUsage: true}
		cmd := &cobra.Command{Use: "go", RunE: func(*cobra.Command, []string) error { return nil }}
		root.AddCommand(cmd)
		root.PersistentFlags().Bool("all", false, "")
		cmd.Flags().String("edges", "", "")
		n, list := cmd.Flags().Int("n", 0, ""), cmd.Flags().IntSlice("list", nil, "")
		root.SetFlagErrorFunc(Advised)
		Once(root)
		root.SetArgs(c.args)
		err := root.Execute()
		if c.want == "" {
			if err != nil || *n != 1 || !slices.Equal(*list, []int{1, 2, 3}) {
				t.Errorf("%q: %v, %d, %v", c.args, err, *n, *list)
			}
		} else if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, expected %s", c.args, err, c.want)
		}
	}
}
