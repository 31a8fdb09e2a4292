// Package stream opens compressed input by its content and compressed output
// by the ending of its name.
package stream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// maxWindow bounds the memory that a zstd frame may ask for.
const maxWindow = 128 << 20

// Compressed reports whether a file that starts with head (4 bytes or more) is
// one that [Reader] decompresses.
func Compressed(head []byte) bool {
	return bytes.HasPrefix(head, gzipMagic) || bytes.HasPrefix(head, zstdMagic)
}

// ErrDamaged is wrapped by the errors of a decompressor: the fault is in the
// content. Errors of the reader below it come as they are, and so does
// io.ErrUnexpectedEOF, which says that the content is cut.
var ErrDamaged = errors.New("damaged compressed data")

// Reader returns the plain content of r, which may be gzip (any number of
// members), zstd or neither: the first bytes tell. Closing it frees the
// decoder and leaves r open. The end of a compressed stream is only good
// when Read has returned io.EOF: a cut file gives io.ErrUnexpectedEOF there.
func Reader(r io.Reader) (io.ReadCloser, error) {
	below := &watched{Reader: r}
	buffered := bufio.NewReaderSize(below, 64<<10)
	head, err := buffered.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	var plain io.ReadCloser
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		plain, err = gzip.NewReader(buffered)
	case bytes.HasPrefix(head, zstdMagic):
		var d *zstd.Decoder
		if d, err = zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow)); err == nil {
			plain = d.IOReadCloser()
		}
	default:
		return io.NopCloser(buffered), nil
	}
	if err != nil {
		return nil, below.blame(err)
	}
	return &decoder{plain, below}, nil
}

// watched is a reader that remembers its failure.
type watched struct {
	io.Reader
	failure error
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	if err != nil && err != io.EOF {
		w.failure = err
	}
	return n, err
}

// blame returns the failure of the reader where it has one; else err is the
// content's.
func (w *watched) blame(err error) error {
	switch {
	case w.failure != nil:
		return w.failure
	case err == nil, err == io.EOF, err == io.ErrUnexpectedEOF:
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// decoder is a decompressor that says whose fault an error is.
type decoder struct {
	io.ReadCloser
	below *watched
}

func (d *decoder) Read(b []byte) (int, error) {
	n, err := d.ReadCloser.Read(b)
	if err != nil {
		err = d.below.blame(err)
	}
	return n, err
}

// Writer returns a writer to w that compresses when name ends in .gz or
// .zst. Closing it ends the compressed stream and leaves w open. The bytes
// written depend only on the content, not on time or threads.
func Writer(w io.Writer, name string) (io.WriteCloser, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return gzip.NewWriter(w), nil
	case strings.HasSuffix(name, ".zst"):
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return plain{w}, nil
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// TrimEnding returns name without the ending of a compression, so that the
// ending of the format remains.
func TrimEnding(name string) string {
	if plain, ok := strings.CutSuffix(name, ".gz"); ok {
		return plain
	}
	return strings.TrimSuffix(name, ".zst")
}
