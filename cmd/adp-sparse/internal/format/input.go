package format

import (
	"bufio"
	"bytes"
	"io"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// sniffed is the number of bytes that ByContent needs.
const sniffed = 512

// Peek returns the first bytes of r, and a reader of all of it: r itself where it can be read
// at any place.
func Peek(r io.Reader, size int64) ([]byte, io.Reader) {
	head := make([]byte, sniffed)
	if at, ok := r.(io.ReaderAt); ok && size >= 0 {
		n, _ := at.ReadAt(head, 0) // a read that fails here fails again
		return head[:n], r
	}
	buffered := bufio.NewReaderSize(r, 64<<10)
	head, _ = buffered.Peek(sniffed)
	return head, buffered
}

// whole returns the input as a reader of any place, with its size: the file itself, or a copy
// in memory of a stream that must start like the magic.
func whole(in Input, magic, what string) (io.ReaderAt, int64, error) {
	if at, ok := in.R.(io.ReaderAt); ok && in.Size >= 0 {
		return at, in.Size, nil
	}
	text, err := npy.ReadStream(in.R, in.Name, magic, what, npy.MostStream)
	return bytes.NewReader(text), int64(len(text)), err
}

// WholeParquet returns a Parquet file, which may be compressed, as a reader of any place.
func WholeParquet(r io.Reader, name string, size int64) (io.ReaderAt, int64, error) {
	plain, size, err := Decompress(r, name, size)
	if err != nil {
		return nil, 0, err
	}
	return whole(Input{plain, name, size}, parquet.Magic, parquetFile)
}

// WholeNPZ is [WholeParquet] for an archive of numpy.
func WholeNPZ(r io.Reader, name string, size int64) (io.ReaderAt, int64, error) {
	plain, size, err := Decompress(r, name, size)
	if err != nil {
		return nil, 0, err
	}
	return whole(Input{plain, name, size}, "PK", "a .npz archive")
}

// Decompress returns the plain content of a file; its size is known only where the file was plain.
func Decompress(r io.Reader, name string, size int64) (io.Reader, int64, error) {
	head := make([]byte, stream.Head)
	at, ok := r.(io.ReaderAt)
	if ok && size >= 0 {
		n, _ := at.ReadAt(head, 0)
		if !stream.Compressed(head[:n]) {
			return r, size, nil
		}
	}
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, 0, &lines.ReadError{File: name, Line: 1, Err: err}
	}
	return plain, -1, nil
}

const parquetFile = "a Parquet file"
