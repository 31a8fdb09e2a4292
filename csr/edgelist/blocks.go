package edgelist

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// slack is the number of bytes that may be read past the end of a block's text: the longest line of
// the quick readers, which so need not look for the end.
const slack = 64

// blockSize is the number of bytes read at a time, unless a line is longer. They fit a processor's
// own cache. Only tests set it.
var blockSize = 256 << 10

// block is a piece of a file that ends at the end of a line.
type block struct {
	buffer []byte // the memory of the text
	text   []byte // whole lines
	err    error  // why reading ended after this block; nil, io.EOF or the failure
	index  int    // how many blocks came before
}

// blockReader splits a file into blocks of whole lines.
type blockReader struct {
	mu    sync.Mutex
	in    io.Reader
	carry []byte // the beginning of a line that the last block ended in
	index int    // of the next block
	begun bool   // the first line has been read
	ended bool
}

// next reads the next block. It returns false after the last one.
func (r *blockReader) next(b *block) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return false
	}
	r.fill(b)
	b.index = r.index
	if !r.begun && len(b.text) > 0 {
		b.text = lines.TrimMark(b.text)
		r.begun = true
	}
	r.index++
	r.ended = b.err != nil
	return true
}

// front is the offset at which new text is read into the memory of a block, after the unfinished
// line of the last block. It is at the start of a page, as in a file read from its start: copies
// between places a few bytes apart in their pages take several times as long on some processors.
const front = lines.MaxLine + 4096

// fill reads a block. If one line longer than the limit fills it, the block is passed on without
// the line's end: the line is then found to be too long.
func (r *blockReader) fill(b *block) {
	if b.buffer == nil {
		b.buffer = newBuffer()
	}
	start := front - len(r.carry)
	copy(b.buffer[start:], r.carry)
	n := front
	for b.err = nil; n < front+blockSize && b.err == nil; {
		var got int
		got, b.err = r.in.Read(b.buffer[n : front+blockSize])
		n += got
	}
	end := start
	if at := bytes.LastIndexByte(b.buffer[front:n], '\n'); at >= 0 {
		end = front + at + 1
	}
	if b.err == io.EOF || end == start && n-start > lines.MaxLine {
		end = n
	}
	r.carry = append(r.carry[:0], b.buffer[end:n]...)
	b.text = b.buffer[start:end]
}

// buffers keeps the memory of blocks for the next file: it is more than most files have, and clearing it takes longer than reading them.
var buffers sync.Pool

// newBuffer returns memory for a block.
func newBuffer() []byte {
	if b, ok := buffers.Get().(*[]byte); ok && len(*b) == front+blockSize+slack {
		return *b
	}
	return make([]byte, front+blockSize+slack)
}

// free gives the memory back. No text of the block may be read afterwards.
func (b *block) free() {
	if b.buffer != nil {
		memory := b.buffer
		buffers.Put(&memory)
		*b = block{}
	}
}

// stop makes next return false.
func (r *blockReader) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
}

// worker parses blocks, and owns the memory for it.
type worker struct {
	block  block
	parser parser
	batch  batch
	arena  *arena
}

// read reads a file. Each of several workers takes the next block, parses it, collects its edges
// when all earlier blocks are collected, and stores them. It returns the first error in the order
// of the file.
func (l *List) read(in io.Reader) error {
	reader := &blockReader{in: in}
	before := 0
	finish := func(w *worker) (c *chunk, more bool, err error) {
		if c, err = l.collect(&w.batch, before); err != nil {
			return nil, false, err
		}
		before += w.batch.lines
		if err := w.block.err; err != nil && err != io.EOF {
			return nil, false, &lines.ReadError{File: l.file, Line: before + 1, Err: err}
		}
		return c, w.block.err == nil, nil
	}
	newWorker := func() *worker {
		return &worker{parser: parser{scan: lines.NewLineScanner(l.file), opt: &l.opt, count: l.opt.Duplicates == csr.DuplicatesError}}
	}
	// The first data line decides how all others are read.
	first := newWorker()
	workers := []*worker{first}
	defer func() {
		for _, w := range workers {
			w.block.free()
		}
	}()
	p := &first.parser
	begun := false
	for more := true; more && (!p.opened || p.below || p.first); {
		reader.next(&first.block)
		if !begun && len(first.block.text) > 0 {
			begun = true
			p.begin(l.file, first.block.text)
			l.directed(p.opening.konect)
		}
		p.parse(first.block.text, &first.batch)
		l.nodes.mark(&first.batch)
		var c *chunk
		var err error
		if c, more, err = finish(first); err != nil {
			return err
		}
		l.opening, l.words, l.head, l.numbered, l.ended = p.opening, p.words, p.head, p.numbered, p.columns.ended
		if !more {
			l.skips.Join(p.scan.Skips(), before)
		}
		if err := l.store(c, &first.batch, &first.arena); err != nil || !more {
			return err
		}
	}
	order := newBlockOrder(reader.index)
	loop := func(w *worker) {
		for reader.next(&w.block) {
			w.parser.parse(w.block.text, &w.batch)
			l.nodes.mark(&w.batch)
			if !order.wait(w.block.index) {
				break
			}
			c, more, err := finish(w)
			order.pass(more, err)
			if err == nil {
				order.fail(l.store(c, &w.batch, &w.arena))
			}
			if !more {
				break
			}
		}
	}
	for range rows.Workers(l.opt.Threads) - 1 {
		w := newWorker()
		w.parser.follow(p)
		workers = append(workers, w)
	}
	err := rows.Tasks(context.Background(), len(workers), len(workers), func(_, k int) error {
		// A panic must stop the other workers first: they would wait for this block for ever.
		err := rows.Catch(func() error {
			loop(workers[k])
			return nil
		})
		order.fail(err)
		reader.stop()
		rows.Rethrow(err)
		return err
	})
	if err != nil {
		return err
	}
	return order.err
}

// blockOrder lets workers continue in the order of their blocks.
type blockOrder struct {
	mu   sync.Mutex
	cond *sync.Cond
	next int
	over bool
	err  error // the first one
}

func newBlockOrder(next int) *blockOrder {
	t := &blockOrder{next: next}
	t.cond = sync.NewCond(&t.mu)
	return t
}

// wait returns true when all blocks before k have passed, false when no more will pass.
func (t *blockOrder) wait(k int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.next != k && !t.over {
		t.cond.Wait()
	}
	return !t.over
}

// pass lets the next block pass, and says whether there is one.
func (t *blockOrder) pass(more bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	t.over = t.over || !more
	if t.err == nil {
		t.err = err
	}
	t.cond.Broadcast()
}

// fail ends the order if err is not nil.
func (t *blockOrder) fail(err error) {
	if err == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	if t.err == nil {
		t.err = err
	}
	t.cond.Broadcast()
}
