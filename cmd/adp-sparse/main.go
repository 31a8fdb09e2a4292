// Command adp-sparse labels the nodes of large graphs from a few known
// labels, and learns the graph on the way. See the README.
package main

import (
	"os"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/run"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
)

func main() { os.Exit(run.EndRanks(program.Start(newRoot))) }
