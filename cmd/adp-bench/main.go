// Command adp-bench measures what adp-sparse finds and what that takes, on data sets and
// beside other programs. See docs/benchmarks.md.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/configfile"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

func main() { os.Exit(program.Start(newRoot)) }

// fileFlags are the flags of files, of all commands.
var fileFlags = configfile.Files{
	Written: []string{"out", "csv", "paired", "plot", "convergence", "rounds-csv", "journal"},
	Others:  []string{"data", "dir", "graph", "cache", "draws-out", "program"},
}

func newRoot(std streams.Stdio) *cobra.Command {
	root := &cobra.Command{
		Use:   "adp-bench",
		Short: "Measure accuracy, time and memory on data sets",
		Long: `Measure on a folder of sets: NAME.edges.tsv.gz or NAME.features.npy.gz,
NAME.labels.tsv and, where there is one, NAME.split.tsv (train, val, test).
Tables are Markdown. Whole runs use the program adp-sparse, which lies beside
this one, on the PATH, or where --program says.

Exit codes: 0 ok, 1 bad data, 2 usage, 3 input/output, 4 memory limit,
5 internal error, 130/143 interrupted, 141 the reader of standard output left.`,
		Example: "  adp-bench accuracy --data sets --sets cora,usps --labels 1,5\n  adp-bench kernels --nodes 100000",
	}
	program.Frame(root, std, fileFlags, nil)
	root.AddCommand(newGraphs(std), newAccuracy(std), newContextual(std), newConfidence(std), newSuggest(std), newKernels(std), newFStep(std), newAStep(std), newKNN(std), newStages(std), newScaling(std), newMemory(std), newPaper(std), newSensitivity(std))
	return root
}
