package adp

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/internal/inside"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

func init() {
	inside.OfRanks = inside.Ranks[Options, Result, Snapshot, Calibration]{
		Resume:    resumeRanks,
		Calibrate: calibrateRanks,
		Gather:    (*Result).gather,
		Measure: func(world *dist.World, w *csr.Matrix, classes int) func(opt Options, calibrate, f, graph bool) int64 {
			m := measureRank(world, w, classes)
			return func(opt Options, calibrate, f, graph bool) int64 {
				return m.bytes(opt, afterRanks{calibrate, f, graph})
			}
		},
	}
}

// resumeRanks is Resume of package adp/ranks.
func resumeRanks(ctx context.Context, world *dist.World, w *csr.Matrix, y *diffuse.Seeds, place []uint32, opt Options, from *Snapshot) (*Result, error) {
	if err := checkSeeds(y); err != nil {
		return nil, err
	}
	if err := y.Check(); err != nil {
		return nil, err
	}
	lo, hi, n := world.Rows()
	if here, cols := w.Dims(); here != hi-lo || cols != n || n != y.Nodes || place != nil && len(place) != n {
		panic(fmt.Sprintf("adp: rows %d to %d of %d, a %d×%d matrix, seeds of %d nodes, %d places", lo, hi, n, here, cols, y.Nodes, len(place)))
	}
	opt.Order = GivenOrder
	opt, err := opt.forSeeds(y)
	if err != nil {
		return nil, err
	}
	if err := opt.forRanks(); err != nil {
		return nil, err
	}
	p := &rankRows{world: world}
	if world.Rank() != 0 {
		from = nil
	}
	var id identity
	if opt.Checkpoint != nil || p.known(from != nil) {
		id = p.identify(w, y, opt)
	}
	if place == nil {
		r, err := newRun(p, nil, w, y, opt)
		if err != nil {
			return nil, err
		}
		return r.label(ctx, id, from)
	}
	there := &reordering{place: place}
	r, err := newRun(p, nil, w, there.seeds(y), opt)
	if err != nil {
		return nil, err
	}
	r.nodes = func() []uint32 { return there.nodesOf(lo, hi) }
	r.folds = func(v int) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] {
		return there.folds(crossval.Folds(y, v, crossval.ChoiceSeed))
	}
	return r.label(ctx, id, from)
}

// forRanks returns the faults of options that a run over ranks does not support.
func (o Options) forRanks() error {
	var faults []error
	fault := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Errorf("%w: "+format+" over several processes", append([]any{ErrOptions}, args...)...))
		}
	}
	fault(!o.Method.Has(OverRanks), "method %v, expected %s", o.Method, OverRanks.Names("or"))
	fault(o.Start != nil, "a start, expected none")
	fault(o.ClassColumns > 0, "%d class columns at a time, expected all", o.ClassColumns)
	fault(o.Scratch != "", "scratch files in %q, expected none", o.Scratch)
	return errors.Join(faults...)
}

// gather is Gather of package adp/ranks.
func (r *Result) gather(world *dist.World, place []uint32, withF, withGraph bool, threads int) *Result {
	all := *r
	all.Labels = dist.Gather(world, r.Labels)
	all.Confidence = dist.Gather(world, r.Confidence)
	all.Margin = dist.Gather(world, r.Margin)
	all.Status = dist.Gather(world, r.Status)
	all.F, all.First, all.Graph = nil, nil, nil
	if withF {
		if data := dist.Gather(world, r.F.Data); data != nil {
			all.F = &csr.Dense{Rows: len(all.Labels), Cols: r.F.Cols, Data: data}
		}
	}
	if withGraph {
		all.Graph = dist.GatherRows(world, r.Graph)
	}
	if world.Rank() != 0 {
		return nil
	}
	if place != nil {
		order := slices.Clone(place)
		for i, at := range place {
			order[at] = uint32(i)
		}
		(&reordering{order, place}).result(&all, nil, threads) // nil: no space, no error
	}
	return &all
}
