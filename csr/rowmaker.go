package csr

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// rowMaker turns the entries of buckets into finished rows, for one worker.
//
// If edges have no weights, and no direction that is averaged away, it scatters entries as columns
// alone, to their final place; else as packed words.
type rowMaker struct {
	b      *Builder
	plain  bool // columns alone
	passes int  // how often entries are first grouped by column, see group: sorting rows took longer
	most   int  // entries that are scattered at a time, unless one row has more
	buffer []byte
	groups [mostPasses][]byte // the entries of a part of a bucket, grouped
	counts []int              // of each row of the bucket
	next   []int              // where the next entry of each row goes
	packed []uint64           // column in the high word, direction and weight bits in the low one

	lengths []int // the finished rows
	cols    []uint32
	vals    []float32
	ones    []float32 // the values of edges without weights that are given once
	values  []float32 // those of others
	merged  int       // entries that were merged into another

	plainRows  rowSorter[uint32]
	packedRows rowSorter[uint64]
}

// groupBytes is the memory for each entry that is scattered at a time. These take a quarter of the
// memory, at 36 bytes an entry that is grouped first. leastPart is the least number of entries
// worth a pass over a bucket.
const (
	groupBytes = 4 * 36
	leastPart  = 1 << 14
)

func newRowMaker(b *Builder, workers int) *rowMaker {
	w := &rowMaker{
		b: b, plain: !b.weighted && !b.opt.Mean, most: 1 << 22,
		counts: make([]int, 1<<b.shift), next: make([]int, 1<<b.shift),
	}
	if b.opt.Memory > 0 {
		w.most = int(max(min(int64(w.most), b.opt.Memory/groupBytes/int64(workers)), 1<<10))
	}
	columns := bits.Len(uint(b.n - 1))
	w.plainRows = rowSorter[uint32]{bits: columns, most: w.most}
	w.packedRows = rowSorter[uint64]{bits: columns, shift: 32, most: w.most}
	return w
}

// build passes the rows of a bucket to yield, after wait has returned. It scatters a bucket of too
// many entries part by part.
func (w *rowMaker) build(at int, wait, yield func() error) error {
	size := min(1<<w.b.shift, w.b.n-at<<w.b.shift)
	counts := w.counts[:size]
	clear(counts)
	if err := w.each(at, func(chunk []byte) { w.count(chunk, counts) }); err != nil {
		return err
	}
	all := 0
	for _, count := range counts {
		all += count
	}
	// The entries scattered at a time should fit a processor's caches, but a bucket should be read
	// only a few times.
	most := min(w.most, max(1<<18, all/4))
	for lo := 0; lo < size; {
		hi, total := lo, 0
		for ; hi < size && (hi == lo || total+counts[hi] <= most); hi++ {
			w.next[hi] = total
			total += counts[hi]
		}
		w.grow(total)
		if err := w.scatterAll(at, lo, hi, total); err != nil {
			return err
		}
		w.merged, w.plainRows.moves, w.packedRows.moves = 0, 0, 0
		if err := w.finish(at<<w.b.shift, counts, lo, hi); err != nil {
			if earlier := wait(); earlier != nil { // the first fault is returned, whoever finds it
				return earlier
			}
			return err
		}
		if w.plainRows.moves+w.packedRows.moves > total {
			w.passes = min(w.passes+1, mostPasses)
		}
		if err := wait(); err != nil {
			return err
		}
		if err := yield(); err != nil {
			return err
		}
		lo = hi
	}
	return wait() // also for a bucket without rows: the next one may then begin
}

// scatterAll scatters the entries of the rows lo to hi-1 of a bucket, total in number, to their
// rows.
func (w *rowMaker) scatterAll(at, lo, hi, total int) error {
	if w.passes == 0 || total > w.most {
		return w.each(at, func(chunk []byte) { w.scatter(chunk, lo, hi) })
	}
	grouped, err := w.group(at, lo, hi, total)
	if err == nil {
		w.scatter(grouped, lo, hi)
	}
	return err
}

