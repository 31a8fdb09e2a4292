package diffuse

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// NewCentredKernel returns the kernel of the maps TX, T²X … side by side (T of [Hops]), centred ([Diffused.Centred]), then
// with rows of unit length in each: features of neighbours without what they share. The weight of the hops is 1. Lengths of the rows of
// dense ones are exact, of sparse ones those of [Diffused.Unit].
//
// Cost of dense ones: steps·nnz(U)·d multiply-adds, all hops of 32 columns in one pass, and m²d for the
// products of m seeds. Memory: three n×32 blocks, and 8·n bytes a map. No TX is held.
func NewCentredKernel(ctx context.Context, x Features, g *Graph, hops Hops, y *Seeds, threads int) (*Kernel, error) {
	var maps Joined
	for t := range hops.Steps {
		d, err := NewDiffused(x, g, Hops{Weight: hops.Weight, Steps: t + 1, Symmetric: hops.Symmetric}, threads)
		if err != nil {
			return nil, err
		}
		d = d.Centred()
		if x.Sparse != nil {
			if d, err = d.Unit(ctx); err != nil {
				return nil, err
			}
		}
		maps = append(maps, d)
	}
	if x.Sparse != nil {
		return NewKernel(ctx, maps, y, threads)
	}
	kernel := kernelOn(maps, y, threads)
	if !kernel.byColumns() {
		kernel.k = make([]float64, len(kernel.Nodes)*len(kernel.Nodes))
	}
	return kernel, kernel.addHops(ctx, maps)
}

// addHops adds the products of the seeds in centred maps TX, T²X … of one dense X to K, where there is one, and makes their rows of
// unit length.
func (k *Kernel) addHops(ctx context.Context, maps []*Diffused) error {
	n, cols := maps[0].Dims()
	last, nodes := maps[len(maps)-1], k.Nodes
	if k.byColumns() { // lengths alone are due
		nodes = nil
	}
	m := len(nodes)
	grams, before := make([][]float64, len(maps)), make([][]float64, len(maps)) // before rows are centred
	for t, d := range maps {
		grams[t], d.norm, before[t] = make([]float64, m*m), make([]float64, n), make([]float64, n)
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
					before[t][i] += float64(squares(next.Row(i)) * float64(leave*leave))
				}
				return nil
			}); err != nil {
				return err
			}
			z, next = next, z
			mean := d.addCentred(z)
			points := csr.NewDense(m, hi-lo)
			for at, node := range nodes {
				row := points.Row(at)
				copy(row, z.Row(int(node)))
				times(row, 1/last.enter(int(node), false))
				for j, v := range mean {
					row[j] = float32(float64(row[j]) - v)
				}
			}
			if err := gramOf(ctx, part, points, k.threads); err != nil {
				return err
			}
			for at, v := range part {
				grams[t][at] += v
			}
		}
	}
	last.letGo()
	for t, d := range maps {
		for i, square := range d.norm {
			d.norm[i] = lengthOf(d.rest(square, before[t][i]))
		}
		d.unitGram(grams[t], nodes)
		for at, v := range grams[t] {
			k.k[at] += v
		}
	}
	return nil
}

// addCentred returns the mean row of a block of columns, which is z before rows leave ([Diffused.enter]), and adds the
// squares of the rows without it to the norms.
func (d *Diffused) addCentred(z *csr.Dense) (mean []float64) {
	mean = rows.NewReducer(z.Rows, z.Cols).Sum(d.threads, func(lo, hi int, sums []float64) {
		for i := lo; i < hi; i++ {
			leave := 1 / d.enter(i, false)
			for j, v := range z.Row(i) {
				sums[j] += float64(float64(v) * leave)
			}
		}
	})
	for j := range mean {
		mean[j] /= float64(z.Rows)
	}
	rows.Each(z.Rows, d.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			leave := 1 / d.enter(i, false)
			for j, v := range z.Row(i) {
				off := float64(float64(v)*leave) - mean[j]
				d.norm[i] += float64(off * off)
			}
		}
	})
	return mean
}
