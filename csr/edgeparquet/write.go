package edgeparquet

import (
	"io"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
)

// ErrName is wrapped when an id cannot be written.
var ErrName = lines.ErrName

// row is an edge between nodes that are called like numbers, or by text.
type row[ID int64 | string] struct {
	Src    ID      `parquet:"src"`
	Dst    ID      `parquet:"dst"`
	Weight float32 `parquet:"weight"`
}

// Write writes the symmetric matrix m as [edgelist.Write] does: each pair once,
// the smaller node first, the diagonal as loops, and a node without an entry as
// a loop of weight 0. Ids are a column of whole numbers where all are plain
// integers, else of text; an id that would not come back is an [ErrName], as is a table that has not
// one name a row. A matrix that
// is not symmetric, or has a value below 0 or that is not finite, is a
// [*csr.StructureError].
func Write(w io.Writer, m *csr.Matrix, table *ids.Table) error {
	if err := csr.CheckWeights(m, 0); err != nil {
		return err
	}
	n, _ := m.Dims()
	if err := lines.CheckCount(table.Len(), n); err != nil {
		return err
	}
	name := make([]byte, 0, 64)
	numbers := true
	for i := range table.Len() {
		name = table.AppendName(name[:0], i)
		if err := lines.CheckName(name, '\n'); err != nil {
			return err
		}
		_, plain := ids.Plain(name)
		numbers = numbers && plain
	}
	if !numbers {
		return write(w, m, table.Name)
	}
	return write(w, m, func(i int) int64 {
		v, _ := strconv.ParseInt(table.Name(i), 10, 64) // plain
		return v
	})
}

func write[ID int64 | string](w io.Writer, m *csr.Matrix, name func(i int) ID) error {
	out := parquet.NewWriter[row[ID]](w)
	n, _ := m.Dims()
	for i := range n {
		columns, values := m.Row(i)
		src := name(i)
		if len(columns) == 0 {
			if err := out.Add(row[ID]{src, src, 0}); err != nil {
				return err
			}
		}
		for k, j := range columns {
			if int(j) < i {
				continue
			}
			if err := out.Add(row[ID]{src, name(int(j)), values[k]}); err != nil {
				return err
			}
		}
	}
	return out.Close()
}
