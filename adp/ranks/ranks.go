// Package ranks runs package adp over several processes (MPI) or goroutines, the ranks of a
// [dist.World], each of which holds some rows of the graph (docs/cluster.md).
package ranks

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/internal/inside"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

var hooks = inside.OfRanks.(inside.Ranks[adp.Options, adp.Result, adp.Snapshot, adp.Calibration])

// Run is [adp.Run] over the ranks of a world, for the methods ADP, ADP1 and LGC. All ranks call
// it, with the same seeds and options. w holds the rank's own rows (× n) of W; the blocks, labels
// and graphs of the result and of its rounds hold the own rows too. Numbers that are not of one row
// are the same in all ranks.
//
// W may have its nodes in another order than the caller of adp.Run: the caller's node i, which
// seeds name, has the row place[i]; nil means i. Options.Order does not apply. The result has the
// same bits as that of adp.Run on W in its own order, for any number of ranks. [Gather] returns it
// to the caller's order.
//
// Options.Checkpoint, set in all ranks or in none, is called in rank 0 alone, with the rows of all
// ranks: F and A of the whole graph have to fit there.
//
// W must be symmetric; no rank can check this.
func Run(ctx context.Context, world *dist.World, w *csr.Matrix, y *diffuse.Seeds, place []uint32, opt adp.Options) (*adp.Result, error) {
	return hooks.Resume(ctx, world, w, y, place, opt, nil)
}

// Resume continues from a snapshot of a run over any number of ranks, on the same graph in the
// same order. Rank 0 has the snapshot, or nil to begin; other ranks' is ignored.
func Resume(ctx context.Context, world *dist.World, w *csr.Matrix, y *diffuse.Seeds, place []uint32, opt adp.Options, from *adp.Snapshot) (*adp.Result, error) {
	return hooks.Resume(ctx, world, w, y, place, opt, from)
}

// Calibrate is [adp.Calibrate] over the ranks of a world, for a run of [Run] with the same rows,
// places and options. All ranks get the same calibration, for [adp.Calibration.Apply] to the
// gathered result.
func Calibrate(ctx context.Context, world *dist.World, w *csr.Matrix, y *diffuse.Seeds, place []uint32, opt adp.Options, v int) (*adp.Calibration, error) {
	return hooks.Calibrate(ctx, world, w, y, place, opt, v)
}

// Gather brings the results of all ranks to rank 0, in the order of the caller's nodes; see [Run].
// Other ranks get nil. F and Graph come only if asked for, and are nil otherwise. Memory in rank
// 0: 13 bytes a node, and twice the parts asked for.
func Gather(world *dist.World, r *adp.Result, place []uint32, withF, withGraph bool, threads int) *adp.Result {
	return hooks.Gather(r, world, place, withF, withGraph, threads)
}
