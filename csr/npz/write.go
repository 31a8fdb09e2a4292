package npz

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"math"
	"time"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// Write writes m so that scipy.sparse.load_npz reads it: data as f4, indices
// as i4 (i8 where the columns need it), indptr as i8. The arrays are stored
// and not compressed, and times are fixed, so that the bytes depend on m
// alone.
func Write(w io.Writer, m *csr.Matrix) error {
	rows, cols := m.Dims()
	indptr, indices, data := m.Arrays()
	if len(indptr) == 0 { // the zero Matrix
		indptr = []int64{0}
	}
	archive := zip.NewWriter(w)
	var err error
	if cols <= math.MaxInt32 {
		err = writeVector(archive, "indices", "<i4", indices, binary.LittleEndian.AppendUint32)
	} else {
		err = writeVector(archive, "indices", "<i8", indices, func(b []byte, j uint32) []byte {
			return binary.LittleEndian.AppendUint64(b, uint64(j))
		})
	}
	if err != nil {
		return err
	}
	if err := writeVector(archive, "indptr", "<i8", indptr, appendInt64); err != nil {
		return err
	}
	if err := writeFormat(archive); err != nil {
		return err
	}
	if err := writeVector(archive, "shape", "<i8", []int64{int64(rows), int64(cols)}, appendInt64); err != nil {
		return err
	}
	err = writeVector(archive, "data", "<f4", data, func(b []byte, v float32) []byte {
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	})
	if err != nil {
		return err
	}
	return archive.Close()
}

func appendInt64(b []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(v)) }

// create starts an array of the archive, dated to the first day that zip
// knows.
func create(archive *zip.Writer, name string) (io.Writer, error) {
	return archive.CreateHeader(&zip.FileHeader{
		Name:     name + ".npy",
		Method:   zip.Store,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
	})
}

func writeFormat(archive *zip.Writer) error {
	w, err := create(archive, "format")
	if err != nil {
		return err
	}
	_, err = w.Write(append(npy.AppendHeader(nil, "|S3"), "csr"...))
	return err
}

// writeVector writes a 1-D array through a buffer of fixed size.
func writeVector[T any](archive *zip.Writer, name, descr string, values []T, element func([]byte, T) []byte) error {
	w, err := create(archive, name)
	if err != nil {
		return err
	}
	const most = 64 << 10
	buffer := npy.AppendHeader(make([]byte, 0, most+8), descr, int64(len(values)))
	for _, v := range values {
		if buffer = element(buffer, v); len(buffer) >= most {
			if _, err := w.Write(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
		}
	}
	_, err = w.Write(buffer)
	return err
}
