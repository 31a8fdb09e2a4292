package diffuse

import (
	"cmp"
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// mostTogether is the largest number of columns of systems that are solved together. A product with
// 32 columns of float32 takes little longer than one with 8: it reads the graph once, and whole
// cache lines of the block.
const mostTogether = 32

// TogetherOf returns how many of the given systems, of c columns each, [Together] solves at a time: at least 1.
func TogetherOf(c, systems int) int { return max(1, min(systems, mostTogether/max(c, 1))) }

// Together returns the classifications of LGC for several seeds on one graph, n×c each, solved side
// by side as one block of columns:
//
//	(I − αS) [F_1 … F_K] = (1−α) [Ỹ_1 … Ỹ_K].
//
// They are starts for [Workspace.LGC]: to the tolerance of the options, but without its care for
// rows far from all seeds. All seeds have the nodes and the classes of the first. Across processes,
// s and degrees have the own rows of a partition; it is nil where all rows are here.
//
// Cost: the products of one LGC, with K·c columns. Memory: 5K blocks of 4·n·c bytes, then K.
func Together(ctx context.Context, s Operator, degrees []float64, seeds []*Seeds, opt Options, partition Partition) ([]*csr.Dense, error) {
	c := seeds[0].Classes
	opt, err := opt.WithDefaults(c)
	if err != nil {
		return nil, err
	}
	y, scale := sideBySide(seeds, func(y *Seeds) []float64 { return scaleOn(s, degrees, y, opt, partition) })
	w := NewWorkspace(s.Dim(), y.Classes, opt.Threads)
	if partition != nil {
		w.Across(partition)
	}
	norms, residual := w.system(s, y, scale, opt.Alpha)
	f := csr.NewDense(s.Dim(), y.Classes)
	if _, err := w.conjugateGradients(ctx, f, norms, opt, system{s: s, alpha: opt.Alpha}, residual); err != nil {
		return nil, err
	}
	out := make([]*csr.Dense, len(seeds))
	for k := range out {
		out[k] = csr.NewDense(f.Rows, c)
		rows.Each(f.Rows, opt.Threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				copy(out[k].Row(i), f.Row(i)[k*c:])
			}
		})
	}
	return out, nil
}

// sideBySide returns the seeds as those of one Y, n×Kc, with the scale that each has among its own.
func sideBySide(seeds []*Seeds, scaleOf func(*Seeds) []float64) (*Seeds, []float64) {
	type scaled struct {
		Seed
		scale float64
	}
	c := seeds[0].Classes
	var all []scaled
	for k, y := range seeds {
		scale := scaleOf(y)
		for at, seed := range y.list {
			seed.Class += uint32(k * c)
			all = append(all, scaled{seed, scale[at]})
		}
	}
	slices.SortFunc(all, func(a, b scaled) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Class, b.Class))
	})
	y, scale := &Seeds{Nodes: seeds[0].Nodes, Classes: len(seeds) * c}, make([]float64, len(all))
	for at, s := range all {
		y.list = append(y.list, s.Seed)
		scale[at] = s.scale
	}
	return y, scale
}
