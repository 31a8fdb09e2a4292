package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// measured is the program whose whole runs are measured.
const measured = "adp-sparse"

func bindProgram(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "program", "", "the adp-sparse that is run (default: the one beside this program, else on the PATH)")
}

// findProgram returns the path of adp-sparse: the one that is given, or beside this
// program, or on the PATH.
func findProgram(given string) (string, error) {
	if given != "" {
		path, err := exec.LookPath(given)
		if err != nil {
			return "", usage.Errorf("--program: %w", err)
		}
		return filepath.Abs(path)
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(self), measured)
	if runtime.GOOS == "windows" {
		beside += ".exe"
	}
	for _, name := range []string{beside, measured} {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", usage.Errorf("no %s beside this program or on the PATH; --program FILE says where it is", measured)
}
