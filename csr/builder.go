package csr

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/adp-sparse/adp-sparse/internal/hugepage"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Scratch is a temporary file for the entries that exceed a [Builder]'s memory. Several goroutines
// call it, for ranges that do not overlap.
type Scratch interface {
	io.WriterAt
	io.ReaderAt
}

// Builder makes the matrix of [FromEdges] from edges that come in pieces. These may be more than
// the memory holds.
//
// Each edge becomes an entry in the rows of both ends. As entries come, they are distributed to
// buckets of consecutive rows, 6 bytes each, 10 with weights, in memory or in the scratch file.
// Then one bucket after the other is counted, scattered to its rows, sorted and merged, in the
// cache. There is no sort of all entries, and nothing of size n. The result does not depend on the
// order of the edges, on threads, or on the memory.
type Builder struct {
	n        int
	opt      BuildOptions
	weighted bool
	shift    uint // a bucket has 1<<shift rows
	width    int  // bytes of an entry
	chunk    int  // bytes of a chunk, a multiple of width
	block    int  // bytes of the blocks that chunks are cut from
	workers  []*distributor
	buckets  []bucket
	held     atomic.Int64 // bytes of full chunks in memory
	spilled  atomic.Int64 // bytes in the scratch file
	stats    BuildStats
}

// bucket holds the entries of some rows: full chunks in memory, with spare bytes after them, full
// chunks in the scratch file, and the last chunk of each worker.
type bucket struct {
	mu     sync.Mutex
	memory [][]byte
	file   []int64 // offsets of chunks
	tails  [][]byte
}

// maxShift leaves a bit of an entry's row for its direction.
const (
	maxShift  = 15
	directBit = 1 << maxShift
)

// NewBuilder returns a builder of an n×n matrix. The number of edges only sets the size of buckets,
// and may be an estimate. weighted says whether the edges will have weights. It panics if n is not
// in 0 to [MaxDim], and for an unknown rule for duplicates.
func NewBuilder(n int, edges int64, weighted bool, opt BuildOptions) *Builder {
	if n < 0 || n > MaxDim || !opt.Duplicates.known() {
		panic(fmt.Sprintf("csr: builder of %d nodes by rule %d for duplicates, expected 0 to %d by a known one", n, int(opt.Duplicates), MaxDim))
	}
	b := &Builder{n: n, opt: opt, weighted: weighted, width: 6, workers: make([]*distributor, rows.Workers(opt.Threads))}
	if weighted {
		b.width = 10
	}
	if opt.Scratch == nil {
		b.opt.Memory = 0
	}
	b.opt.Mean = opt.Mean && opt.Directed
	// The packed entries of a bucket should fit the second-level cache.
	const target = 1 << 16
	entries := max(2*edges, 1)
	count := max(int64(n)>>maxShift, entries/target, 1)
	b.shift = min(maxShift, uint(bits.Len64(uint64(int64(n)/count))))
	b.buckets = make([]bucket, n>>b.shift+1)
	// Open chunks take an eighth of the entries at most.
	open := int64(len(b.buckets) * len(b.workers))
	size := entries * int64(b.width) / 8 / open
	if b.opt.Memory > 0 {
		size = min(size, b.opt.Memory/8/open)
	}
	b.chunk = (int(min(max(size, 240), 1<<14)) - spare) / b.width * b.width
	b.block = b.chunk + spare
	if b.opt.Memory <= 0 {
		b.block = max(b.block, int(min(entries*int64(b.width)/8/int64(len(b.workers)), 16<<20)))
	}
	return b
}

// lane is a chunk that is being filled.
type lane struct {
	chunk []byte
	n     int // bytes that are
}

// distributor holds one worker's lanes, one to each bucket.
type distributor struct {
	b     *Builder
	open  []lane
	stats BuildStats
	given [][]byte // memory for chunks: see Reuse
	free  []byte   // the end of a block that chunks are cut from
	err   error    // of the scratch file
}

// Add adds edges, and does not keep e. Several workers, numbered from 0 to rows.Workers of the
// threads, may add at the same time, each its own edges. Faults of edges are those of [FromEdges]. A
// builder that gave its rows takes no more: [ErrUsed].
func (b *Builder) Add(worker int, e *Edges) error {
	if err := checkEdges(b.n, e); err != nil {
		return err
	}
	if e.Weight != nil && !b.weighted {
		return &StructureError{-1, "edges with weights for a builder of edges without"}
	}
	return b.add(worker, e.Src, e.Dst, e.Weight)
}

// Reuse gives the builder memory that the worker no longer needs. The builder uses it before it
// allocates more.
func (b *Builder) Reuse(worker int, words []uint32) {
	if d := b.worker(worker); len(words) > 0 {
		d.given = append(d.given, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words)))
	}
}

// worker returns the distributor of a worker.
func (b *Builder) worker(k int) *distributor {
	if b.workers[k] == nil {
		b.workers[k] = &distributor{b: b, open: make([]lane, len(b.buckets))}
	}
	return b.workers[k]
}

