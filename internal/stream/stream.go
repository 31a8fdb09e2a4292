// Package stream opens compressed input by its content and compressed output
// by the ending of its name.
package stream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
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

// Compressed reports whether a file that starts with head ([Head] bytes, or all of it) is in a
// compressed form: one that [Reader] decompresses, or refuses by its name.
func Compressed(head []byte) bool {
	return bytes.HasPrefix(head, gzipMagic) || isZstd(head) || foreignTo(head) != nil
}

// isZstd reports whether a file begins with a frame of zstd: one of content, or one to skip.
func isZstd(head []byte) bool { return bytes.HasPrefix(head, zstdMagic) || isSkippable(head) }

// ErrDamaged is wrapped by the errors of a decompressor: the fault is in the
// content. Errors of the reader below it come as they are, and so does
// io.ErrUnexpectedEOF, which says that the content is cut.
var ErrDamaged = errors.New("damaged compressed data")

// Reader returns the plain content of r, which may be gzip (any number of members), zstd (any number
// of frames, those that are skipped too) or neither: the first bytes tell. Other compressed forms
// give [ErrForeign]. Closing it frees the decoder and leaves r open. The end of a compressed stream
// is only good when Read has returned io.EOF: a cut file gives io.ErrUnexpectedEOF there.
func Reader(r io.Reader) (io.ReadCloser, error) {
	below := &watched{Reader: r}
	buffered := bufio.NewReaderSize(below, 64<<10)
	head, err := buffered.Peek(Head)
	if len(head) == 0 && err != io.EOF {
		return nil, err
	}
	var plain io.ReadCloser
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		plain, err = newMembers(buffered)
	case isZstd(head):
		plain, err = newFrames(buffered)
	default:
		return io.NopCloser(buffered), foreignTo(head)
	}
	if err != nil {
		return nil, below.blame(err)
	}
	return &decoder{ReadCloser: plain, below: below}, nil
}

// newFrames returns a reader of a zstd file.
func newFrames(in io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// watched is a reader that remembers its failure, which ends it: who peeks does not pass it on.
type watched struct {
	io.Reader
	failure error
	count   int64 // bytes read
}

func (w *watched) Read(b []byte) (int, error) {
	if w.failure != nil {
		return 0, w.failure
	}
	n, err := w.Reader.Read(b)
	w.count += int64(n)
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
	return fmt.Errorf("%w: %w%s", ErrDamaged, err, remedy(err))
}

// remedy returns what the message about a file adds that is whole and cannot be read here.
func remedy(err error) string {
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Sprintf(" (zstd, more than %d MiB at a time); unpack it first (zstd -d --long=31)", maxWindow>>20)
	case errors.Is(err, zstd.ErrUnknownDictionary):
		return " (zstd); unpack it first, with its dictionary (zstd -d -D)"
	case errors.Is(err, zstd.ErrMagicMismatch):
		return ", expected another frame of zstd, or the end"
	}
	return ""
}

// decoder is a decompressor that says whose fault an error is.
type decoder struct {
	io.ReadCloser
	below *watched
	idle  idle
}

func (d *decoder) Read(b []byte) (int, error) {
	n, err := d.ReadCloser.Read(b)
	if idling := d.idle.take(b[:n], d.below.count); idling != nil && err == nil {
		err = idling
	}
	if err != nil {
		err = d.below.blame(err)
	}
	return n, err
}

// Writer returns a writer to w that compresses when name ends in .gz or
// .zst, in letters of any case. Closing it ends the compressed stream and leaves w open. The bytes
// written depend only on the content, not on time or threads.
func Writer(w io.Writer, name string) (io.WriteCloser, error) {
	switch compression(name) {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return plain{w}, nil
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// TrimEnding returns name without the ending of a compression, so that the
// ending of the format remains.
func TrimEnding(name string) string { return name[:len(name)-len(compression(name))] }

// compression returns the ending of a name that [Writer] compresses by, in small letters, "" for none.
func compression(name string) string {
	if ending := strings.ToLower(filepath.Ext(name)); ending == ".gz" || ending == ".zst" {
		return ending
	}
	return ""
}
