package run

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestSpacing: a run that ends before its first save says how far apart saves are, and the pages name the
// default.
func TestSpacing(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "no round was saved yet: saves are 5s apart or more (--checkpoint-every)"},
		{[]string{"--checkpoint-every", "0s"}, "no round was saved yet"},
	} {
		var flags checkpointFlags
		cmd := &cobra.Command{}
		flags.bind(cmd)
		if err := cmd.ParseFlags(append(test.args, "--checkpoint", t.TempDir()+"/state")); err != nil {
			t.Fatal(err)
		}
		k, err := flags.open(nil, true)
		if err != nil {
			t.Fatal(err)
		}
		k.ran = true
		advised, ok := k.close(context.Canceled, "").(interface{ Advice() string })
		if !ok || advised.Advice() != test.want {
			t.Errorf("%v: advice %v, expected %q", test.args, advised, test.want)
		}
	}
	for _, page := range []string{"guide", "trust", "cluster"} {
		text, err := os.ReadFile("../../../../docs/" + page + ".md")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "5 s apart or more") || !strings.Contains(string(text), "`--checkpoint-every") {
			t.Errorf("docs/%s.md does not say how far apart saves are", page)
		}
	}
}