// add adds edges that have been checked.
func (b *Builder) add(worker int, src, dst []uint32, weight []float32) error {
	if b.workers == nil {
		return errUsed
	}
	d := b.worker(worker)
	d.distribute(src, dst, weight)
	return d.err
}

// distribute appends the entries of edges to their buckets.
func (d *distributor) distribute(src, dst []uint32, weight []float32) {
	in := uint32(0)
	if d.b.opt.Directed {
		in = directBit
	}
	both := !d.b.opt.Directed || d.b.opt.Mean
	if both && !d.b.weighted {
		d.distributePlain(src, dst, in)
		return
	}
	open, shift, width := d.open, d.b.shift, d.b.width
	mask := uint32(1)<<shift - 1
	bits := math.Float32bits(1)
	for k, i := range src {
		j := dst[k]
		if i == j {
			d.stats.SelfLoops++
			continue
		}
		if weight != nil {
			if bits = math.Float32bits(weight[k]); bits<<1 == 0 { // +0 or -0
				d.stats.ZeroWeight++
				continue
			}
		}
		to := &open[i>>shift]
		if to.isFull(width) {
			d.next(i>>shift, to)
		}
		to.put(i&mask, j, bits, width)
		if !both {
			continue
		}
		to = &open[j>>shift]
		if to.isFull(width) {
			d.next(j>>shift, to)
		}
		to.put(j&mask|in, i, bits, width)
	}
}

// distributePlain is distribute for edges without weights that have entries in the rows of both
// ends.
func (d *distributor) distributePlain(src, dst []uint32, in uint32) {
	const width = 6
	open, shift := d.open, d.b.shift&31
	mask := uint32(1)<<shift - 1
	dst = dst[:len(src)]
	for k, i := range src {
		j := dst[k]
		if i == j {
			d.stats.SelfLoops++
			continue
		}
		to := &open[i>>shift]
		if to.isFull(width) {
			d.next(i>>shift, to)
		}
		binary.LittleEndian.PutUint64(to.chunk[to.n:to.n+8], entryWord(i&mask, j))
		to.n += width
		to = &open[j>>shift]
		if to.isFull(width) {
			d.next(j>>shift, to)
		}
		binary.LittleEndian.PutUint64(to.chunk[to.n:to.n+8], entryWord(j&mask|in, i))
		to.n += width
	}
}

// isFull reports whether no further entry fits.
func (l *lane) isFull(width int) bool { return l.n+width+spare > len(l.chunk) }

// put appends an entry: the row within its bucket with the direction, the
// column and, with weights, the bits of the weight.
func (l *lane) put(row, col, bits uint32, width int) {
	binary.LittleEndian.PutUint64(l.chunk[l.n:l.n+8], entryWord(row, col))
	if width > 6 {
		binary.LittleEndian.PutUint32(l.chunk[l.n+6:l.n+10], bits)
	}
	l.n += width
}

// entryWord returns the first six bytes of an entry and two arbitrary ones. If these were known to
// be 0, the compiler would write the word in four pieces.
func entryWord(row, col uint32) uint64 {
	return uint64(row) | uint64(col)<<16 | uint64(row)<<48
}

// spare is the number of unused bytes at the end of a chunk: an entry is written and read with the
// two bytes after it.
const spare = 2

// next stores the full chunk of a bucket, in memory while the limit allows, and gives its lane an
// empty one.
func (d *distributor) next(at uint32, to *lane) {
	full, b := to.chunk, d.b
	to.n = 0
	if to.chunk == nil {
		to.chunk = d.newChunk()
		return
	}
	if b.opt.Memory <= 0 || b.held.Add(int64(b.chunk)) <= b.opt.Memory/2 {
		bucket := &b.buckets[at]
		bucket.mu.Lock()
		bucket.memory = append(bucket.memory, full)
		bucket.mu.Unlock()
		to.chunk = d.newChunk()
		return
	}
	offset := b.spilled.Add(int64(b.chunk)) - int64(b.chunk)
	if _, err := b.opt.Scratch.WriteAt(full[:b.chunk], offset); err != nil && d.err == nil {
		d.err = fmt.Errorf("temporary file: %w", err)
	}
	bucket := &b.buckets[at]
	bucket.mu.Lock()
	bucket.file = append(bucket.file, offset)
	bucket.mu.Unlock()
}

// newChunk returns the memory of a chunk.
func (d *distributor) newChunk() []byte {
	size := d.b.chunk + spare
	for len(d.free) < size {
		if last := len(d.given) - 1; last >= 0 {
			d.free, d.given = d.given[last], d.given[:last]
		} else {
			d.free = make([]byte, d.b.block)
			hugepage.Fresh(d.free)
		}
	}
	chunk := d.free[:size:size]
	d.free = d.free[size:]
	return chunk
}

