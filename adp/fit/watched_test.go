package fit

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/checkpoint"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// planted returns a graph of n nodes in three classes, of which a run learns another, and seeds of the first nodes.
func planted(t *testing.T, n, seeds int) Input {
	t.Helper()
	src, dst, weight, class := gen.PlantedPartition(n, 3, 18/float64(n), 3.6/float64(n), 1)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i, c := range class[:seeds] {
		list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(c), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, 3, list)
	if err != nil {
		t.Fatal(err)
	}
	return Input{Edges: w, Seeds: y}
}

// TestWatched: a run tells of its own rounds alone, and goes on from any state that it was stopped in, to the same bytes. A mixture
// runs on folds, too, whose rounds and states are not those of the run.
func TestWatched(t *testing.T) {
	racing.LongSum(t)
	both := cloud(t, 120, 3, 8, 4)
	for name, in := range map[string]Input{
		"edges": planted(t, 150, 60), "features": {Dense: both.Dense, Seeds: both.Seeds}, "both": both,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, dir, states, rounds := context.Background(), t.TempDir(), 0, 0
			var opt Options
			path := func(k int) string { return filepath.Join(dir, strconv.Itoa(k)) }
			opt.Run.Observer = func(r adp.Round) {
				if r.Index != rounds {
					t.Errorf("round %d was told of, expected %d", r.Index, rounds)
				}
				rounds++
			}
			opt.Run.Checkpoint = func(s *adp.Snapshot) error {
				file, err := checkpoint.Create(path(states), "test")
				if err != nil {
					return err
				}
				states++
				if err := file.Save(s); err != nil {
					return err
				}
				return file.Close()
			}
			whole, err := Run(ctx, in, opt)
			if err != nil {
				t.Fatal(err)
			}
			if last := len(whole.Rounds); rounds < last-1 || states < rounds { // the last may be the answer's
				t.Fatalf("%d rounds and %d states of %d rounds", rounds, states, last)
			}
			opt.Run.Observer, opt.Run.Checkpoint = nil, nil
			for k := range states {
				file, snapshot, err := checkpoint.Open(path(k), "test")
				if err != nil {
					t.Fatal(err)
				}
				opt.From = snapshot
				r, err := Run(ctx, in, opt)
				if err != nil {
					t.Fatalf("state %d of %d: %v", k, states, err)
				}
				if !slices.Equal(r.F.Data, whole.F.Data) {
					t.Fatalf("state %d of %d: another F", k, states)
				}
				if err := file.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
