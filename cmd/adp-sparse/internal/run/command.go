package run

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/parts"
)

func New(std streams.Stdio) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "run (--edges | --graph | --features) FILE --labels FILE [--out FILE] [--graph-out FILE]",
		Short: "Label every node of a graph and learn the graph",
		Long: `Label every node of a graph from the known labels of a few, and learn the graph.
The graph is a list of edges (--edges), a file in another format (--graph), or made of
vectors (--features) by joining each to its nearest neighbours. Other flags are not
needed: cross-validation on the known labels chooses the settings.`,
		Example: `  adp-sparse run --edges graph.tsv --labels seeds.tsv --out labels.tsv
  adp-sparse run --features vectors.npy --labels seeds.tsv --out labels.tsv --report report.html
  adp-sparse run --edges graph.tsv.gz --features words.npy --labels seeds.tsv --out labels.tsv
  adp-sparse run --features table.csv --labels table.csv --label-column species --out labels.parquet`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.given = cmd.Flags().Changed
			f.reports.Command = usage.CommandLine(cmd)
			s, err := f.settings()
			if err != nil {
				return err
			}
			return s.run(cmd.Context(), std)
		},
	}
	f.Bind(cmd)
	f.bindFiles(cmd.Flags())
	f.bindMethod(cmd.Flags())
	f.bindLearning(cmd.Flags())
	f.bindResult(cmd.Flags())
	limit.Bind(cmd, &f.Limit, "; over several processes the limit of each")
	f.checkpoint.bind(cmd)
	f.reports.Bind(cmd)
	opened.BindNodesOut(cmd, &f.nodesOut)
	return cmd
}

// run labels a graph: in one file, or in parts.
func (s *settings) run(ctx context.Context, std streams.Stdio) error {
	if parts.Is(s.source.Graph) {
		if s.source.Features.Source() != "" {
			return usage.Errorf("--features beside a graph in parts, expected a graph in one file")
		}
		return s.runRanks(ctx, std)
	}
	if n := launched(); n > 1 {
		return usage.Errorf("--graph %s: %d processes were started for a graph that is not in parts; see adp-sparse partition --help", s.source.Source(), n)
	}
	discard, err := s.reports.Folder()
	if err != nil {
		return err
	}
	defer discard()
	out, err := s.open(std)
	if err != nil {
		return err
	}
	return errors.Join(s.runOn(ctx, std, out), out.Close())
}