// Rows calls yield for consecutive groups of finished rows that cover 0 to n-1, in order, one call
// at a time. yield gets the number of entries of each row, and the entries one after the other,
// valid during the call. Rows stops at the first error, which may be yield's. It uses the builder
// up: a second call is an [ErrUsed].
func (b *Builder) Rows(ctx context.Context, yield func(lengths []int, cols []uint32, vals []float32) error) (BuildStats, error) {
	if b.workers == nil {
		return b.stats, errUsed
	}
	for _, d := range b.workers {
		if d == nil {
			continue
		}
		b.stats.SelfLoops += d.stats.SelfLoops
		b.stats.ZeroWeight += d.stats.ZeroWeight
		for at, l := range d.open {
			if l.n > 0 {
				b.buckets[at].tails = append(b.buckets[at].tails, l.chunk[:l.n+spare])
			}
		}
	}
	b.workers = nil
	order := newSequence()
	stop := context.AfterFunc(ctx, func() { order.fail(ctx.Err()) })
	defer stop()
	workers := make([]*rowMaker, b.makers())
	merged := 0
	err := rows.Tasks(ctx, len(b.buckets), len(workers), func(worker, at int) error {
		if workers[worker] == nil {
			workers[worker] = newRowMaker(b, len(workers))
		}
		w := workers[worker]
		// A fault of mapped memory, or a panic, must stop the other workers first: they would wait
		// for ever.
		err := rows.Catch(func() error {
			return w.build(at, func() error { return order.wait(at) }, func() error {
				merged += w.merged // one call at a time
				return yield(w.lengths, w.cols, w.vals)
			})
		})
		b.buckets[at] = bucket{}
		order.done(err)
		rows.Rethrow(err)
		return err
	})
	b.stats.Duplicates = merged
	if !b.opt.Directed || b.opt.Mean {
		b.stats.Duplicates /= 2
	}
	return b.stats, err
}

// errUsed is the error of a builder whose rows have been asked for.
var errUsed = fmt.Errorf("%w: the rows of this builder have been built, expected a new one", ErrUsed)

// makers returns the number of workers that make rows. They share limited memory. A worker whose
// part is smaller than a bucket reads the bucket, which may lie in the scratch file, several times:
// many small parts would take far longer than fewer workers do.
func (b *Builder) makers() int {
	workers := rows.Workers(b.opt.Threads)
	if b.opt.Memory > 0 {
		workers = int(min(int64(workers), max(b.opt.Memory/(groupBytes*leastPart), 1)))
	}
	return workers
}

// Matrix returns the matrix in memory. It uses the builder up, as [Builder.Rows] does.
func (b *Builder) Matrix(ctx context.Context) (*Matrix, BuildStats, error) {
	most := b.Entries()
	m := &Matrix{
		rows: b.n, cols: b.n, indptr: make([]int64, 1, b.n+1),
		indices: make([]uint32, 0, most), data: make([]float32, 0, most),
	}
	hugepage.Fresh(m.indices[:most])
	hugepage.Fresh(m.data[:most])
	stats, err := b.Rows(ctx, func(lengths []int, cols []uint32, vals []float32) error {
		end := int64(len(m.indices))
		for _, length := range lengths {
			end += int64(length)
			m.indptr = append(m.indptr, end)
		}
		m.indices = append(m.indices, cols...)
		m.data = append(m.data, vals...)
		return nil
	})
	if err != nil {
		return nil, stats, err
	}
	if kept := int64(len(m.indices)); kept < most-most/8 { // merging left much of the array empty
		m.indices = append(make([]uint32, 0, kept), m.indices...)
		m.data = append(make([]float32, 0, kept), m.data...)
	}
	return m, stats, nil
}

// Nodes returns n.
func (b *Builder) Nodes() int { return b.n }

// Entries returns the number of entries before duplicates are merged.
func (b *Builder) Entries() int64 {
	bytes := int64(0)
	for k := range b.buckets {
		bytes += int64(len(b.buckets[k].memory)+len(b.buckets[k].file)) * int64(b.chunk)
	}
	for _, d := range b.workers {
		if d != nil {
			for _, l := range d.open {
				bytes += int64(l.n)
			}
		}
	}
	return bytes / int64(b.width)
}

// sequence lets tasks that finish in any order continue in the order of their numbers.
type sequence struct {
	mu   sync.Mutex
	cond *sync.Cond
	next int
	err  error
}

func newSequence() *sequence {
	s := &sequence{}
	s.cond = sync.NewCond(&s.mu)
	return s
}

// wait returns when all tasks before k are done, or one has failed.
func (s *sequence) wait(k int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.next < k && s.err == nil {
		s.cond.Wait()
	}
	return s.err
}

// done ends the next task.
func (s *sequence) done(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	if s.err == nil {
		s.err = err
	}
	s.cond.Broadcast()
}

// fail ends all tasks.
func (s *sequence) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.cond.Broadcast()
}
