package csr

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// RowSink receives a finished row of a product: its columns, in no special order and without
// repetition, and the accumulator of their values. Several goroutines call it, once a row; worker
// identifies them and is below the number of threads. The row is valid during the call.
type RowSink func(worker, i int, row *Accumulator) error

// MulRows computes C = A·B row by row and passes each finished row to sink, so that a row can be
// truncated before it is stored and C is never held. Rows come in any order. Values are summed in
// float32 in the order of A's columns. Memory: one [Accumulator] a worker, at most 12 bytes a
// column of B.
func MulRows(ctx context.Context, a, b *Matrix, threads int, sink RowSink) error {
	if a.cols != b.rows {
		panic(fmt.Sprintf("csr: product of %d×%d and %d×%d", a.rows, a.cols, b.rows, b.cols))
	}
	acc := make([]*Accumulator, rows.Workers(threads))
	return rows.Do(ctx, a.rows, threads, func(worker, lo, hi int) error {
		if acc[worker] == nil {
			acc[worker] = NewAccumulator(b.cols)
		}
		row := acc[worker]
		for i := lo; i < hi; i++ {
			row.Reset()
			row.AddRowTimes(a, i, b)
			if err := sink(worker, i, row); err != nil {
				return err
			}
		}
		return nil
	})
}
