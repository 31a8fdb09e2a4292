package npz

import (
	"archive/zip"
	"cmp"
	"encoding/binary"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// Write writes m so that scipy.sparse.load_npz reads it: data as f4, indices
// as i4 (i8 where the columns need it), indptr as i8. The arrays are stored
// and not compressed, and times are fixed, so that the bytes depend on m
// alone. A value that is not finite, which [Read] refuses, is a [*csr.StructureError].
func Write(w io.Writer, m *csr.Matrix) error {
	if err := csr.CheckFinite(m, 1); err != nil {
		return err
	}
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
	// After a failed write all others fail, too: the first error is that of the file.
	return cmp.Or(
		err,
		writeVector(archive, "indptr", "<i8", indptr, appendInt64),
		npy.WriteArray(archive, "format", "|S3", []byte("csr"), func(b []byte, v byte) []byte { return append(b, v) }),
		writeVector(archive, "shape", "<i8", []int64{int64(rows), int64(cols)}, appendInt64),
		npy.WriteFloat32s(archive, "data", data, int64(len(data))),
		archive.Close(),
	)
}

func appendInt64(b []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(v)) }

// writeVector writes a 1-D array.
func writeVector[T any](archive *zip.Writer, name, descr string, values []T, element func([]byte, T) []byte) error {
	return npy.WriteArray(archive, name, descr, values, element, int64(len(values)))
}
