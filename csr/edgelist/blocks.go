package edgelist

import (
	"bytes"
	"io"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// slack is the number of bytes that may be read past the end of a block's
// text: the longest line that parser.quick reads, so that it need not look for
// the end.
const slack = 64

// block is a part of a file that ends with a line, on its way from the reader
// by a parser to the collector.
type block struct {
	room   []byte // the memory of the text
	text   []byte // whole lines
	err    error  // why reading ended after this block; nil, io.EOF or the failure
	parsed batch
	done   chan struct{} // closed when it is parsed
}

// blockReader cuts a file into blocks of whole lines.
type blockReader struct {
	in    io.Reader
	carry []byte // the beginning of a line that the last block ended in
	begun bool
}

// fill reads the next block. One that has no line end although it is longer
// than a line may be is passed on as it is: its line is then found to be too
// long.
func (r *blockReader) fill(b *block) {
	if b.room == nil {
		b.room = make([]byte, lines.MaxLine+1+slack)
	}
	text := b.room[:len(b.room)-slack]
	n := copy(text, r.carry)
	b.err = nil
	for n < len(text) && b.err == nil {
		var got int
		got, b.err = r.in.Read(text[n:])
		n += got
	}
	text = text[:n]
	end := n
	if at := bytes.LastIndexByte(text, '\n'); at >= 0 && b.err != io.EOF {
		end = at + 1
	} else if b.err != nil && b.err != io.EOF {
		end = 0 // the line that reading failed in
	}
	r.carry = append(r.carry[:0], text[end:]...)
	b.text = text[:end]
	if !r.begun {
		b.text = lines.TrimMark(b.text)
		r.begun = true
	}
}

// parseFile reads a file, has its blocks parsed by several workers and passes
// the batches to collect in the order of the file, with the number of lines
// before each. It returns the first error in that order.
func parseFile(in io.Reader, file string, opt Options, collect func(b *batch, before int) error) error {
	reader := &blockReader{in: in}
	first := &parser{scan: lines.NewLineScanner(file), skip: opt.Header == HeaderYes, first: opt.Header == HeaderCheck, count: opt.Duplicates == csr.DuplicatesError}
	before := 0
	finish := func(b *block) (more bool, err error) {
		if err := collect(&b.parsed, before); err != nil {
			return false, err
		}
		before += b.parsed.lines
		if b.err != nil && b.err != io.EOF {
			return false, &lines.ReadError{File: file, Line: before + 1, Err: b.err}
		}
		return b.err == nil && b.parsed.err == nil, nil
	}
	// The first data line decides how all others are read.
	spare := &block{}
	for more := true; more && (first.scan.Separator() == 0 || first.skip || first.first); {
		reader.fill(spare)
		first.parse(spare.text, &spare.parsed)
		var err error
		if more, err = finish(spare); err != nil || !more {
			return err
		}
	}
	return parseRest(reader, func() *parser {
		p := &parser{scan: lines.NewLineScanner(file), count: first.count}
		p.scan.SetSeparator(first.scan.Separator())
		return p
	}, rows.Workers(opt.Threads), spare, finish)
}

// parseRest is the parallel part of parseFile.
func parseRest(reader *blockReader, newParser func() *parser, workers int, spare *block, finish func(b *block) (bool, error)) error {
	free := make(chan *block, workers+2) // all blocks: bounds the memory
	free <- spare
	for range workers + 1 {
		free <- &block{}
	}
	work := make(chan *block, workers+2)
	ordered := make(chan *block, workers+2)
	stop := make(chan struct{})
	go func() {
		defer close(ordered)
		defer close(work)
		for {
			select {
			case b := <-free:
				reader.fill(b)
				b.done = make(chan struct{})
				work <- b
				ordered <- b
				if b.err != nil {
					return
				}
			case <-stop:
				return
			}
		}
	}()
	for range workers {
		go func() {
			p := newParser()
			for b := range work {
				p.parse(b.text, &b.parsed)
				close(b.done)
			}
		}()
	}
	var err error
	more := true
	for b := range ordered {
		<-b.done
		if more {
			if more, err = finish(b); !more {
				close(stop)
			}
		}
		free <- b
	}
	return err
}
