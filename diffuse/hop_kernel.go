package diffuse

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// NewHopKernel returns the kernel of the maps X, TX, T²X … side by side, rows of unit length in each
// (T of [Hops]). first is X with unit rows. Lengths of the rows of dense TX are exact, of sparse ones those of
// [Diffused.Unit].
//
// Cost of dense ones: steps·nnz(U)·d multiply-adds, all hops of 32 columns in one pass, and m²d for the
// products of m seeds. Memory: three n×32 blocks, and 8·n bytes a map. No TX is held.
func NewHopKernel(ctx context.Context, first *Diffused, x Features, g *Graph, steps int, y *Seeds, threads int) (*Kernel, error) {
	maps := Joined{first}
	for t := range steps {
		d, err := NewDiffused(x, g, Hops{Weight: 1, Steps: t + 1}, threads)
		if err == nil && x.Sparse != nil {
			d, err = d.Unit(ctx)
		}
		if err != nil {
			return nil, err
		}
		maps = append(maps, d)
	}
	if x.Sparse != nil {
		return NewKernel(ctx, maps, y, threads)
	}
	kernel, err := kernelOn(maps, y, threads)
	if err != nil {
		return nil, err
	}
	if kernel.k, err = first.Gram(ctx, kernel.Nodes); err != nil {
		return nil, err
	}
	return kernel, kernel.addHops(ctx, maps[1:])
}

// addHops adds the products of the seeds in maps TX, T²X … of one dense X to K, and makes their rows of
// unit length.
func (k *Kernel) addHops(ctx context.Context, maps []*Diffused) error {
	n, cols := maps[0].Dims()
	last, m := maps[len(maps)-1], len(k.Nodes)
	grams := make([][]float64, len(maps))
	for t, d := range maps {
		grams[t], d.norm = make([]float64, m*m), make([]float64, n)
	}
	part := make([]float64, m*m)
	for lo := 0; lo < cols; lo += formedColumns {
		hi := min(lo+formedColumns, cols)
		z, next := last.block(0, hi-lo), last.block(1, hi-lo)
		last.columns(z, lo, hi)
		last.scale(z, func(i int) float64 { return last.enter(i, false) })
		for t, d := range maps {
			if err := rows.Do(ctx, n, k.threads, func(_, lo, hi int) error {
				last.hop(next, z, z, lo, hi)
				for i := lo; i < hi; i++ {
					leave := 1 / last.enter(i, false)
					d.norm[i] += squares(next.Row(i)) * float64(leave*leave)
				}
				return nil
			}); err != nil {
				return err
			}
			z, next = next, z
			points := csr.NewDense(m, hi-lo)
			for at, node := range k.Nodes {
				copy(points.Row(at), z.Row(int(node)))
				times(points.Row(at), 1/last.enter(int(node), false))
			}
			if err := gramOf(ctx, part, points, k.threads); err != nil {
				return err
			}
			for at, v := range part {
				grams[t][at] += v
			}
		}
	}
	last.blocks = [3][]float32{}
	for t, d := range maps {
		for i, square := range d.norm {
			d.norm[i] = math.Sqrt(square)
		}
		d.unitGram(grams[t], k.Nodes)
		for at, v := range grams[t] {
			k.k[at] += v
		}
	}
	return nil
}
