package ids

import (
	"archive/zip"
	"encoding/binary"
	"strconv"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// WriteArrays adds the names of n nodes to a numpy archive: `names`, one after the other in UTF-8, and
// `name_ends`, i8 (n+1), so that name i is names[name_ends[i]:name_ends[i+1]]. appendName appends name
// i. Names that are 0 to n−1 are not written. Memory: the names once.
func WriteArrays(archive *zip.Writer, n int, appendName func(dst []byte, i int) []byte) error {
	plain := true
	var text, number []byte
	ends := make([]int64, 1, n+1)
	for i := range n {
		text = appendName(text, i)
		if plain {
			number = strconv.AppendInt(number[:0], int64(i), 10)
			plain = string(text[ends[i]:]) == string(number)
		}
		ends = append(ends, int64(len(text)))
	}
	if plain {
		return nil
	}
	if err := npy.WriteBytes(archive, "names", text); err != nil {
		return err
	}
	return npy.WriteArray(archive, "name_ends", "<i8", ends, func(b []byte, v int64) []byte {
		return binary.LittleEndian.AppendUint64(b, uint64(v))
	}, int64(len(ends)))
}

// ReadArrays reads the names of n nodes, as [WriteArrays] wrote them.
func ReadArrays(archive *npy.Archive, n int) (*Table, error) {
	if !archive.Has("names") && !archive.Has("name_ends") {
		return Sequence(n), nil
	}
	text, err := npy.Vector(archive, "names", -1, (*npy.Array).Bytes)
	if err != nil {
		return nil, err
	}
	ends, err := npy.Vector(archive, "name_ends", n+1, (*npy.Array).Ints)
	if err != nil {
		return nil, err
	}
	offsets := make([]uint64, len(ends))
	for k, v := range ends {
		offsets[k] = uint64(v)
	}
	table, err := FromText(text, offsets)
	if err != nil {
		return nil, archive.Errorf("%v", err)
	}
	return table, nil
}
