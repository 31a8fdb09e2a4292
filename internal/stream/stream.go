// Package stream opens compressed input by its content and compressed output
// by the ending of its name.
package stream

import (
	"bufio"
	"bytes"
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

// Reader returns the plain content of r, which may be gzip (any number of
// members), zstd or neither: the first bytes tell. Closing it frees the
// decoder and leaves r open. The end of a compressed stream is only good
// when Read has returned io.EOF: a cut file gives io.ErrUnexpectedEOF there.
func Reader(r io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	head, err := buffered.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return gzip.NewReader(buffered)
	case bytes.HasPrefix(head, zstdMagic):
		d, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(buffered), nil
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
