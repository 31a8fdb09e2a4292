package diffuse

import (
	"context"
	"errors"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// SpillBytes estimates the memory in which an A-step of n nodes in a space of files holds entries
// before they are written.
func SpillBytes(n int) int64 { return max(16<<20, 8*int64(n)) }

// spilledStep is [AStep] in a space of files. Each entry goes to a bucket of its row and to a
// bucket of its column; rows are then made of these, bucket by bucket. The bits are those of
// [csr.Symmetrize].
func spilledStep(ctx context.Context, all AffinityRows, opt AffinityOptions) (_ *csr.Matrix, err error) {
	file, err := opt.Space.Scratch()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	n := all.Nodes
	sink := &spilledRows{
		build: csr.NewBuilder(n, int64(n)*int64(opt.width(n)-1), true, csr.BuildOptions{
			Directed: true, Mean: true, Threads: opt.Threads, Scratch: file, Memory: SpillBytes(n),
		}),
		diagonal: make([]float32, n),
		edges:    make([]csr.Edges, rows.Workers(opt.Threads)),
	}
	if err := makeRows(ctx, all, sink, opt); err != nil {
		return nil, err
	}
	anchor := all.S
	if opt.Anchor == 0 {
		anchor = nil
	}
	return opt.Space.Sum(ctx, sink.build, sink.diagonal, float32(opt.Anchor), anchor)
}

// spilledRows is the sink of a space of files.
type spilledRows struct {
	build    *csr.Builder
	diagonal []float32
	edges    []csr.Edges // of the worker's current block
}

func (r *spilledRows) set(worker, i int, cols []uint32, vals []float32) {
	last := len(cols) - 1
	r.diagonal[i] = vals[last]
	e := &r.edges[worker]
	for k, j := range cols[:last] {
		e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, j), append(e.Weight, vals[k])
	}
}

func (r *spilledRows) end(worker int) error {
	e := &r.edges[worker]
	err := r.build.Add(worker, e)
	e.Src, e.Dst, e.Weight = e.Src[:0], e.Dst[:0], e.Weight[:0]
	return err
}
