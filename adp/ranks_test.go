package adp_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/ranks"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// ranksSample is a graph of three blocks of rows in classes that are hard to tell,
// with some nodes that no seed reaches.
func ranksSample(t *testing.T) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	const n, c = 1500, 3
	src, dst, _, class := gen.PlantedPartition(n-9, c, 0.02, 0.006, 4)
	src, dst = append(src, n-3), append(dst, n-2)
	w := graphOf(t, n, src, dst, nil)
	var list []diffuse.Seed
	for i := range 60 {
		list = append(list, diffuse.Seed{Node: uint32(23 * i), Class: uint32(class[23*i]), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

// TestRanksHaveTheSameBits: results over 1 to 4 ranks are those of one process, to
// the bit, for each method and with the nodes in another order.
func TestRanksHaveTheSameBits(t *testing.T) {
	w, many := ranksSample(t)
	for name, opt := range map[string]adp.Options{
		"one":    {Rounds: 2, Settings: []adp.Setting{{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}}, Order: adp.ClusterOrder},
		"adp":    {Rounds: 2, Settings: []adp.Setting{{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}, {TopK: 3, GraphAlpha: 0.99}}, Order: adp.ClusterOrder},
		"fast":   {Rounds: 2, Select: adp.Fast, Harden: diffuse.Soft},
		"fresh":  {Rounds: 3, Settings: []adp.Setting{{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9, Fresh: true}}},
		"adp1":   {Method: adp.ADP1, Rounds: 4, Order: adp.ClusterOrder},
		"lgc":    {Method: adp.LGC, Prior: []float64{1, 2, 3}},
		"lgc-by": {Method: adp.LGC, Order: adp.DegreeOrder, Balance: diffuse.Unbalanced},
	} {
		opt.Threads = 1
		y := many
		if name == "one" {
			y = onePerClass(t, many)
		}
		want, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		if name == "one" && (want.Trial == nil || want.Trial.PseudoLabels == 0) {
			t.Fatalf("%s: no stand-ins: %+v", name, want.Trial)
		}
		if name == "adp" && (want.Trial == nil || want.Trial.Folds == 0 || want.Trial.Won+want.Trial.Lost == 0) {
			t.Fatalf("%s: no trial, or no learned graph in it: %+v", name, want.Trial)
		}
		moved, place := w, []uint32(nil)
		if order, _ := opt.NodeOrder(context.Background(), w); order != nil {
			moved = csr.Permute(w, order, 1)
			place = make([]uint32, len(order))
			for at, i := range order {
				place[i] = uint32(at)
			}
		}
		for size := 1; size <= 4; size++ {
			if testing.Short() && size != 3 {
				continue
			}
			t.Run(fmt.Sprintf("%s on %d", name, size), func(t *testing.T) {
				var got *adp.Result
				err := dist.Local(size, func(c dist.Comm) error {
					indptr, _, _ := moved.Arrays()
					world := dist.NewWorld(c, dist.Split(indptr, size))
					lo, hi, _ := world.Rows()
					r, err := ranks.Run(context.Background(), world, csr.Slice(moved, lo, hi), y, place, opt)
					if err != nil {
						return err
					}
					if all := ranks.Gather(world, r, place, true, true, 1); all != nil {
						got = all
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				sameResult(t, "the ranks", got, want)
			})
		}
	}
}

// TestRanksCalibrate: what left-out seeds tell of the confidence, and the confidence
// that follows, are those of one process, for a learned graph and for LGC.
func TestRanksCalibrate(t *testing.T) {
	w, y := ranksSample(t)
	for name, opt := range map[string]adp.Options{
		"adp": {Rounds: 1, Select: adp.None, Order: adp.ClusterOrder, MinConfidence: 0.6},
		"lgc": {Method: adp.LGC, Order: adp.DegreeOrder},
	} {
		opt.Threads = 1
		want, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		told, err := adp.Calibrate(context.Background(), w, y, opt.Chosen(want), 0)
		if err != nil || !told.Calibrated || told.Accuracy == 1 || told.Accuracy == 0 {
			t.Fatalf("%s: %+v, %v", name, told, err)
		}
		told.Apply(want, opt.MinConfidence)
		order, _ := opt.NodeOrder(context.Background(), w)
		moved, place := csr.Permute(w, order, 1), make([]uint32, len(order))
		for at, i := range order {
			place[i] = uint32(at)
		}
		for size := 1; size <= 3; size++ {
			if err := dist.Local(size, func(c dist.Comm) error {
				indptr, _, _ := moved.Arrays()
				world := dist.NewWorld(c, dist.Split(indptr, size))
				lo, hi, _ := world.Rows()
				own := csr.Slice(moved, lo, hi)
				r, err := ranks.Run(context.Background(), world, own, y, place, opt)
				if err != nil {
					return err
				}
				got, err := ranks.Calibrate(context.Background(), world, own, y, place, opt.Chosen(r), 0)
				if err != nil {
					return err
				}
				if !reflect.DeepEqual(got, told) {
					t.Errorf("%s, rank %d of %d: %+v, want %+v", name, c.Rank(), size, got, told)
				}
				if all := ranks.Gather(world, r, place, true, true, 1); all != nil {
					got.Apply(all, opt.MinConfidence)
					sameResult(t, fmt.Sprintf("%s on %d", name, size), all, want)
				}
				return nil
			}); err != nil {
				t.Fatal(name, size, err)
			}
		}
	}
}

// TestChosenKeepsTheOrder: margins of left-out seeds are compared with those of a run
// in one order of the nodes, also where that run chose LGC, which by itself would have
// another one.
func TestChosenKeepsTheOrder(t *testing.T) {
	r := &adp.Result{Labels: make([]int32, adp.OrderNodes), Rounds: make([]adp.Round, 1)}
	if opt := (adp.Options{}).Chosen(r); opt.Method != adp.LGC || opt.Order != adp.ClusterOrder {
		t.Errorf("method %v, order %v", opt.Method, opt.Order)
	}
}

// TestRanksResume goes on, over other numbers of ranks, from snapshots of runs over
// ranks: the same result, and the snapshots that follow are the same.
func TestRanksResume(t *testing.T) {
	w, y := ranksSample(t)
	for name, opt := range map[string]adp.Options{
		"adp":  {Rounds: 2, Settings: []adp.Setting{{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}, {TopK: 3, GraphAlpha: 0.99}}},
		"none": {Rounds: 2, Select: adp.None},
		"adp1": {Method: adp.ADP1, Rounds: 4},
		"lgc":  {Method: adp.LGC},
	} {
		opt.Threads, opt.Order = 1, adp.GivenOrder
		want, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		over := func(size int, from *adp.Snapshot) (got *adp.Result, snapshots []*adp.Snapshot, err error) {
			opt := opt
			err = dist.Local(size, func(c dist.Comm) error {
				opt := opt
				opt.Checkpoint = func(s *adp.Snapshot) error {
					if c.Rank() != 0 {
						t.Error("a snapshot in another rank")
					}
					snapshots = append(snapshots, copyOf(s))
					return nil
				}
				indptr, _, _ := w.Arrays()
				world := dist.NewWorld(c, dist.Split(indptr, size))
				lo, hi, _ := world.Rows()
				r, err := ranks.Resume(context.Background(), world, csr.Slice(w, lo, hi), y, nil, opt, from)
				if err != nil {
					return err
				}
				if all := ranks.Gather(world, r, nil, true, true, 1); all != nil {
					got = all
				}
				return nil
			})
			return got, snapshots, err
		}
		got, all, err := over(3, nil)
		if err != nil {
			t.Fatal(err)
		}
		sameResult(t, name+" with snapshots", got, want)
		if name == "adp" && len(all) < 8 {
			t.Errorf("%d snapshots", len(all))
		}
		for k, s := range all {
			if testing.Short() && k%3 > 0 {
				continue
			}
			got, rest, err := over(1+k%4, copyOf(s))
			if err != nil {
				t.Fatal(name, k, err)
			}
			sameResult(t, fmt.Sprintf("%s from snapshot %d", name, k), got, want)
			if !reflect.DeepEqual(rest, all[k+1:]) && len(rest)+len(all[k+1:]) > 0 {
				t.Errorf("%s: other snapshots after the %d. of %d", name, k+1, len(all))
			}
		}
		wrong := copyOf(all[0])
		wrong.Identity.Seeds = "other"
		if _, _, err := over(2, wrong); !errors.Is(err, adp.ErrSnapshot) {
			t.Errorf("%s: a snapshot of other seeds: %v", name, err)
		}
	}
}
