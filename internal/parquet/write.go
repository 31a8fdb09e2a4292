package parquet

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// Writer writes rows of a struct whose fields have tags of parquet-go.
type Writer[Row any] struct {
	out  *parquet.GenericWriter[Row]
	rows []Row
}

// rowGroup bounds the rows that are in memory.
const rowGroup = 1 << 17

// NewWriter returns a writer to w, compressed by snappy, which all readers
// know. The bytes depend on the rows alone.
func NewWriter[Row any](w io.Writer) *Writer[Row] {
	return &Writer[Row]{out: parquet.NewGenericWriter[Row](w,
		parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(rowGroup), parquet.CreatedBy("adp-sparse", "1", ""))}
}

// Add writes a row.
func (w *Writer[Row]) Add(row Row) error {
	if w.rows = append(w.rows, row); len(w.rows) < 1024 {
		return nil
	}
	return w.flush()
}

func (w *Writer[Row]) flush() error {
	_, err := w.out.Write(w.rows)
	w.rows = w.rows[:0]
	return err
}

// Close writes the buffered rows and the footer. It leaves the writer below open.
func (w *Writer[Row]) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.out.Close()
}
