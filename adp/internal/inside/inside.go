// Package inside hands functions of package adp that are not part of its face to the packages
// below adp that make a face of their own of them.
//
// Its values are set before those packages are initialised, as they import adp. This package cannot
// import adp, so that the types of adp are parameters here.
package inside

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

// Ranks are the functions for package adp/ranks.
type Ranks[Options, Result, Snapshot, Calibration any] struct {
	Resume    func(context.Context, *dist.World, *csr.Matrix, *diffuse.Seeds, []uint32, Options, *Snapshot) (*Result, error)
	Calibrate func(context.Context, *dist.World, *csr.Matrix, *diffuse.Seeds, []uint32, Options, int) (*Calibration, error)
	Gather    func(r *Result, world *dist.World, place []uint32, withF, withGraph bool, threads int) *Result
	// Measure returns the function of [ranks.Memory.Bytes].
	Measure func(world *dist.World, w *csr.Matrix, classes int) func(opt Options, calibrate, f, graph bool) int64
}

// OfRanks is a [Ranks] of the types of adp.
var OfRanks any
