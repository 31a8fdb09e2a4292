package dist

import "github.com/adp-sparse/adp-sparse/csr"

// Gather returns the items of all ranks, in the order of ranks, in rank 0, and nil
// in others. All ranks call it together.
func Gather[T any](c Comm, own []T) []T {
	send := make([][]byte, c.Size())
	send[0] = bytesOf(own)
	received := c.Exchange(send)
	if c.Rank() != 0 {
		return nil
	}
	return joined[T](received)
}

// GatherAll is Gather to every rank.
func GatherAll[T any](c Comm, own []T) []T {
	send := make([][]byte, c.Size())
	for rank := range send {
		send[rank] = bytesOf(own)
	}
	return joined[T](c.Exchange(send))
}

func joined[T any](parts [][]byte) []T {
	all := []T{}
	for _, b := range parts {
		all = append(all, itemsOf[T](b)...)
	}
	return all
}

// GatherRows is Gather for the own rows of a matrix.
func GatherRows(c Comm, own *csr.Matrix) *csr.Matrix {
	return gatherRows(own, func(lengths, cols []uint32, vals []float32) ([]uint32, []uint32, []float32) {
		return Gather(c, lengths), Gather(c, cols), Gather(c, vals)
	})
}

// gatherRows joins the rows that gather returns, nil if it returns none.
func gatherRows(own *csr.Matrix, gather func(lengths, cols []uint32, vals []float32) ([]uint32, []uint32, []float32)) *csr.Matrix {
	rows, n := own.Dims()
	lengths := make([]uint32, rows)
	for i := range lengths {
		cols, _ := own.Row(i)
		lengths[i] = uint32(len(cols))
	}
	_, cols, vals := own.Arrays()
	lengths, cols, vals = gather(lengths, cols, vals)
	if lengths == nil {
		return nil
	}
	indptr := make([]int64, 1, len(lengths)+1)
	for _, length := range lengths {
		indptr = append(indptr, indptr[len(indptr)-1]+int64(length))
	}
	return trusted(len(lengths), n, indptr, cols, vals)
}

// Agree returns nil in all ranks where err is nil in all of them. Else the first
// rank with an error returns it, and all others a [*Lost]. All call it together.
func Agree(c Comm, err error) error {
	mine := make([][]byte, c.Size())
	if err != nil {
		for q := range mine {
			mine[q] = []byte{1}
		}
	}
	for q, fault := range c.Exchange(mine) {
		if len(fault) > 0 && q == c.Rank() {
			return err
		}
		if len(fault) > 0 {
			return &Lost{Rank: q}
		}
	}
	return nil
}

// Broadcast returns the items of rank 0 in all ranks. All call it together.
func Broadcast[T any](c Comm, items []T) []T {
	send := make([][]byte, c.Size())
	if c.Rank() == 0 {
		for q := range send {
			send[q] = bytesOf(items)
		}
	}
	return itemsOf[T](c.Exchange(send)[0])
}

// Scatter returns the own part of an array that rank 0 has all of, width items a
// row. All ranks call it together.
func Scatter[T any](w *World, all []T, width int) []T {
	send := make([][]byte, w.Size())
	if w.Rank() == 0 {
		for q := range send {
			send[q] = bytesOf(all[w.bounds[q]*width : w.bounds[q+1]*width])
		}
	}
	return itemsOf[T](w.Exchange(send)[0])
}

// ScatterRows is Scatter for the rows of a square matrix: all ranks get their
// own rows; it is nil in all but rank 0.
func ScatterRows(w *World, all *csr.Matrix) *csr.Matrix {
	var lengths []uint32
	cols, vals := make([][]byte, w.Size()), make([][]byte, w.Size())
	if w.Rank() == 0 {
		indptr, indices, data := all.Arrays()
		for i := range len(indptr) - 1 {
			lengths = append(lengths, uint32(indptr[i+1]-indptr[i]))
		}
		for q := range cols {
			lo, hi := indptr[w.bounds[q]], indptr[w.bounds[q+1]]
			cols[q], vals[q] = bytesOf(indices[lo:hi]), bytesOf(data[lo:hi])
		}
	}
	lengths = Scatter(w, lengths, 1)
	indptr := make([]int64, 1, len(lengths)+1)
	for _, length := range lengths {
		indptr = append(indptr, indptr[len(indptr)-1]+int64(length))
	}
	_, _, n := w.Rows()
	return trusted(len(lengths), n, indptr, itemsOf[uint32](w.Exchange(cols)[0]), itemsOf[float32](w.Exchange(vals)[0]))
}