// each calls visit with all chunks of a bucket, each with its spare bytes.
func (w *rowMaker) each(at int, visit func(chunk []byte)) error {
	b := &w.b.buckets[at]
	for _, chunk := range b.memory {
		visit(chunk)
	}
	for _, chunk := range b.tails {
		visit(chunk)
	}
	if len(b.file) > 0 && w.buffer == nil {
		w.buffer = make([]byte, w.b.chunk+spare)
	}
	for _, offset := range b.file {
		if _, err := w.b.opt.Scratch.ReadAt(w.buffer[:w.b.chunk], offset); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		visit(w.buffer)
	}
	return nil
}

// count adds the entries of a chunk to the counts of their rows.
func (w *rowMaker) count(chunk []byte, counts []int) {
	width := w.b.width
	for k := 0; k+width+spare <= len(chunk); k += width {
		counts[binary.LittleEndian.Uint16(chunk[k:k+2])&(directBit-1)]++
	}
}

// digit is the number of bits of a column by which a pass groups, mostPasses the largest number of
// passes.
const (
	digit      = 11
	mostPasses = 2
)

// group returns the entries of some rows of a bucket, as a chunk, in order of the upper digits of
// their columns: scattered in this order, rows are nearly sorted. It is a radix sort, from the
// lower digit on.
func (w *rowMaker) group(at, lo, hi, total int) ([]byte, error) {
	width := w.b.width
	var next [mostPasses][1 << digit]int
	var shifts [mostPasses]uint
	columns := max(bits.Len(uint(w.b.n-1)), digit)
	for pass := range w.passes {
		shifts[pass] = uint(16 + max(columns-digit*(w.passes-pass), 0))
		if size := total*width + spare; cap(w.groups[pass]) < size {
			w.groups[pass] = make([]byte, size+size/8)
		}
	}
	all := hi-lo == len(w.next) // then all entries are in the rows
	err := w.each(at, func(chunk []byte) {
		for k := 0; k+width+spare <= len(chunk); k += width {
			word := binary.LittleEndian.Uint64(chunk[k : k+8])
			if i := int(word & (directBit - 1)); !all && (i < lo || i >= hi) {
				continue
			}
			next[0][word>>(shifts[0]&63)&(1<<digit-1)]++
			if w.passes > 1 {
				next[1][word>>(shifts[1]&63)&(1<<digit-1)]++
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for pass := range w.passes {
		sum := 0
		for k, count := range next[pass] {
			next[pass][k] = sum * width
			sum += count
		}
	}
	to := w.groups[0][:total*width+spare]
	err = w.each(at, func(chunk []byte) { w.pass(to, chunk, &next[0], shifts[0], lo, hi) })
	if err == nil && w.passes > 1 {
		from := to
		to = w.groups[1][:len(from)]
		w.pass(to, from, &next[1], shifts[1], lo, hi)
	}
	return to, err
}

// pass moves the entries of a chunk in the rows lo to hi-1 to the next places of their groups.
func (w *rowMaker) pass(to, chunk []byte, next *[1 << digit]int, shift uint, lo, hi int) {
	width := w.b.width
	shift &= 63
	for k := 0; k+width+spare <= len(chunk); k += width {
		word := binary.LittleEndian.Uint64(chunk[k : k+8])
		if i := int(word & (directBit - 1)); i < lo || i >= hi {
			continue
		}
		group := &next[word>>shift&(1<<digit-1)]
		entry := to[*group : *group+6]
		binary.LittleEndian.PutUint32(entry, uint32(word))
		binary.LittleEndian.PutUint16(entry[4:], uint16(word>>32))
		if width > 6 {
			copy(to[*group+6:*group+10], chunk[k+6:k+10])
		}
		*group += width
	}
}

// grow extends the arrays to hold the entries that will be scattered.
func (w *rowMaker) grow(total int) {
	if w.plain {
		w.cols = slices.Grow(w.cols[:0], total)[:total]
	} else {
		w.packed = slices.Grow(w.packed[:0], total)[:total]
	}
}

// scatter moves the entries of a chunk in the rows lo to hi-1 of the bucket to their rows. The bits
// of non-negative floats are ordered like the floats, so that sorting the words of a row sorts by
// column, direction, then weight.
func (w *rowMaker) scatter(chunk []byte, lo, hi int) {
	next := w.next
	if w.plain {
		const width = 6
		cols := w.cols
		for k := 0; k+width+spare <= len(chunk); k += width {
			word := binary.LittleEndian.Uint64(chunk[k : k+8])
			if i := int(word & (directBit - 1)); i >= lo && i < hi {
				cols[next[i]] = uint32(word >> 16)
				next[i]++
			}
		}
		return
	}
	width, weight := w.b.width, uint64(math.Float32bits(1))
	packed := w.packed
	for k := 0; k+width+spare <= len(chunk); k += width {
		word := binary.LittleEndian.Uint64(chunk[k : k+8])
		i := int(word & (directBit - 1))
		if i < lo || i >= hi {
			continue
		}
		if width > 6 {
			weight = uint64(binary.LittleEndian.Uint32(chunk[k+6 : k+10]))
		}
		packed[next[i]] = word>>16<<32 | word&directBit<<(31-maxShift) | weight
		next[i]++
	}
}

// finish sorts and merges the rows lo to hi-1 of the bucket that starts at row first.
func (w *rowMaker) finish(first int, counts []int, lo, hi int) error {
	if w.plain {
		return w.finishPlain(first, counts, lo, hi)
	}
	w.lengths, w.cols, w.vals = w.lengths[:0], w.cols[:0], w.vals[:0]
	for i := lo; i < hi; i++ {
		end := w.next[i]
		row := w.packed[end-counts[i] : end]
		w.packedRows.sort(row)
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

// finishPlain is finish for columns that are in place.
func (w *rowMaker) finishPlain(first int, counts []int, lo, hi int) error {
	for k := len(w.ones); k < len(w.cols); k++ {
		w.ones = append(w.ones, 1)
	}
	w.lengths, w.vals = w.lengths[:0], w.ones[:len(w.cols)]
	kept, ones := 0, true
	keep := func(cols []uint32) {
		if len(cols) > 0 && &w.cols[kept] != &cols[0] {
			copy(w.cols[kept:], cols)
		}
		kept += len(cols)
	}
	for i := lo; i < hi; i++ {
		if done := kernel.SortRows(w.cols, w.next[i:hi], counts[i:hi]); done > 0 {
			keep(w.cols[w.next[i]-counts[i] : w.next[i+done-1]])
			w.lengths = append(w.lengths, counts[i:i+done]...)
			if i += done; i == hi {
				break
			}
		}
		row := w.cols[w.next[i]-counts[i] : w.next[i]]
		w.plainRows.sort(row)
		n := len(row)
		if !ascending(row) {
			if ones { // no longer
				w.vals, ones = append(w.values[:0], w.vals...), false
				w.values = w.vals
			}
			var err error
			if n, err = w.mergePlain(first+i, row, w.vals[kept:]); err != nil {
				return err
			}
		}
		keep(row[:n])
		w.lengths = append(w.lengths, n)
	}
	w.merged += len(w.cols) - kept
	w.cols, w.vals = w.cols[:kept], w.vals[:kept]
	return nil
}

// ascending reports whether a row is sorted and no column comes twice.
func ascending(row []uint32) bool {
	for k := 1; k < len(row); k++ {
		if row[k] <= row[k-1] {
			return false
		}
	}
	return true
}

// mergePlain merges the equal columns of a sorted row, sets the weights that are not 1, and returns
// the number of columns left.
func (w *rowMaker) mergePlain(i int, row []uint32, vals []float32) (int, error) {
	n := 0
	for k := 0; k < len(row); n++ {
		col, begin := row[k], k
		for k < len(row) && row[k] == col {
			k++
		}
		row[n] = col
		if k-begin == 1 {
			continue
		}
		switch w.b.opt.Duplicates {
		case DuplicatesError:
			return 0, &DuplicateError{Src: uint32(i), Dst: col}
		case DuplicatesSum:
			vals[n] = float32(k - begin)
		}
	}
	return n, nil
}

// merge appends a sorted row with equal columns merged.
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
			value = mean(forth, back)
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

// weight returns the merged weight of entries in one place, which are in order of weight; 0 without
// entries.
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
