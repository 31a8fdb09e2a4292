package csr

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// rowMaker makes finished rows of the entries of buckets, for one worker.
type rowMaker struct {
	b      *Builder
	most   int // entries that are scattered at a time, unless one row has more
	buffer []byte
	counts []int    // of each row of the bucket
	next   []int    // where the next entry of each row goes
	packed []uint64 // column in the high word, direction and weight bits in the low one

	lengths []int // the finished rows
	cols    []uint32
	vals    []float32
	merged  int // entries that were merged into another
}

func newRowMaker(b *Builder, workers int) *rowMaker {
	w := &rowMaker{b: b, most: 1 << 22, counts: make([]int, 1<<b.shift), next: make([]int, 1<<b.shift)}
	if b.opt.Memory > 0 {
		// A quarter of the memory, at 16 bytes an entry.
		w.most = int(max(min(int64(w.most), b.opt.Memory/64/int64(workers)), 1<<10))
	}
	return w
}

// make passes the rows of a bucket to yield, after wait has returned. A bucket
// of too many entries is scattered part by part.
func (w *rowMaker) make(at int, wait, yield func() error) error {
	size := min(1<<w.b.shift, w.b.n-at<<w.b.shift)
	counts := w.counts[:size]
	clear(counts)
	width := w.b.width
	if err := w.each(at, func(chunk []byte) {
		for ; len(chunk) >= width; chunk = chunk[width:] {
			counts[binary.LittleEndian.Uint16(chunk)&(directBit-1)]++
		}
	}); err != nil {
		return err
	}
	for lo := 0; lo < size; {
		hi, total := lo, 0
		for ; hi < size && (hi == lo || total+counts[hi] <= w.most); hi++ {
			w.next[hi] = total
			total += counts[hi]
		}
		if err := w.scatter(at, lo, hi, total); err != nil {
			return err
		}
		if err := w.finish(at<<w.b.shift, counts, lo, hi); err != nil {
			return err
		}
		if err := wait(); err != nil {
			return err
		}
		if err := yield(); err != nil {
			return err
		}
		lo = hi
	}
	return nil
}

// scatter fills packed with the entries of the rows lo to hi-1 of a bucket.
// The bits of non-negative floats are ordered like the floats, so that sorting
// the words of a row sorts by column, direction, then weight.
func (w *rowMaker) scatter(at, lo, hi, total int) error {
	if cap(w.packed) < total {
		w.packed = make([]uint64, total+total/8)
	}
	w.packed = w.packed[:total]
	return w.each(at, func(chunk []byte) { w.scatterChunk(chunk, lo, hi) })
}

func (w *rowMaker) scatterChunk(chunk []byte, lo, hi int) {
	width, weight := w.b.width, uint64(math.Float32bits(1))
	next, packed := w.next, w.packed
	for ; len(chunk) >= width; chunk = chunk[width:] {
		row := int(binary.LittleEndian.Uint16(chunk))
		i := row & (directBit - 1)
		if i < lo || i >= hi {
			continue
		}
		if width > 6 {
			weight = uint64(binary.LittleEndian.Uint32(chunk[6:]))
		}
		packed[next[i]] = uint64(binary.LittleEndian.Uint32(chunk[2:]))<<32 | uint64(row>>maxShift)<<31 | weight
		next[i]++
	}
}

// each calls visit with all chunks of a bucket.
func (w *rowMaker) each(at int, visit func(chunk []byte)) error {
	b := &w.b.buckets[at]
	for _, chunk := range b.memory {
		visit(chunk)
	}
	for _, chunk := range b.tails {
		visit(chunk)
	}
	if len(b.file) > 0 && w.buffer == nil {
		w.buffer = make([]byte, w.b.chunk)
	}
	for _, offset := range b.file {
		if _, err := w.b.opt.Scratch.ReadAt(w.buffer, offset); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		visit(w.buffer)
	}
	return nil
}

// finish sorts and merges the rows lo to hi-1 of the bucket that starts at
// row first.
func (w *rowMaker) finish(first int, counts []int, lo, hi int) error {
	w.lengths, w.cols, w.vals, w.merged = w.lengths[:0], w.cols[:0], w.vals[:0], 0
	for i := lo; i < hi; i++ {
		end := w.next[i]
		row := w.packed[end-counts[i] : end]
		slices.Sort(row)
		before := len(w.cols)
		if err := w.merge(first+i, row); err != nil {
			return err
		}
		kept := len(w.cols) - before
		w.lengths = append(w.lengths, kept)
		w.merged += len(row) - kept
	}
	return nil
}

// merge appends a sorted row, the equal columns made one.
func (w *rowMaker) merge(i int, row []uint64) error {
	const in = 1 << 31
	if !w.b.opt.Mean && distinct(row) {
		at := len(w.cols)
		w.cols, w.vals = slices.Grow(w.cols, len(row))[:at+len(row)], slices.Grow(w.vals, len(row))[:at+len(row)]
		cols, vals := w.cols[at:], w.vals[at:]
		for k, word := range row {
			cols[k], vals[k] = uint32(word>>32), math.Float32frombits(uint32(word&(in-1)))
		}
		return nil
	}
	for k := 0; k < len(row); {
		col := row[k] >> 32
		end := k + 1
		for end < len(row) && row[end]>>32 == col {
			end++
		}
		var value float32
		var err error
		if !w.b.opt.Mean {
			value, err = w.weight(i, row[k:end])
		} else {
			from := k // where the entries against their direction start
			for from < end && row[from]&in == 0 {
				from++
			}
			var forth, back float32
			if forth, err = w.weight(i, row[k:from]); err == nil {
				back, err = w.weight(i, row[from:end])
			}
			value = float32((float64(forth) + float64(back)) / 2)
			w.merged -= min(from-k, 1) + min(end-from, 1) - 1 // a-b and b-a are no duplicates
		}
		if err != nil {
			return err
		}
		w.cols = append(w.cols, uint32(col))
		w.vals = append(w.vals, value)
		k = end
	}
	return nil
}

// distinct reports whether no column comes twice in a sorted row.
func distinct(row []uint64) bool {
	for k := 1; k < len(row); k++ {
		if row[k]>>32 == row[k-1]>>32 {
			return false
		}
	}
	return true
}

// weight returns the merged weight of entries in one place, which are in
// order of weight; 0 if there are none.
func (w *rowMaker) weight(i int, same []uint64) (float32, error) {
	const bits = 1<<31 - 1
	if len(same) == 0 {
		return 0, nil
	}
	last := math.Float32frombits(uint32(same[len(same)-1] & bits))
	if len(same) == 1 || w.b.opt.Duplicates == DuplicatesMax {
		return last, nil
	}
	col := uint32(same[0] >> 32)
	if w.b.opt.Duplicates == DuplicatesError {
		if same[0]&(bits+1) != 0 {
			return 0, &DuplicateError{Src: col, Dst: uint32(i)}
		}
		return 0, &DuplicateError{Src: uint32(i), Dst: col}
	}
	sum := 0.0
	for _, word := range same {
		sum += float64(math.Float32frombits(uint32(word & bits)))
	}
	if sum > math.MaxFloat32 {
		return 0, &StructureError{i, fmt.Sprintf("edges to node %d add up to weight %g, expected at most %g", col, sum, math.MaxFloat32)}
	}
	return float32(sum), nil
}
